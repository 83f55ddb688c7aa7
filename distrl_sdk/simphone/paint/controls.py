"""Painters of what is set and chosen: boxes to tick, sliders, steppers, chips, progress."""

from __future__ import annotations

from collections.abc import Callable

from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.scene import SLIDER_LEFT, SLIDER_RIGHT
from distrl_sdk.simphone.widgets import Widget


def _check(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    middle = pen.height / 2
    done = bool(widget.checked)
    pen.box((52, middle - 34, 120, middle + 34), pen.theme.accent if done else None, 14, pen.theme.accent)
    if done:
        pen.line(((66, middle), (82, middle + 18), (108, middle - 16)), pen.theme.on_accent, 9)
    pen.text((168, middle - (26 if widget.detail else 0)), widget.text, 50, pen.theme.ink, width=pen.width - 220)
    if widget.detail:
        pen.text((168, middle + 34), widget.detail, 38, pen.theme.faint, "lm", pen.width - 220, 1.0)


def _slider(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    left, right = SLIDER_LEFT * pen.width, SLIDER_RIGHT * pen.width
    at, line = left + widget.level / 100 * (right - left), pen.height - 50
    pen.text((left, 46), widget.text, 44, pen.theme.ink, width=right - left - 140)
    pen.text((right, 46), widget.detail, 40, pen.theme.faint, "rm")
    pen.box((left, line - 8, right, line + 8), pen.theme.line, 8)
    pen.box((left, line - 8, at, line + 8), pen.theme.accent, 8)
    pen.disc(at, line, 26, pen.theme.accent)


def _progress(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.text((52, 40), widget.text, 42, pen.theme.ink, width=pen.width - 240)
    pen.text((pen.width - 52, 40), widget.detail, 40, pen.theme.faint, "rm")
    pen.box((52, 88, pen.width - 52, 104), pen.theme.line, 8)
    pen.box((52, 88, 52 + widget.level / 100 * (pen.width - 104), 104), pen.theme.accent, 8)


def _label(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.text((52, pen.height / 2), widget.text, 50, pen.theme.ink, width=430)


def _value(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 50, pen.theme.ink, "mm", pen.width - 8)


def _square(pen: Pen, widget: Widget) -> None:
    filled = bool(widget.checked)
    pen.box((0, 0, pen.width, pen.height), pen.theme.accent if filled else pen.theme.plate, 36)
    ink = pen.theme.on_accent if filled else pen.theme.ink
    pen.text((pen.width / 2, pen.height / 2), widget.text, 54, ink, "mm", pen.width - 12)


def _chip(pen: Pen, widget: Widget) -> None:
    chosen = bool(widget.checked)
    pen.box((0, 0, pen.width, pen.height), pen.theme.accent if chosen else None, 52, pen.theme.accent)
    ink = pen.theme.on_accent if chosen else pen.theme.accent
    pen.text((pen.width / 2, pen.height / 2), widget.text, 42, ink, "mm", pen.width - 24)


def _quick(pen: Pen, widget: Widget) -> None:
    """A tile of the quick settings."""
    on = bool(widget.checked)
    pen.box((0, 0, pen.width, pen.height), pen.theme.accent if on else pen.theme.plate, 60)
    ink = pen.theme.on_accent if on else pen.theme.ink
    pen.text((44, pen.height / 2 - 26), widget.text, 46, ink, width=pen.width - 64)
    pen.text((44, pen.height / 2 + 36), widget.detail, 36, ink, width=pen.width - 64)


def _cross(pen: Pen, _: Widget) -> None:
    """What sends a row away; its text is for those who cannot see it."""
    pen.fill(pen.theme.page)
    x, y = pen.width / 2, pen.height / 2
    pen.disc(x, y, 44, pen.theme.plate)
    pen.line(((x - 18, y - 18), (x + 18, y + 18)), pen.theme.ink)
    pen.line(((x - 18, y + 18), (x + 18, y - 18)), pen.theme.ink)
    pen.box((0, pen.height - 4, pen.width, pen.height), pen.theme.line)


def _readout(pen: Pen, widget: Widget) -> None:
    """A result in large figures."""
    pen.fill(pen.theme.page)
    pen.text((pen.width - 12, pen.height / 2), widget.text, 92, pen.theme.ink, "rm", pen.width - 24)


def _spinner(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    for step in range(8):
        x, y = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))[step]
        pen.disc(pen.width / 2 + 64 * x, 84 + 64 * y, 6 + 1.6 * step, pen.theme.accent)
    pen.text((pen.width / 2, pen.height - 40), widget.text, 42, pen.theme.faint, "mm")


def _dots(pen: Pen, widget: Widget) -> None:
    count = int(widget.icon)
    for index in range(count):
        x = pen.width / 2 + 48 * (index - (count - 1) / 2)
        pen.disc(x, pen.height / 2, 13, (255, 255, 255) if index == widget.level else (150, 154, 166))


LOOKS: dict[str, Callable[[Pen, Widget], None]] = {
    "check": _check, "slider": _slider, "progress": _progress, "label": _label, "value": _value, "square": _square,
    "chip": _chip, "quick": _quick, "cross": _cross, "readout": _readout, "spinner": _spinner, "dots": _dots,
}  # fmt: skip
