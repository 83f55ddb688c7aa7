"""App Store: search, install, uninstall."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.names import APPS
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_RESULTS = 8


@record
@dataclass(frozen=True, slots=True)
class Store:
    """The apps that were installed from here, by name."""

    installed: tuple[str, ...] = ()

    def with_app(self, name: str) -> Store:
        """One app more."""
        return Store(tuple(sorted({*self.installed, name})))

    def without(self, name: str) -> Store:
        """One app less."""
        return Store(tuple(app for app in self.installed if app != name))


def _start(chance: random.Random) -> Store:
    return Store(tuple(sorted(chance.sample(APPS, k=chance.randint(2, 5)))))


def found(query: str) -> tuple[str, ...]:
    """Apps for a query: those with most of its words first."""
    words = {word.lower() for word in query.split()}

    def misses(name: str) -> int:
        return len(words - set(name.lower().split()))

    return tuple(sorted((name for name in APPS if misses(name) < len(words)), key=misses)[:_RESULTS])


def _layout(page: PageBuilder, store: Store) -> None:
    screen = page.screen
    match screen.page:
        case "results":
            page.bar(page.say("Results for {}", screen.args[0]))
            _list(page, found(screen.args[0]), store)
        case "mine":
            page.bar("My apps")
            _list(page, store.installed, store)
        case "app":
            _app(page, screen.args[0], store)
        case _:
            page.bar("App Store", ("mine", "My apps", ("page", "mine")))
            page.field("query", "Search apps")
            page.button("search", "Search", ("search",))
            page.header("Popular")
            _list(page, APPS[3:60:8], store)
    if screen.dialog:
        name = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Uninstall", ("uninstall", name)))
        page.ask("Uninstall?", page.say("{} and its files will be removed.", name), *buttons)


def _list(page: PageBuilder, names: tuple[str, ...], store: Store) -> None:
    for name in names:
        detail = "Installed" if name in store.installed else "Free"
        page.row(f"entry:{name}", name, ("page", "app", name), detail, icon=name)


def _app(page: PageBuilder, name: str, store: Store) -> None:
    page.bar(name)
    page.card("picture", name, "4.6 stars, 12 MB", (), name)
    if name in store.installed:
        page.button("open", "Open", ("app", name))
        page.button("uninstall", "Uninstall", ("dialog", "uninstall", name), "flat_wide")
    else:
        page.button("install", "Install", ("install", name))
    page.paragraph(page.say("{} does one thing and does it well. No advertisements.", name))


def _react(state: PhoneState, event: Event) -> PhoneState:
    store: Store = state.apps["Store"]
    match event:
        case ("search",) | ("enter", "query"):
            query = state.top.draft("query").strip()
            return state.push(Screen("Store", "results", (query,))) if query else state
        case ("install", name):
            return replace(state.with_app("Store", store.with_app(name)), toast=say(state.style, "{} installed", name))
        case ("uninstall", name):
            removed = state.with_app("Store", store.without(name))
            return replace(removed.with_top(replace(state.top, dialog=())), toast=say(state.style, "{} removed", name))
        case _:
            return state


def _facts(store: Store) -> Mapping[str, Json]:
    return {"store.installed": list(store.installed)}


APP = App("Store", "App Store", ("Store",), _layout, _react, _start, _facts)
