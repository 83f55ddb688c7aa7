"""input: fingers and keys."""

from __future__ import annotations

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.keycodes import LETTERS, name_of
from distrl_android_adb.sim.shell import Call, Outcome, failed
from distrl_sdk.types import Key, LongPress, Press, Swipe, Tap, TypeText

_PRESSED = {
    "HOME": Key.HOME, "BACK": Key.BACK, "ENTER": Key.ENTER, "NUMPAD_ENTER": Key.ENTER, "DPAD_CENTER": Key.ENTER,
    "APP_SWITCH": Key.RECENTS,
}  # fmt: skip
_LONG = 500
"""Milliseconds from which on a finger that stays is a long press."""
_SLOP = 8
"""Pixels within which a finger stays."""
_SOURCES = ("touchscreen", "keyboard", "mouse", "touchpad", "dpad", "stylus", "joystick", "trackball", "gamepad")
_NEW = 31
"""The API level from which on `input` runs within the system: combinations of keys, and other words for its errors."""
_UNMAPPED = "java.lang.NullPointerException: Attempt to get length of null array\n"


class _WrongError(Exception):
    """Arguments that `input` refuses."""


async def input_(call: Call) -> Outcome:
    """tap, swipe, draganddrop, motionevent, text, keyevent, keycombination."""
    words = list(call.arguments)
    if words and words[0] in _SOURCES:
        words.pop(0)
    if words[:1] == ["-d"]:
        del words[:2]
    if not words:
        return failed("Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]\n", 255)
    try:
        return await _run(call.android, words)
    except (_WrongError, ValueError, IndexError):
        return failed(f"Error: Invalid arguments for command: {words[0]}\n", 255)


async def _run(android: Android, words: list[str]) -> Outcome:
    match words:
        case ["tap", x, y]:
            _touch(android, float(x), float(y))
        case ["swipe" | "draganddrop", x, y, to_x, to_y, *rest]:
            await _drag(android, (float(x), float(y), float(to_x), float(to_y)), float(rest[0] if rest else 300))
        case ["motionevent", kind, x, y]:
            await _motion(android, kind, float(x), float(y))
        case ["text", text, *rest]:
            if rest and android.options.sdk < _NEW:
                raise _WrongError
            return _text(android, text)
        case ["keyevent", *keys]:
            _keys(android, keys)
        case ["keycombination", *keys] if android.options.sdk >= _NEW and len(keys) > 1:
            _combination(android, [name_of(key) for key in keys if not key.startswith("-")])
        case ["tap" | "swipe" | "draganddrop" | "motionevent" | "text", *_]:
            raise _WrongError
        case _:
            return failed(f"Error: Unknown command: {words[0]}\n", 255)
    return Outcome()


def _touch(android: Android, x: float, y: float) -> None:
    if not android.guest.locked:
        android.act(Tap(*android.display.relative(x, y)))


async def _drag(android: Android, way: tuple[float, float, float, float], milliseconds: float) -> None:
    """The finger is on its way for so long; it has done its work when it lifts."""
    if not 0 <= milliseconds < 600_000:
        raise _WrongError
    await android.wait(milliseconds / 1000)
    x, y, to_x, to_y = way
    down, up = android.display.relative(x, y), android.display.relative(to_x, to_y)
    if android.guest.locked:
        android.guest.locked = not (android.guest.awake and to_y < y - _SLOP)
    elif max(abs(to_x - x), abs(to_y - y)) > _SLOP:
        android.act(Swipe(*down, *up))
    else:
        android.act(LongPress(*down) if milliseconds >= _LONG else Tap(*down))


async def _motion(android: Android, kind: str, x: float, y: float) -> None:
    """A finger in parts: DOWN, MOVE, UP or CANCEL."""
    if kind == "DOWN":
        android.finger = x, y
    elif kind == "UP" and android.finger is not None:
        (down_x, down_y), android.finger = android.finger, None
        await _drag(android, (down_x, down_y, x, y), 0)
    elif kind == "CANCEL":
        android.finger = None
    elif kind not in ("MOVE", "UP"):
        raise _WrongError


def _text(android: Android, text: str) -> Outcome:
    """%s is a space; what the key map does not have is an exception and types nothing."""
    if not text.isascii():
        if android.options.sdk >= _NEW:
            return failed(f"Exception occurred while executing 'text':\n{_UNMAPPED}", 255)
        return failed(_UNMAPPED, 1)
    typed = "".join(sign for sign in text.replace("%s", " ") if sign.isprintable())
    if typed and not android.guest.locked:
        _replace_selected(android)
        android.act(TypeText(typed))
    return Outcome()


def _replace_selected(android: Android) -> None:
    if android.guest.selected:
        clear_field(android)


def clear_field(android: Android) -> None:
    """Nothing is left in the field with the focus."""
    top = android.phone.top
    android.guest.selected = False
    if top.focus and not android.phone.popup:
        android.phone = android.phone.with_top(top.with_draft(top.focus, ""))


def _keys(android: Android, keys: list[str]) -> None:
    held = [key for key in keys if not key.startswith("-")]
    if not held or any(key.startswith("-") and key not in ("--longpress", "--doubletap", "--async") for key in keys):
        raise _WrongError
    for key in held:
        press(android, name_of(key))


def press(android: Android, name: str) -> None:
    """Press and release one key."""
    guest = android.guest
    if name in ("WAKEUP", "SLEEP", "POWER"):
        guest.awake = name == "WAKEUP" or (name == "POWER" and not guest.awake)
    elif guest.awake and not guest.locked:
        _pressed(android, name)


def _pressed(android: Android, name: str) -> None:
    focus = android.phone.top.focus and not android.phone.popup
    if name in LETTERS:
        _replace_selected(android)
        android.act(TypeText(LETTERS[name]))
    elif name in _PRESSED:
        android.act(Press(_PRESSED[name]))
    elif name == "DEL" and android.guest.selected:
        clear_field(android)
    elif name == "DEL" and focus:
        android.react(("key", "Delete"))
    elif name == "ESCAPE" and focus:
        android.act(Press(Key.BACK))
    elif name == "NOTIFICATION":
        android.show_shade()


def _combination(android: Android, names: list[str]) -> None:
    """Ctrl+A selects all; every other one does nothing here."""
    if names[0] in ("CTRL_LEFT", "CTRL_RIGHT") and names[1:] == ["A"]:
        android.guest.selected = bool(android.phone.top.focus)
