"""What is tested is not trained: wordings, contents, and the three ways to treat what is both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.errors import UsageError
from distrl_sdk.tasks.overlap import apart, content_of, shared, wording_of
from distrl_sdk.types import Demonstration, DeviceAbout, Observation, Screenshot, Task


@dataclass(frozen=True)
class Given:
    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        look = Observation(Screenshot(1, 1, encoded=b""))
        about = DeviceAbout("sim", "s", "1", 1, 1)
        return [Demonstration(about, task, (), look) for task in self.tasks[seed : seed + count]]


def task(number: int, instruction: str, goal: str = "", **setup: object) -> Task:
    checks = ({"fact": "screen", "equals": goal},) if goal else ()
    return Task(f"t{number}", "family", instruction, setup=setup, verify=checks)


numbered = st.lists(st.integers(0, 30), unique=True, max_size=12)


@given(numbered, numbered)
def test_exactly_the_planted_twins_are_found(one: list[int], other: list[int]) -> None:
    pairs = shared([task(n, f"Open item {n}") for n in one], [task(100 + n, f"open item {n} !") for n in other])

    assert {first.id for first, _ in pairs} == {f"t{n}" for n in one if n in other}
    assert all(wording_of(first) == wording_of(second) for first, second in pairs)


@given(st.text(max_size=40))
def test_case_punctuation_and_blanks_make_no_other_wording(text: str) -> None:
    once = wording_of(task(0, text))

    assert wording_of(task(0, f"  {once.upper()} ?!")) == wording_of(task(0, once.upper()))
    assert "  " not in once


def test_another_wording_of_the_same_thing_is_a_twin_and_another_start_is_not() -> None:
    trained = task(1, "Open the mail", "mail", seed=1, params={"a": 1})

    assert shared([trained], [task(2, "Show me my mail", "mail", seed=9, params={"a": 1})])
    assert not shared([trained], [task(3, "Show me my mail", "mail", seed=1, params={"a": 2})])
    assert not shared([trained], [task(4, "Show me my mail", "notes", seed=1, params={"a": 1})])


def test_tasks_without_checks_are_told_apart_by_their_words_alone() -> None:
    assert not shared([task(1, "Do this")], [task(2, "Do that")])
    assert content_of(task(1, "Do this")) == content_of(task(2, "Do that"))


TRAIN = Given("set/train", tuple(task(n, f"Open {n}", f"{n}") for n in range(6)))
HELD = Given("set/test", tuple(task(10 + n, f"Open {n}", f"{n}") for n in (4, 5, 7)))


def test_a_run_that_would_train_on_what_it_tests_is_refused_with_the_remedy() -> None:
    with pytest.raises(UsageError, match=r"2 tasks of 'set/train' are also held out in 'set/test'.*--overlap drop"):
        apart(TRAIN, HELD, "refuse")


def test_twins_are_dropped_with_their_demonstrations_or_kept_on_demand() -> None:
    dropped = apart(TRAIN, HELD, "drop")

    assert [one.id for one in dropped.tasks] == ["t0", "t1", "t2", "t3"]
    assert [one.task.id for one in dropped.demonstrations(6, 0)] == ["t0", "t1", "t2", "t3"]
    assert dropped.name == "set/train"
    assert apart(TRAIN, HELD, "allow") is TRAIN
    assert apart(TRAIN, replace(HELD, tasks=HELD.tasks[2:]), "refuse") is TRAIN


def test_nothing_left_to_train_on_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing is left to train on"):
        apart(TRAIN, replace(HELD, tasks=TRAIN.tasks), "drop")
