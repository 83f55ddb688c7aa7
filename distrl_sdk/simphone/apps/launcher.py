"""The home screen: a grid of icons."""

from __future__ import annotations

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.store import Store
from distrl_sdk.simphone.state import HOME, Screen
from distrl_sdk.simphone.widgets import WIDTH, Page, PageBuilder, Rect, Widget

_COLUMNS = 4
_CELL = (WIDTH - 48) // _COLUMNS
_HEIGHT = 330
_BUILT_IN = (
    ("Settings", "Settings"),
    ("Clock", "Clock"),
    ("Contacts", "Contacts"),
    ("Messages", "Messages"),
    ("Browser", "Browser"),
    ("Store", "App Store"),
)


def _layout(screen: Screen, store: Store) -> Page:
    page = PageBuilder(screen)
    icons = (*_BUILT_IN, *((name, name) for name in store.installed))
    for index, (name, title) in enumerate(icons):
        left = 24 + index % _COLUMNS * _CELL
        top = index // _COLUMNS * _HEIGHT
        box = Rect(left + 8, top + 8, left + _CELL - 8, top + _HEIGHT - 8)
        page.place(Widget(box, "app", title, "", f"app:{name}", "icon", ("app", name), icon=name))
    return page.page("wallpaper")


APP = App(HOME, "Home", ("Store",), _layout)
