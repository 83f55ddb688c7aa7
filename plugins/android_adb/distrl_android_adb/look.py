"""One look at a phone: picture, UI tree, app in front and keyboard, all of one moment.

The tree takes long, so it is read between two pictures: if they are alike, it belongs to both. If not, the screen was
still moving, and the look begins anew until the deadline.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from distrl_android_adb.focus import Focus
from distrl_android_adb.phone import Phone
from distrl_android_adb.picture import is_black
from distrl_android_adb.tree import TreeError
from distrl_sdk.types import Observation, Screenshot, UiElement

ALIKE = 0.001
"""Share of the pixels that may differ on a screen at rest: a blinking cursor, a minute of the clock."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look found."""

    observation: Observation
    focus: Focus
    note: str = ""
    """What was not as it should be: 'still moving', 'secure', 'dark', why there is no UI tree; '' = nothing."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How to look."""

    elements: bool = True
    settle: float = 5.0
    """Seconds."""


def look(phone: Phone, manner: Manner, labels: dict[str, str]) -> Look:
    """Look until two pictures are alike, or the deadline is over. `labels`: package -> name of its app.

    Raises DeviceError when the phone shows nothing.
    """
    until = time.monotonic() + manner.settle
    before = phone.picture()
    while True:
        focus, keyboard = phone.focus(), phone.keyboard()
        elements, note = _elements(phone, before, manner)
        after = phone.picture()
        settled = alike(before, after)
        if settled or time.monotonic() > until:
            break
        before = after
    if not settled:
        phone.counts["moving"] += 1
    notes = [each for each in (note, "" if settled else "still moving", _darkness(phone, after)) if each]
    app = labels.get(focus.package, focus.package)
    return Look(Observation(after, elements, app, keyboard), focus, "; ".join(notes))


def with_seconds(found: Look, seconds: float) -> Look:
    """The look, with how long all of it took."""
    return replace(found, observation=replace(found.observation, seconds=seconds))


def alike(one: Screenshot, other: Screenshot) -> bool:
    """Whether two pictures show the same, but for a small thing that moves."""
    if (one.width, one.height) != (other.width, other.height):
        return False
    if one.encoded() == other.encoded():
        return True
    differ = (one.pixels() != other.pixels()).any(axis=2)
    return bool(np.count_nonzero(differ) <= ALIKE * differ.size)


def _elements(phone: Phone, picture: Screenshot, manner: Manner) -> tuple[tuple[UiElement, ...] | None, str]:
    """The elements, and why there are none."""
    if not manner.elements:
        return None, ""
    try:
        elements = phone.tree(picture.width, picture.height)
    except TreeError as error:
        phone.counts["treeless"] += 1
        return None, str(error)
    return elements, "" if elements else "the UI tree is empty"


def _darkness(phone: Phone, picture: Screenshot) -> str:
    """Why a picture is black: 'asleep', 'secure' (a window that forbids pictures) or 'dark'; '' when it is not."""
    if not is_black(picture):
        return ""
    phone.counts["black"] += 1
    if not phone.awake():
        return "asleep"
    return "secure" if phone.secure() else "dark"
