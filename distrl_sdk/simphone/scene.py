"""State -> scene: what is on the screen and where. The picture and the UI tree both come from here.

Elements are in drawing order: where two overlap the later one is on top, and it alone feels a touch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from distrl_sdk.simphone import apps, keyboard, popups
from distrl_sdk.simphone.state import Event, PhoneState, Screen
from distrl_sdk.simphone.widgets import FOOT_BOTTOM, HEIGHT, WIDTH, Page, Rect, Widget
from distrl_sdk.types import Box, UiElement

_SLIVER = 48
"""Logical pixels of a clipped widget that must show for it to count as an element."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One laid-out screen."""

    surface: str
    layers: tuple[tuple[Widget, ...], ...]
    """Body; then what lies over it; then, each above a scrim, the app's dialog and the system's pop-up."""
    elements: tuple[UiElement, ...]
    events: tuple[Event, ...]
    """What a touch on each element means."""
    scroll: int
    """Logical pixels by which the body is moved up, within bounds."""
    max_scroll: int
    viewport: tuple[int, int]
    """Top and bottom of the part that scrolls, in logical pixels."""
    body: tuple[tuple[str, int, int], ...]
    """Id, top and bottom of every widget of the body, also of those out of sight, in screen coordinates."""
    keyboard: bool

    def event_at(self, x: float, y: float) -> Event:
        """What a touch at a relative point means; () = nothing."""
        for element, event in zip(reversed(self.elements), reversed(self.events), strict=True):
            if element.box.holds(x, y):
                return event
        return ()

    def topmost_at(self, x: float, y: float) -> UiElement | None:
        """The element that feels a touch at a relative point."""
        return next((element for element in reversed(self.elements) if element.box.holds(x, y)), None)

    def find(self, name: str) -> UiElement | None:
        """The visible element with an id."""
        return next((element for element in self.elements if element.id == name), None)


def scene_of(state: PhoneState) -> Scene:
    """The scene of a state. Equal screens share one."""
    top = state.top
    app = apps.app(top.app)
    return _scene(top, tuple(state.apps[name] for name in app.reads), state.popup)


@lru_cache(maxsize=4096)
def _page(screen: Screen, values: tuple[Any, ...]) -> Page:
    return apps.app(screen.app).layout(screen, *values)


@lru_cache(maxsize=8192)
def _scene(screen: Screen, values: tuple[Any, ...], popup: str) -> Scene:
    page = _page(screen, values)
    modal = bool(popup or page.dialog)
    typing = bool(screen.focus) and not modal
    rise = FOOT_BOTTOM - keyboard.TOP if typing else 0
    bottom = page.bottom - rise
    max_scroll = max(0, page.height - (bottom - page.top))
    scroll = min(screen.scroll, max_scroll)
    placed = tuple(widget.moved(page.top - scroll) for widget in page.body)
    body = tuple(widget for widget in placed if widget.box.bottom > page.top and widget.box.top < bottom)
    foot = tuple(widget.moved(-rise) for widget in page.foot) if rise else page.foot
    over = (*page.fixed, *foot, *(keyboard.board() if typing else ()))
    layers = [body, over]
    if page.dialog:
        layers.append(page.dialog)
    if popup:
        layers.append(popups.widgets(popup))
    view = (page.top, bottom)
    live = _elements(layers[-1], (0, HEIGHT)) if modal else [*_list(max_scroll, view), *_elements(body, view),
                                                             *_elements(over, (0, HEIGHT))]  # fmt: skip
    return Scene(
        page.surface, tuple(layers), tuple(element for element, _ in live), tuple(event for _, event in live),
        scroll, max_scroll, view, tuple((w.id, w.box.top, w.box.bottom) for w in placed), typing,
    )  # fmt: skip


def _list(max_scroll: int, view: tuple[int, int]) -> list[tuple[UiElement, Event]]:
    if not max_scroll:
        return []
    box = _relative(Rect(0, view[0], WIDTH, view[1]))
    return [(UiElement(box, role="list", id="list", scrollable=True), ())]


def _elements(widgets: Iterable[Widget], view: tuple[int, int]) -> list[tuple[UiElement, Event]]:
    found = []
    for widget in widgets:
        box = widget.box
        clipped = Rect(box.left, max(box.top, view[0]), box.right, min(box.bottom, view[1]))
        if widget.role and clipped.bottom - clipped.top >= min(_SLIVER, box.bottom - box.top):
            found.append((_element(widget, clipped), widget.tap))
    return found


def _element(widget: Widget, box: Rect) -> UiElement:
    return UiElement(
        _relative(box),
        f"{widget.text}, {widget.detail}" if widget.detail else widget.text,
        widget.role,
        widget.id,
        clickable=bool(widget.tap),
        editable=widget.role == "field",
        focused=widget.focused,
        checked=widget.checked,
    )


def _relative(box: Rect) -> Box:
    return Box(box.left / WIDTH, box.top / HEIGHT, box.right / WIDTH, box.bottom / HEIGHT)
