"""How the drawn phone lies on the display: sizes that somebody has set, rotation, and the bars beside it."""

from __future__ import annotations

from typing import NamedTuple

from distrl_sdk.simphone.widgets import HEIGHT, WIDTH
from distrl_sdk.types import Box


class Display(NamedTuple):
    """The display as it is turned now, in pixels; the phone fills as much of it as its shape allows, in the middle."""

    width: int
    height: int
    rotation: int
    """Quarter turns, counter-clockwise."""

    @property
    def scale(self) -> float:
        """Pixels for each of simphone's logical ones."""
        return min(self.width / WIDTH, self.height / HEIGHT)

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """(left, top, width, height) of the phone."""
        width, height = round(WIDTH * self.scale), round(HEIGHT * self.scale)
        return (self.width - width) // 2, (self.height - height) // 2, width, height

    def relative(self, x: float, y: float) -> tuple[float, float]:
        """A pixel as a point of the phone; outside 0..1 it lies on a bar beside it."""
        left, top, width, height = self.inner
        return (x - left) / width, (y - top) / height

    def bounds(self, box: Box) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) of a box of the phone, in pixels."""
        left, top, width, height = self.inner
        return (
            left + round(box.left * width),
            top + round(box.top * height),
            left + round(box.right * width),
            top + round(box.bottom * height),
        )


def display_of(size: tuple[int, int], rotation: int) -> Display:
    """The display of a natural size, turned."""
    width, height = size if rotation % 2 == 0 else (size[1], size[0])
    return Display(width, height, rotation)
