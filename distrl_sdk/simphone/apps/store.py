"""App Store: search, categories, downloads that take their time, updates, ratings, uninstalling."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone import popups
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.names import APPS
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_RESULTS = 8
_BIG = 110
"""MB from which on a download takes two actions' time; below it takes one."""
CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "Games": ("Chess", "Puzzle", "Garden"),
    "Tools": ("Notes", "Weather", "Budget", "Planner", "Maps"),
    "Media": ("Radio", "Piano", "Reader"),
    "Lifestyle": ("Runner", "Recipes", "Photos"),
}
"""Which words an app's name ends with."""


@record
@dataclass(frozen=True, slots=True)
class Download:
    """An app that is on its way."""

    app: str
    whole: int
    """Actions that its time takes."""
    left: int
    """Actions until it is there, the one that asked for it counted."""

    @property
    def percent(self) -> int:
        """How much has come."""
        return (100 * (self.whole - self.left) + 40) // self.whole


@record
@dataclass(frozen=True, slots=True)
class Rating:
    """What the user thinks of an app."""

    app: str
    stars: int


@record
@dataclass(frozen=True, slots=True)
class Store:
    """The apps that were installed from here, by name, and what the store knows of them."""

    installed: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    """Those of the installed that have an update."""
    downloads: tuple[Download, ...] = ()
    ratings: tuple[Rating, ...] = ()

    def with_app(self, name: str) -> Store:
        """One app more, or the one of that name in its latest version."""
        outdated = tuple(app for app in self.outdated if app != name)
        return replace(self, installed=tuple(sorted({*self.installed, name})), outdated=outdated)

    def with_outdated(self, name: str) -> Store:
        """With an installed app that has an update."""
        return replace(self.with_app(name), outdated=tuple(sorted({*self.outdated, name})))

    def without(self, name: str) -> Store:
        """One app less."""
        current = self.with_app(name).without_download(name)
        return replace(current, installed=tuple(app for app in current.installed if app != name))

    def with_download(self, name: str) -> Store:
        """One app more on its way."""
        ticks = ticks_of(name)
        return replace(self, downloads=(*self.downloads, Download(name, ticks, ticks + 1)))

    def without_download(self, name: str) -> Store:
        """With nothing of that name on its way."""
        return replace(self, downloads=tuple(one for one in self.downloads if one.app != name))

    def download(self, name: str) -> Download | None:
        """The download of an app, if it is on its way."""
        return next((one for one in self.downloads if one.app == name), None)

    def stars(self, name: str) -> int:
        """How the user rated an app; 0 = not at all."""
        return next((one.stars for one in self.ratings if one.app == name), 0)


def size_of(name: str) -> int:
    """MB of an app, the same for ever."""
    return 12 + zlib.crc32(name.encode()) % 140


def ticks_of(name: str) -> int:
    """How many actions' time the download of an app takes."""
    return 1 + (size_of(name) >= _BIG)


def _start(chance: random.Random) -> Store:
    installed = tuple(sorted(chance.sample(APPS, k=chance.randint(2, 5))))
    return Store(installed, tuple(name for name in installed if chance.random() < 0.4))


def found(query: str) -> tuple[str, ...]:
    """Apps for a query: those with most of its words first."""
    words = {word.lower() for word in query.split()}

    def misses(name: str) -> int:
        return len(words - set(name.lower().split()))

    return tuple(sorted((name for name in APPS if misses(name) < len(words)), key=misses)[:_RESULTS])


_TABS = (("Discover", ("tab", "main")), ("Updates", ("tab", "updates")))


def _layout(page: PageBuilder, store: Store) -> None:
    screen = page.screen
    match screen.page:
        case "results":
            page.bar(page.say("Results for {}", screen.args[0]))
            _list(page, found(screen.args[0]), store)
        case "category":
            page.bar(screen.args[0])
            _list(page, tuple(app for app in APPS if app.split()[1] in CATEGORIES[screen.args[0]]), store)
        case "mine":
            page.bar("My apps")
            _list(page, store.installed, store)
        case "updates":
            _updates(page, store)
        case "app":
            _app(page, screen.args[0], store)
        case "rate":
            _rate(page, screen.args[0], store)
        case _:
            _front(page, store)
    if screen.dialog:
        name = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Uninstall", ("uninstall", name)))
        page.ask("Uninstall?", page.say("{} and its files will be removed.", name), *buttons)


def _front(page: PageBuilder, store: Store) -> None:
    page.bar("App Store", ("mine", "My apps", ("page", "mine")))
    page.field("query", "Search apps")
    page.button("search", "Search", ("search",))
    page.chips(*((f"category:{name}", name, False, ("category", name)) for name in CATEGORIES))
    page.header("Popular")
    _list(page, APPS[3:60:8], store)
    page.tabs("Discover", *_TABS)


