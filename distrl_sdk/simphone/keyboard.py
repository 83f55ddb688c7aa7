"""The on-screen keyboard: where its keys are and what each one does to a text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from distrl_sdk.simphone.state import Style
from distrl_sdk.simphone.widgets import FOOT_BOTTOM, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say

TOP = 1540
"""Where the keyboard begins while it is shown."""

_ROWS = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_PITCH = (FOOT_BOTTOM - TOP) // 5


@cache
def board(locale: str) -> tuple[Widget, ...]:
    """The plate and the keys, in screen coordinates."""
    found = [Widget(Rect(0, TOP, WIDTH, FOOT_BOTTOM), "keyboard")]
    for number, row in enumerate(_ROWS):
        pitch = WIDTH // 10
        left = (WIDTH - pitch * len(row)) // 2
        for index, letter in enumerate(row):
            found.append(_key(left + index * pitch, number, pitch, letter))
    left = 0
    for name, width in (("Delete", 190), (".", 110), ("Space", 460), (":", 110), ("Enter", 210)):
        found.append(replace(_key(left, 4, width, name), text=say(Style(locale=locale), name)))
        left += width
    return tuple(found)


def _key(left: int, row: int, width: int, name: str) -> Widget:
    box = Rect(left + 6, TOP + row * _PITCH + 8, left + width - 6, TOP + (row + 1) * _PITCH - 8)
    return Widget(box, "key", name, "", f"key:{name}", "key", ("key", name))


def typed(text: str, key: str) -> str:
    """What a key makes of a text. 'Enter' is not a matter of the text: it leaves it."""
    if key == "Delete":
        return text[:-1]
    if key == "Space":
        return text + " "
    return text if key == "Enter" else text + key
