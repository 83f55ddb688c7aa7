"""The replay against a model of it that is slow, plain and has no arrays: any sequence of calls gives the same."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.testing import assert_allclose
from replay_trajectories import ROW_BYTES, assert_holds, trajectory

from distrl_sdk.algo.priority import FLOOR, PriorityTerms
from distrl_sdk.config import ReplayConfig
from distrl_sdk.replay import elite
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.types import Trajectory


@dataclass
class Kept:
    key: int
    added: Trajectory
    success: bool
    td: float = 0.0
    ratio: float = 0.0
    entropy: float = 0.0
    measured: bool = False
    surprise: float = 1.0

    @property
    def rows(self) -> int:
        return len(self.added) + 1

    def age(self, now: int) -> int:
        return now - int(self.added.version[:, 1].min())


def expected_probability(kept: list[Kept], config: ReplayConfig, now: int) -> dict[int, float]:
    """By the formula, one episode after the other."""
    known = [each for each in kept if each.measured]
    td = max([each.td for each in known], default=0.0) or 1.0
    entropy = max([each.entropy for each in known], default=0.0) or 1.0
    weight = {
        each.key: config.td * each.td / td + config.ratio * each.ratio + config.entropy * each.entropy / entropy + FLOOR
        for each in known
    }
    largest = max(weight.values(), default=1.0)
    weight |= {each.key: largest for each in kept if not each.measured}
    weight = {each.key: weight[each.key] * 0.5 ** (each.age(now) / config.half_life) for each in kept}
    return {key: each / sum(weight.values()) for key, each in weight.items()}


class ReplayMachine(RuleBasedStateMachine):
    @initialize(
        capacity=st.integers(1, 8),
        elite=st.sampled_from([0, 2, 3]),
        staleness=st.integers(0, 9),
        prioritised=st.booleans(),
    )
    def start(self, capacity: int, elite: int, staleness: int, prioritised: bool) -> None:
        self.config = ReplayConfig(
            capacity=capacity,
            megabytes=0.0016,  # binds before eight long episodes do
            half_life=3.0,
            staleness=staleness,
            elite=elite,
            prioritised=prioritised,
        )
        self.row_bytes = ROW_BYTES - 6000 + 3
        self.replay = Replay(self.config, seed=1)
        self.now = 0
        self.count = 0
        self.kept: list[Kept] = []
        self.elite: list[Kept] = []
        self.stale = self.full = 0

    # --- the model ----------------------------------------------------------------------------------------------

    def room(self, which: str) -> int:
        share = self.config.capacity / (self.config.capacity + self.config.elite)
        return int(self.config.megabytes * 1e6 * (share if which == "kept" else 1 - share))

    def crowded(self, which: str, capacity: int) -> bool:
        kept: list[Kept] = getattr(self, which)
        return len(kept) > capacity or sum(each.rows for each in kept) * self.row_bytes > self.room(which)

    def drop_stale(self) -> None:
        fresh = [each for each in self.kept if each.age(self.now) <= self.config.staleness]
        self.stale += len(self.kept) - len(fresh)
        self.kept = fresh

    # --- the rules ----------------------------------------------------------------------------------------------

    @rule(steps=st.integers(1, 4), lag=st.integers(0, 4), spread=st.integers(0, 2), success=st.booleans())
    def add(self, steps: int, lag: int, spread: int, success: bool) -> None:
        oldest = max(0, self.now - lag)
        versions = [oldest + (spread if step else 0) for step in range(steps)]
        added = trajectory(self.count, steps, versions, f"family{self.count % 3}", picture=(1, 1, 3))

        key = self.replay.add(added, success, self.now)

        assert key == self.count
        self.count += 1
        self.drop_stale()
        new = Kept(key, added, success)
        if new.age(self.now) > self.config.staleness:
            self.stale += 1
        else:
            self.kept.append(new)
            while self.crowded("kept", self.config.capacity):
                self.kept.remove(min(self.kept[:-1], key=lambda each: each.key))
                self.full += 1
        if success and self.config.elite:
            self.elite.append(Kept(key, added, success))
            while self.crowded("elite", self.config.elite):
                self.elite.remove(min(self.elite[:-1], key=lambda each: (each.surprise, each.key)))

    @rule(versions=st.integers(1, 4))
    def age(self, versions: int) -> None:
        self.now += versions

    @rule(uniform=st.booleans())
    def sample(self, uniform: bool) -> None:
        self.drop_stale()
        if not self.kept:
            assert self.replay.drop_stale(self.now) >= 0
            return

        draw = (self.replay.sample_uniform if uniform else self.replay.sample)(5, self.now)

        kept = {each.key: each for each in self.kept}
        even = uniform or not self.config.prioritised
        expected = expected_probability(self.kept, self.config, self.now)
        for place, key in enumerate(draw.keys.tolist()):
            assert_allclose(draw.probability[place], 1 / len(kept) if even else expected[key], rtol=1e-9)
            assert_holds(draw, place, kept[key].added)
            assert draw.success[place] == kept[key].success
            assert draw.age[place] == kept[key].age(self.now) <= self.config.staleness
        assert draw.size == len(kept)
        assert draw.mask.shape[1] == max(len(kept[key].added) for key in draw.keys.tolist())

    @rule(data=st.data())
    def measure(self, data: st.DataObject) -> None:
        keys = data.draw(st.lists(st.integers(0, self.count + 1), max_size=4, unique=True))
        numbers = data.draw(st.lists(st.floats(0.0, 2.0), min_size=3 * len(keys), max_size=3 * len(keys)))
        td, ratio, entropy = np.array(numbers).reshape(3, -1)

        self.replay.update(keys, PriorityTerms(td, ratio, entropy))

        for place, key in enumerate(keys):
            for each in self.kept:
                if each.key == key:
                    each.td, each.ratio, each.entropy = td[place], ratio[place], entropy[place]
                    each.measured = True

    @rule(data=st.data())
    def imitate(self, data: st.DataObject) -> None:
        if not self.elite:
            assert len(self.replay.elite) == 0
            return
        keys = data.draw(st.lists(st.sampled_from([each.key for each in self.elite]), max_size=3, unique=True))
        surprise = np.array(data.draw(st.lists(st.floats(-1.0, 1.0), min_size=len(keys), max_size=len(keys))))

        self.replay.elite.update(keys, surprise)
        draw = self.replay.elite.sample(4, self.now)

        kept = {each.key: each for each in self.elite}
        for key, each in zip(keys, surprise, strict=True):
            kept[key].surprise = max(0.0, float(each))
        weight = {key: max(each.surprise, elite.FLOOR) for key, each in kept.items()}
        for place, key in enumerate(draw.keys.tolist()):
            assert_allclose(draw.probability[place], weight[key] / sum(weight.values()))
            assert_holds(draw, place, kept[key].added)
            assert draw.success[place] == 1.0

    @precondition(lambda self: self.count > 0)
    @rule()
    def save_and_load(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.replay.save(Path(folder) / "replay.npz")
            other = Replay(self.config, seed=77)
            other.load(Path(folder) / "replay.npz")
        self.drop_stale()
        if self.kept:
            here, there = self.replay.sample(3, self.now), other.sample(3, self.now)
            assert np.array_equal(here.keys, there.keys)
            assert np.array_equal(here.probability, there.probability)
        assert self.replay.drop_stale(self.now) == other.drop_stale(self.now)
        self.replay = other

    # --- what always holds --------------------------------------------------------------------------------------

    @invariant()
    def counts_are_those_of_the_model(self) -> None:
        stats = self.replay.stats(self.now)
        assert stats["size"] == len(self.replay) == len(self.kept)
        assert stats["steps"] == sum(len(each.added) for each in self.kept)
        assert stats["elite"] == len(self.elite)
        rows = sum(each.rows for each in self.kept) + sum(each.rows for each in self.elite)
        assert stats["megabytes"] == rows * self.row_bytes / 1e6 <= self.config.megabytes
        assert stats["dropped_full"] == self.full
        assert stats["added"] == self.count
        assert stats["size"] <= self.config.capacity

    @invariant()
    def every_stored_episode_can_be_drawn(self) -> None:
        if self.kept and all(each.age(self.now) <= self.config.staleness for each in self.kept):
            drawn = self.replay.sweep(len(self.kept), self.now)
            assert sorted(drawn.keys.tolist()) == [each.key for each in self.kept]
            assert (self.replay.priorities(self.now) > 0).all()


TestReplayMachine = ReplayMachine.TestCase
TestReplayMachine.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
