"""Fleets of simulated phones that fail as real ones do: a run goes on, and no fault becomes a reward of 0."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl_sdk import ARide, Fleet
from distrl_sdk.config import CollectConfig
from tests.trainer.runs import LEARNER, assert_counted_once, journaled, trained, trainer

WANTED = 16


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ("disconnect=0.05", "disconnected until it is opened again"),
        ("hang=0.05&hang_seconds=3", "gave no answer for"),
        ("black=0.2&stale=0.2&cut=0.2&blind=0.2&stuck=0.2", ""),
    ],
)
def test_a_fleet_with_faults_trains_on(tmp_path: Path, faults: str, told: str) -> None:
    model = ARide("compact", LEARNER, {"width": 16, "word_width": 16})
    settings = trainer(
        tmp_path / "run", CollectConfig(deadline=0.4), tasks="demo/train", max_trajectories=WANTED, demos_per_family=1
    )

    outcome = settings.fit(model, Fleet(f"sim:4?{faults}"))

    assert WANTED <= outcome.trajectories <= WANTED + 2
    assert outcome.updates > 0
    assert_counted_once(tmp_path / "run")
    aborted = [played for played in journaled(tmp_path / "run") if played.end.kind == "aborted"]
    assert bool(aborted) == bool(told)
    assert {played.end.blame for played in aborted} <= {"device"}
    assert all(told in played.end.message for played in aborted if played.end.message), told
    assert all(played.verdict is None for played in aborted), "a fault says nothing of the policy"
    assert all(played.verdict is None or played.verdict.success is not None for played in trained(tmp_path / "run"))
