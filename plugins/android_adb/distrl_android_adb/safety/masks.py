"""Masks: what of a screen nobody but the phone's owner may see, taken away before anything else gets the screen.

Password fields and patterns are found by the UI tree. Where there is none, or none that surely belongs to the picture,
the frame is withheld: grey, and without elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from distrl_sdk.secrets import COVER, covered
from distrl_sdk.types import Box, Observation, Screenshot, UiElement

HIDDEN = "[masked]"
"""Stands in the UI tree for a text that matched a pattern."""


@dataclass(frozen=True)
class Masks:
    """What is taken away. Without rectangles, patterns and passwords nothing is."""

    boxes: tuple[Box, ...] = ()
    """Rectangles of the screen, always."""
    patterns: tuple[str, ...] = ()
    """Regular expressions: the place of an element whose text holds a match."""
    passwords: bool = False
    """Fields that hide what is typed: most show its last sign for a moment."""

    @property
    def by_tree(self) -> bool:
        """Whether a UI tree is needed to know what to take away."""
        return self.passwords or bool(self.patterns)

    def apply(self, seen: Observation, *, settled: bool = True) -> Observation:
        """The observation without what is masked. `settled`: the tree and the picture are of one moment."""
        if self.by_tree and not (seen.elements and settled):
            return withheld(seen)
        hidden = [element for element in seen.elements or () if self._hides(element)]
        boxes = [*self.boxes, *(element.box for element in hidden)]
        if not boxes:
            return seen
        elements = None if seen.elements is None else tuple(self._shown(element) for element in seen.elements)
        return replace(seen, screenshot=covered(seen.screenshot, boxes), elements=elements)

    def _hides(self, element: UiElement) -> bool:
        return (self.passwords and element.password) or any(
            re.search(pattern, element.text) for pattern in self.patterns
        )

    def _shown(self, element: UiElement) -> UiElement:
        """An element without what it must not say."""
        if not element.text:
            return element
        if (self.passwords and element.password) or any(_meet(box, element.box) for box in self.boxes):
            return replace(element, text="")
        return replace(element, text=HIDDEN) if self._hides(element) else element


def withheld(seen: Observation) -> Observation:
    """The observation with nothing on it: a grey picture of the same size, and no elements."""
    width, height = seen.screenshot.width, seen.screenshot.height
    grey = Screenshot(width, height, draw=lambda: np.full((height, width, 3), COVER, np.uint8))
    return replace(seen, screenshot=grey, elements=None if seen.elements is None else ())


def is_withheld(seen: Observation) -> bool:
    """Whether nothing of a screen is left."""
    return not seen.elements and bool((seen.screenshot.pixels() == COVER).all())


def _meet(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def check_patterns(patterns: Iterable[str]) -> str:
    """What is wrong with the first pattern that is no regular expression, '' when all are."""
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            return f"{pattern!r} is no regular expression: {error}"
    return ""
