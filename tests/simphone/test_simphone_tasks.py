"""The task set: balanced, disjoint, not done at its start, solved by the expert and not by chance."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phone_walks import any_choice, choices, chosen, end_of

from distrl_sdk.errors import UsageError
from distrl_sdk.judge.programmatic import ProgrammaticJudge
from distrl_sdk.simphone import engine
from distrl_sdk.simphone.audit import audit
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import FAMILIES, GENERAL, HELD_OUT_SHOP, start_state
from distrl_sdk.simphone.families.family import Fill
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.state import Chances, PhoneState
from distrl_sdk.simphone.tasks import HELD_OUT_APPS, RECIPES, SPLITS, general, sim_tasks, splits
from distrl_sdk.tasks.overlap import wording_of
from distrl_sdk.types import Action, End, Finish, JudgeRequest, Key, Press, Swipe, Tap, Task, TypeText, Verdict, Wait

TRAIN, TEST = general("train"), general("test")
ALL = tuple(task for name in ("general", "webshop") for task in splits(name)["train"])
JUDGE = ProgrammaticJudge()


def verdict(state: PhoneState, task: Task) -> Verdict:
    facts = facts_of(state, start_state(task))
    return JUDGE.judge(JudgeRequest(task, (), End("finish"), None, facts))


def expert_from(state: PhoneState, task: Task, limit: int) -> tuple[PhoneState, list[Action]]:
    actions: list[Action] = []
    while len(actions) < limit:
        actions.append(next_action(state, task))
        state = engine.act(state, actions[-1])
        if isinstance(actions[-1], Finish):
            break
    return state, actions


def test_the_splits_have_their_sizes_and_every_family_its_share() -> None:
    for name, recipe in RECIPES.items():
        made = splits(name)
        trained = {family.name for family in recipe.families if not HELD_OUT_APPS.intersection(family.apps)}
        assert len(made["train"]) == recipe.train
        for split in ("train", "test-instances", "test-templates", "test-version"):
            counts = Counter(task.family for task in made[split])
            assert counts.keys() == trained, (name, split)
            assert max(counts.values()) - min(counts.values()) <= 1, (name, split)
        assert all(len(tasks) == recipe.test for split, tasks in made.items() if split.startswith("test") and tasks)


def test_no_goal_and_no_instruction_is_in_two_splits() -> None:
    for name in RECIPES:
        tasks = [task for split in splits(name).values() for task in split]
        goals = Counter(json.dumps([task.family, task.verify], sort_keys=True) for task in tasks)
        assert max(goals.values()) == 1
        assert max(Counter(wording_of(task) for task in tasks).values()) == 1
        assert len({task.id for task in tasks}) == len(tasks)


def test_what_is_held_out_is_never_trained() -> None:
    for name, recipe in RECIPES.items():
        made = splits(name)
        unseen = {family.name: family.unseen for family in recipe.families}
        for split, tasks in made.items():
            for task in tasks:
                away = bool(HELD_OUT_APPS.intersection(task.apps)) or task.setup["params"].get("shop") == HELD_OUT_SHOP
                assert away == (split == "test-apps")
                assert (task.setup.get("version") == 2) == (split == "test-version")
                said = {wording.format(**task.setup["params"]) for wording in unseen[task.family]}
                assert (task.instruction in said) == (split == "test-templates")


THERE = [(name, split) for name in RECIPES for split in SPLITS if splits(name)[split]]


@pytest.mark.parametrize(("name", "split"), THERE)
def test_a_part_of_a_split_is_honest(name: str, split: str) -> None:
    others = {other: tasks for other, tasks in splits(name).items() if other != split}

    findings = list(audit(splits(name)[split][::9], others))

    assert len(findings) == len(SPLITS) + 2
    assert [each for each in findings if each.state != "ok"] == []


@pytest.mark.long
@pytest.mark.parametrize(("name", "split"), THERE)
def test_a_whole_split_is_honest(name: str, split: str) -> None:
    assert [each for each in sim_tasks(name, split).audit() if each.state != "ok"] == []


def test_every_family_is_said_in_several_ways_and_not_too_long() -> None:
    for family in FAMILIES.values():
        assert len({*family.wordings}) >= 4, family.name
        assert len({*family.unseen} - {*family.wordings}) >= 2, family.name
    assert max(len(task.instruction.split()) for task in ALL) <= 24


def test_an_unknown_split_is_named_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="'tset': did you mean test"):
        general("tset")


def test_an_unknown_family_in_a_setup_is_named() -> None:
    with pytest.raises(UsageError, match=r"install_ap.*did you mean install_app"):
        start_state(Task("x", "x", "x", setup={"family": "install_ap", "params": {}}))


@pytest.mark.parametrize("popup_rate", [0.0, 0.5])
def test_the_expert_solves_tasks_within_their_limit_whatever_pops_up(popup_rate: float) -> None:
    for task in ALL[::4]:
        state, actions = expert_from(start_state(task, Chances(popup_rate)), task, task.max_steps)

        assert actions[-1] == Finish(True), task.instruction
        assert verdict(state, task).success is True, task.instruction
        assert len(actions) >= 3


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(ALL), choices)
def test_the_expert_finds_its_way_from_wherever_a_walk_led(task: Task, taken: list[tuple[int, int]]) -> None:
    state = end_of(start_state(task, Chances(0.05)), taken[:5])
    if facts_of(state, start_state(task))["changed"]:
        return  # something else was changed on the way; the task is lost

    state, actions = expert_from(state, task, 40)

    assert actions[-1] == Finish(True), (task.instruction, actions)


def test_every_typed_text_stands_in_the_instruction_word_for_word() -> None:
    for task in ALL:
        words = task.instruction.split()
        route = FAMILIES[task.family].route(task.setup["params"])
        for text in (move.text for moves in route.values() for move in moves if isinstance(move, Fill)):
            span = text.split()
            starts = range(len(words) - len(span) + 1)
            assert any(words[at : at + len(span)] == span for at in starts), (task.instruction, text)
            assert text == " ".join(span)


def test_reset_is_exact_whatever_was_done_before() -> None:
    phone, chance = SimPhone(), random.Random(3)
    for task in TEST.tasks[::8]:
        first = phone.reset(task)
        start = phone.save()
        for _ in range(6):
            phone.perform(chosen(phone.state, any_choice(chance)))

        again = phone.reset(task)

        assert phone.save() == start
        assert again.elements == first.elements
        assert (again.screenshot.pixels() == first.screenshot.pixels()).all()


def test_demonstrations_are_solved_tasks_of_every_family_that_are_not_in_the_test_set() -> None:
    families = {family.name for family in GENERAL if not HELD_OUT_APPS.intersection(family.apps)}
    shown = TEST.demonstrations(2 * len(families), seed=1)

    counts = Counter(one.task.family for one in shown)
    assert len({one.task.id for one in shown}) == 2 * len(families)
    assert counts == dict.fromkeys(families, 2)
    assert not {one.task.instruction for one in shown} & {task.instruction for task in TEST.tasks}
    assert [one.task.id for one in TRAIN.demonstrations(2 * len(families), seed=1)] == [one.task.id for one in shown]
    assert [one.task.id for one in TRAIN.demonstrations(2 * len(families), seed=2)] != [one.task.id for one in shown]
    for one in shown:
        assert one.steps[-1].action == Finish(True)
        assert len(one.steps) <= one.task.max_steps


def test_demonstrated_actions_are_touches_on_elements_swipes_words_and_keys() -> None:
    for one in TRAIN.demonstrations(80, seed=4):
        phone = SimPhone(SimOptions())
        assert phone.reset(one.task).elements == one.steps[0].observation.elements
        for step in one.steps:
            match step.action:
                case Tap(x, y):
                    assert any(e.clickable and e.box.centre == (x, y) for e in step.observation.elements or ())
                case TypeText(text):
                    assert text in one.task.instruction
                case Swipe(x, _, to_x, _):
                    assert x == to_x == 0.5
                case _:
                    assert isinstance(step.action, Press | Wait | Finish)
            if isinstance(step.action, Press):
                assert step.action.key in (Key.BACK, Key.HOME, Key.ENTER)


def test_unrelated_damage_spoils_a_success() -> None:
    task = next(task for task in ALL if task.family == "create_alarm")
    state, _ = expert_from(start_state(task), task, 10)
    settings_now = state.apps["Settings"]
    spoilt = state.with_app("Settings", settings_now.with_value("wifi", not settings_now.get("wifi")))

    assert verdict(state, task).success is True
    assert verdict(spoilt, task).success is False
