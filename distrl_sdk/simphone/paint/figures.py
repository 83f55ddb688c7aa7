"""Painters of pictures: photographs and maps, drawn from the name of their subject."""

from __future__ import annotations

import random
from collections.abc import Callable

from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import tint
from distrl_sdk.simphone.widgets import Widget


def _image(pen: Pen, widget: Widget) -> None:
    _landscape(pen, widget, pen.height)


def _photo(pen: Pen, widget: Widget) -> None:
    """A picture with its title beneath, and a mark if it is a favourite."""
    bottom = pen.height - 56
    _landscape(pen, widget, bottom)
    pen.box((0, bottom, pen.width, pen.height), pen.theme.page)
    pen.text((4, bottom + 28), widget.text, 32, pen.theme.ink, width=pen.width - 8)
    if widget.detail:
        pen.disc(pen.width - 40, 40, 24, (255, 255, 255))
        pen.disc(pen.width - 40, 40, 16, (214, 56, 48))


def _landscape(pen: Pen, widget: Widget, height: float) -> None:
    """Sky, sun, hills, in the colours of its name."""
    chance = random.Random(widget.icon)
    width = pen.width
    pen.fill(tint(widget.icon, 0.72))
    radius = 0.09 * min(width, height)
    pen.disc(width * chance.uniform(0.2, 0.8), height * chance.uniform(0.15, 0.35), radius, (255, 236, 170))
    for layer in range(3):
        colour = tint(f"{widget.icon}{layer}", 0.52 - 0.1 * layer)
        base = height * (0.5 + 0.16 * layer)
        for _ in range(4):
            pen.disc(width * chance.random(), base + height * 0.42, height * 0.45, colour)
        if layer < 2:
            pen.box((0, base + height * 0.3, width, height), colour)


def _map(pen: Pen, widget: Widget) -> None:
    """Blocks, streets, a river, and a pin in the middle."""
    chance = random.Random(widget.icon)
    width, height = pen.width, pen.height
    pen.fill((234, 232, 224))
    for _ in range(4):
        left, top = width * chance.random(), height * chance.random()
        pen.box((left, top, left + width * 0.28, top + height * 0.2), (200, 226, 190), 30)
    for _ in range(5):
        x, y = width * chance.random(), height * chance.random()
        pen.line(((x, 0), (width - x, height)), (255, 255, 255), 26)
        pen.line(((0, y), (width, height * chance.random())), (255, 255, 255), 26)
    river = tuple((width * at / 6, height * (0.5 + 0.3 * chance.uniform(-1, 1))) for at in range(7))
    pen.line(river, (160, 200, 236), 54)
    pen.disc(width / 2, height / 2, 46, (214, 56, 48))
    pen.disc(width / 2, height / 2, 18, (255, 255, 255))


def _goods(pen: Pen, widget: Widget) -> None:
    """A tile of a shop: the thing in its colour, what it is called, what it costs."""
    pen.fill(pen.theme.page)
    pen.box((0, 0, pen.width, pen.height), pen.theme.panel, 36, pen.theme.line)
    *colour, thing = widget.icon.split()
    text = 150 if widget.detail else 0
    pen.box((20, 20, pen.width - 20, pen.height - 20 - text), tint(colour[0], 0.6), 24)
    middle = (pen.height - text) / 2
    pen.disc(pen.width / 2, middle, 80, tint(thing, 0.4))
    pen.text((pen.width / 2, middle), thing[:1], 80, (255, 255, 255), "mm")
    if widget.detail:
        pen.text((28, pen.height - 118), widget.text, 42, pen.theme.ink, width=pen.width - 48)
        pen.text((28, pen.height - 54), widget.detail, 38, pen.theme.faint, width=pen.width - 48)


LOOKS: dict[str, Callable[[Pen, Widget], None]] = {"image": _image, "photo": _photo, "map": _map, "goods": _goods}
