"""The replay, promise by promise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from replay_trajectories import ROW_BYTES, assert_holds, trajectory

from distrl_sdk.algo.priority import FLOOR, PriorityTerms
from distrl_sdk.config import ReplayConfig
from distrl_sdk.errors import ConfigError
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.types import End

CONFIG = ReplayConfig(capacity=8, megabytes=10, half_life=4.0, staleness=20, td=1.0, ratio=0.5, entropy=0.2, elite=4)

TINY = (1, 1, 3)
"""For draws of many thousands."""


def terms(td: list[float], ratio: float = 1.0, entropy: float = 0.0) -> PriorityTerms:
    return PriorityTerms(np.array(td), np.full(len(td), ratio), np.full(len(td), entropy))


def frequencies(keys: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(keys, minlength=size) / len(keys)


# --- how it draws ---------------------------------------------------------------------------------------------------


def test_sampling_follows_the_priorities() -> None:
    """Fault 1 of the reference code: it computes priorities and then draws uniformly."""
    replay = Replay(CONFIG, seed=3)
    for number in range(4):
        replay.add(trajectory(number, picture=TINY), success=False, now=0)
    replay.update(range(4), terms([0.0, 0.2, 0.5, 1.0], ratio=0.4))

    draw = replay.sample(40_000, now=0)

    expected = np.array([0.2, 0.4, 0.7, 1.2]) + FLOOR
    expected /= expected.sum()
    assert_allclose(draw.probability, expected[draw.keys], rtol=1e-12)
    observed = frequencies(draw.keys, 4) * 40_000
    chi_square = ((observed - expected * 40_000) ** 2 / (expected * 40_000)).sum()
    assert chi_square < 16.3  # 3 degrees of freedom, one in a thousand


def test_sampling_without_priorities_is_uniform() -> None:
    replay = Replay(replace(CONFIG, prioritised=False), seed=3)
    for number in range(4):
        replay.add(trajectory(number, picture=TINY), success=False, now=0)
    replay.update(range(4), terms([0.0, 0.0, 0.0, 9.0]))

    draw = replay.sample(20_000, now=0)

    assert_allclose(draw.probability, 0.25)
    assert_allclose(frequencies(draw.keys, 4), 0.25, atol=0.015)


def test_the_uniform_stream_ignores_priorities() -> None:
    replay = Replay(CONFIG, seed=3)
    for number in range(4):
        replay.add(trajectory(number, picture=TINY), success=False, now=0)
    replay.update([3], terms([9.0]))

    draw = replay.sample_uniform(20_000, now=0)

    assert_allclose(draw.probability, 0.25)
    assert_allclose(frequencies(draw.keys, 4), 0.25, atol=0.015)


def test_importance_weights_are_exact_over_a_large_draw() -> None:
    """The mean of 1 / (N P) times anything over draws is its mean over the buffer."""
    replay = Replay(CONFIG, seed=4)
    for number in range(5):
        replay.add(trajectory(number, picture=TINY), success=number == 0, now=0)
    replay.update(range(5), terms([1.0, 0.1, 0.1, 0.2, 0.3]))

    draw = replay.sample(50_000, now=0)

    assert draw.success.mean() > 0.3
    assert float((draw.success / (draw.size * draw.probability)).mean()) == pytest.approx(0.2, abs=0.005)


def test_a_priority_halves_with_the_age_of_the_oldest_weights_that_acted() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0, version=[1, 5, 9]), success=False, now=9)
    replay.add(trajectory(1, version=5), success=False, now=9)
    replay.update([0, 1], terms([1.0, 1.0]))

    draw = replay.sample(100, now=9)

    assert_allclose(draw.probability, np.where(draw.keys == 0, 1 / 3, 2 / 3))
    assert np.array_equal(draw.age, np.where(draw.keys == 0, 8, 4))


def test_a_new_episode_enters_at_the_largest_priority() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0), success=False, now=0)
    replay.add(trajectory(1), success=False, now=0)
    replay.update([0, 1], terms([1.0, 0.0], ratio=0.0))
    replay.add(trajectory(2), success=False, now=0)

    assert_allclose(replay.priorities(0), [1 + FLOOR, FLOOR, 1 + FLOOR])


def test_ages_of_many_half_lives_can_still_be_drawn_from() -> None:
    replay = Replay(replace(CONFIG, half_life=0.01, staleness=1000), seed=0)
    replay.add(trajectory(0, version=0), success=False, now=900)
    replay.add(trajectory(1, version=0), success=False, now=900)

    assert_allclose(replay.sample(10, now=900).probability, 0.5)


def test_a_sweep_takes_what_was_measured_longest_ago() -> None:
    replay = Replay(CONFIG, seed=0)
    for number in range(4):
        replay.add(trajectory(number), success=False, now=0)
    replay.update([0, 2], terms([1.0, 1.0]))
    replay.update([1], terms([1.0]))

    assert replay.sweep(3, now=0).keys.tolist() == [3, 0, 2]


# --- what it keeps --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_an_episode_of_any_length_is_drawn_whole(steps: int) -> None:
    """Fault 7 of the reference code: short episodes are never drawn, and the last step is cut off."""
    added = trajectory(5, steps)
    replay = Replay(CONFIG, seed=0)
    replay.add(added, success=True, now=0)

    draw = replay.sample(2, now=0)

    assert draw.mask.shape == (2, steps)
    assert_holds(draw, 0, added)
    assert_holds(draw, 1, added)


def test_short_and_long_episodes_share_a_draw() -> None:
    episodes = [trajectory(0, 1), trajectory(1, 6, family="cart"), trajectory(2, 3)]
    replay = Replay(CONFIG, seed=1)
    for added in episodes:
        replay.add(added, success=False, now=0)

    draw = replay.sample(60, now=0)

    assert set(draw.keys.tolist()) == {0, 1, 2}
    for place, key in enumerate(draw.keys):
        assert_holds(draw, place, episodes[key])


def test_nothing_wraps_wrongly_when_the_room_is_used_again_and_again() -> None:
    """Fault 7 of the reference code: windows wrap wrongly at the ring's end."""
    replay = Replay(replace(CONFIG, capacity=3), seed=2)
    episodes = [trajectory(number, 1 + (5 * number) % 7) for number in range(40)]

    for key, added in enumerate(episodes):
        replay.add(added, success=False, now=0)
        draw = replay.sample(12, now=0)
        assert set(draw.keys.tolist()) <= {key - 2, key - 1, key}
        for place, drawn in enumerate(draw.keys):
            assert_holds(draw, place, episodes[drawn])


