"""The keys of Android by number and name."""

from __future__ import annotations

from collections.abc import Mapping

_SIGNS = {
    "COMMA": ",", "PERIOD": ".", "SPACE": " ", "GRAVE": "`", "MINUS": "-", "EQUALS": "=", "LEFT_BRACKET": "[",
    "RIGHT_BRACKET": "]", "BACKSLASH": "\\", "SEMICOLON": ";", "APOSTROPHE": "'", "SLASH": "/", "AT": "@", "PLUS": "+",
    "STAR": "*", "POUND": "#",
}  # fmt: skip
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
LETTERS: Mapping[str, str] = {
    **{letter.upper(): letter for letter in _LETTERS},
    **{digit: digit for digit in "0123456789"},
    **_SIGNS,
}
"""Key -> what it types."""

NAMES: Mapping[int, str] = {
    3: "HOME", 4: "BACK", 17: "STAR", 18: "POUND", 19: "DPAD_UP", 20: "DPAD_DOWN", 21: "DPAD_LEFT", 22: "DPAD_RIGHT",
    23: "DPAD_CENTER", 24: "VOLUME_UP", 25: "VOLUME_DOWN", 26: "POWER", 55: "COMMA", 56: "PERIOD", 57: "ALT_LEFT",
    59: "SHIFT_LEFT", 61: "TAB", 62: "SPACE", 66: "ENTER", 67: "DEL", 68: "GRAVE", 69: "MINUS", 70: "EQUALS",
    71: "LEFT_BRACKET", 72: "RIGHT_BRACKET", 73: "BACKSLASH", 74: "SEMICOLON", 75: "APOSTROPHE", 76: "SLASH", 77: "AT",
    81: "PLUS", 82: "MENU", 83: "NOTIFICATION", 111: "ESCAPE", 112: "FORWARD_DEL", 113: "CTRL_LEFT", 114: "CTRL_RIGHT",
    122: "MOVE_HOME", 123: "MOVE_END", 160: "NUMPAD_ENTER", 187: "APP_SWITCH", 223: "SLEEP", 224: "WAKEUP",
    **{7 + digit: str(digit) for digit in range(10)},
    **{29 + place: letter.upper() for place, letter in enumerate(_LETTERS)},
}  # fmt: skip


def name_of(key: str) -> str:
    """'66', 'ENTER' and 'KEYCODE_ENTER' are all ENTER; '' for what is no key."""
    if key.isdigit():
        return NAMES.get(int(key), "")
    name = key.removeprefix("KEYCODE_").upper()
    return name if name in NAMES.values() else ""
