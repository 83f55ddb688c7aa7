"""What a page is made of: widgets with boxes in logical pixels, and the builder with which apps stack them.

The logical screen is 1080 x 2400, whatever the picture's size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from distrl_sdk.simphone.state import Event, Screen

WIDTH, HEIGHT = 1080, 2400
STATUS_BOTTOM = 84
BAR_BOTTOM = 252
FOOT_BOTTOM = 2340
"""Below it lies the strip of the system's home gesture."""
ROW = 176


class Rect(NamedTuple):
    """A box in logical pixels."""

    left: int
    top: int
    right: int
    bottom: int

    def moved(self, down: int) -> Rect:
        """The same box, further down."""
        return Rect(self.left, self.top + down, self.right, self.bottom + down)


@dataclass(frozen=True, slots=True)
class Widget:
    """One drawn thing. With a role it is also an element of the UI tree."""

    box: Rect
    look: str
    """Which painter of paint/looks.py draws it."""
    text: str = ""
    detail: str = ""
    """A second, smaller text."""
    id: str = ""
    role: str = ""
    """'' = decoration."""
    tap: Event = ()
    """What a touch means; () = nothing happens."""
    checked: bool | None = None
    focused: bool = False
    icon: str = ""

    def moved(self, down: int) -> Widget:
        """The same widget, further down."""
        return replace(self, box=self.box.moved(down))


@dataclass(frozen=True, slots=True)
class Page:
    """A laid-out page."""

    fixed: tuple[Widget, ...] = ()
    """In screen coordinates; stays where it is."""
    body: tuple[Widget, ...] = ()
    """In coordinates of the body, which scrolls under `fixed`."""
    foot: tuple[Widget, ...] = ()
    """In screen coordinates; rises above the keyboard."""
    dialog: tuple[Widget, ...] = ()
    """Modal: while it is there, nothing else can be touched."""
    top: int = BAR_BOTTOM
    """Where the body's viewport begins."""
    bottom: int = FOOT_BOTTOM
    """Where the viewport ends while no keyboard is shown."""
    height: int = 0
    """Of the whole body."""
    surface: str = "page"
    """What lies behind everything: 'page' or 'wallpaper'."""


