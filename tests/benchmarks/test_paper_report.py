"""The figures of benchmarks/paper.py, by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from paper_report import Point, Runs, at_equal_trajectories, figures, ratio_of, time_share, write_report

from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.result import EvalResult

SOLVED = Outcome.SUCCESS


def result(rates: dict[str, int], n: int = 10) -> EvalResult:
    """`rates`: successes of each family, out of n."""
    return EvalResult(
        tuple(
            EvalEpisode(f"{family}/{number}", family, SOLVED if number < successes else Outcome.STUCK, "finish")
            for family, successes in rates.items()
            for number in range(n)
        )
    )


def points(*successes: float, a_minute: int = 100) -> list[Point]:
    return [Point(minute, a_minute * minute, minute, each) for minute, each in enumerate(successes, 1)]


RUNS: Runs = {
    "a-ride": {
        1: (points(0.2, 0.4, 0.6), result({"a": 6, "b": 6})),
        2: (points(0.2, 0.4, 0.8), result({"a": 8, "b": 8})),
    },
    "digirl-sync-multi": {
        1: (points(0.1, 0.2, 0.3, a_minute=50), result({"a": 3, "b": 3})),
        2: (points(0.1, 0.2, 0.4, a_minute=50), result({"a": 4, "b": 4})),
    },
}


def test_ratios_times_and_equal_trajectories_are_those_by_hand() -> None:
    ratio, low, high = ratio_of(RUNS, "a-ride", "digirl-sync-multi")

    assert ratio == pytest.approx(14 / 7)
    assert low == pytest.approx(2.0)  # both seeds and both families have the ratio 2
    assert high == pytest.approx(2.0)
    # 150 episodes: ours stands half-way between .2 and .4 in both seeds, theirs at .3 and .4
    assert at_equal_trajectories(RUNS, "a-ride", "digirl-sync-multi") == pytest.approx(0.3 / 0.35)
    # .3 is reached after 1.5 of 3 minutes, .4 after 2 of 3
    assert time_share(RUNS, "a-ride", "digirl-sync-multi") == pytest.approx((0.5 + 2 / 3) / 2)


def test_an_interval_is_wide_where_families_differ() -> None:
    runs: Runs = {
        "a-ride": {1: (points(0.5), result({"a": 9, "b": 1, "c": 5}))},
        "digirl-async": {1: (points(0.5), result({"a": 3, "b": 7, "c": 5}))},
    }

    ratio, low, high = ratio_of(runs, "a-ride", "digirl-async")

    assert ratio == pytest.approx(1.0)
    assert low < 0.5 < 2.0 < high


def test_what_is_never_reached_takes_the_whole_time_and_what_is_missing_is_left_out() -> None:
    runs: Runs = {
        "a-ride": {1: (points(0.1, 0.1), result({"a": 1}))},
        "digirl-sync-multi": {1: RUNS["digirl-sync-multi"][1]},
    }

    assert time_share(runs, "a-ride", "digirl-sync-multi") == 1.0
    assert "over_digirl_async" not in figures(runs)
    assert figures({"a-ride": RUNS["a-ride"]}) == {}


def test_the_report_holds_every_learner_and_the_command(tmp_path: Path) -> None:
    plan = {"tasks": "general", "episodes": 20, "fleet": "sim:16", "minutes": 3.0, "policy": "compact"}

    write_report(tmp_path, RUNS, plan, "python benchmarks/paper.py --minutes 3")

    text = (tmp_path / "README.md").read_text()
    assert "| a-ride | 2 | 0.700 (0.600, 0.800) | 300 |" in text
    assert "| digirl-sync-multi | 2 | 0.350 (0.300, 0.400) | 150 | 0.50 [0.50, 0.50] of a-ride |" in text
    assert "`python benchmarks/paper.py --minutes 3`" in text
    assert json.loads((tmp_path / "results.json").read_text())["figures"]["over_digirl_multi"] == 2.0
    assert (tmp_path / "figure.png").stat().st_size > 5000
