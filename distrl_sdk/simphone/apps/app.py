"""What an app is to the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from distrl_sdk.simphone.state import Event, PhoneState, Screen
from distrl_sdk.types import Json


def stay(state: PhoneState, event: Event) -> PhoneState:  # noqa: ARG001
    """The reaction of an app that has none of its own."""
    return state


_T = TypeVar("_T")


def variants(draw: Callable[[random.Random], _T], count: int = 100) -> Callable[[random.Random], _T]:
    """A start that takes one of `count` records, each drawn once: large records cost a reset nothing."""
    drawn = cache(lambda number: draw(random.Random(number)))
    return lambda chance: drawn(chance.randrange(count))


@dataclass(frozen=True, slots=True)
class App:
    """One app. Its pages follow from its screen, the phone's style and the records that it names, from nothing else."""

    name: str
    """Also the key of its record in PhoneState.apps."""
    title: str
    """What stands under its icon."""
    reads: tuple[str, ...]
    """The apps whose records `layout` gets, in this order."""
    layout: Callable[..., None]
    """(page, *records): stacks the page of `page.screen`."""
    react: Callable[[PhoneState, Event], PhoneState] = stay
    """To the events that the engine does not know, to ('enter', field), and where a swipe scrolls nothing to
    ('swipe', 'left' | 'right' | 'up' | 'down'); the same state = nothing happens."""
    start: Callable[[random.Random], Any] | None = None
    """The record of a fresh phone."""
    facts: Callable[[Any], Mapping[str, Json]] | None = None
    """The record in plain words for judges; keys start with the app's own word."""
    start_focus: Mapping[str, str] = field(default_factory=dict)
    """Pages that open with the keyboard on a field."""
    narrow: Callable[[Screen, tuple[Any, ...]], tuple[Any, ...]] | None = None
    """What of the records a screen shows; equal results share one layout. None = the records themselves."""
    elapse: Callable[[PhoneState], PhoneState] | None = None
    """What the time of one action does to what is under way here; None = nothing ever is."""
