"""One worker, the sync schedule, one seed: equal curves to the last bit, in processes that share nothing."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from distrl_sdk.evaluate.result import RunResult
from tests.trainer.runs import trained

CLI = "import sys; from distrl_sdk.cli import main; sys.exit(main())"
TIMES = {"trajectories_per_minute"}


def started(folder: Path, seed: int, hashes: int) -> subprocess.Popen[str]:
    """A short run on simulated phones whose actions take their time, in a process of its own."""
    command = [
        sys.executable, "-c", CLI, "train", "--run_dir", str(folder), f"--seed={seed}",
        "--fleet=sim:5?latency=0.004&tail=20", "--collect.schedule=sync", "--max_trajectories=33",
        "--demos_per_family=1",
        "--tasks=demo/train",
        "--eval_episodes=5", "--policy_options.width=32", "--learner.batch=6", "--learner.elite_batch=3",
        "--learner.updates_per_trajectory=0.5", "--learner.warm_start_epochs=2",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONHASHSEED": str(hashes)}
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment)


def ended(process: subprocess.Popen[str]) -> None:
    with process:
        _, told = process.communicate()
    assert process.returncode == 0, told


def curve(folder: Path) -> list[tuple[str, str, str]]:
    with (folder / "metrics.csv").open() as file:
        return [(row["step"], row["name"], row["value"]) for row in csv.DictReader(file) if row["name"] not in TIMES]


def outcome(folder: Path) -> dict[str, Any]:
    """result.json without times and names of episodes."""
    said = RunResult.from_json(json.loads((folder / "result.json").read_text()))
    evaluations = [
        [(each.task, each.success, each.end, each.claim, each.steps) for each in evaluation.episodes]
        for evaluation in (said.before, said.after)
        if evaluation is not None
    ]
    return {"trajectories": said.trajectories, "updates": said.updates, "counts": said.counts, "played": evaluations}


def episodes(folder: Path) -> dict[tuple[str, int], list[Any]]:
    """What was played, in bytes, by slot and its turn."""
    turns: dict[str, int] = {}
    found = {}
    for each in trained(folder):
        turn = turns[each.slot] = turns.get(each.slot, 0) + 1
        arrays = {**each.features, "code": each.code, "mu": each.log_mu, "pi": each.log_pi, "version": each.version}
        bits = {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}
        success = each.verdict.success if each.verdict else None
        found[each.slot, turn] = [each.task, each.temperature, each.actions, each.end, success, bits]
    return found


@pytest.mark.long
@pytest.mark.timeout(600)
def test_one_worker_in_lock_step_gives_the_same_curve_to_the_last_bit_and_another_seed_another(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "same", "other")]
    for folder, seed, hashes in zip(folders, (1, 1, 2), (1, 2, 1), strict=True):
        ended(started(folder, seed, hashes))

    one, same, other = folders
    assert len(episodes(one)) == 33
    assert episodes(one) == episodes(same)
    assert outcome(one) == outcome(same)
    assert outcome(one)["updates"] > 5
    assert curve(one) == curve(same)
    assert len({step for step, _, _ in curve(one)}) >= 7, "a row after each round"
    assert episodes(other) != episodes(one)
    assert curve(other) != curve(one)
