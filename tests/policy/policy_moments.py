"""Moments to choose in, made up."""

from __future__ import annotations

import numpy as np

from distrl_sdk.types import ACTIONS, Box, DeviceAbout, Moment, Observation, Screenshot, Task, UiElement


def element(row: int, text: str, *, role: str = "item", editable: bool = False, focused: bool = False) -> UiElement:
    """A clickable row of a list of twenty."""
    box = Box(0.1, row / 20, 0.9, (row + 1) / 20)
    return UiElement(box, text, role=role, clickable=True, editable=editable, focused=focused)


def moment(
    elements: tuple[UiElement, ...] | None,
    instruction: str = 'Write "See you soon" to Ada',
    actions: frozenset[str] = frozenset(ACTIONS),
    seed: int = 0,
) -> Moment:
    """A moment of a screen with the given elements; None = a picture only."""
    pixels = np.random.default_rng(seed).integers(0, 255, (180, 80, 3), dtype=np.uint8)
    about = DeviceAbout("test", "model", "1", 80, 180, actions=actions)
    observation = Observation(Screenshot(80, 180, draw=lambda: pixels), elements, "mail")
    return Moment(about, Task("t", "f", instruction), observation)


SCREEN = (element(0, "Mail"), element(3, "Ada Byron"), element(5, "", role="field", editable=True, focused=True))
