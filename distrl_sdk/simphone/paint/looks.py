"""One painter for every look that a widget can have. A painter fills the widget's box and nothing beside it."""

from __future__ import annotations

from collections.abc import Callable

from distrl_sdk.simphone.paint import controls, desk, figures
from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import tint
from distrl_sdk.simphone.widgets import Widget

SEE_THROUGH = frozenset(
    (
        "app", "bar_button", "button", "chip", "dots", "fab", "field", "flat", "flat_wide", "panel", "quick", "square",
        "toast",
    )
)  # fmt: skip
"""Looks whose corners show what lies behind."""


def _bar(pen: Pen, _: Widget) -> None:
    pen.fill(pen.theme.bar)


def _plate(pen: Pen, _: Widget) -> None:
    pen.fill(pen.theme.plate)


def _title(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.bar)
    pen.text((8, pen.height / 2), widget.text, 56, pen.theme.ink, width=pen.width - 16)


def _glyph(pen: Pen, _: Widget) -> None:
    pen.fill(pen.theme.bar)
    x, y = pen.width / 2, pen.height / 2
    pen.line(((x + 34, y), (x - 34, y), (x - 4, y - 32)), pen.theme.ink, 8)
    pen.line(((x - 34, y), (x - 4, y + 32)), pen.theme.ink, 8)


def _bar_button(pen: Pen, widget: Widget) -> None:
    pen.box((0, 0, pen.width, pen.height), pen.theme.panel, 60, pen.theme.accent)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 44, pen.theme.accent, "mm", pen.width - 32)


