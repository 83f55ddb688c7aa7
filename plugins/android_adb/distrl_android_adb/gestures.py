"""Actions as words of Android's `input` program, in pixels of the newest picture."""

from __future__ import annotations

from distrl_sdk.types import Key, LongPress, Press, Swipe, Tap

KEYS = {Key.BACK: 4, Key.HOME: 3, Key.ENTER: 66, Key.RECENTS: 187}
WAKE = 224
LONG_PRESS = 1000
"""Milliseconds."""
SWIPE = 300
"""Milliseconds; the call lasts as long. Below 100 it becomes a fling."""
_EDGE = 0.02
"""Share of the width beside which a swipe is the system's BACK: swipes along the screen keep away from it."""


def gesture(action: Tap | LongPress | Swipe | Press, width: int, height: int) -> tuple[str, ...]:
    """The words of one gesture."""
    match action:
        case Tap(x, y):
            return ("input", "tap", *_point(x, y, width, height))
        case LongPress(x, y):
            point = _point(x, y, width, height)
            return ("input", "swipe", *point, *point, str(LONG_PRESS))
        case Swipe(x, y, to_x, to_y):
            across = abs(to_x - x) > abs(to_y - y)
            start, end = (_inside(x), _inside(to_x)) if across else (x, to_x)
            return ("input", "swipe", *_point(start, y, width, height), *_point(end, to_y, width, height), str(SWIPE))
        case Press(key):
            return ("input", "keyevent", str(KEYS[key]))


def _point(x: float, y: float, width: int, height: int) -> tuple[str, str]:
    """Whole pixels on the screen: `input` takes no others."""
    return str(min(max(int(x * width), 0), width - 1)), str(min(max(int(y * height), 0), height - 1))


def _inside(x: float) -> float:
    return min(max(x, _EDGE), 1 - _EDGE)
