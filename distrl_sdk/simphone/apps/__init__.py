"""The table of apps. To add one: write its file, and give it a line in `_TABLE`."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache

from distrl_sdk.simphone.apps import (
    browser,
    calculator,
    calendar,
    clock,
    contacts,
    dialer,
    extra,
    files,
    launcher,
    mail,
    maps,
    messages,
    music,
    notes,
    photos,
    settings,
    shade,
    store,
)
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.state import CALM, FIRST, HOME, SHADE, Chances, PhoneState, Records, Style

_TABLE: dict[str, App] = {
    app.name: app
    for app in (
        launcher.APP, settings.APP, clock.APP, contacts.APP, messages.APP, browser.APP, store.APP,
        dialer.APP, shade.APP, calculator.APP,
        mail.APP, notes.APP, calendar.APP, files.APP,
        photos.APP, maps.APP, music.APP,
    )
}  # fmt: skip


def app(name: str) -> App:
    """The app of a name; those that came from the app store share one file."""
    known = _TABLE.get(name)
    return known if known is not None else extra.app(name)


def installed(state: PhoneState) -> tuple[str, ...]:
    """The names of all apps that can be opened, the launcher left out."""
    return *BUILT_IN, *state.apps["Store"].installed


@lru_cache(maxsize=1024)
def fresh(seed: int, chances: Chances = CALM, style: Style = FIRST) -> PhoneState:
    """A phone as somebody uses it: with people, alarms, messages and apps that depend on the seed alone.

    A style may say whether it is in dark mode.
    """
    state = PhoneState(_records(seed), seed=seed, chances=chances, style=style)
    if style.dark is None:
        return state
    return state.with_app("Settings", state.apps["Settings"].with_value("dark_mode", bool(style.dark)))


_AMONG: dict[str, Callable[[Records, random.Random], object]] = {
    "Messages": lambda records, chance: messages.between(records["Contacts"], chance),
    "Phone": lambda records, chance: dialer.remembered(records["Contacts"], chance),
    SHADE: lambda records, chance: shade.waiting(records, chance),
}
"""Apps that remember what others hold."""


@lru_cache(maxsize=1024)
def _records(seed: int) -> Records:
    """The records of a fresh phone; one that nobody looks at is never made."""

    def make(name: str) -> object:
        chance = random.Random(f"{name}/{seed}")
        among, start = _AMONG.get(name), _TABLE[name].start
        return among(records, chance) if among is not None else start(chance) if start is not None else None

    records = Records({}, tuple(name for name, found in _TABLE.items() if found.start is not None), make)
    return records


BUILT_IN = tuple(name for name in _TABLE if name not in (HOME, SHADE))
"""The apps that every phone has."""
TOLD = tuple(name for name, found in _TABLE.items() if found.facts is not None)
"""Those of whose records judges are told."""


def elapse(state: PhoneState) -> PhoneState:
    """The state after the time of one action: what is under way in an app has come further."""
    for pass_time in _PASSING:
        state = pass_time(state)
    return state


_PASSING = tuple(found.elapse for found in _TABLE.values() if found.elapse is not None)
