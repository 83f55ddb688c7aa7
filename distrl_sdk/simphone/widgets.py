"""What a page is made of: widgets with boxes in logical pixels. page.py stacks them.

The logical screen is 1080 x 2400, whatever the picture's size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from distrl_sdk.simphone.state import Event

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


NOWHERE = Rect(0, 0, 0, 0)
"""Of a widget whose box somebody else gives it."""


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
    """Decides colours, initials or the subject of a picture."""
    level: int = 0
    """Percent, of a slider or of progress."""

    def moved(self, down: int) -> Widget:
        """The same widget, further down."""
        return self.at(self.box.moved(down))

    def at(self, box: Rect) -> Widget:
        """The same widget, elsewhere."""
        # spelled out: dataclasses.replace takes five times as long, and every page does this
        return Widget(
            box, self.look, self.text, self.detail, self.id, self.role, self.tap, self.checked, self.focused, self.icon,
            self.level,
        )  # fmt: skip


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
