"""Size, rotation, displays, wakefulness and keyboard, read from what the system prints about them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distrl_android_adb.focus import CUT, DumpError
from distrl_sdk.errors import DeviceError

_SIZE = re.compile(r"^(Physical|Override) size:\s*(\d+)x(\d+)\s*$", re.MULTILINE)
_VIEWPORT = re.compile(
    r"Viewport INTERNAL:.*?uniqueId=(?P<id>[^,]*),.*?orientation=(?P<turn>\d)"
    r".*?logicalFrame=\[0, 0, (?P<w>\d+), (?P<h>\d+)\](?P<rest>[^\n]*)"
)
_TURN = re.compile(r"mCurrentRotation=(?:ROTATION_)?(\d+)|mRotation=(?:ROTATION_)?(\d+)")
_DISPLAY = re.compile(r"^Display (\d+) \(", re.MULTILINE)
_DIGITS = {
    ord(digit): str(index) for zero in "٠۰०০" for index, digit in enumerate(map(chr, range(ord(zero), ord(zero) + 10)))
}


@dataclass(frozen=True, slots=True)
class Viewport:
    """How the internal display lies."""

    quarter_turns: int
    """0: as the phone is built; 1: turned to the left, ..."""
    width: int
    """As it lies now."""
    height: int
    display: str = ""
    """The number that screencap calls it by, where it is told."""


def read_size(text: str) -> tuple[int, int]:
    """Width and height from `wm size`, as the phone is built; the last line wins. Raises DeviceError."""
    lines = _SIZE.findall(text.replace("\r", ""))
    if not lines:
        raise DeviceError(f"`wm size` says {text.strip()[:200]!r}")
    return int(lines[-1][1]), int(lines[-1][2])


def read_viewport(dump: str) -> Viewport | None:
    """The active internal viewport of `dumpsys input`, or None where it names none."""
    if CUT.search(dump):
        raise DumpError("the system gave up its dump of the input devices")
    found = None
    for match in _VIEWPORT.finditer(dump):
        if found is None or "isActive=[1]" in match["rest"]:
            display = match["id"].removeprefix("local:")
            found = Viewport(
                int(match["turn"]) % 4, int(match["w"]), int(match["h"]), display if display.isdigit() else ""
            )
        if "isActive=[1]" in match["rest"]:
            break
    return found


def read_turn(dump: str) -> int | None:
    """Quarter turns from `dumpsys window`: 'ROTATION_90', '1'. None where it is not told."""
    match = _TURN.search(dump)
    if match is None:
        return None
    told = int(match[1] or match[2])
    return told // 90 % 4 if told >= 90 else told % 4


def read_displays(text: str) -> list[str]:
    """The numbers of `dumpsys SurfaceFlinger --display-id`."""
    return _DISPLAY.findall(text)


def is_awake(dump: str) -> bool:
    """Whether `dumpsys power` says that the screen is on and not dozing; True where it says nothing."""
    match = re.search(r"mWakefulness=(\w+)", dump)
    return match is None or match[1] == "Awake"


def keyboard_shown(dump: str) -> bool:
    """Whether `dumpsys input_method` says that a keyboard is asked for; some draw nothing (`keyboard_drawn`)."""
    return "mInputShown=true" in dump


def keyboard_drawn(dump: str) -> bool:
    """Whether a keyboard covers a part of the screen, so that BACK only closes it."""
    return "mIsInputViewShown=true" in dump


def is_secure(dump: str) -> bool:
    """Whether the focused window of `dumpsys window windows` forbids pictures of itself."""
    current = re.search(r"mCurrentFocus=Window\{(\S+) ", dump)
    if current is None:
        return False
    block = re.search(rf"Window #\d+ Window\{{{re.escape(current[1])} .*?(?=\n\s*Window #|\Z)", dump, re.DOTALL)
    return block is not None and re.search(r"\bfl=[^\n]*\bSECURE\b|FLAG_SECURE", block[0]) is not None


def plain_digits(text: str) -> str:
    """The text with the digits of other scripts as 0 to 9: dumps follow the phone's language."""
    return text.translate(_DIGITS)
