"""The apps that can be installed: a name, a greeting, a few rows that do nothing."""

from __future__ import annotations

from functools import cache

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder


@cache
def app(name: str) -> App:
    """The app of a name from the app store."""
    return App(name, name, (), _layout)


def _layout(page: PageBuilder) -> None:
    screen = page.screen
    page.bar(screen.app)
    page.paragraph(page.say("Welcome to {}.", screen.app))
    for title in ("Today", "Favourites", "Help"):
        page.row(f"extra:{title}", title, (), icon=title)
