"""The rounds of the sync schedule: one task a slot, and nothing new before the slowest has come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.config import CollectConfig
from distrl_sdk.learner.exam import TRIES
from distrl_sdk.learner.intake import Intake
from distrl_sdk.learner.rounds import Round, in_order
from distrl_sdk.tasks.curriculum import Curriculum
from distrl_sdk.types import Assignment, SlotAbout, Version
from tests.trainer.episodes import ABOUT, OTHER, episode, slot, task
from tests.trainer.test_intake import ABORTED, Shelf

VERSION = Version(1, 7)
SLOTS = [slot(n) for n in range(4)]


def seats(count: int) -> list[tuple[SlotAbout, Assignment]]:
    return [(slot(n), Assignment(f"1-train-{n}", task(n), seed=n)) for n in range(count)]


def planned(count: int) -> Round:
    made = Round()
    made.plan(seats(count))
    return made


def gates(tasks: int = 50) -> Intake:
    curriculum = Curriculum([task(n) for n in range(tasks)], 0.25, 1)
    return Intake(curriculum, CollectConfig(schedule="sync"), Shelf(), 1)


def asked(intake: Intake, *numbers: int) -> list[Assignment | None]:
    return [intake.assign(slot(n)) for n in numbers]


def test_slots_are_in_the_order_of_their_numbers() -> None:
    names = ["b:0", "a:10", "a:2", "a:1"]

    assert [each.id for each in in_order(SlotAbout(name, ABOUT) for name in names)] == ["a:1", "a:2", "a:10", "b:0"]


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_who_asks_first_and_who_comes_first_changes_nothing(ask: list[int], come: list[int]) -> None:
    intake = gates()
    intake.plan([slot(n) for n in ask], 6, VERSION)
    given_out = {n: made for n in ask if (made := intake.assign(slot(n)))}

    for n in come:
        intake.receive(given_out[n].id, episode(n, of=given_out[n].task), [])

    usual = gates()
    usual.plan([slot(n) for n in range(6)], 6, VERSION)
    assert [given_out[n] for n in range(6)] == asked(usual, *range(6))
    places = [arrival.place for _ in come if (arrival := intake.take())]
    assert places == come, "they arrive in the journal's order and know their place"
    assert intake.owed == 0


def test_nothing_new_is_handed_out_before_the_slowest_has_come() -> None:
    intake = gates()
    assert asked(intake, 0) == [None], "no round, no task"
    intake.plan(SLOTS, 3, VERSION)
    first = asked(intake, 0, 1, 2, 3)

    for n in (0, 2):
        made = first[n]
        assert made is not None
        intake.receive(made.id, episode(n, of=made.task), [])

    assert [made.version for made in first if made] == [VERSION] * 3
    assert asked(intake, 0, 2, 3) == [None] * 3
    assert intake.owed == 1


def test_what_aborts_or_is_lost_comes_again_within_the_round_with_the_same_seed() -> None:
    intake = gates()
    intake.plan(SLOTS, 2, VERSION)
    first, second = asked(intake, 0, 1)
    assert first is not None
    assert second is not None

    intake.receive(first.id, episode(1, of=first.task, end=ABORTED), [])
    intake.lost(second, "silent")
    again = asked(intake, 3, 2, 1)

    assert again[2] is None
    made = [each for each in again if each]
    assert {(each.task.id, each.seed) for each in made} == {(each.task.id, each.seed) for each in (first, second)}
    assert len({each.id for each in (first, second, *made)}) == 4
    assert intake.owed == 2


def test_a_lost_episode_that_comes_after_all_is_not_played_again() -> None:
    intake = gates()
    intake.plan(SLOTS, 2, VERSION)
    second = asked(intake, 0, 1)[1]
    assert second is not None
    intake.lost(second, "silent")

    intake.receive(second.id, episode(1, of=second.task), [])

    assert asked(intake, 2, 3) == [None, None]
    assert [arrival.place for arrival in [intake.take()] if arrival] == [1]


def test_a_task_that_always_aborts_does_not_hold_the_round_for_ever() -> None:
    intake = gates()
    intake.plan(SLOTS, 1, VERSION)
    for n in range(TRIES):
        assert intake.owed == 1
        (made,) = asked(intake, n)
        assert made is not None
        intake.receive(made.id, episode(n, of=made.task, end=ABORTED), [])

    assert intake.owed == 0


def test_the_task_of_a_slot_that_died_goes_to_another_and_what_nobody_can_play_is_given_up() -> None:
    held = planned(3)
    assert held.next(slot(0)) is not None
    assert held.next(slot(3)) is None, "the others will ask"

    held.release([slot(0), slot(2), slot(3)])
    taken = held.next(slot(3))
    held.release([slot(2, OTHER)])

    assert taken is not None
    assert taken.task == task(1)
    assert held.owed == 3
    held.release([slot(3, OTHER)])
    assert held.owed == 2, "its slot is gone, and a phone of another platform cannot play it"
    held.release([])
    assert held.owed == 2


def test_a_round_that_is_stopped_waits_for_what_is_under_way_only() -> None:
    intake = gates()
    intake.plan(SLOTS, 4, VERSION)
    asked(intake, 0, 1)

    intake.allow(0)

    assert asked(intake, 2, 3) == [None, None]
    assert intake.owed == 2


def test_a_new_round_wakes_the_server() -> None:
    intake = gates()
    heard: list[int] = []
    intake.wake = lambda: heard.append(intake.owed)

    intake.plan(SLOTS, 9, VERSION)

    assert heard == [4]


def test_temperatures_follow_the_numbers_of_the_slots_not_who_asked_first() -> None:
    heats = []
    for order in ((0, 1, 2, 3), (3, 1, 0, 2)):
        intake = Intake(Curriculum([task(1)], 0.25, 1), CollectConfig(), Shelf(), 1)
        intake.know([slot(n) for n in order])
        intake.allow(10)
        made = {n: intake.assign(slot(n)) for n in order}
        heats.append([each.temperature for n in range(4) if (each := made[n])])

    assert heats[0] == heats[1]
    assert len(set(heats[0])) > 1


def test_more_room_wakes_the_server_only_when_a_slot_was_turned_away() -> None:
    intake = Intake(Curriculum([task(n) for n in range(9)], 0.25, 1), CollectConfig(), Shelf(), 1)
    heard: list[bool] = []
    intake.wake = lambda: heard.append(True)

    intake.allow(1)
    asked(intake, 0)
    intake.allow(2)
    assert heard == []
    assert asked(intake, 1, 2)[1] is None
    intake.allow(2)
    assert heard == []
    intake.allow(3)
    intake.allow(4)

    assert heard == [True]
