"""Each rule with episodes made by hand: on the rule, and just beside it."""

from __future__ import annotations

import pytest
from eval_trajectories import LIMIT, trajectory
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.evaluate.failures import FAILURES, Outcome, cannot_recover, is_stuck, outcome_of
from distrl_sdk.types import End, Trajectory, Verdict

ABORTED = End("aborted", "device", "the cable fell out")
LEFT = End("left_app", message="left its apps for com.example.other")


@pytest.mark.parametrize(
    ("screens", "invalid", "stuck"),
    [
        ([0, 1, 2, 2, 2, 2], (), True),  # nothing happens any more
        ([0, 1, 2, 2, 2], (), False),  # twice is no habit
        ([0, 1, 2, 2, 2, 3], (), False),  # it moves again
        ([0, 1, 2, 3, 4, 5], (2, 3, 4), True),  # whatever the screen does, these had no effect
        ([0, 1, 2, 3, 4, 5], (3, 4), False),
        ([0, 1, 0, 1, 0, 1], (), True),  # a loop: the third time there and back
        ([0, 1, 0, 1, 0], (), False),  # the last three: once back for the first time
        ([0, 1, 2, 0, 1, 2, 0], (), True),  # a longer loop
        ([0, 1, 2, 3, 2, 1, 0], (), False),  # all the way back is no loop
        ([0, 0, 0], (), False),  # too short to say
        ([0, 0, 0, 0], (), True),
    ],
)
def test_stuck_is_three_idle_steps_at_the_end(screens: list[int], invalid: tuple[int, ...], stuck: bool) -> None:
    played = trajectory(screens, invalid=invalid)

    assert is_stuck(played) is stuck
    assert (outcome_of(played) is Outcome.STUCK) is stuck


@pytest.mark.parametrize(
    ("screens", "astray"),
    [
        ([0, 1, 2, 3, 2, 1, 0, 4, 5], True),  # three of eight steps went back
        ([0, 1, 0, 2, 0, 3, 4, 5, 6], True),  # two of eight: a quarter
        ([0, 1, 0, 2, 0, 3, 4, 5, 6, 7], False),  # two of nine: less than a quarter
        ([0, 1, 0, 2, 3], False),  # one of four: a pop-up, perhaps
        ([0, 1, 2, 3, 4], False),
        ([0, 0, 1, 1, 2], True),  # tried in vain
    ],
)
def test_cannot_recover_is_a_quarter_of_the_steps_lost_on_the_way_back(screens: list[int], astray: bool) -> None:
    played = trajectory(screens)

    assert cannot_recover(played) is astray
    assert outcome_of(played) is (Outcome.CANNOT_RECOVER if astray else Outcome.STEP_LIMIT)


@pytest.mark.parametrize(
    ("played", "outcome"),
    [
        (trajectory([0, 1, 2], success=True, claim=True), Outcome.SUCCESS),
        (trajectory([0, 1, 2], success=True, end=LIMIT), Outcome.SUCCESS),
        (trajectory([0, 0, 0, 0], success=True, end=LIMIT), Outcome.SUCCESS),
        (trajectory([0, 1, 2], claim=True), Outcome.WRONG_GOAL),
        (trajectory([0, 0, 0, 0, 0], claim=True), Outcome.WRONG_GOAL),  # how it ended goes before how it went
        (trajectory([0, 1, 2], claim=False), Outcome.GAVE_UP),
        (trajectory([0, 0, 0, 0, 0], claim=False), Outcome.GAVE_UP),
        (trajectory([0, 0, 0, 0, 0], end=LEFT), Outcome.LEFT_APPS),
        (trajectory([0, 1, 0, 1, 0, 1]), Outcome.STUCK),  # goes before cannot recover
        (trajectory([0, 1, 2, 3]), Outcome.STEP_LIMIT),
        (trajectory([0, 1, 2], success=None, claim=True), Outcome.UNJUDGED),
        (trajectory([0, 1, 2], verdict=Verdict(None, "budget"), claim=True), Outcome.UNJUDGED),
        (trajectory([0, 1, 2], success=None, end=ABORTED), Outcome.ABORTED),
        # Whatever a judge said of it: an aborted episode is nobody's failure.
        (trajectory([0, 1, 2], success=False, end=ABORTED), Outcome.ABORTED),
        (trajectory([0], success=None, end=ABORTED), Outcome.ABORTED),
    ],
)
def test_every_episode_has_the_first_outcome_whose_rule_holds(played: Trajectory, outcome: Outcome) -> None:
    assert outcome_of(played) is outcome


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.sampled_from([None, True, False]))
def test_every_failed_episode_has_exactly_one_failure_mode(screens: list[int], claim: bool | None) -> None:
    assert outcome_of(trajectory(screens, claim=claim)) in FAILURES


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=12), st.permutations(range(4)))
def test_the_rules_look_at_which_screens_are_alike_not_at_their_numbers(screens: list[int], other: list[int]) -> None:
    renamed = [other[screen] for screen in screens]

    assert outcome_of(trajectory(screens)) is outcome_of(trajectory(renamed))
