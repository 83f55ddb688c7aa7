"""What a family of tasks is: wordings, parameters, a start, checks of the end, and the expert's route.

Every text that has to be typed stands in the instruction word for word, set off by blanks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from distrl_sdk.simphone.state import HOME, PhoneState
from distrl_sdk.types import Json

Params: TypeAlias = Mapping[str, Json]
Check: TypeAlias = Mapping[str, Json]
Place: TypeAlias = tuple[str, ...]
"""(app, page, *args), with a last '!' while the app's dialog is open."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Touch the widget with an id."""

    id: str


@dataclass(frozen=True, slots=True)
class Fill:
    """Have a text in a field."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Press ENTER in a field."""

    field: str


@dataclass(frozen=True, slots=True)
class Open:
    """Start an app from the home screen or the drawer, wherever its icon is."""

    app: str


@dataclass(frozen=True, slots=True)
class Await:
    """Do nothing for as long as the page shows the widget with an id."""

    id: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Have a switch on or off."""

    id: str
    on: bool


@dataclass(frozen=True, slots=True)
class Pull:
    """Swipe down, which pulls the shade over the home screen."""


@dataclass(frozen=True, slots=True)
class Dismiss:
    """Touch the widget with an id if the page shows it."""

    id: str


@dataclass(frozen=True, slots=True)
class Count:
    """Have a stepper at a number."""

    id: str
    number: int


Move: TypeAlias = Hit | Fill | Enter | Open | Await | Turn | Pull | Dismiss | Count
Route: TypeAlias = Mapping[Place, tuple[Move, ...]]
"""What to do where: the first move that is not done yet."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of task."""

    name: str
    apps: tuple[str, ...]
    """Titles of the apps that it needs."""
    wordings: tuple[str, ...]
    """Templates over the parameters."""
    draw: Callable[[random.Random], dict[str, Json]]
    prepare: Callable[[PhoneState, Params], PhoneState]
    """A fresh phone -> one on which the task can be done and is not done yet."""
    verify: Callable[[Params], tuple[Check, ...]]
    route: Callable[[Params], Route]
    unseen: tuple[str, ...] = ()
    """Wordings that no training task uses."""


def from_home(app: str, places: Route) -> Route:
    """A route that starts by opening an app."""
    return {(HOME, "main"): (Open(app),), (HOME, "drawer"): (Open(app),), **places}


def equals(fact: str, value: Json) -> Check:
    """The fact is this."""
    return {"fact": fact, "equals": value}


def has(fact: str, item: Json) -> Check:
    """The listed fact has a member with these entries."""
    return {"fact": fact, "has": item}


def lacks(fact: str, item: Json) -> Check:
    """The listed fact has no member with these entries."""
    return {"fact": fact, "lacks": item}


def only(*facts: str) -> Check:
    """Nothing else changed since the start."""
    return {"fact": "changed", "within": list(facts)}
