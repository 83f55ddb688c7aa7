"""What simphone shows, as Android writes it, is read again as what simphone shows."""

from __future__ import annotations

import random

import pytest
from distrl_android_adb.sim.display import display_of
from distrl_android_adb.sim.hierarchy import hierarchy
from distrl_android_adb.tree import read_tree

from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import Chances, PhoneState
from distrl_sdk.types import Action, Key, Press, Swipe, Tap, TypeText, UiElement


def without_id(element: UiElement) -> tuple[object, ...]:
    """Android has resource ids of its own form. A tab that is not selected is told like one that cannot be."""
    checked = bool(element.checked) if element.role == "tab" else element.checked
    clickable, editable, scrollable, focused = element.marks[:4]
    return element.box, element.text, clickable, editable, scrollable, focused, checked


def wander(seed: int, steps: int) -> list[PhoneState]:
    chance = random.Random(seed)
    state = apps.fresh(seed, Chances(0.1, 0.05, 0.05))
    states = []
    for _ in range(steps):
        boxes = [element.box for element in scene_of(state).elements if element.clickable]
        action: Action = Tap(*chance.choice(boxes).centre) if boxes else Press(Key.BACK)
        if chance.random() < 0.2:
            action = chance.choice([Press(Key.HOME), TypeText("abc"), Swipe(0.5, 0.7, 0.5, 0.3), Press(Key.BACK)])
        state = engine.act(state, action)
        states.append(state)
    return states


@pytest.mark.parametrize("seed", range(8))
def test_a_policy_sees_on_android_what_it_sees_on_a_drawn_phone(seed: int) -> None:
    for state in wander(seed, 50):
        wanted = [element for element in scene_of(state).elements if element.role != "key"]

        read = read_tree(hierarchy(state, display_of((1080, 2400), 0), 34).encode(), 1080, 2400)

        assert [without_id(element) for element in read] == [without_id(element) for element in wanted]
        roles = zip(read, wanted, strict=True)
        assert [(one.role, other.role) for one, other in roles if one.role != other.role and other.role != "text"] == []
