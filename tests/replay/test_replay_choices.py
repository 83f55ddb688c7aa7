"""What a replay draws beside priorities: whole groups, and episodes that are only imitated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from replay_trajectories import trajectory

from distrl_sdk.algo.priority import PriorityTerms
from distrl_sdk.config import ReplayConfig
from distrl_sdk.replay.buffer import Replay

CONFIG = ReplayConfig(capacity=12, megabytes=10, staleness=20, elite=4)
TINY = (1, 1, 3)
NOTHING = PriorityTerms(np.zeros(1), np.zeros(1), np.zeros(1))


def filled(config: ReplayConfig, tasks: str, successes: str = "", seed: int = 1) -> Replay:
    """One episode a letter of `tasks`, a success where `successes` has a 1 at that place."""
    replay = Replay(config, seed)
    for at, name in enumerate(tasks):
        won = successes[at : at + 1] == "1"
        replay.add(trajectory(at, picture=TINY, task=name), won, now=0)
    return replay


# --- groups ---------------------------------------------------------------------------------------------------------


def test_groups_are_the_episodes_of_one_task_in_the_order_in_which_they_came() -> None:
    replay = filled(replace(CONFIG, group=2), "abaabb")

    draw = replay.sample(60, now=0)

    pairs = {tuple(pair) for pair in draw.keys.reshape(-1, 2).tolist()}
    assert pairs == {(0, 2), (1, 4)}, "the third episodes of a and of b wait for a fourth"
    assert np.array_equal(draw.group.reshape(-1, 2)[:, 0], draw.keys.reshape(-1, 2)[:, 0])
    assert np.array_equal(draw.group.reshape(-1, 2)[:, 1], draw.keys.reshape(-1, 2)[:, 0])


def test_whole_groups_are_drawn_even_when_they_hold_more_than_was_asked_for() -> None:
    replay = filled(replace(CONFIG, group=3), "aaabbb")

    assert len(replay.sample(4, now=0)) == 6
    assert_allclose(replay.sample(4, now=0).probability, 1 / 6)


def test_nothing_can_be_drawn_before_the_first_group_is_whole() -> None:
    replay = filled(replace(CONFIG, group=3), "aabb")
    assert not replay.drawable
    with pytest.raises(ValueError, match="no whole group"):
        replay.sample(3, now=0)

    replay.add(trajectory(9, picture=TINY, task="b"), success=False, now=0)

    assert replay.drawable
    assert replay.sample(3, now=0).keys.tolist() == [2, 3, 4]


def test_a_group_that_lost_an_episode_is_not_drawn() -> None:
    replay = filled(replace(CONFIG, group=2, capacity=4), "aabbc")

    assert set(replay.sample(40, now=0).keys.tolist()) == {2, 3}


def test_an_open_group_survives_saving(tmp_path: Path) -> None:
    config = replace(CONFIG, group=2)
    filled(config, "a").save(tmp_path / "replay.npz")
    again = Replay(config, seed=5)
    again.load(tmp_path / "replay.npz")

    again.add(trajectory(1, picture=TINY, task="a"), success=False, now=0)

    assert again.sample(2, now=0).keys.tolist() == [0, 1]


def test_without_groups_every_episode_stands_alone() -> None:
    replay = filled(CONFIG, "aaaa")

    draw = replay.sample(20, now=0)

    assert np.array_equal(draw.group, draw.keys)


# --- rare screens ---------------------------------------------------------------------------------------------------


def test_a_screen_is_rare_by_how_often_its_own_family_came_to_it() -> None:
    replay = Replay(CONFIG, 1)
    ways = {"alarm": ([9, 1, 1], [9, 1, 2]), "mail": ([9, 1],)}
    for family, walked in ways.items():
        for screens in walked:
            steps = len(screens) - 1
            made = trajectory(replay.added, steps, family=family, picture=TINY)
            replay.add(replace(made, screens=np.array(screens, np.uint32)), success=False, now=0)

    draw = replay.sweep(3, now=0)

    # alarm: screen 1 three times, 2 once; mail: screen 1 once; where an episode starts does not count
    rare = 1 / np.sqrt(3)
    assert draw.keys.tolist() == [0, 1, 2]
    assert_allclose(replay.rarity(draw), [[rare, rare], [rare, 1.0], [1.0, 0.0]], rtol=1e-6)


# --- what is only imitated ------------------------------------------------------------------------------------------


def test_the_elite_is_imitated_unless_something_else_is_set() -> None:
    assert filled(CONFIG, "abc", "000").to_imitate(3, now=0) is None
    draw = filled(CONFIG, "abc", "010").to_imitate(3, now=0)
    assert draw is not None
    assert draw.keys.tolist() == [1, 1, 1]


def test_the_most_surprising_share_of_the_whole_replay_is_imitated() -> None:
    replay = filled(replace(CONFIG, imitate="surprising", share=0.3), "abcdefghij", "1111111111")
    replay.update(range(10), PriorityTerms(*np.zeros((3, 10))), np.linspace(0.0, 0.9, 10))

    draw = replay.to_imitate(60, now=0)

    assert draw is not None
    assert set(draw.keys.tolist()) == {7, 8, 9}
    assert_allclose(draw.probability, 1 / 3)


def test_an_episode_that_nobody_measured_is_as_surprising_as_its_success() -> None:
    replay = filled(replace(CONFIG, imitate="surprising", share=0.25), "abcd", "0010")
    replay.update([0], NOTHING, np.array([0.6]))

    draw = replay.to_imitate(5, now=0)

    assert draw is not None
    assert set(draw.keys.tolist()) == {2}


def test_the_newest_successes_are_the_best_share_by_reward() -> None:
    replay = filled(replace(CONFIG, imitate="successes", share=0.2), "abcdefghij", "1011000000")

    draw = replay.to_imitate(40, now=0)

    assert draw is not None
    assert set(draw.keys.tolist()) == {2, 3}


def test_a_failure_is_not_a_success_however_large_the_share() -> None:
    replay = filled(replace(CONFIG, imitate="successes", share=1.0), "abcd", "0100")

    draw = replay.to_imitate(10, now=0)

    assert draw is not None
    assert set(draw.keys.tolist()) == {1}
    assert filled(replace(CONFIG, imitate="successes"), "abcd").to_imitate(10, now=0) is None


def test_surprise_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(ValueError, match="surprise holds a number that is not finite"):
        filled(CONFIG, "a").update([0], NOTHING, np.array([np.nan]))
