"""The compact policy's own grammar: its code [4] of an action, and back.

code = (choice, target, word, count). `choice` is a slot of one flat row: first a tap on each element, then a tap on
each cell of a grid over the picture, then the kinds that have no place or a second question (which element to press
long, which words to type).
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from distrl_sdk.policy.words import typed_text
from distrl_sdk.types import Action, Code, Features, Finish, Key, LongPress, Press, Swipe, Tap, TypeText, Wait

ELEMENTS = 40
"""Elements that the policy sees of one screen."""
ROWS, COLUMNS = 18, 8
"""The tap grid over a picture when the device gives no elements."""
CELLS = ROWS * COLUMNS
PLACES = ELEMENTS + CELLS
"""Places that can be tapped; they are the first slots of the flat row."""
SPAN_WORDS = 6
"""Words of the instruction that one TypeText can carry."""


class Kind(IntEnum):
    """The slots behind the places."""

    LONG_PRESS = 0
    SCROLL_DOWN = 1
    SCROLL_UP = 2
    SCROLL_RIGHT = 3
    SCROLL_LEFT = 4
    TYPE = 5
    BACK = 6
    HOME = 7
    ENTER = 8
    WAIT = 9
    FINISH = 10


NEEDS = {
    Kind.LONG_PRESS: "long_press",
    Kind.SCROLL_DOWN: "swipe",
    Kind.SCROLL_UP: "swipe",
    Kind.SCROLL_RIGHT: "swipe",
    Kind.SCROLL_LEFT: "swipe",
    Kind.TYPE: "type",
    Kind.BACK: "press",
    Kind.HOME: "press",
    Kind.ENTER: "press",
    Kind.WAIT: "wait",
    Kind.FINISH: "finish",
}
"""The kind of action, as a device names it, behind each slot."""

_FIXED: dict[Kind, Action] = {
    Kind.SCROLL_DOWN: Swipe(0.5, 0.7, 0.5, 0.3),
    Kind.SCROLL_UP: Swipe(0.5, 0.3, 0.5, 0.7),
    Kind.SCROLL_RIGHT: Swipe(0.8, 0.5, 0.2, 0.5),
    Kind.SCROLL_LEFT: Swipe(0.2, 0.5, 0.8, 0.5),
    Kind.BACK: Press(Key.BACK),
    Kind.HOME: Press(Key.HOME),
    Kind.ENTER: Press(Key.ENTER),
    Kind.WAIT: Wait(1.0),
    Kind.FINISH: Finish(True),
}


def place_centre(features: Features, place: int) -> tuple[float, float]:
    """(x, y) of the middle of an element or of a cell of the grid."""
    if place < ELEMENTS:
        left, top, right, bottom = (float(side) for side in features["box"][place])
        return (left + right) / 2, (top + bottom) / 2
    row, column = divmod(place - ELEMENTS, COLUMNS)
    return (column + 0.5) / COLUMNS, (row + 0.5) / ROWS


def decode(features: Features, code: Code) -> Action:
    """The action that a code means at a moment."""
    choice, target, word, count = (int(number) for number in code)
    if choice < PLACES:
        return Tap(*place_centre(features, choice))
    kind = Kind(choice - PLACES)
    if kind is Kind.LONG_PRESS:
        return LongPress(*place_centre(features, target))
    if kind is Kind.TYPE:
        return TypeText(typed_text(features["goal_raw"], features["goal_span"], word, count))
    return _FIXED[kind]


def encode(features: Features, action: Action) -> Code | None:
    """The code of an action that somebody else chose, or None when this grammar has no word for it."""
    match action:
        case Tap(x, y):
            place = place_at(features, x, y)
            return None if place is None else np.array([place, 0, 0, 0], np.int32)
        case LongPress(x, y):
            place = place_at(features, x, y)
            return None if place is None else np.array([PLACES + Kind.LONG_PRESS, place, 0, 0], np.int32)
        case TypeText(text):
            return _encode_text(features, text)
        case Swipe():
            return np.array([PLACES + _direction(action), 0, 0, 0], np.int32)
        case Press(key) if key is not Key.RECENTS:
            return np.array([PLACES + Kind[key.name], 0, 0, 0], np.int32)
        case Wait():
            return np.array([PLACES + Kind.WAIT, 0, 0, 0], np.int32)
        case Finish(success=True):
            return np.array([PLACES + Kind.FINISH, 0, 0, 0], np.int32)
    return None


def place_at(features: Features, x: float, y: float) -> int | None:
    """The topmost tappable element at a point; on a screen without elements, the cell of the grid."""
    tappable = features["places"]
    if tappable[ELEMENTS:].any():
        return ELEMENTS + min(int(y * ROWS), ROWS - 1) * COLUMNS + min(int(x * COLUMNS), COLUMNS - 1)
    left, top, right, bottom = features["box"].T
    hit = (left <= x) & (x < right) & (top <= y) & (y < bottom) & (tappable[:ELEMENTS] > 0)
    return int(np.flatnonzero(hit)[-1]) if hit.any() else None


def _encode_text(features: Features, text: str) -> Code | None:
    span = features["goal_span"]
    words = int((span[:, 1] > 0).sum())
    for first in range(words):
        for count in range(1, min(SPAN_WORDS, words - first) + 1):
            if typed_text(features["goal_raw"], span, first, count) == text:
                return np.array([PLACES + Kind.TYPE, 0, first, count], np.int32)
    return None


def _direction(swipe: Swipe) -> Kind:
    across, down = swipe.to_x - swipe.x, swipe.to_y - swipe.y
    if abs(down) >= abs(across):
        return Kind.SCROLL_DOWN if down < 0 else Kind.SCROLL_UP
    return Kind.SCROLL_RIGHT if across < 0 else Kind.SCROLL_LEFT