class PageBuilder:
    """Stacks widgets from the top of the body to its end."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self._y = 16
        self._fixed: list[Widget] = []
        self._body: list[Widget] = []
        self._foot: list[Widget] = []
        self._dialog: tuple[Widget, ...] = ()
        self._top = BAR_BOTTOM
        self._bottom = FOOT_BOTTOM

    def bar(self, title: str, *actions: tuple[str, str, Event]) -> None:
        """An app bar with a way back and (id, text, event) buttons, the first one rightmost."""
        self._fixed.append(Widget(Rect(0, STATUS_BOTTOM, WIDTH, BAR_BOTTOM), "bar"))
        self._fixed.append(
            Widget(Rect(12, STATUS_BOTTOM + 12, 156, BAR_BOTTOM - 12), "glyph", "Back", id="back", role="button",
                   tap=("back",), icon="back")
        )  # fmt: skip
        right = WIDTH - 24
        for name, text, event in actions:
            width = 64 + 26 * len(text)
            box = Rect(right - width, STATUS_BOTTOM + 28, right, BAR_BOTTOM - 28)
            self._fixed.append(Widget(box, "bar_button", text, id=name, role="button", tap=event))
            right -= width + 16
        box = Rect(168, STATUS_BOTTOM + 20, right - 16, BAR_BOTTOM - 20)
        self._fixed.append(Widget(box, "title", title, id="title", role="text"))

    def place(self, widget: Widget) -> None:
        """A widget of the body at its own x, below what is there: its box's top and bottom count from here."""
        self._body.append(widget.moved(self._y))

    def skip(self, height: int) -> None:
        """Leave room, or step past what `place` put there."""
        self._y += height

    def _next(self, height: int, margin: int = 0) -> Rect:
        """The box of a widget below what is there."""
        self._y += height
        return Rect(margin, self._y - height, WIDTH - margin, self._y)

    def header(self, text: str) -> None:
        """The title of a section."""
        self._body.append(Widget(self._next(100), "header", text, role="text"))

    def paragraph(self, text: str) -> None:
        """Running text, wrapped."""
        lines = 1 + len(text) // 46
        self._body.append(Widget(self._next(36 + 60 * lines), "paragraph", text, role="text"))

    def row(self, name: str, text: str, tap: Event, detail: str = "", icon: str = "") -> None:
        """A list row that leads somewhere."""
        self._body.append(Widget(self._next(ROW), "row", text, detail, name, "item", tap, icon=icon))

    def switch(self, name: str, text: str, checked: bool, tap: Event, detail: str = "") -> None:
        """A row with a switch; the whole row toggles."""
        self._body.append(Widget(self._next(ROW), "switch", text, detail, name, "switch", tap, checked))

    def option(self, name: str, text: str, checked: bool, tap: Event) -> None:
        """One of several choices."""
        self._body.append(Widget(self._next(ROW - 32), "option", text, "", name, "item", tap, checked))

    def card(self, name: str, text: str, detail: str, tap: Event, icon: str) -> None:
        """A picture with two lines of text."""
        self._body.append(Widget(self._next(236, 36), "card", text, detail, name, "item", tap, icon=icon))
        self._y += 20

    def field(self, name: str, label: str) -> None:
        """A text field."""
        self.skip(20)
        self._body.append(self._field(self._next(168, 48), name, label))
        self.skip(20)

    def _field(self, box: Rect, name: str, label: str) -> Widget:
        draft, focused = self.screen.draft(name), self.screen.focus == name
        return Widget(box, "field", label, draft, name, "field", ("focus", name), focused=focused)

    def button(self, name: str, text: str, tap: Event, look: str = "button") -> None:
        """A wide button."""
        self.skip(20)
        self._body.append(Widget(self._next(132, 48), look, text, "", name, "button", tap))
        self.skip(20)

    def fab(self, name: str, text: str, tap: Event) -> None:
        """A floating button at the lower right."""
        box = Rect(WIDTH - 96 - 28 * len(text), FOOT_BOTTOM - 200, WIDTH - 40, FOOT_BOTTOM - 50)
        self._foot.append(Widget(box, "fab", text, "", name, "button", tap))
        self._y += 220

    def tabs(self, current: str, *tabs: tuple[str, Event]) -> None:
        """A bar of tabs at the foot."""
        top, width = FOOT_BOTTOM - 168, WIDTH // len(tabs)
        for index, (text, event) in enumerate(tabs):
            box = Rect(index * width, top, (index + 1) * width, FOOT_BOTTOM)
            name = f"tab:{text}"
            self._foot.append(Widget(box, "tab", text, "", name, "tab", event, text == current))
        self._foot[: -len(tabs)] = [widget.moved(-168) for widget in self._foot[: -len(tabs)]]
        self._bottom = top

    def input_bar(self, name: str, label: str, button: str, tap: Event) -> None:
        """A field and a button at the foot, above the keyboard when that is open."""
        top = FOOT_BOTTOM - 180
        self._foot.append(Widget(Rect(0, top, WIDTH, FOOT_BOTTOM), "plate"))
        self._foot.append(self._field(Rect(24, top + 16, 820, FOOT_BOTTOM - 16), name, label))
        box = Rect(844, top + 28, WIDTH - 24, FOOT_BOTTOM - 28)
        self._foot.append(Widget(box, "button", button, "", button.lower(), "button", tap))
        self._bottom = top

    def address_bar(self, name: str, label: str, button: tuple[str, str, Event]) -> None:
        """A field in the place of the app bar, with a button."""
        go, text, event = button
        self._fixed.append(Widget(Rect(0, STATUS_BOTTOM, WIDTH, BAR_BOTTOM), "bar"))
        self._fixed.append(self._field(Rect(24, STATUS_BOTTOM + 12, 860, BAR_BOTTOM - 12), name, label))
        box = Rect(884, STATUS_BOTTOM + 28, WIDTH - 24, BAR_BOTTOM - 28)
        self._fixed.append(Widget(box, "bar_button", text, "", go, "button", event))

    def ask(self, title: str, text: str, *buttons: tuple[str, str, Event]) -> None:
        """A modal dialog."""
        self._dialog = dialog(title, text, buttons)

    def page(self, surface: str = "page") -> Page:
        """What was stacked."""
        height = max([self._y, *(widget.box.bottom for widget in self._body)])
        return Page(
            tuple(self._fixed), tuple(self._body), tuple(self._foot), self._dialog, self._top, self._bottom, height,
            surface,
        )  # fmt: skip


def dialog(title: str, text: str, buttons: tuple[tuple[str, str, Event], ...]) -> tuple[Widget, ...]:
    """A panel in the middle of the screen with (id, text, event) buttons in one row."""
    panel = Rect(96, 880, WIDTH - 96, 1480)
    width = (panel.right - panel.left - 48) // len(buttons)
    found = [Widget(panel, "panel", title, text, "dialog", "dialog")]
    for index, (name, label, event) in enumerate(buttons):
        left = panel.left + 24 + index * width
        box = Rect(left + 12, panel.bottom - 170, left + width - 12, panel.bottom - 36)
        found.append(Widget(box, "flat", label, "", name, "button", event))
    return tuple(found)
