"""Which tasks are drawn, how hot slots are, and which tasks an evaluation takes."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.tasks.curriculum import Curriculum, fits, slot_temperature, spread
from distrl_sdk.types import DeviceAbout, Task
from tests.trainer.episodes import ABOUT, OTHER, task

FAMILIES = ("never", "half", "always")
TASKS = [task(n, family=family) for n, family in enumerate(FAMILIES * 10)]


def settled(floor: float = 0.25) -> Curriculum:
    """A curriculum that knows its families well."""
    curriculum = Curriculum(TASKS, floor, 3)
    for turn in range(400):
        for at, family in enumerate(FAMILIES):
            curriculum.record(task(0, family=family), at == 2 or (at == 1 and turn % 2 == 0))
    return curriculum


def test_tasks_are_drawn_in_proportion_to_4p_1_minus_p_plus_the_floor() -> None:
    curriculum = settled()

    drawn = Counter(made.family for _ in range(6000) if (made := curriculum.next(ABOUT)))

    # never and always: 0.25; half: 1 + 0.25, which is as good as certain
    expected = np.array([0.25, 1.0, 0.25]) / 1.5
    shares = np.array([drawn[family] for family in FAMILIES]) / 6000
    np.testing.assert_allclose(shares, expected, atol=0.03)


def test_a_family_that_was_never_seen_counts_as_half_solved() -> None:
    fresh = Curriculum(TASKS, 0.0, 1)

    assert len({made.family for _ in range(60) if (made := fresh.next(ABOUT))}) == 3


def test_the_success_rate_follows_the_policy_with_a_memory_of_twenty_episodes() -> None:
    curriculum = Curriculum(TASKS, 0.25, 1)
    for _ in range(20):
        curriculum.record(TASKS[0], True)

    assert abs(curriculum.rate["never"] - (1 - 0.5 * 0.95**20)) < 1e-9


def test_what_did_not_come_back_is_drawn_first_by_a_phone_that_can_play_it() -> None:
    curriculum = Curriculum([*TASKS, task(77, "desk")], 0.25, 1)
    curriculum.again(task(77, "desk"))
    curriculum.again(TASKS[5])

    assert curriculum.next(ABOUT) == TASKS[5]
    assert curriculum.next(OTHER) == task(77, "desk")


def test_a_task_is_handed_out_as_often_in_a_row_as_a_group_is_large() -> None:
    curriculum = Curriculum(TASKS, 0.25, 1, group=4)

    names = [made.id for _ in range(12) if (made := curriculum.next(ABOUT))]

    assert [names[at] for at in range(0, 12, 4) for _ in range(4)] == names
    assert len(set(names)) > 1


def test_the_memory_of_the_success_rate_is_a_setting() -> None:
    short = Curriculum(TASKS, 0.25, 1, memory=2.0)
    short.record(TASKS[0], True)

    assert short.rate["never"] == 0.75


def test_a_phone_that_can_play_nothing_gets_nothing() -> None:
    assert Curriculum(TASKS, 0.25, 1).next(OTHER) is None


def test_a_task_fits_a_phone_with_its_platform_and_all_of_its_apps() -> None:
    phone = DeviceAbout("pocket", "m", "1", 1, 1, apps=("clock", "maps"))

    def needing(platform: str, *apps: str) -> Task:
        return Task("t", "f", "do", platform=platform, apps=apps)

    fitting = [needing(""), needing("pocket"), needing("pocket", "maps"), needing("", "maps", "clock")]
    others = [needing("desk"), needing("pocket", "shop"), needing("", "maps", "shop")]
    assert [fits(each, phone) for each in fitting + others] == [True] * 4 + [False] * 3


@given(st.integers(0, 100_000), st.floats(0.0, 0.99), st.floats(1.0, 5.0))
def test_a_slots_temperature_lies_between_1_and_the_hottest(at: int, cold: float, hottest: float) -> None:
    assert 1.0 <= slot_temperature(at, cold, hottest) <= hottest + 1e-9


def test_any_number_of_slots_is_spread_evenly_from_1_to_the_hottest() -> None:
    for count in (8, 16, 64, 1000):
        heats = np.sort([slot_temperature(at, 0.25, 2.5) for at in range(count)])
        even = np.interp(np.linspace(0, 1, count), [0, 0.25, 1], [1, 1, 2.5])
        np.testing.assert_allclose(heats, even, atol=2.5 / np.sqrt(count))


def test_an_evaluation_takes_the_families_in_turn_and_each_task_once() -> None:
    picked = spread(TASKS, 7)

    assert [each.family for each in picked] == ["never", "half", "always", "never", "half", "always", "never"]
    assert len({each.id for each in picked}) == 7
    assert len(spread(TASKS, 1000)) == len(TASKS)
    assert spread([], 5) == []
