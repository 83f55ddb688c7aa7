"""The builder with which apps stack widgets into a page, and what a phone's style makes of them.

Version 2 of the phone's software moves what version 1 shows: actions of the bar go to the foot, tabs to the top, the
floating button to the left, a dialog's buttons under one another; rows are lower, ids are obfuscated, labels renamed.
"""

from __future__ import annotations

from distrl_sdk.simphone.measure import cells, lines
from distrl_sdk.simphone.state import Event, Screen, Style
from distrl_sdk.simphone.widgets import BAR_BOTTOM, FOOT_BOTTOM, ROW, STATUS_BOTTOM, WIDTH, Page, Rect, Widget
from distrl_sdk.simphone.wording import say

Button = tuple[str, str, Event]
"""(id, label, what a touch means)"""

_FOOT = 168
"""Height of a bar at the foot."""


class PageBuilder:
    """Stacks widgets from the top of the body to its end. Labels are said in the phone's language, data as they are."""

    def __init__(self, screen: Screen, style: Style) -> None:
        self.screen = screen
        self.style = style
        self.surface = "page"
        """'wallpaper' for what lies on the home screen's ground."""
        self._moved = style.version > 1
        self._row = ROW - 28 if self._moved else ROW
        self._y = 16
        self._fixed: list[Widget] = []
        self._body: list[Widget] = []
        self._foot: list[Widget] = []
        self._dialog: tuple[Widget, ...] = ()
        self._top = BAR_BOTTOM
        self._bottom = FOOT_BOTTOM

    def say(self, text: str, *data: object) -> str:
        """A label in the phone's own words; every {} in it stands for data."""
        return say(self.style, text, *data)

    # --- what stays while the body scrolls ------------------------------------------------------------------------

    def bar(self, title: str, *actions: Button) -> None:
        """An app bar with a way back and buttons, the first one rightmost."""
        self._fixed.append(Widget(Rect(0, STATUS_BOTTOM, WIDTH, BAR_BOTTOM), "bar"))
        back = Rect(12, STATUS_BOTTOM + 12, 156, BAR_BOTTOM - 12)
        self._fixed.append(Widget(back, "glyph", self.say("Back"), "", "back", "button", ("back",), icon="back"))
        right = WIDTH - 24
        if self._moved and actions:
            self._action_foot(actions)
            actions = ()
        for name, text, event in actions:
            label = self.say(text)
            width = 64 + 26 * cells(label)
            box = Rect(right - width, STATUS_BOTTOM + 28, right, BAR_BOTTOM - 28)
            self._fixed.append(Widget(box, "bar_button", label, "", name, "button", event))
            right -= width + 16
        box = Rect(168, STATUS_BOTTOM + 20, right - 16, BAR_BOTTOM - 20)
        self._fixed.append(Widget(box, "title", self.say(title), "", "title", "text"))

    def _action_foot(self, actions: tuple[Button, ...]) -> None:
        top, width = self._bottom - _FOOT, WIDTH // len(actions)
        self._foot.append(Widget(Rect(0, top, WIDTH, self._bottom), "plate"))
        for index, (name, text, event) in enumerate(actions):
            box = Rect(index * width + 20, top + 20, (index + 1) * width - 20, self._bottom - 20)
            self._foot.append(Widget(box, "button", self.say(text), "", name, "button", event))
        self._bottom = top

    def address_bar(self, name: str, label: str, button: Button) -> None:
        """A field in the place of the app bar, with a button."""
        go, text, event = button
        self._fixed.append(Widget(Rect(0, STATUS_BOTTOM, WIDTH, BAR_BOTTOM), "bar"))
        self._fixed.append(self._field(Rect(24, STATUS_BOTTOM + 12, 860, BAR_BOTTOM - 12), name, label))
        box = Rect(884, STATUS_BOTTOM + 28, WIDTH - 24, BAR_BOTTOM - 28)
        self._fixed.append(Widget(box, "bar_button", self.say(text), "", go, "button", event))

    def tabs(self, current: str, *tabs: tuple[str, Event]) -> None:
        """A bar of tabs at the foot."""
        width = WIDTH // len(tabs)
        top = self._top if self._moved else self._bottom - _FOOT
        made = []
        for index, (text, event) in enumerate(tabs):
            box = Rect(index * width, top, (index + 1) * width, top + _FOOT)
            made.append(Widget(box, "tab", self.say(text), "", f"tab:{text}", "tab", event, text == current))
        if self._moved:
            self._fixed += made
            self._top += _FOOT
        else:
            self._foot = [*(widget.moved(-_FOOT) for widget in self._foot), *made]
            self._bottom = top

    def fab(self, name: str, text: str, tap: Event) -> None:
        """A floating button at the lower right."""
        label = self.say(text)
        width = 128 + 25 * cells(label)
        left = 40 if self._moved else WIDTH - 40 - width
        box = Rect(left, self._bottom - 200, left + width, self._bottom - 50)
        self._foot.append(Widget(box, "fab", label, "", name, "button", tap))
        self._y += 220

    def input_bar(self, name: str, label: str, button: str, tap: Event) -> None:
        """A field and a button at the foot, above the keyboard when that is open."""
        top = self._bottom - 180
        self._foot.append(Widget(Rect(0, top, WIDTH, self._bottom), "plate"))
        said = self.say(button)
        left = WIDTH - 24 - max(212, 64 + 25 * cells(said))
        self._foot.append(self._field(Rect(24, top + 16, left - 24, self._bottom - 16), name, label))
        box = Rect(left, top + 28, WIDTH - 24, self._bottom - 28)
        self._foot.append(Widget(box, "button", said, "", button.lower(), "button", tap))
        self._bottom = top

    def anchor(self, widget: Widget) -> None:
        """A widget at its own place of the screen, over the body."""
        self._foot.append(widget)

    def ask(self, title: str, text: str, *buttons: Button) -> None:
        """A modal dialog."""
        said = tuple((name, self.say(label), event) for name, label, event in buttons)
        self._dialog = dialog(self.style, self.say(title), self.say(text), said)

    # --- the body ---------------------------------------------------------------------------------------------------

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
        self._body.append(Widget(self._next(100), "header", self.say(text), role="text"))

    def paragraph(self, text: str) -> None:
        """Running text, wrapped."""
        said = self.say(text)
        height = 36 + 60 * lines(said, 44)
        self._body.append(Widget(self._next(height), "paragraph", said, role="text"))

    def row(self, name: str, text: str, tap: Event, detail: str = "", icon: str = "") -> None:
        """A list row that leads somewhere."""
        said = self.say(text), self.say(detail)
        self._body.append(Widget(self._next(self._row), "row", *said, name, "item", tap, icon=icon))

    def switch(self, name: str, text: str, checked: bool, tap: Event, detail: str = "") -> None:
        """A row with a switch; the whole row toggles."""
        said = self.say(text), self.say(detail)
        self._body.append(Widget(self._next(self._row), "switch", *said, name, "switch", tap, checked))

    def check(self, name: str, text: str, checked: bool, tap: Event, detail: str = "") -> None:
        """A row with a box that is ticked or not."""
        said = self.say(text), self.say(detail)
        self._body.append(Widget(self._next(self._row), "check", *said, name, "switch", tap, checked))

    def option(self, name: str, text: str, checked: bool, tap: Event) -> None:
        """One of several choices."""
        self._body.append(Widget(self._next(self._row - 32), "option", self.say(text), "", name, "item", tap, checked))

    def card(self, name: str, text: str, detail: str, tap: Event, icon: str) -> None:
        """A picture with two lines of text."""
        said = self.say(text), self.say(detail)
        self._body.append(Widget(self._next(236, 36), "card", *said, name, "item", tap, icon=icon))
        self._y += 20

    def image(self, name: str, text: str, icon: str, height: int = 900, tap: Event = ()) -> None:
        """A large picture; `icon` decides what it shows, and `text` is its description."""
        self._body.append(Widget(self._next(height, 24), "image", text, "", name, "image", tap, icon=icon))
        self._y += 20

    def field(self, name: str, label: str) -> None:
        """A text field."""
        self.skip(20)
        self._body.append(self._field(self._next(168, 48), name, label))
        self.skip(20)

    def _field(self, box: Rect, name: str, label: str) -> Widget:
        draft, focused = self.screen.draft(name), self.screen.focus == name
        return Widget(box, "field", self.say(label), draft, name, "field", ("focus", name), focused=focused)

    def button(self, name: str, text: str, tap: Event, look: str = "button") -> None:
        """A wide button."""
        self.skip(20)
        self._body.append(Widget(self._next(132, 48), look, self.say(text), "", name, "button", tap))
        self.skip(20)

    def slider(self, name: str, text: str, percent: int, tap: Event) -> None:
        """A level in percent. A touch, or a swipe that begins on it, means `tap` with the new level ('70') at its end.

        `tap` begins with 'slide'.
        """
        self._body.append(
            Widget(self._next(self._row), "slider", self.say(text), f"{percent} %", name, "slider", tap, level=percent)
        )

    def progress(self, text: str, percent: int, name: str = "progress") -> None:
        """How far something has come."""
        self._body.append(
            Widget(self._next(130), "progress", self.say(text), f"{percent} %", name, "text", level=percent)
        )

    def stepper(self, name: str, text: str, value: str, less: Event, more: Event) -> None:
        """A value with a button on either side."""
        box = self._next(self._row)
        self._body += (
            Widget(box, "label", self.say(text)),
            Widget(Rect(500, box.top + 20, 640, box.bottom - 20), "square", "-", "", f"{name}:less", "button", less),
            Widget(Rect(660, box.top + 20, 860, box.bottom - 20), "value", self.say(value), "", name, "text"),
            Widget(Rect(880, box.top + 20, 1020, box.bottom - 20), "square", "+", "", f"{name}:more", "button", more),
        )

    def spinner(self) -> None:
        """What stands in the place of a page that has not come yet."""
        self.bar(self.screen.app)
        self.skip(700)
        self._body.append(Widget(self._next(260, 360), "spinner", self.say("Loading ..."), "", "spinner", "text"))

    def chips(self, *chips: tuple[str, str, bool, Event]) -> None:
        """Small (id, label, chosen, event) buttons side by side, in as many lines as they need."""
        self.skip(16)
        left = 36
        for name, text, chosen, event in chips:
            label = self.say(text)
            width = 80 + 25 * cells(label)
            if left + width > WIDTH - 36 and left > 36:
                left = 36
                self.skip(120)
            box = Rect(left, 0, min(left + width, WIDTH - 36), 104)
            self.place(Widget(box, "chip", label, "", name, "button", event, chosen))
            left += width + 20
        self.skip(120)

    def grid(self, columns: int, height: int, *cells: Widget) -> None:
        """Widgets in rows of equal cells; their boxes are given here."""
        width = (WIDTH - 48) // columns
        for index, cell in enumerate(cells):
            left, top = 24 + index % columns * width, self._y + index // columns * height
            self._body.append(cell.at(Rect(left + 8, top + 8, left + width - 8, top + height - 8)))
        self.skip(height * -(-len(cells) // columns))

    def dots(self, current: int, count: int) -> None:
        """Which of several pages this is."""
        box = Rect(WIDTH // 2 - 200, FOOT_BOTTOM - 380, WIDTH // 2 + 200, FOOT_BOTTOM - 330)
        said = self.say("Page {} of {}", current + 1, count)
        self.anchor(Widget(box, "dots", said, "", "pages", "text", icon=str(count), level=current))

    def page(self) -> Page:
        """What was stacked."""
        height = max([self._y, *(widget.box.bottom for widget in self._body)])
        return Page(
            tuple(self._fixed), tuple(self._body), tuple(self._foot), self._dialog, self._top, self._bottom, height,
            self.surface,
        )  # fmt: skip


def dialog(style: Style, title: str, text: str, buttons: tuple[Button, ...]) -> tuple[Widget, ...]:
    """A panel with buttons: in one row in the middle of the screen, or stacked, in reverse, at its foot.

    They are stacked in version 2, and where their labels have no room side by side.
    """
    stacked = style.version > 1 or len(buttons) * max(cells(label) for _, label, _ in buttons) > 34
    more = 60 * max(0, lines(text, 32) - 2)
    top = FOOT_BOTTOM - 420 - 150 * len(buttons) - more if stacked else 880 - more
    panel = Rect(96, top, WIDTH - 96, FOOT_BOTTOM - 40 if stacked else 1480)
    found = [Widget(panel, "panel", title, text, "dialog", "dialog")]
    if stacked:
        for index, (name, label, event) in enumerate(reversed(buttons)):
            upper = panel.bottom - 30 - 150 * (len(buttons) - index)
            box = Rect(panel.left + 40, upper, panel.right - 40, upper + 134)
            found.append(Widget(box, "flat", label, "", name, "button", event))
        return tuple(found)
    width = (panel.right - panel.left - 48) // len(buttons)
    for index, (name, label, event) in enumerate(buttons):
        left = panel.left + 24 + index * width
        box = Rect(left + 12, panel.bottom - 170, left + width - 12, panel.bottom - 36)
        found.append(Widget(box, "flat", label, "", name, "button", event))
    return tuple(found)
