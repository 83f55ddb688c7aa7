"""What one Android shows and is told: single questions and single acts. Remembers nothing of the phone over a reset."""

from __future__ import annotations

from collections import Counter

from distrl_android_adb import focus, screen
from distrl_android_adb.connection import UncertainError
from distrl_android_adb.focus import DumpError, Focus
from distrl_android_adb.gestures import WAKE, gesture
from distrl_android_adb.link import Link, Reply
from distrl_android_adb.picture import PictureError, read_picture
from distrl_android_adb.tree import TreeError, read_tree
from distrl_sdk.errors import DeviceError
from distrl_sdk.types import Key, LongPress, Press, Screenshot, Swipe, Tap, UiElement

DUMP = "/data/local/tmp/distrl-window.xml"
_TREE_SECONDS = 25.0
"""The phone itself gives up after 10 s of waiting for a quiet screen."""
_PICTURE_SECONDS = 20.0
_NEW_WINDOWS = 29
"""The API level from which `dumpsys window displays` tells the focus."""


class LateTreeError(TreeError):
    """The dump did not end in time; another one would find the first still at work."""


class Phone:
    """One Android behind a link."""

    def __init__(self, link: Link, *, raw: bool = False) -> None:
        self.link = link
        self.counts: Counter[str] = Counter()
        """How often what happened that should be rare: uncertain, retaken, treeless, ..."""
        self._raw = raw
        self._display = ""
        self._level = 0

    def forget(self) -> None:
        """Ask anew for everything that may differ after a restart or a reset."""
        self.link.forget()
        self._display = ""
        self._level = 0

    def prop(self, name: str) -> str:
        """A system property, '' when it is not set."""
        return self.link.ask("getprop", name).out.decode(errors="replace").strip()

    @property
    def level(self) -> int:
        """Its API level; 0 where it is not told."""
        if not self._level:
            told = self.prop("ro.build.version.sdk")
            self._level = int(told) if told.isascii() and told.isdigit() else 0
        return self._level

    def picture(self) -> Screenshot:
        """The screen now. Raises DeviceError when no whole picture comes, even the second time."""
        try:
            return self._take()
        except PictureError:
            self.counts["retaken"] += 1
            return self._take()

    def focus(self) -> Focus:
        """What is in front. Raises DeviceError when the phone does not tell."""
        what = "displays" if self.level >= _NEW_WINDOWS else "windows"
        return focus.read_focus(self._dump("window", what))

    def keyboard(self) -> bool:
        """Whether a keyboard is shown."""
        return screen.keyboard_shown(self._dump("input_method"))

    def awake(self) -> bool:
        """Whether the screen is on."""
        return screen.is_awake(self._dump("power"))

    def secure(self) -> bool:
        """Whether what is in front forbids pictures."""
        return screen.is_secure(self._dump("window", "windows"))

    def tree(self, width: int, height: int) -> tuple[UiElement, ...]:
        """The UI tree for a screen of this size. Raises TreeError when the phone makes none, also compressed."""
        try:
            return self._tree((), width, height)
        except LateTreeError:
            raise
        except TreeError:
            self.counts["compressed"] += 1
            return self._tree(("--compressed",), width, height)

    def touch(self, action: Tap | LongPress | Swipe | Press, width: int, height: int) -> None:
        """One gesture or key, sent once. Raises DeviceError when the phone refuses it."""
        words = gesture(action, width, height)
        self.once(*words)

    def press(self, key: Key | int) -> None:
        """A key, by name or number, sent once."""
        if isinstance(key, Key):
            self.touch(Press(key), 1, 1)
        else:
            self.once("input", "keyevent", str(key))

    def once(self, *words: str, seconds: float = 15.0) -> Reply | None:
        """Send what acts, once. None when nobody knows whether it was done: look, do not repeat. Raises DeviceError."""
        try:
            reply = self.link.act(*words, seconds=seconds)
        except UncertainError:
            self.counts["uncertain"] += 1
            return None
        said = reply.text.strip()
        if words[0] == "input" and (reply.code or said):
            raise DeviceError(refusal(said, reply.code))
        return reply

    def wake(self) -> None:
        """Turn the screen on and put an unlocked lock screen away."""
        self.press(WAKE)
        self.once("wm", "dismiss-keyguard")

    def _take(self) -> Screenshot:
        words = ["screencap"] if self._raw else ["screencap", "-p"]
        if not self._display:
            self._display = self._choose_display()
        if self._display != "-":
            words += ["-d", self._display]
        return read_picture(self.link.fetch(*words, seconds=_PICTURE_SECONDS))

    def _choose_display(self) -> str:
        """The number of the panel in use where there are several: without it screencap warns and may take the other."""
        displays = screen.read_displays(self.link.ask("dumpsys", "SurfaceFlinger", "--display-id").text)
        if len(displays) < 2:
            return "-"
        viewport = screen.read_viewport(self._dump("input"))
        return viewport.display if viewport is not None and viewport.display in displays else displays[0]

    def _dump(self, *what: str) -> str:
        """A dump of a system service; a second time, with more patience, when the system gave it up."""
        text = self.link.ask("dumpsys", *what).text
        if focus.CUT.search(text) is None:
            return text
        self.counts["dumps cut"] += 1
        text = self.link.ask("dumpsys", "-t", "30", *what, seconds=40.0).text
        if focus.CUT.search(text) is not None:
            raise DumpError(f"the system gave up its dump of {what[0]} twice")
        return text

    def _tree(self, flags: tuple[str, ...], width: int, height: int) -> tuple[UiElement, ...]:
        """A file of an earlier dump must not be taken for this one: it is removed first, and success must be told."""
        self.link.ask("rm", "-f", DUMP)
        try:
            reply = self.link.act("uiautomator", "dump", *flags, DUMP, seconds=_TREE_SECONDS)
        except UncertainError as error:
            raise LateTreeError(f"no UI tree: {error}") from error
        if "dumped to" not in reply.text:
            raise TreeError(f"no UI tree: {reply.text.strip()[:200] or 'uiautomator said nothing'}")
        return read_tree(self.link.fetch("cat", DUMP), width, height)


def refusal(said: str, code: int) -> str:
    """Why `input` failed and what to do."""
    if "SecurityException" in said or "INJECT_EVENTS" in said:
        return (
            "the phone lets nobody press its screen over adb: turn on 'USB debugging (Security settings)' in the "
            f"developer options ({said.splitlines()[0][:120]})"
        )
    return f"input failed with code {code}: {said[:200] or 'it said nothing'}"
