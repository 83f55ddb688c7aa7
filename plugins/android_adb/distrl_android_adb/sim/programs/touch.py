"""input: fingers and keys."""

from __future__ import annotations

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.shell import Call, Outcome, failed
from distrl_sdk.types import Key, LongPress, Press, Swipe, Tap, TypeText

_KEYS = {"3": "HOME", "4": "BACK", "66": "ENTER", "67": "DEL", "187": "APP_SWITCH", "224": "WAKEUP", "223": "SLEEP",
         "26": "POWER", "123": "MOVE_END", "122": "MOVE_HOME", "111": "ESCAPE", "82": "MENU", "62": "SPACE",
         "160": "NUMPAD_ENTER"}  # fmt: skip
_PRESSED = {
    "HOME": Key.HOME,
    "BACK": Key.BACK,
    "ENTER": Key.ENTER,
    "NUMPAD_ENTER": Key.ENTER,
    "APP_SWITCH": Key.RECENTS,
}
_LONG = 500
"""Milliseconds from which on a finger that stays is a long press."""
_SLOP = 8
"""Pixels within which a finger stays."""


async def input_(call: Call) -> Outcome:
    """tap, swipe, draganddrop, text, keyevent."""
    words = list(call.arguments)
    if words and words[0] in ("touchscreen", "keyboard", "mouse"):
        words.pop(0)
    if words[:1] == ["-d"]:
        del words[:2]
    try:
        match words:
            case ["tap", x, y]:
                _touch(call.android, float(x), float(y))
            case ["swipe" | "draganddrop", x, y, to_x, to_y, *rest]:
                await _drag(call.android, (float(x), float(y), float(to_x), float(to_y)), float((rest or ["300"])[0]))
            case ["text", text]:
                return _text(call.android, text)
            case ["keyevent", *keys] if keys:
                for key in keys:
                    _press(call.android, key)
            case _:
                return failed(f"Error: Unknown command: {' '.join(words)}\n", 255)
    except ValueError:
        return failed(f"Error: Invalid arguments for command: {words[0]}\n", 255)
    return Outcome()


def _touch(android: Android, x: float, y: float) -> None:
    width, height = android.size()
    if android.guest.awake:
        android.act(Tap(x / width, y / height))


async def _drag(android: Android, way: tuple[float, float, float, float], milliseconds: float) -> None:
    await android.wait(milliseconds / 1000)
    width, height = android.size()
    x, y, to_x, to_y = way
    if not android.guest.awake:
        return
    if max(abs(to_x - x), abs(to_y - y)) > _SLOP:
        android.act(Swipe(x / width, y / height, to_x / width, to_y / height))
    elif milliseconds >= _LONG:
        android.act(LongPress(x / width, y / height))
    else:
        android.act(Tap(x / width, y / height))


def _text(android: Android, text: str) -> Outcome:
    if not text.isascii():
        return failed("java.lang.NullPointerException: Attempt to get length of null array\n", 255)
    android.act(TypeText(text.replace("%s", " ")))
    return Outcome()


def _press(android: Android, key: str) -> None:
    name = _KEYS.get(key, key.removeprefix("KEYCODE_"))
    match name:
        case "WAKEUP":
            android.guest.awake = True
        case "SLEEP":
            android.guest.awake = False
        case "POWER":
            android.guest.awake = not android.guest.awake
        case "DEL":
            if android.phone.top.focus and not android.phone.popup:
                android.react(("key", "Delete"))
        case "SPACE":
            android.act(TypeText(" "))
        case "ESCAPE":
            if android.phone.top.focus:
                android.act(Press(Key.BACK))
        case _ if name in _PRESSED:
            android.act(Press(_PRESSED[name]))