def _header(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.text((52, pen.height / 2 + 8), widget.text, 44, pen.theme.accent, width=pen.width - 100)


def _paragraph(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.wrapped((52, 24, pen.width - 52, pen.height), widget.text, 42, pen.theme.faint)


def _lines(pen: Pen, widget: Widget, left: float, right: float) -> None:
    middle = pen.height / 2
    if not widget.detail:
        pen.text((left, middle), widget.text, 50, pen.theme.ink, width=right - left)
        return
    pen.text((left, middle - 30), widget.text, 50, pen.theme.ink, width=right - left)
    pen.text((left, middle + 36), widget.detail, 40, pen.theme.faint, "lm", right - left, 1.0)


def _underline(pen: Pen) -> None:
    pen.box((44, pen.height - 4, pen.width, pen.height), pen.theme.line)


def _initials(widget: Widget) -> str:
    """What stands on the disc of a row or on an app: of its text, or of its icon where that is a mere sign."""
    named = widget.text if widget.icon[0].isalpha() else widget.icon
    return "".join(word[0] for word in named.split()[:2]).upper()


def _avatar(pen: Pen, widget: Widget) -> float:
    """Draws the disc with the icon's initials, if there is one; returns where the text begins."""
    if not widget.icon:
        return 52
    middle = pen.height / 2
    pen.disc(104, middle, 52, tint(widget.icon))
    pen.text((104, middle), _initials(widget), 42, (255, 255, 255), "mm")
    return 196


def _row(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    _lines(pen, widget, _avatar(pen, widget), pen.width - 96)
    x, y = pen.width - 60, pen.height / 2
    if widget.tap:
        pen.line(((x, y - 20), (x + 18, y), (x, y + 20)), pen.theme.faint)
    _underline(pen)


def _knob(pen: Pen, widget: Widget) -> None:
    right, middle = pen.width - 52, pen.height / 2
    on = bool(widget.checked)
    track = pen.theme.accent if on else pen.theme.line
    pen.box((right - 128, middle - 36, right, middle + 36), track, 36)
    pen.disc(right - 36 if on else right - 92, middle, 28, pen.theme.on_accent if on else pen.theme.panel)


def _switch(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    _lines(pen, widget, 52, pen.width - 220)
    _knob(pen, widget)
    _underline(pen)


def _toggle(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    _knob(pen, widget)
    pen.box((0, 44, 4, pen.height - 44), pen.theme.line)
    pen.box((0, pen.height - 4, pen.width, pen.height), pen.theme.line)


def _option(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    middle = pen.height / 2
    pen.disc(92, middle, 32, pen.theme.accent if widget.checked else pen.theme.faint)
    pen.disc(92, middle, 26, pen.theme.page)
    if widget.checked:
        pen.disc(92, middle, 16, pen.theme.accent)
    pen.text((168, middle), widget.text, 50, pen.theme.ink, width=pen.width - 220)


def _card(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.box((0, 0, pen.width, pen.height), pen.theme.panel, 36, pen.theme.line)
    colour, _, thing = widget.icon.partition(" ")
    pen.box((24, 24, 212, pen.height - 24), tint(colour, 0.6), 24)
    pen.disc(118, pen.height / 2, 52, tint(thing or colour, 0.4))
    pen.text((118, pen.height / 2), thing[:1] or colour[:1], 56, (255, 255, 255), "mm")
    _lines(pen, widget, 250, pen.width - 24)


def _field(pen: Pen, widget: Widget) -> None:
    edge = pen.theme.accent if widget.focused else pen.theme.line
    pen.box((2, 8, pen.width - 2, pen.height - 2), pen.theme.panel, 32, edge)
    if not widget.detail:
        pen.text((48, pen.height / 2 + 4), widget.text, 46, pen.theme.faint, width=pen.width - 80)
        caret = 34.0
    else:
        pen.text((48, 42), widget.text, 36, pen.theme.accent, width=pen.width - 80)
        caret = 54 + pen.text((48, pen.height / 2 + 24), widget.detail, 46, pen.theme.ink, width=pen.width - 100)
    if widget.focused:
        pen.box((caret, pen.height / 2 - 26, caret + 6, pen.height / 2 + 44), pen.theme.accent)


def _button(pen: Pen, widget: Widget) -> None:
    pen.box((0, 4, pen.width, pen.height - 4), pen.theme.accent, 64)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 48, pen.theme.on_accent, "mm", pen.width - 40)


def _flat_wide(pen: Pen, widget: Widget) -> None:
    pen.box((0, 4, pen.width, pen.height - 4), pen.theme.page, 64, pen.theme.accent)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 48, pen.theme.accent, "mm", pen.width - 40)


def _flat(pen: Pen, widget: Widget) -> None:
    pen.box((0, 8, pen.width, pen.height - 8), pen.theme.bar, 56)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 46, pen.theme.accent, "mm", pen.width - 20)


def _fab(pen: Pen, widget: Widget) -> None:
    pen.box((0, 0, pen.width, pen.height), pen.theme.accent, 44)
    pen.text((pen.width / 2, pen.height / 2), f"+ {widget.text}", 46, pen.theme.on_accent, "mm", pen.width - 20)


def _tab(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.bar)
    ink = pen.theme.accent if widget.checked else pen.theme.faint
    if widget.checked:
        pen.box((pen.width / 2 - 90, pen.height - 24, pen.width / 2 + 90, pen.height - 12), pen.theme.accent, 6)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 46, ink, "mm", pen.width - 16)


def _bubble(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.box((0, 0, pen.width, pen.height), pen.theme.plate, 52)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 42, pen.theme.ink, "mm", pen.width - 40)


def _bubble_mine(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.page)
    pen.box((0, 0, pen.width, pen.height), pen.theme.accent, 52)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 42, pen.theme.on_accent, "mm", pen.width - 40)


def _app(pen: Pen, widget: Widget) -> None:
    x, side = pen.width / 2, 168
    pen.box((x - side / 2, 24, x + side / 2, 24 + side), tint(widget.icon), 48)
    pen.text((x, 24 + side / 2), _initials(widget), 76, (255, 255, 255), "mm")
    pen.text((x, 24 + side + 52), widget.text, 40, (255, 255, 255), "mm", pen.width)


def _panel(pen: Pen, widget: Widget) -> None:
    pen.box((0, 0, pen.width, pen.height), pen.theme.panel, 64)
    pen.text((64, 110), widget.text, 58, pen.theme.ink, width=pen.width - 128)
    pen.wrapped((64, 196, pen.width - 64, pen.height), widget.detail, 44, pen.theme.faint)


def _key(pen: Pen, widget: Widget) -> None:
    pen.fill(pen.theme.plate)
    wide = len(widget.text) > 1
    pen.box((0, 0, pen.width, pen.height), pen.theme.line if wide else pen.theme.key, 20)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 40 if wide else 54, pen.theme.ink, "mm", pen.width - 8)


def _toast(pen: Pen, widget: Widget) -> None:
    pen.box((0, 0, pen.width, pen.height), (52, 54, 60), 56)
    pen.text((pen.width / 2, pen.height / 2), widget.text, 42, (255, 255, 255), "mm", pen.width - 60)


LOOKS: dict[str, Callable[[Pen, Widget], None]] = {
    "bar": _bar, "plate": _plate, "keyboard": _plate, "title": _title, "glyph": _glyph, "bar_button": _bar_button,
    "header": _header, "paragraph": _paragraph, "row": _row, "switch": _switch, "toggle": _toggle, "option": _option,
    "card": _card, "field": _field, "button": _button, "flat_wide": _flat_wide, "flat": _flat, "fab": _fab,
    "tab": _tab, "bubble": _bubble, "bubble_mine": _bubble_mine, "app": _app, "panel": _panel, "key": _key,
    "toast": _toast, **controls.LOOKS, **figures.LOOKS, **desk.LOOKS,
}  # fmt: skip