def _list(page: PageBuilder, names: tuple[str, ...], store: Store) -> None:
    for name in names:
        page.row(f"entry:{name}", name, ("page", "app", name), _standing(name, store), icon=name)


def _standing(name: str, store: Store) -> str:
    if store.download(name) is not None:
        return "Downloading"
    if name in store.outdated:
        return "Update available"
    return "Installed" if name in store.installed else "Free"


def _updates(page: PageBuilder, store: Store) -> None:
    page.bar("Updates", *((("update_all", "Update all", ("update_all",)),) if store.outdated else ()))
    if not store.outdated:
        page.paragraph("All apps are up to date.")
    for name in store.outdated:
        download = store.download(name)
        if download is not None:
            page.progress(page.say("Updating {}", name), download.percent, f"progress:{name}")
            continue
        body, box = Rect(0, 0, 740, ROW), Rect(740, 34, WIDTH - 40, ROW - 34)
        detail = page.say("{} MB", size_of(name))
        page.place(Widget(body, "row", name, detail, f"entry:{name}", "item", ("page", "app", name), icon=name))
        page.place(Widget(box, "chip", page.say("Update"), name, f"update:{name}", "button", ("download", name)))
        page.skip(ROW)
    page.tabs("Updates", *_TABS)


def _app(page: PageBuilder, name: str, store: Store) -> None:
    page.bar(name)
    stars = 3.2 + zlib.crc32(name.encode()) % 17 / 10
    page.card("picture", name, page.say("{} stars, {} MB", f"{stars:.1f}", size_of(name)), (), name)
    download = store.download(name)
    if download is not None:
        page.progress("Downloading", download.percent)
        page.button("stop", "Stop", ("stop", name), "flat_wide")
    elif name in store.installed:
        page.button("open", "Open", ("app", name))
        if name in store.outdated:
            page.button("update", "Update", ("download", name))
        page.button("uninstall", "Uninstall", ("dialog", "uninstall", name), "flat_wide")
        given = page.say("You gave it {} of 5 stars", store.stars(name)) if store.stars(name) else "Not rated yet"
        page.row("rate", "Rate this app", ("page", "rate", name), given)
    else:
        page.button("install", "Install", ("download", name))
    page.paragraph(page.say("{} does one thing and does it well. No advertisements.", name))


def _rate(page: PageBuilder, name: str, store: Store) -> None:
    page.bar(page.say("Rate {}", name))
    page.paragraph("How many stars do you give it?")
    given = store.stars(name)
    page.chips(*((f"stars:{number}", str(number), number == given, ("rate", name, str(number)))
                 for number in range(1, 6)))  # fmt: skip


def _react(state: PhoneState, event: Event) -> PhoneState:
    store: Store = state.apps["Store"]
    match event:
        case ("search",) | ("enter", "query"):
            query = state.top.draft("query").strip()
            if not query:
                return state
            return state.push(Screen("Store", "results", (query,), ready=popups.spinner(state)))
        case ("category", name):
            return state.push(Screen("Store", "category", (name,), ready=popups.spinner(state)))
        case ("tab", page):
            return state.with_top(Screen("Store", page))
        case ("uninstall", name):
            removed = state.with_app("Store", store.without(name))
            return replace(removed.with_top(replace(state.top, dialog=())), toast=say(state.style, "{} removed", name))
        case ("rate", name, stars):
            others = (one for one in store.ratings if one.app != name)
            rated = replace(store, ratings=(*others, Rating(name, int(stars))))
            return replace(state.with_app("Store", rated).pop(), toast=say(state.style, "Thank you for your rating"))
        case _:
            return _react_download(state, store, event)


def _react_download(state: PhoneState, store: Store, event: Event) -> PhoneState:
    match event:
        case ("download", name):
            return state.with_app("Store", store.with_download(name))
        case ("update_all",):
            for name in store.outdated:
                store = store if store.download(name) else store.with_download(name)
            return state.with_app("Store", store)
        case ("stop", name):
            return state.with_app("Store", store.without_download(name))
        case _:
            return state


def _elapse(state: PhoneState) -> PhoneState:
    store: Store = state.apps["Store"]
    if not store.downloads:
        return state
    toast = ""
    for download in store.downloads:
        if download.left == 1:
            toast = say(state.style, "{} updated" if download.app in store.installed else "{} installed", download.app)
            store = store.with_app(download.app)
    coming = tuple(replace(one, left=one.left - 1) for one in store.downloads if one.left > 1)
    return replace(state.with_app("Store", replace(store, downloads=coming)), toast=toast)


def _facts(store: Store) -> Mapping[str, Json]:
    return {
        "store.installed": list(store.installed),
        "store.updates": list(store.outdated),
        "store.downloads": [one.app for one in store.downloads],
        "store.ratings": [{"app": one.app, "stars": one.stars} for one in store.ratings],
    }


APP = App("Store", "App Store", ("Store",), _layout, _react, _start, _facts, elapse=_elapse)
