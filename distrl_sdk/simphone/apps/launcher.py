"""The home screen: a search field, pages of icons that are swiped through, a dock; and the drawer with every app."""

from __future__ import annotations

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.store import Store
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import HOME, SHADE, Event, PhoneState, Screen
from distrl_sdk.simphone.widgets import FOOT_BOTTOM, NOWHERE, WIDTH, Rect, Widget

_COLUMNS = 4
_HEIGHT = 330
_A_PAGE = 16
DOCK = ("Phone", "Messages", "Browser", "Store")
GRID = ("Settings", "Clock", "Contacts", "Mail", "Notes", "Calendar", "Files", "Photos", "Maps", "Calculator", "Music")
"""Version 1 shows them on the first page; in version 2 they are in the drawer only."""
TITLES = {"Store": "App Store"}
"""Where the title is not the name."""


def _narrow(screen: Screen, records: tuple[Store]) -> tuple[tuple[str, ...], int]:
    """The installed apps, as far as they are shown, and the number of pages: most phones share their first page."""
    installed = records[0].installed
    pages = 1 + -(-len(installed) // _A_PAGE)
    if screen.page != "main":
        return installed, pages
    number = _number(screen)
    return installed[(number - 1) * _A_PAGE : number * _A_PAGE] if number else (), pages


def _layout(page: PageBuilder, installed: tuple[str, ...], pages: int) -> None:
    page.surface = "wallpaper"
    every = tuple(sorted((*DOCK, *GRID, *installed), key=lambda name: TITLES.get(name, name)))
    match page.screen.page:
        case "drawer":
            page.bar("All apps")
            page.field("search", "Search apps")
            page.grid(_COLUMNS, _HEIGHT, *(_icon(page, name) for name in every))
        case "found":
            query = page.screen.args[0]
            page.bar(page.say("Apps for {}", query))
            for name in every:
                if query.lower() in TITLES.get(name, name).lower():
                    page.row(f"app:{name}", TITLES.get(name, name), ("app", name), icon=name)
        case _:
            _home(page, installed, pages)


def _home(page: PageBuilder, installed: tuple[str, ...], pages: int) -> None:
    page.field("search", "Search apps")
    number = _number(page.screen)
    if number == 0:
        shown: tuple[str, ...] = GRID if page.style.version == 1 else ()
        page.grid(_COLUMNS, _HEIGHT, *(_icon(page, name) for name in shown), _drawer(page))
    else:
        page.grid(_COLUMNS, _HEIGHT, *(_icon(page, name) for name in installed))
    page.dots(number, pages)
    width = (WIDTH - 48) // len(DOCK)
    for index, name in enumerate(DOCK):
        left = 24 + index * width
        page.anchor(_icon(page, name).at(Rect(left + 8, FOOT_BOTTOM - 320, left + width - 8, FOOT_BOTTOM - 12)))


def _number(screen: Screen) -> int:
    """Which page of icons is shown."""
    return int(screen.args[0]) if screen.page == "main" and screen.args else 0


def _icon(page: PageBuilder, name: str) -> Widget:
    title = page.say(TITLES.get(name, name))
    return Widget(NOWHERE, "app", title, "", f"app:{name}", "icon", ("app", name), icon=name)


def _drawer(page: PageBuilder) -> Widget:
    event = "page", "drawer"
    return Widget(NOWHERE, "app", page.say("All apps"), "", "drawer", "icon", event, icon="drawer")


def _react(state: PhoneState, event: Event) -> PhoneState:
    number = _number(state.top)
    match event:
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen(HOME, "found", (query,))) if query else state
        case ("swipe", "left") if (
            state.top.page == "main" and number + 1 < _narrow(state.top, (state.apps["Store"],))[1]
        ):
            return state.with_top(Screen(HOME, "main", (str(number + 1),)))
        case ("swipe", "right") if state.top.page == "main" and number:
            return state.with_top(Screen(HOME, "main", (str(number - 1),) if number > 1 else ()))
        case ("swipe", "up") if state.top.page == "main":
            return state.push(Screen(HOME, "drawer"))
        case ("swipe", "down") if state.top.page == "main":
            return state.push(Screen(SHADE))
        case _:
            return state


APP = App(HOME, "Home", ("Store",), _layout, _react, narrow=_narrow)
