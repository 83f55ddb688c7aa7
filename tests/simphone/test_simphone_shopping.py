"""The families of webshop and those of the browser: short for the expert on every phone, hopeless for chance."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phone_walks import any_choice, choices, chosen, end_of

from distrl_sdk.judge.checks import holds
from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.shops import ALL, HELD_OUT_SHOP
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import FAMILIES, GENERAL, WEBSHOP, start_state
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, Chances, PhoneState, Style
from distrl_sdk.simphone.wording import LOCALES
from distrl_sdk.types import Finish, Task, TypeText

SHOPPING = [family.name for family in WEBSHOP]
BROWSING = [family.name for family in GENERAL if family.apps == ("Browser",)]


def some_task(name: str, seed: int) -> Task:
    family, chance = FAMILIES[name], random.Random(seed)
    params = family.draw(chance)
    instruction = chance.choice((*family.wordings, *family.unseen)).format(**params)
    setup = {"seed": seed, "family": name, "params": params}
    return Task(f"{name}/{seed}", name, instruction, 20, "sim", family.apps, setup, family.verify(params))


def done(state: PhoneState, start: PhoneState, task: Task) -> bool:
    return all(holds(check, facts_of(state, start)) for check in task.verify)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6))
@pytest.mark.parametrize("name", [*SHOPPING, *BROWSING])
def test_the_expert_needs_few_actions_on_every_phone_and_types_only_what_it_was_told(name: str, seed: int) -> None:
    task = some_task(name, seed)
    start = state = start_state(task, CALM, Style(1 + seed % 2, LOCALES[seed % len(LOCALES)]))
    assert not done(start, start, task)

    taken = 0
    while not isinstance(action := next_action(state, task), Finish):
        state, taken = engine.act(state, action), taken + 1
        assert taken <= (16 if name in SHOPPING else 9), (task.instruction, state.top.place)
        if isinstance(action, TypeText):
            assert f" {action.text} " in f" {task.instruction} "

    assert done(state, start, task)
    assert len(task.instruction.split()) <= 22


@settings(deadline=None, max_examples=150)
@given(st.sampled_from([*SHOPPING, *BROWSING]), st.integers(0, 10**6), choices)
def test_the_expert_finds_its_way_from_wherever_a_walk_led(name: str, seed: int, taken: list[tuple[int, int]]) -> None:
    task = some_task(name, seed)
    start = start_state(task, Chances(0.05, 0.2))
    state = end_of(start, taken[:8])
    if facts_of(state, start)["changed"]:
        return  # something else was changed on the way; the task is lost

    for _ in range(50):
        action = next_action(state, task)
        if isinstance(action, Finish):
            break
        state = engine.act(state, action)

    assert done(state, start, task), task.instruction


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(SHOPPING), st.integers(0, 10**6), choices)
def test_the_expert_finds_its_way_about_the_shop(name: str, seed: int, taken: list[tuple[int, int]]) -> None:
    task = some_task(name, seed)
    start = state = start_state(task)
    for _ in range(2 + seed % 5):
        action = next_action(state, task)
        state = state if isinstance(action, Finish) else engine.act(state, action)
    state = end_of(state, taken[:5])
    changed = facts_of(state, start)["changed"]
    if changed and not done(state, start, task):
        return

    for _ in range(50):
        action = next_action(state, task)
        if isinstance(action, Finish):
            break
        state = engine.act(state, action)

    assert done(state, start, task), task.instruction


@pytest.mark.parametrize("name", [*SHOPPING, *BROWSING])
def test_a_family_has_wordings_to_test_with_and_enough_goals(name: str) -> None:
    family, chance = FAMILIES[name], random.Random(1)
    drawn = [family.draw(chance) for _ in range(1500)]
    goals = {json.dumps(family.verify(params), sort_keys=True) for params in drawn}

    assert len(SHOPPING) >= 12
    assert len({*family.wordings}) >= 4
    assert len({*family.unseen} - {*family.wordings}) >= 2
    assert len(goals) >= 100
    if name in SHOPPING:
        trained = {params["shop"] for params in drawn}
        assert HELD_OUT_SHOP in trained
        assert len(trained) >= 3
        assert trained <= {shop.title for shop in ALL}


def test_chance_hardly_ever_shops_well() -> None:
    chance = random.Random(5)
    tasks = [some_task(name, seed) for name in SHOPPING for seed in range(30)]

    assert sum(played(task, chance) for task in tasks) / len(tasks) < 0.01


def played(task: Task, chance: random.Random) -> bool:
    """Whether random touches, and words of the instruction where there is a field, end in success."""
    start = state = start_state(task, Chances(0.05))
    words = task.instruction.split()
    for _ in range(task.max_steps):
        if chance.random() < 0.05:
            break
        at = chance.randrange(len(words))
        text = TypeText(" ".join(words[at : at + chance.randint(1, 4)]))
        typing = scene_of(state).keyboard and chance.random() < 0.4
        state = engine.act(state, text if typing else chosen(state, any_choice(chance)))
    return done(state, start, task)
