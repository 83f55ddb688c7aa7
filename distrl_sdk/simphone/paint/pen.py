"""Draws shapes and text on one tile, in logical pixels of that tile, at any scale."""

from __future__ import annotations

import bisect

from PIL import Image, ImageDraw

from distrl_sdk.simphone.measure import pieces
from distrl_sdk.simphone.paint.lettering import length, write
from distrl_sdk.simphone.paint.theme import Colour, Theme

_SMOOTH = 3
"""Shapes are drawn this much larger and averaged down; text is smoothed by the font itself."""

Area = tuple[float, float, float, float]


class Pen:
    """One tile. Shapes first, text above them, whatever the order of the calls."""

    def __init__(self, size: tuple[int, int], scale: float, theme: Theme, clear: bool = False) -> None:
        self.theme = theme
        self.scale = scale
        self.width, self.height = size[0] / scale, size[1] / scale
        self._size = size
        self._image = Image.new(
            "RGBA" if clear else "RGB",
            (size[0] * _SMOOTH, size[1] * _SMOOTH),
            (*theme.page, 0) if clear else theme.page,
        )
        self._draw = ImageDraw.Draw(self._image)
        self._texts: list[tuple[tuple[float, float], str, int, Colour, str]] = []

    def fill(self, colour: Colour) -> None:
        """The whole tile in one colour."""
        self._draw.rectangle((0, 0, *self._image.size), colour)

    def box(self, area: Area, colour: Colour | None, radius: float = 0, edge: Colour | None = None) -> None:
        """A rounded rectangle, filled, with an edge, or both; nothing where it is thinner than a dot."""
        big = [round(value * self.scale * _SMOOTH) for value in area]
        if big[2] <= big[0] or big[3] <= big[1]:
            return
        width = max(_SMOOTH, round(5 * self.scale * _SMOOTH)) if edge else 0
        radius = min(radius * self.theme.round * self.scale * _SMOOTH, (big[2] - big[0]) / 2, (big[3] - big[1]) / 2)
        self._draw.rounded_rectangle((big[0], big[1], big[2] - 1, big[3] - 1), radius, colour, edge, width)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        big = [round(value * self.scale * _SMOOTH) for value in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse((big[0], big[1], big[2] - 1, big[3] - 1), colour)

    def line(self, points: tuple[tuple[float, float], ...], colour: Colour, width: float = 7) -> None:
        """A line through points."""
        big = [(x * self.scale * _SMOOTH, y * self.scale * _SMOOTH) for x, y in points]
        self._draw.line(big, colour, max(_SMOOTH, round(width * self.scale * _SMOOTH)), "curve")

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: Colour,
        anchor: str = "lm",
        width: float = 0,
        least: float = 0.75,
    ) -> float:
        """A line of text, anchored as Pillow does. Returns its length.

        Where a width is too small it gets smaller, down to a share of its size, and is then cut with an ellipsis.
        """
        pixels, limit = round(size * self.scale), width * self.scale
        long = length(text, pixels)
        smallest = round(pixels * least)
        while width and long > limit and pixels > smallest:
            pixels -= 1
            long = length(text, pixels)
        if width and long > limit:
            fits = bisect.bisect_right(range(len(text)), limit, key=lambda count: length(text[:count] + "…", pixels))
            text = text[: max(0, fits - 1)] + "…"
            long = length(text, pixels)
        self._texts.append((at, text, pixels, colour, anchor))
        return long / self.scale

    def wrapped(self, area: Area, text: str, size: int, colour: Colour) -> None:
        """Text over several lines, from the upper left: broken at blanks, and before any Chinese sign."""
        pixels, limit = round(size * self.scale), (area[2] - area[0]) * self.scale
        lines = [""]
        for piece in pieces(text):
            if not lines[-1] or length((lines[-1] + piece).rstrip(), pixels) <= limit:
                lines[-1] += piece
            else:
                lines.append(piece.lstrip())
        for index, line in enumerate(lines):
            self._texts.append(((area[0], area[1] + index * size * 1.35), line.rstrip(), pixels, colour, "la"))

    def finish(self) -> Image.Image:
        """The tile: RGBA if it began clear, else RGB."""
        image = self._image.reduce(_SMOOTH)
        for (x, y), text, pixels, colour, anchor in self._texts:
            write(image, (x * self.scale, y * self.scale), text, pixels, colour, anchor)
        return image
