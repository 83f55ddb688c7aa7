"""Painters of mails in a list and of the calendar."""

from __future__ import annotations

import math
from collections.abc import Callable

from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import tint
from distrl_sdk.simphone.widgets import Widget


def _letter(pen: Pen, widget: Widget) -> None:
    """Who wrote, of what; bit 1 of the level = not read yet, bit 2 = starred."""
    pen.fill(pen.theme.page)
    middle, unread = pen.height / 2, widget.level & 1
    pen.disc(110, middle, 54, tint(widget.icon))
    pen.text((110, middle), "".join(word[0] for word in widget.icon.split()[:2]).upper(), 42, (255, 255, 255), "mm")
    if unread:
        pen.disc(28, middle, 14, pen.theme.accent)
    pen.text((204, middle - 34), widget.text, 52, pen.theme.accent if unread else pen.theme.ink, width=pen.width - 320)
    pen.text((204, middle + 36), widget.detail, 40, pen.theme.ink if unread else pen.theme.faint, width=pen.width - 250)
    if widget.level & 2:
        _star(pen, pen.width - 70, middle - 36)
    pen.box((44, pen.height - 4, pen.width, pen.height), pen.theme.line)


def _star(pen: Pen, x: float, y: float) -> None:
    """Five points, drawn in one line."""
    angles = tuple(math.pi * (0.8 * point - 0.5) for point in range(6))
    pen.line(tuple((x + 30 * math.cos(angle), y + 30 * math.sin(angle)) for angle in angles), (228, 160, 20), 9)


def _weekday(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 36, pen.theme.faint, "mm", pen.width)


def _day(pen: Pen, widget: Widget) -> None:
    """A number in a disc if it is today, and up to three dots for its events."""
    pen.fill(pen.theme.page)
    x = pen.width / 2
    if widget.checked:
        pen.disc(x, 62, 48, pen.theme.accent)
    pen.text((x, 62), widget.text, 48, pen.theme.on_accent if widget.checked else pen.theme.ink, "mm")
    count = min(widget.level, 3)
    for index in range(count):
        pen.disc(x + 28 * (index - (count - 1) / 2), 128, 9, pen.theme.accent)


def _slot(pen: Pen, widget: Widget) -> None:
    """An hour of a day."""
    pen.fill(pen.theme.page)
    pen.text((40, 34), widget.text, 38, pen.theme.faint)
    pen.box((170, 32, pen.width - 40, 36), pen.theme.line)
    pen.text((pen.width - 64, pen.height / 2 + 16), "+", 44, pen.theme.faint, "rm")


def _event(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.box((0, 0, pen.width, pen.height), pen.theme.plate, 24)
    pen.box((0, 0, 14, pen.height), tint(widget.text))
    pen.text((40, pen.height / 2), widget.text, 46, pen.theme.ink, width=pen.width - 240)
    pen.text((pen.width - 30, pen.height / 2), widget.detail, 40, pen.theme.faint, "rm")


LOOKS: dict[str, Callable[[Pen, Widget], None]] = {
    "letter": _letter, "weekday": _weekday, "day": _day, "slot": _slot, "event": _event,
}  # fmt: skip