def test_exactly_the_oldest_episodes_make_room() -> None:
    """Fault 8 of the reference code: it looks for a start and an end that were never stored in that form."""
    replay = Replay(replace(CONFIG, capacity=3), seed=2)

    keys = [replay.add(trajectory(number, 1 + number % 4), success=False, now=0) for number in range(7)]

    assert keys == list(range(7))
    assert set(replay.sample(200, now=0).keys.tolist()) == {4, 5, 6}
    assert replay.stats(0)["dropped_full"] == 4


def test_each_observation_is_stored_once() -> None:
    """Fault 9 of the reference code: stored as an observation and again as the next observation."""
    replay = Replay(CONFIG, seed=0)

    for number, steps in enumerate([4, 1, 6]):
        replay.add(trajectory(number, steps), success=False, now=0)

    assert replay.stats(0)["megabytes"] == (5 + 2 + 7) * ROW_BYTES / 1e6


def test_stored_bytes_stay_within_their_bound() -> None:
    replay = Replay(ReplayConfig(capacity=1000, megabytes=1, elite=0), seed=0)

    for number in range(60):
        replay.add(trajectory(number, 3), success=False, now=0)
        assert replay.stats(0)["megabytes"] <= 1.0

    assert len(replay) == 1_000_000 // (4 * ROW_BYTES)


def test_an_episode_larger_than_all_the_room_is_refused() -> None:
    replay = Replay(ReplayConfig(capacity=10, megabytes=1, elite=0), seed=0)

    with pytest.raises(ConfigError, match=r"replay\.megabytes leaves 1 MB here, too little for .* 300 steps"):
        replay.add(trajectory(0, 300), success=False, now=0)


