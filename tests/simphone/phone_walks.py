"""Ways through a simulated phone for the tests: plain choices that become actions on whatever screen there is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import Chances, PhoneState
from distrl_sdk.types import Action, Finish, Key, OpenApp, Press, Swipe, Tap, TypeText, Wait

_REST: tuple[Action, ...] = (
    Swipe(0.5, 0.7, 0.5, 0.3),
    Swipe(0.5, 0.3, 0.5, 0.7),
    Swipe(0.5, 0.5, 0.5, 0.1),
    TypeText("red mug"),
    TypeText("07:35"),
    TypeText("12"),
    TypeText(""),
    Press(Key.BACK),
    Press(Key.ENTER),
    Press(Key.HOME),
    OpenApp("App Store"),
    Wait(),
    Finish(),
)

choices = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 200)), max_size=14)
"""Each (which sort of action, which of that sort)."""
seeds = st.integers(0, 5000)


def chosen(state: PhoneState, choice: tuple[int, int]) -> Action:
    """The action that a choice means here: mostly a touch on something that can be touched."""
    sort, which = choice
    touchable = [element for element in scene_of(state).elements if element.clickable]
    if sort < 75 and touchable:
        return Tap(*touchable[which % len(touchable)].box.centre)
    return _REST[which % len(_REST)]


def walk(state: PhoneState, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[Action, PhoneState]]:
    """Each action with the state that it led to."""
    for choice in taken:
        action = chosen(state, choice)
        state = engine.act(state, action)
        yield action, state


def end_of(state: PhoneState, taken: Sequence[tuple[int, int]]) -> PhoneState:
    """Where a walk ends."""
    for _, reached in walk(state, taken):
        state = reached
    return state


def phone(seed: int = 7, popup_rate: float = 0.0) -> PhoneState:
    """A fresh phone."""
    return apps.fresh(seed, Chances(popup_rate))


def tap(state: PhoneState, name: str) -> PhoneState:
    """Touch the middle of the element with an id."""
    element = scene_of(state).find(name)
    assert element is not None, f"{name} is not on the screen: {[one.id for one in scene_of(state).elements]}"
    return engine.act(state, Tap(*element.box.centre))


def through(state: PhoneState, *names: str) -> PhoneState:
    """Touch one element after the other."""
    for name in names:
        state = tap(state, name)
    return state


def any_choice(chance: random.Random) -> tuple[int, int]:
    """One random choice."""
    return chance.randrange(100), chance.randrange(200)
