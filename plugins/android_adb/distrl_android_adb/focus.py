"""Which app is in front, read from `dumpsys window`: two lists of lines that do not always agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from distrl_sdk.errors import DeviceError

CUT = re.compile(r"DUMP TIMEOUT \(\d+ms\) EXPIRED")
"""The end of a dump that the system gave up: what stands before it is not all."""

WindowKind = Literal["app", "popup", "shade", "keyguard", "not responding", "crashed", "nothing"]

_CURRENT = re.compile(r"mCurrentFocus=(?:null|Window\{\S+ (?:u\d+ )?(?P<title>.*?)\})\s*$", re.MULTILINE)
_APP = re.compile(r"mFocusedApp=.*?(?:\s|u\d+ )(?P<package>[\w.]+)/(?P<activity>[\w.$]+)")
_COMPONENT = re.compile(r"(?P<package>[\w.]+)/(?P<activity>[\w.$]+)")
_TROUBLE = re.compile(r"Application (?P<what>Not Responding|Error): (?P<package>\S+)")
_SHADES = ("StatusBar", "NotificationShade")
_GUARDS = ("Keyguard", "Bouncer")
SYSTEM_UI = "com.android.systemui"


class DumpError(DeviceError):
    """The system's dump is not whole or cannot be read."""


@dataclass(frozen=True, slots=True)
class Focus:
    """What is in front."""

    package: str = ""
    """'' when nothing is, or nothing can be said."""
    activity: str = ""
    """The full name of its class; '' for a window that is no activity."""
    window: WindowKind = "app"

    @property
    def blocked(self) -> bool:
        """Whether the system's dialog about a broken app stands before everything."""
        return self.window in ("not responding", "crashed")


def read_focus(dump: str) -> Focus:
    """The focus in a dump of `dumpsys window displays` or `windows`. Raises DumpError for one that was cut."""
    if CUT.search(dump):
        raise DumpError("the system gave up its dump of the windows")
    titles = [match["title"] for match in _CURRENT.finditer(dump)]
    if not titles:
        raise DumpError("the dump of the windows names no focus")
    apps = [(match["package"], _full(match["package"], match["activity"])) for match in _APP.finditer(dump)]
    shown = [title for title in titles if title]
    for title in shown:
        match = _COMPONENT.match(title)
        if match is not None and any(package == match["package"] for package, _ in apps):
            return Focus(match["package"], _full(match["package"], match["activity"]))
    if shown:
        return _titled(shown[0], apps)
    package, activity = next(((p, a) for p, a in apps if p != SYSTEM_UI), ("", ""))
    return Focus(package, activity, "nothing")


def _titled(title: str, apps: list[tuple[str, str]]) -> Focus:
    """Of a window that agrees with no focused app."""
    trouble = _TROUBLE.search(title)
    if trouble is not None:
        return Focus(trouble["package"], "", "crashed" if trouble["what"] == "Error" else "not responding")
    if title.startswith(_SHADES):
        return Focus(SYSTEM_UI, "", "shade")
    if title.startswith(_GUARDS):
        return Focus(SYSTEM_UI, "", "keyguard")
    match = _COMPONENT.match(title)
    if match is not None:
        return Focus(match["package"], _full(match["package"], match["activity"]))
    package, activity = apps[-1] if apps else ("", "")
    return Focus(package, activity, "popup")


def _full(package: str, activity: str) -> str:
    """The whole name of a class that is written short: '.Main', or 'Main' without any package."""
    if activity.startswith("."):
        return package + activity
    return activity if "." in activity else f"{package}.{activity}"