def test_what_is_older_than_the_staleness_bound_is_dropped_and_counted() -> None:
    replay = Replay(CONFIG, seed=0)
    for number in range(5):
        replay.add(trajectory(number, version=number), success=False, now=4)

    draw = replay.sample(200, now=22)

    assert set(draw.keys.tolist()) == {2, 3, 4}
    assert draw.age.max() == 20
    assert replay.stats(22)["dropped_stale"] == 2


def test_an_episode_that_arrives_too_late_displaces_no_other() -> None:
    replay = Replay(replace(CONFIG, capacity=2), seed=0)
    replay.add(trajectory(0, version=30), success=False, now=30)
    replay.add(trajectory(1, version=30), success=False, now=30)

    key = replay.add(trajectory(2, version=9), success=True, now=30)

    assert key == 2
    assert set(replay.sample(50, now=30).keys.tolist()) == {0, 1}
    assert replay.stats(30)["dropped_stale"] == 1
    assert len(replay.elite) == 1  # a late success is still worth imitating


def test_an_episode_without_a_step_is_refused() -> None:
    with pytest.raises(ValueError, match="worker/0/0 has no step"):
        Replay(CONFIG, seed=0).add(trajectory(0, 0), success=False, now=0)


def test_an_empty_replay_says_so() -> None:
    replay = Replay(CONFIG, seed=0)

    with pytest.raises(ValueError, match="the replay holds no episode"):
        replay.sample(1, now=0)


# --- what it refuses ------------------------------------------------------------------------------------------------


def test_a_feature_of_another_shape_is_refused_by_name() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0), success=False, now=0)

    with pytest.raises(ValueError, match=r"feature picture is uint8 \[9, 9, 3\] a step, those before it uint8"):
        replay.add(trajectory(1, picture=(9, 9, 3)), success=False, now=0)


def test_a_feature_of_another_type_is_refused_by_name() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0), success=False, now=0)
    odd = trajectory(1)
    odd = replace(odd, features={**odd.features, "score": odd.features["score"].astype(np.float32)})

    with pytest.raises(ValueError, match=r"feature score is float32 \[\] a step, those before it float64"):
        replay.add(odd, success=False, now=0)


def test_features_of_other_names_are_refused_by_name() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0), success=False, now=0)
    odd = trajectory(1)
    odd = replace(odd, features={"picture": odd.features["picture"], "sound": odd.features["words"]})

    with pytest.raises(ValueError, match="score, sound, words"):
        replay.add(odd, success=False, now=0)


@pytest.mark.parametrize("part", ["code", "log_mu", "log_pi", "invalid", "repeats", "version"])
def test_an_episode_whose_parts_differ_in_length_is_refused_by_name(part: str) -> None:
    whole = trajectory(0)
    odd = replace(whole, **{part: getattr(whole, part)[:-1]})

    with pytest.raises(ValueError, match=f"{part}.*wants 3 rows"):
        Replay(CONFIG, seed=0).add(odd, success=False, now=0)


def test_features_without_the_end_state_are_refused() -> None:
    whole = trajectory(0)
    odd = replace(whole, features={**whole.features, "words": whole.features["words"][:-1]})

    with pytest.raises(ValueError, match=r"feature words .*wants 4 rows"):
        Replay(CONFIG, seed=0).add(odd, success=False, now=0)


@pytest.mark.parametrize("number", [float("nan"), -float("inf")])
def test_a_log_probability_that_is_not_finite_is_refused(number: float) -> None:
    odd = replace(trajectory(0), log_mu=np.array([-1.0, number, -1.0], np.float32))

    with pytest.raises(ValueError, match="log_mu holds a number that is not finite"):
        Replay(CONFIG, seed=0).add(odd, success=False, now=0)


def test_an_object_array_is_refused() -> None:
    whole = trajectory(0)
    odd = replace(whole, features={"picture": np.array([None] * 4, object)})

    with pytest.raises(ValueError, match="feature picture is of object"):
        Replay(CONFIG, seed=0).add(odd, success=False, now=0)


def test_an_aborted_episode_never_becomes_a_failure() -> None:
    """Fault 11 of the reference code: a device's error ends as reward 0."""
    aborted = trajectory(0, end=End("aborted", "device", "the phone rebooted"))

    with pytest.raises(ValueError, match=r"was aborted \(blame: device\)"):
        Replay(CONFIG, seed=0).add(aborted, success=False, now=0)


