"""State -> scene: what is on the screen and where. The picture and the UI tree both come from here.

Elements are in drawing order: where two overlap the later one is on top, and it alone feels a touch.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from distrl_sdk.simphone import apps, keyboard, popups
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, Style
from distrl_sdk.simphone.widgets import FOOT_BOTTOM, HEIGHT, WIDTH, Page, Widget
from distrl_sdk.types import Box, UiElement

SLIDER_LEFT, SLIDER_RIGHT = 0.1, 0.9
"""Where the track of a slider begins and ends, as shares of the screen's width."""
_SLIVER = 48
"""Logical pixels of a clipped widget that must show for it to count as an element."""


class Layer(NamedTuple):
    """Widgets that are drawn one after the other, all of them further down than their boxes say."""

    down: int
    widgets: tuple[Widget, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One laid-out screen."""

    surface: str
    body: Layer
    """Clipped to the viewport."""
    over: tuple[Layer, ...]
    """What lies over the body; the keyboard, if it is shown, is not among it."""
    modal: tuple[Layer, ...]
    """The app's dialog and the system's pop-up, each above a scrim."""
    elements: tuple[UiElement, ...]
    names: tuple[str, ...]
    """What the app calls each element, whatever its id in this version."""
    events: tuple[Event, ...]
    """What a touch on each element means."""
    scroll: int
    """Logical pixels by which the body is moved up, within bounds."""
    max_scroll: int
    viewport: tuple[int, int]
    """Top and bottom of the part that scrolls, in logical pixels."""
    keyboard: bool

    def event_at(self, x: float, y: float, lift: float | None = None) -> Event:
        """What a touch at a relative point means; () = nothing. On a slider the level where the finger lifts is added.

        `lift`: the x where it does, if not where it came down.
        """
        for element, event in zip(reversed(self.elements), reversed(self.events), strict=True):
            if element.box.holds(x, y):
                if event[:1] != ("slide",):
                    return event
                share = ((x if lift is None else lift) - SLIDER_LEFT) / (SLIDER_RIGHT - SLIDER_LEFT)
                return *event, str(10 * round(10 * max(0.0, min(1.0, share))))
        return ()

    def top_of(self, name: str) -> int | None:
        """Where a widget of the body begins on the screen, also out of sight, in logical pixels."""
        return next((widget.box.top + self.body.down for widget in self.body.widgets if widget.id == name), None)

    def topmost_at(self, x: float, y: float) -> UiElement | None:
        """The element that feels a touch at a relative point."""
        return next((element for element in reversed(self.elements) if element.box.holds(x, y)), None)

    def find(self, name: str) -> UiElement | None:
        """The visible element of a name."""
        return next(
            (element for called, element in zip(self.names, self.elements, strict=True) if called == name), None
        )


_REMEMBERED = 64
"""States whose scene is remembered by identity: each is looked at, drawn and acted upon."""
_remembered: OrderedDict[int, tuple[PhoneState, Scene]] = OrderedDict()


def scene_of(state: PhoneState) -> Scene:
    """The scene of a state. Equal screens share one."""
    known = _remembered.get(id(state))
    if known is not None and known[0] is state:
        return known[1]
    scene = _laid_out(state)
    _remembered[id(state)] = state, scene  # holding the state keeps its id from being given to another
    while len(_remembered) > _REMEMBERED:
        _remembered.popitem(last=False)
    return scene


def _laid_out(state: PhoneState) -> Scene:
    top = state.top
    if top.ready:
        top = replace(top, ready=int(top.ready > state.tick))
    app = apps.app(top.app)
    values = tuple(state.apps[name] for name in app.reads)
    if app.narrow is not None:
        values = app.narrow(top, values)
    return _scene(top, values, state.popup, state.style)


@lru_cache(maxsize=64)
def _page(screen: Screen, values: tuple[Any, ...], style: Style) -> Page:
    page = PageBuilder(screen, style)
    if screen.ready:
        page.spinner()
    else:
        apps.app(screen.app).layout(page, *values)
    return page.page()


@lru_cache(maxsize=512)
def _scene(screen: Screen, values: tuple[Any, ...], popup: str, style: Style) -> Scene:
    page = _page(screen if not screen.scroll else replace(screen, scroll=0), values, style)
    typing = bool(screen.focus) and not (popup or page.dialog or screen.ready)
    rise = FOOT_BOTTOM - keyboard.TOP if typing else 0
    view = (page.top, page.bottom - rise)
    max_scroll = max(0, page.height - (view[1] - view[0]))
    scroll = min(screen.scroll, max_scroll)
    body = Layer(page.top - scroll, page.body)
    over = (Layer(0, page.fixed), Layer(-rise, page.foot))
    modal = tuple(Layer(0, shown) for shown in (page.dialog, popups.widgets(popup, style) if popup else ()) if shown)
    if modal:
        live = _live(modal[-1], _WHOLE)
    else:
        live = [
            *_list(max_scroll, view),
            *_live(body, view),
            *(pair for layer in over for pair in _live(layer, _WHOLE)),
        ]
        if typing:
            live += _keys(style.locale)
    names, elements, events = (tuple(column) for column in zip(*live, strict=True)) if live else ((), (), ())
    if style.version > 1:
        elements = tuple(replace(element, id=_obfuscated(element.id)) for element in elements)
    return Scene(page.surface, body, over, modal, elements, names, events, scroll, max_scroll, view, typing)


def _obfuscated(name: str) -> str:
    """The id as a build tool that shortens names would leave it."""
    return f"id/{zlib.crc32(name.encode()):08x}" if name else ""


_WHOLE = (0, HEIGHT)


@cache
def _keys(locale: str) -> list[tuple[str, UiElement, Event]]:
    return _live(Layer(0, keyboard.board(locale)), _WHOLE)


def _list(max_scroll: int, view: tuple[int, int]) -> list[tuple[str, UiElement, Event]]:
    if not max_scroll:
        return []
    box = _relative(0, view[0], WIDTH, view[1])
    return [("list", UiElement(box, role="item", id="list", scrollable=True), ())]


def _live(layer: Layer, view: tuple[int, int]) -> list[tuple[str, UiElement, Event]]:
    """The names of the layer's elements, the elements clipped to a stretch of the screen, and their events."""
    found = []
    down, (first, last) = layer.down, view
    for widget in layer.widgets:
        if not widget.role:
            continue
        left, top, right, bottom = widget.box
        upper, lower = top + down, bottom + down
        if upper < first:
            upper = first
        if lower > last:
            lower = last
        if lower - upper < _SLIVER and lower - upper < bottom - top:
            continue
        text = f"{widget.text}, {widget.detail}" if widget.detail else widget.text
        element = UiElement(
            _relative(left, upper, right, lower), text, widget.role, widget.id, widget.tap != (),
            widget.role == "field", False, widget.focused, widget.checked,
        )  # fmt: skip
        found.append((widget.id, element, widget.tap))
    return found


def _relative(left: int, top: int, right: int, bottom: int) -> Box:
    return Box(left / WIDTH, top / HEIGHT, right / WIDTH, bottom / HEIGHT)
