"""Runs of these tests: small settings, what a run left, and the processes around it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from distrl_sdk import ARide, Fleet, Trainer
from distrl_sdk.config import CollectConfig, LearnerConfig, NetworkConfig, RunConfig
from distrl_sdk.evaluate.result import RunResult
from distrl_sdk.replay.journal import Kind, replay
from distrl_sdk.types import Trajectory
from distrl_sdk.wire.codec import split_frames, unpack_trajectory
from tests.trainer.pocket import HERE

LEARNER = LearnerConfig(batch=4, elite_batch=2, updates_per_trajectory=0.5, warm_start_epochs=2)


def named(name: str) -> str:
    """Something of pocket.py."""
    return f"{HERE}:{name}"


def learner(**options: Any) -> ARide:
    return ARide(named("Tiny"), LEARNER, options)


def trainer(
    run: Path | None, collect: CollectConfig | None = None, network: NetworkConfig | None = None, **options: Any
) -> Trainer:
    """Settings in which a run takes seconds."""
    small: dict[str, Any] = {
        "tasks": named("counting/train"),
        "overlap": "allow",  # there are only three things to count to
        "eval_tasks": "none",
        "eval_episodes": 6,
        "demos_per_family": 0,
        "max_trajectories": 12,
    }
    usual = {key: options.pop(key, value) for key, value in small.items()}
    return Trainer(RunConfig(), collect=collect, network=network, run_dir=run, **usual, **options)


def pocket(count: int = 2, **options: Any) -> Fleet:
    query = "&".join(f"{name}={value}" for name, value in options.items())
    return Fleet(f"{named('Pocket')}{'?' if query else ''}{query}*{count}")


def journaled(run: Path) -> list[Trajectory]:
    """Every trajectory of a run's journal."""
    path = run / "journal" / "journal"
    if not path.exists():
        return []
    return [unpack_trajectory(split_frames(each.payload)) for each in replay(path) if each.kind is Kind.TRAJECTORY]


def trained(run: Path) -> list[Trajectory]:
    """Those that were for training and came to their end."""
    return [each for each in journaled(run) if each.lane == "train" and each.end.kind != "aborted"]


def result(run: Path) -> RunResult:
    return RunResult.from_json(json.loads((run / "result.json").read_text()))


def assert_counted_once(run: Path) -> None:
    """What the journal has is what the run says: nothing is lost, nothing is there twice."""
    names = [each.id for each in journaled(run)]
    assert len(names) == len(set(names))
    said = result(run)
    counted = said.trajectories + said.counts["unjudged"] + said.counts["late"]
    assert len(trained(run)) == counted, said.counts


class Running:
    """A fit on a thread of its own."""

    def __init__(self, fit: Callable[[], RunResult]) -> None:
        self._fit = fit
        self.result: RunResult | None = None
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._fit()
        except BaseException as error:
            self.error = error

    @property
    def over(self) -> bool:
        return not self._thread.is_alive()

    def join(self, seconds: float = 60.0) -> RunResult:
        self._thread.join(seconds)
        assert self.over, "the run does not end"
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


def workers_of(folder: Path) -> dict[int, list[str]]:
    """The command lines of worker processes that name the folder, by pid."""
    return {
        pid: command
        for pid, command in _commands()
        if "distrl_sdk.worker" in command and any(str(folder) in each for each in command)
    }


def _commands() -> Iterator[tuple[int, list[str]]]:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = place.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it has ended in the meantime
        yield int(place.parent.name), command
