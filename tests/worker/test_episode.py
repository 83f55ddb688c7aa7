"""One episode: its columns, its local marks, its ends, and who is to blame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from distrl_sdk.errors import WireError
from distrl_sdk.types import (
    Action,
    Assignment,
    Decision,
    End,
    Finish,
    Key,
    Observation,
    Press,
    Swipe,
    Tap,
    Task,
    TypeText,
    Verdict,
    Version,
)
from distrl_sdk.worker.episode import has_no_effect, play, same_screen
from tests.worker.phones import TAP, Counter, CountJudge, Scripted, observation

TASK = Task("count-3", "count", "tap three times", max_steps=6)
BACK = Press(Key.BACK)


def test_an_episode_becomes_columns_with_one_more_observation_than_actions() -> None:
    chooser = Scripted(TAP, TAP, TAP, Finish())

    played = play(Assignment("a", TASK, temperature=1.5), Counter(), chooser, CountJudge(), slot="w:1")

    assert played.end == End("finish")
    assert played.verdict is not None
    assert (played.verdict.success, played.verdict.judge) == (True, "count")
    assert played.actions == (TAP, TAP, TAP, Finish())
    np.testing.assert_array_equal(played.features["step"], [[0], [1], [2], [3], [4]])
    np.testing.assert_array_equal(played.features["left"], np.array([6, 5, 4, 3, 2], np.float32))
    np.testing.assert_array_equal(played.code, [[0, 7], [1, 7], [2, 7], [3, 7]])
    np.testing.assert_array_equal(played.log_mu, np.array([0, -0.5, -1, -1.5], np.float32))
    np.testing.assert_array_equal(played.log_pi, np.array([0, -0.25, -0.5, -0.75], np.float32))
    np.testing.assert_array_equal(played.seconds, np.array([0.25, 0.5, 0.5, 0.5, 0.5], np.float32))
    assert (played.temperature, played.slot, played.pictures) == (1.5, "w:1", ())
    assert all(column.flags.c_contiguous for column in played.features.values())


def test_the_step_limit_ends_an_episode_and_the_judge_still_speaks() -> None:
    played = play(Assignment("a", replace(TASK, max_steps=3)), Counter(), Scripted(TAP, TAP, TAP, TAP), CountJudge())

    assert played.end == End("step_limit")
    assert len(played) == 3
    assert played.verdict is not None
    assert played.verdict.success is True


def test_who_leaves_its_apps_has_failed_whatever_it_reached_in_them() -> None:
    class Fenced(Counter):
        def perform(self, action: Action) -> Observation:
            shown = super().perform(action)
            return replace(shown, left="com.example.other") if self.count == 3 else shown

    played = play(Assignment("a", TASK), Fenced(), Scripted(TAP, TAP, TAP, TAP), CountJudge(want=3))
    beside_the_learner = play(Assignment("a", TASK), Fenced(), Scripted(TAP, TAP, TAP, TAP))

    assert played.end == End("left_app", message="left its apps for com.example.other")
    assert played.verdict == Verdict(False, "left its apps for com.example.other", "apps")
    assert beside_the_learner.verdict == played.verdict
    assert len(played) == 3


def test_an_action_that_the_device_refused_is_invalid() -> None:
    class Guarded(Counter):
        def perform(self, action: Action) -> Observation:
            return replace(super().perform(action), refused="a guard stands before it" if action == BACK else "")

    played = play(Assignment("a", TASK), Guarded(), Scripted(TAP, BACK, TAP, Finish()))

    np.testing.assert_array_equal(played.invalid, [False, True, False, False])


def test_the_eval_lane_asks_for_its_pinned_version_at_the_assignments_temperature() -> None:
    chooser = Scripted(Finish())

    played = play(Assignment("a", TASK, lane="eval", temperature=0.0, version=Version(1, 4)), Counter(), chooser)
    play(Assignment("b", TASK, temperature=2.5), Counter(), chooser)

    assert chooser.heard == [(0.0, Version(1, 4)), (2.5, None)]
    assert (played.temperature, played.verdict) == (0.0, None)


def test_pictures_are_kept_as_the_assignment_asks() -> None:
    every = play(Assignment("a", TASK, record=True), Counter(), Scripted(TAP, Finish()))
    last = play(Assignment("a", TASK, keep_final=True), Counter(), Scripted(TAP, Finish()))

    assert len(every.pictures) == 3
    assert last.pictures == (every.pictures[-1],)
    assert every.pictures[0] != every.pictures[1]


def test_an_action_that_the_device_lacks_is_invalid_and_never_reaches_it() -> None:
    phone = Counter()

    played = play(Assignment("a", TASK), phone, Scripted(Swipe(0, 0, 1, 1), TAP, Finish()))

    assert phone.performed == [TAP, Finish()]
    np.testing.assert_array_equal(played.invalid, [True, False, False])
    np.testing.assert_array_equal(played.seconds, np.array([0.25, 0, 0.5, 0.5], np.float32))


@pytest.mark.parametrize(
    ("action", "shown", "expected"),
    [
        (TypeText(""), observation(0, field=True), True),
        (TypeText("x"), observation(0, field=True), False),
        (TypeText("x"), observation(0), True),
        (TypeText("x"), replace(observation(0), keyboard=True), False),
        (TypeText("x"), replace(observation(0), elements=None), False),
        (Tap(0.1, 0.1), replace(observation(0), elements=()), False),
    ],
)
def test_only_what_cannot_have_an_effect_is_invalid(action: TypeText | Tap, shown: Observation, expected: bool) -> None:
    assert has_no_effect(action, shown, Counter().about) is expected


def test_repetitions_count_while_neither_the_action_nor_the_screen_changes() -> None:
    phone = Counter()

    played = play(Assignment("a", TASK), phone, Scripted(BACK, BACK, BACK, TAP, TAP, BACK))

    np.testing.assert_array_equal(played.repeats, [0, 1, 2, 0, 0, 0])


def test_screens_without_elements_are_told_apart_by_their_pixels() -> None:
    bare = [replace(observation(count), elements=None) for count in (1, 1, 2)]

    assert same_screen(bare[0], bare[1])
    assert not same_screen(bare[0], bare[2])
    assert not same_screen(bare[0], replace(bare[1], app="other"))
    assert not same_screen(bare[0], observation(1))


def test_a_device_that_raises_aborts_the_episode_keeps_its_finished_steps_and_is_to_blame() -> None:
    played = play(Assignment("a", TASK), Counter(fail="raise", at=3), Scripted(TAP, TAP, TAP, TAP), CountJudge())

    assert played.end == End("aborted", "device", "RuntimeError: the cable fell out")
    assert played.verdict is None
    assert (len(played), len(played.seconds), played.features["step"].shape) == (2, 3, (3, 1))


def test_a_reset_that_fails_leaves_an_empty_aborted_trajectory() -> None:
    class Dead(Counter):
        def reset(self, task: Task) -> Observation:
            raise OSError("no such phone")

    played = play(Assignment("a", TASK), Dead(), Scripted())

    assert played.end == End("aborted", "device", "OSError: no such phone")
    assert (len(played), played.features, len(played.seconds)) == (0, {}, 1)
    assert played.version.shape == (0, 2)


def test_a_device_that_returns_no_observation_is_to_blame() -> None:
    class Silent(Counter):
        def perform(self, action: object) -> Observation:
            return None  # type: ignore[return-value]

    played = play(Assignment("a", TASK), Silent(), Scripted(TAP))

    assert played.end == End("aborted", "device", "a device returned NoneType instead of an Observation")


def test_a_policy_that_fails_is_blamed_on_the_worker() -> None:
    class Broken(Scripted):
        def decide(self, features: object, temperature: float, pinned: object, seed: int) -> Decision:
            raise ArithmeticError("no number")

    played = play(Assignment("a", TASK), Counter(), Broken())

    assert played.end == End("aborted", "worker", "ArithmeticError: no number")


def test_a_policy_that_chooses_what_is_no_action_is_blamed_on_the_worker() -> None:
    played = play(Assignment("a", TASK), Counter(), Scripted("tap"))  # type: ignore[arg-type]

    assert played.end.blame == "worker"


def test_weights_that_are_not_to_be_had_cost_no_time_on_the_phone() -> None:
    class Empty(Scripted):
        def prepare(self, assignment: Assignment) -> None:
            raise WireError("version 3 is gone")

    played = play(Assignment("a", TASK), Counter(fail="raise", at=0), Empty())

    assert played.end == End("aborted", "worker", "version 3 is gone")


def test_features_that_change_their_shape_are_blamed_on_the_worker() -> None:
    class Growing(Scripted):
        def featurize(self, moment: object) -> dict[str, np.ndarray]:  # type: ignore[type-arg, override]
            return {"step": np.zeros(1 + len(moment.history), np.int32)}  # type: ignore[attr-defined]

    played = play(Assignment("a", TASK), Counter(), Growing(TAP, TAP))

    assert (played.end.blame, len(played)) == ("worker", 0)
    assert "feature step changed from (1,) to (2,)" in played.end.message


def test_a_judge_that_fails_leaves_the_episode_unjudged_and_never_zero() -> None:
    played = play(Assignment("a", TASK), Counter(), Scripted(Finish()), CountJudge(fail="raise"))

    assert played.end == End("finish")
    assert played.verdict is not None
    assert played.verdict.success is None
    assert played.verdict.reason == "ConnectionError: no route to the judge"


def test_a_stopping_worker_aborts_at_the_next_step() -> None:
    chooser = Scripted(TAP, TAP, TAP)

    played = play(Assignment("a", TASK), Counter(), chooser, stopping=lambda: len(chooser.heard) == 2)

    assert played.end == End("aborted", "worker", "the worker was stopped")
    assert len(played) == 2