def test_a_refused_episode_leaves_the_others_as_they_are() -> None:
    replay = Replay(replace(CONFIG, capacity=1), seed=0)
    added = trajectory(0)
    replay.add(added, success=False, now=0)

    with pytest.raises(ValueError, match="feature picture"):
        replay.add(trajectory(1, picture=(9, 9, 3)), success=False, now=0)

    assert_holds(replay.sample(1, now=0), 0, added)


def test_a_priority_term_that_is_not_finite_is_refused_by_name() -> None:
    replay = Replay(CONFIG, seed=0)
    replay.add(trajectory(0), success=False, now=0)

    with pytest.raises(ValueError, match="the priority term td holds"):
        replay.update([0], terms([float("nan")]))


def test_priorities_of_episodes_that_are_gone_are_ignored() -> None:
    replay = Replay(replace(CONFIG, capacity=2), seed=0)
    for number in range(3):
        replay.add(trajectory(number), success=False, now=0)

    replay.update([0, 2, 7, 1], terms([9.0, 0.5, 9.0, 1.0], ratio=0.0))

    draw = replay.sample(200, now=0)
    expected = np.array([0.0, 1 + FLOOR, 0.5 + FLOOR]) / (1.5 + 2 * FLOOR)
    assert_allclose(draw.probability, expected[draw.keys])


# --- the elite ------------------------------------------------------------------------------------------------------


def test_only_successes_are_kept_for_imitation() -> None:
    replay = Replay(CONFIG, seed=0)
    episodes = [trajectory(number, 1 + number) for number in range(4)]
    for number, added in enumerate(episodes):
        replay.add(added, success=number % 2 == 1, now=0)

    draw = replay.elite.sample(40, now=0)

    assert set(draw.keys.tolist()) == {1, 3}
    assert draw.success.all()
    for place, key in enumerate(draw.keys):
        assert_holds(draw, place, episodes[key])


def test_successes_are_drawn_by_how_much_they_surprised() -> None:
    replay = Replay(CONFIG, seed=0)
    for number in range(3):
        replay.add(trajectory(number, picture=TINY), success=True, now=0)
    replay.elite.update([0, 1, 2, 9], np.array([0.8, 0.2, -0.4, 1.0]))

    draw = replay.elite.sample(20_000, now=0)

    expected = np.array([0.8, 0.2, 0.02]) / 1.02
    assert_allclose(draw.probability, expected[draw.keys])
    assert_allclose(frequencies(draw.keys, 3), expected, atol=0.015)


def test_the_least_surprising_success_makes_room_and_of_several_the_oldest() -> None:
    replay = Replay(CONFIG, seed=0)
    for number in range(4):
        replay.add(trajectory(number), success=True, now=0)
    replay.elite.update(range(4), np.array([0.9, 0.1, 0.5, 0.1]))

    replay.add(trajectory(4), success=True, now=0)
    replay.add(trajectory(5), success=True, now=0)

    assert set(replay.elite.sample(200, now=0).keys.tolist()) == {0, 2, 4, 5}


def test_a_success_outlives_its_copy_in_the_replay() -> None:
    replay = Replay(replace(CONFIG, capacity=1), seed=0)
    added = trajectory(0, 4)
    replay.add(added, success=True, now=0)
    for number in range(1, 4):
        replay.add(trajectory(number), success=False, now=0)

    assert_holds(replay.elite.sample(1, now=0), 0, added)


def test_an_elite_of_no_capacity_keeps_nothing() -> None:
    replay = Replay(replace(CONFIG, elite=0), seed=0)
    replay.add(trajectory(0), success=True, now=0)

    assert len(replay.elite) == 0
    with pytest.raises(ValueError, match="no success is kept yet"):
        replay.elite.sample(1, now=0)


def test_a_demonstration_is_kept_for_imitation_alone() -> None:
    store = Replay(ReplayConfig(capacity=4, elite=2), seed=1)

    key = store.keep(trajectory(3))

    assert len(store) == 0
    assert store.elite.sample(5, 0).keys.tolist() == [key] * 5
    assert store.add(trajectory(2), success=False, now=0) != key
