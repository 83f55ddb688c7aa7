"""What gradient steps leave for the gauges, from a real replay and feed, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
import torch

from distrl_sdk.config import LearnerConfig, TraceConfig
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.evidence import EPISODES, STEPS
from distrl_sdk.learner.feed import Feed
from distrl_sdk.learner.role import Measured, StepOutput
from distrl_sdk.replay.buffer import Replay
from tests.trainer.episodes import episode

CONFIG = LearnerConfig(batch=1, elite_batch=2, trace=TraceConfig(discount=0.5))


class Bench:
    """A replay, its feed, and steps that say what they are told to say."""

    def __init__(self, batch: int = 1, capacity: int = 1000) -> None:
        self.replay = Replay(replace(CONFIG.replay, capacity=capacity), 1)
        self.feed = Feed(self.replay, replace(CONFIG, batch=batch))

    def play(self, number: int, success: bool = True, hot: bool = False, n: int = 1, steps: int = 2) -> None:
        played = episode(number, success, n=n, steps=steps)
        if hot:
            played = replace(played, log_mu=played.log_mu - 0.1)
        self.replay.add(played, success, now=n)

    def step(self, now: int = 1, log_pi: float = -0.5, value: float | None = 0.7, start: float | None = 0.6) -> Batch:
        """On one draw; every action gets log_pi, every moment the value."""
        batch = self.feed.draw(now)
        shape = batch.mask.shape
        measured = Measured(
            torch.full(shape, log_pi),
            torch.full(shape, 0.25),
            None if value is None else torch.full(shape, value),
            None if start is None else torch.full(shape[:1], start),
        )
        count = shape[0]
        output: StepOutput = {
            "loss": torch.zeros(()), "terms": {}, "measured": measured,
            "priority": torch.ones(count, 3), "surprise": torch.zeros(count),
        }  # fmt: skip
        self.feed.told(batch, output)
        return batch

    @property
    def figures(self) -> dict[str, float]:
        return self.feed.evidence.figures()


def test_before_the_first_step_there_is_nothing_to_tell() -> None:
    bench = Bench()

    assert bench.figures == {}
    assert bench.feed.evidence.tables() == bench.feed.evidence.histograms() == {}


def test_ratios_are_of_own_steps_whatever_the_imitated_ones_say() -> None:
    bench = Bench()
    bench.play(1, hot=True)  # log mu -0.6, log pi_old -0.5

    batch = bench.step(log_pi=-0.5 + log(2))

    assert batch.elite.tolist() == [False, True, True]
    figures = bench.figures
    for mark in ("p05", "p50", "p95", "p99", "mean"):
        assert figures[f"ratio_old/{mark}"] == pytest.approx(2.0)
        assert figures[f"ratio_mu/{mark}"] == pytest.approx(2.0 * exp(0.1))
    assert figures["effective_samples"] == pytest.approx(1.0)
    assert figures["entropy"] == pytest.approx(0.25)
    histograms = bench.feed.evidence.histograms()
    assert histograms["old"] == (0, 0, 0, 0, 0, 0, 1, 0, 0), "2 stands where 2 to 4 is counted"


def test_padding_and_old_steps_have_no_part_in_the_ratios() -> None:
    bench = Bench(batch=8)
    bench.play(1, steps=1)
    bench.play(2, steps=5)
    for _ in range(3):
        bench.step(log_pi=-0.5 + log(3))
    for _ in range(STEPS):
        bench.step(log_pi=-0.5)

    assert bench.figures["ratio_old/p99"] == pytest.approx(1.0)


def test_a_ratio_without_bounds_is_told_as_a_number() -> None:
    bench = Bench()
    bench.play(1)
    bench.step(log_pi=500.0)

    assert bench.figures["ratio_mu/p99"] == pytest.approx(exp(20))
    assert np.isfinite(list(bench.figures.values())).all()


def test_the_age_is_that_of_what_is_drawn() -> None:
    bench = Bench()
    bench.play(1, n=3)
    bench.step(now=3)
    bench.step(now=10)

    # drawn at ages 0 and 7
    assert bench.figures["sample_age"] == pytest.approx(3.5)
    assert bench.figures["sample_age/p95"] == pytest.approx(0.95 * 7)


def test_critics_are_held_against_outcomes_they_have_not_learned_from() -> None:
    bench = Bench()
    bench.play(1, success=True)
    bench.step(value=0.75, start=0.625)
    for _ in range(5):
        bench.step(value=0.99, start=0.99)  # the same episode again: no prediction any more

    tables = bench.feed.evidence.tables()
    # two steps, discount 0.5: a success is worth 0.5 in the first state, 1 in the second
    assert tables["state"][7] == (2, 0.75, 0.75)
    assert tables["trajectory"][6] == (1, 0.625, 1.0)
    assert bench.figures["calibration/state"] == 0.0
    assert bench.figures["calibration/trajectory"] == 0.375


def test_a_hot_slots_outcome_is_held_against_the_trajectory_critic_alone() -> None:
    bench = Bench()
    bench.play(1, success=False, hot=True)
    bench.step()

    assert set(bench.feed.evidence.tables()) == {"trajectory"}, "V(s) is of the policy at temperature 1"


def test_a_learner_without_critics_has_no_calibration() -> None:
    bench = Bench()
    bench.play(1)
    bench.step(value=None, start=None)

    assert bench.feed.evidence.tables() == {}
    assert not any(name.startswith("calibration") for name in bench.figures)


def test_the_latest_predictions_are_kept_and_no_more() -> None:
    bench = Bench(capacity=1)
    for number in range(EPISODES + 50):
        bench.play(number, success=number >= 50)
        bench.step(start=0.625)
        if number % STEPS == 0:
            assert bench.figures

    assert bench.feed.evidence.tables()["trajectory"][6] == (EPISODES, 0.625, 1.0), "the first 50 failed"
