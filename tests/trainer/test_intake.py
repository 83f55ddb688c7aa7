"""Which slot plays what, and where finished episodes go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from distrl_sdk.config import CollectConfig
from distrl_sdk.errors import StorageError, WireError
from distrl_sdk.learner.exam import TRIES, Exam, Played, attempts, seed_of
from distrl_sdk.learner.intake import Intake
from distrl_sdk.tasks.curriculum import Curriculum
from distrl_sdk.types import Assignment, End, Task, Trajectory, Verdict, Version
from distrl_sdk.wire.codec import Frame
from tests.trainer.episodes import OTHER, PLAYED, episode, slot, task

ABORTED = End("aborted", "device", "the cable fell out")
VERSION = Version(1, 7)
COLLECT = CollectConfig(max_temperature=2.5, cold_share=0.25)


class Shelf:
    """Stands for the journal: each episode takes 100 bytes."""

    def __init__(self) -> None:
        self.end = 0
        self.full = False

    def __call__(self, frames: Sequence[Frame]) -> int:
        if self.full:
            raise StorageError("no room")
        self.end += 100
        return self.end


class Desk:
    """An intake, and what there is to do with it."""

    def __init__(self, tasks: int = 50, *, keep_final: bool = False, incarnation: int = 1, others: int = 0) -> None:
        listed = [task(n) for n in range(tasks)] + [task(n, "desk") for n in range(tasks, tasks + others)]
        self.shelf = Shelf()
        self.curriculum = Curriculum(listed, 0.25, 1)
        self.intake = Intake(self.curriculum, COLLECT, self.shelf, 1, incarnation, keep_final)
        self._numbers = iter(range(10_000))

    def hand_out(self, count: int) -> list[Assignment]:
        """What so many slots are given; slots that get nothing give nothing."""
        return [made for n in range(count) if (made := self.intake.assign(slot(n))) is not None]

    def finish(self, assignment: Assignment, success: bool | None = True, end: End = PLAYED) -> Trajectory:
        done = episode(next(self._numbers), success, of=assignment.task, lane=assignment.lane, end=end)
        self.intake.receive(assignment.id, done, [])
        return done


def test_no_more_comes_than_allowed_whenever_it_is_taken() -> None:
    desk = Desk()
    assert desk.hand_out(4) == []
    desk.intake.allow(3)

    first = desk.hand_out(5)
    desk.finish(first[0])
    desk.finish(first[1], end=ABORTED)
    between = desk.hand_out(5)
    desk.intake.take()
    after = desk.hand_out(5)
    desk.intake.allow(5)
    more = desk.hand_out(5)

    assert [len(first), len(between), len(after), len(more)] == [3, 1, 0, 2]


def test_episodes_come_out_in_the_order_of_the_journal_with_the_offset_behind_them() -> None:
    desk = Desk()
    desk.intake.allow(3)
    done = [desk.finish(assignment) for assignment in desk.hand_out(3)]

    arrivals = [desk.intake.take() for _ in range(3)]

    assert [(each.trajectory, each.behind) for each in arrivals if each] == list(
        zip(done, (100, 200, 300), strict=True)
    )
    assert desk.intake.take() is None


def test_ids_and_seeds_differ_between_the_starts_of_a_run() -> None:
    made: list[Assignment] = []
    for incarnation in (1, 2):
        desk = Desk(incarnation=incarnation)
        desk.intake.allow(100)
        made += desk.hand_out(100)

    assert len({each.id for each in made}) == 200
    assert len({each.seed for each in made}) == 200


def test_each_slot_keeps_its_own_temperature_and_a_quarter_of_them_is_cold() -> None:
    desk = Desk()
    desk.intake.allow(80)
    first, second = desk.hand_out(40), desk.hand_out(40)

    heats = [each.temperature for each in first]

    assert heats == [each.temperature for each in second]
    assert 9 <= heats.count(1.0) <= 12
    assert 2.3 <= max(heats) <= 2.5
    assert len(set(heats)) == 41 - heats.count(1.0)


def test_a_lost_episode_is_handed_out_again_first_and_only_once() -> None:
    desk = Desk()
    desk.intake.allow(10)
    (lost,) = desk.hand_out(1)

    desk.intake.lost(lost, "the worker is gone")
    desk.intake.lost(lost, "told twice")
    again, next_one = desk.hand_out(2)

    assert (again.task, again.id != lost.id) == (lost.task, True)
    assert desk.intake.counts["lost"] == 1
    assert next_one.task != lost.task


def test_a_lost_episode_that_comes_after_all_is_taken_as_well() -> None:
    desk = Desk()
    desk.intake.allow(10)
    (late,) = desk.hand_out(1)
    desk.intake.lost(late, "silent")

    done = desk.finish(late)

    assert [each.trajectory for each in [desk.intake.take()] if each] == [done]


def test_an_aborted_task_comes_again_but_one_that_always_aborts_does_not_block_the_others() -> None:
    desk = Desk()
    desk.intake.allow(10)
    (first,) = desk.hand_out(1)
    played = [first.task.id]

    current = first
    for _ in range(TRIES):
        desk.finish(current, end=ABORTED)
        (current,) = desk.hand_out(1)
        played.append(current.task.id)

    assert played[:TRIES] == [first.task.id] * TRIES
    assert played[TRIES] != first.task.id
    assert desk.intake.counts == {"received": 3, "aborted_device": 3}
    assert desk.intake.take() is None, "an aborted episode trains nothing"


def test_the_desks_judge_gets_the_end_states_picture() -> None:
    for keep in (True, False):
        desk = Desk(keep_final=keep)
        desk.intake.allow(1)
        assert [each.keep_final for each in desk.hand_out(1)] == [keep]


def test_a_full_disk_takes_nothing_and_counts_nothing() -> None:
    desk = Desk()
    desk.intake.allow(1)
    (made,) = desk.hand_out(1)
    desk.shelf.full = True

    with pytest.raises(StorageError, match="no room"):
        desk.finish(made)
    desk.shelf.full = False
    done = desk.finish(made)

    assert [each.trajectory for each in [desk.intake.take()] if each] == [done]
    assert desk.intake.counts == {"received": 1}


def test_features_of_another_form_are_refused_before_the_journal_has_them() -> None:
    desk = Desk()
    desk.intake.receive("", episode(1), [])

    with pytest.raises(WireError, match="the features screen are not those of the episodes before"):
        desk.intake.receive("", episode(2, width=4), [])
    desk.intake.receive("", episode(3, end=ABORTED, width=4), [])

    assert desk.shelf.end == 200
    assert desk.intake.counts == {"received": 2, "aborted_device": 1}


# --- evaluations ----------------------------------------------------------------------------------------------------


def exam(
    desk: Desk,
    *tasks: Task,
    version: Version = VERSION,
    record: tuple[str, ...] = (),
    count: int = 1,
    temperature: float = 0.0,
) -> Exam:
    made = Exam(attempts(tasks, count, 5), version, temperature, record)
    desk.intake.begin(made)
    return made


def trajectories(held: Exam) -> list[Trajectory]:
    return [each.trajectory for each in held.finished()]


def test_an_exam_goes_before_training_at_temperature_0_with_pinned_weights_once_a_task() -> None:
    desk = Desk()
    desk.intake.allow(1)
    held = exam(desk, task(900), task(901), record=("t900",))

    first, second, third = desk.hand_out(4)
    done = [desk.finish(first), desk.finish(second)]

    assert [(each.lane, each.temperature, each.version, each.record) for each in (first, second)] == [
        ("eval", 0.0, VERSION, True),
        ("eval", 0.0, VERSION, False),
    ]
    assert third.lane == "train"
    assert trajectories(held) == done
    assert desk.intake.take() is None


def test_an_exams_task_is_tried_three_times_before_its_aborted_episode_counts() -> None:
    desk = Desk()
    held = exam(desk, task(900))

    for _ in range(TRIES - 1):
        desk.finish(desk.hand_out(1)[0], end=ABORTED)
        assert held.finished() == []
    last = desk.finish(desk.hand_out(1)[0], end=ABORTED)

    assert trajectories(held) == [last]
    assert desk.hand_out(1) == []


def test_several_attempts_at_a_task_have_seeds_of_their_own_that_never_change() -> None:
    desk = Desk()
    held = exam(desk, task(900), task(901), record=("t900",), count=2, temperature=0.5)

    handed = desk.hand_out(6)
    done = [desk.finish(assignment) for assignment in reversed(handed)]

    assert [(each.task.id, each.temperature, each.record) for each in handed] == [
        ("t900", 0.5, True),
        ("t901", 0.5, False),
        ("t900", 0.5, False),
        ("t901", 0.5, False),
    ]
    seeds = [each.seed for each in handed]
    assert seeds == [seed_of(5, "t900", 1), seed_of(5, "t901", 1), seed_of(5, "t900", 2), seed_of(5, "t901", 2)]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 1 << 48 for seed in seeds)
    assert held.finished() == [
        Played(attempt, each)
        for attempt, each in zip(reversed(attempts([task(900), task(901)], 2, 5)), done, strict=True)
    ]


def test_the_seed_of_an_attempt_is_the_same_for_ever() -> None:
    # Cards of earlier evaluations rest on these.
    assert seed_of(1, "general/alarm/0", 1) == 63641529352710
    assert len({seed_of(seed, name, number) for seed in (1, 2) for name in ("a", "b") for number in (1, 2)}) == 8


def test_an_attempt_that_came_twice_counts_once() -> None:
    desk = Desk()
    held = exam(desk, task(900), count=2)
    first, second = desk.hand_out(2)
    desk.intake.lost(first, "gone")
    (again,) = desk.hand_out(1)

    done = desk.finish(again)
    held.take(first, done, 1)
    other = desk.finish(second)

    assert trajectories(held) == [done, other]


def test_a_lost_episode_of_an_exam_is_handed_out_again() -> None:
    desk = Desk()
    exam(desk, task(900), task(901))
    (lost,) = desk.hand_out(1)

    desk.intake.lost(lost, "gone")

    assert [each.task.id for each in desk.hand_out(3)] == ["t900", "t901"]


def test_an_episode_of_an_earlier_exam_does_not_count_in_a_later_one() -> None:
    desk = Desk()
    exam(desk, task(900))
    (before,) = desk.hand_out(1)
    later = exam(desk, task(900), version=Version(1, 8))

    desk.finish(before)
    assert later.finished() == []
    done = desk.finish(desk.hand_out(1)[0])

    assert trajectories(later) == [done]


def test_tasks_that_no_phone_can_play_are_known_and_can_be_given_up() -> None:
    desk = Desk()
    held = exam(desk, task(900), task(901, "desk"))
    slots = [slot(0), slot(1)]

    handed = desk.hand_out(4)
    assert [each.task.id for each in handed] == ["t900"]
    assert desk.intake.unplayable(slots) == 1
    assert desk.intake.unplayable([*slots, slot(2, OTHER)]) == 0
    assert desk.intake.drop_unplayable(slots) == 1

    assert desk.intake.unplayable(slots) == 0
    assert held.next(OTHER) is None


# --- droughts -------------------------------------------------------------------------------------------------------


def test_episodes_that_come_to_nothing_are_told_of_and_one_verdict_ends_the_drought() -> None:
    intake = Intake(Curriculum([task(1)], 0.25, 1), CollectConfig(patience=0.0), Shelf(), 1)
    nothing = [
        episode(1, end=ABORTED),
        episode(2, verdict=Verdict(None, "the device told no facts")),
        episode(3, end=ABORTED),
    ]
    for done in nothing:
        intake.receive("", done, [])

    assert intake.drought.over(1).startswith("none of the last 3 episodes")
    assert intake.drought.over(1).endswith("aborted, blame device: the cable fell out")
    assert intake.drought.over(4) == "", "each phone must have had its turn"
    intake.receive("", episode(4, False), [])

    assert intake.drought.over(1) == ""


def test_what_waits_for_the_desk_is_no_drought_yet() -> None:
    intake = Intake(Curriculum([task(1)], 0.25, 1), CollectConfig(patience=0.0), Shelf(), 1)
    for n in range(9):
        intake.receive("", episode(n, None), [])
    assert intake.drought.over(1) == ""

    for _ in range(3):
        intake.judged(Verdict(None, "ConnectionError: no route"))

    assert intake.drought.over(1).endswith("no verdict: ConnectionError: no route")


def test_an_episode_without_a_step_is_refused_unless_it_was_aborted() -> None:
    desk = Desk()

    with pytest.raises(WireError, match="without a step"):
        desk.intake.receive("", episode(1, steps=0), [])
    desk.intake.receive("", episode(2, steps=0, end=ABORTED), [])

    assert desk.shelf.end == 100


def test_features_are_compared_by_name_type_and_shape() -> None:
    desk = Desk()
    one = episode(1)
    desk.intake.receive("", one, [])
    more = {**one.features, "extra": np.zeros((3, 1), np.float32)}
    other = {"screen": one.features["screen"].astype(np.float64)}

    for features in (more, other, {}):
        changed = episode(2)
        object.__setattr__(changed, "features", features)
        with pytest.raises(WireError, match="not those of the episodes before"):
            desk.intake.receive("", changed, [])
