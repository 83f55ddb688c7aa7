"""What collection.py plays with: simulated phones that keep a diary, tasks of equal length, a policy that never ends.

Workers load this file by its path; it loads no learner.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from distrl_sdk.plugins import task_set
from distrl_sdk.policy.compact import CompactPolicy
from distrl_sdk.policy.grammar import Kind
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.types import Action, Demonstration, Features, Moment, Observation, Task

HERE = Path(__file__).resolve()
STEPS = 4
"""Actions of every episode; with the reset the phone is looked at once more."""
LOOKS = STEPS + 1


class Diary(SimPhone):
    """A simulated phone that writes down each of its calls: task, looks before it in the episode, begin, end.

    Times are those of the machine's monotonic clock, the same in every process.
    """

    def __init__(self, folder: str, latency: float, tail: float = 1.0) -> None:
        super().__init__(SimOptions(latency=latency, spread=0.0, tail=tail))
        self._diary = (Path(folder) / f"{os.getpid()}-{id(self)}").open("w", buffering=1, encoding="utf-8")
        self._task = ""
        self._looks = 0

    def reset(self, task: Task) -> Observation:
        """See SimPhone."""
        self._task, self._looks = task.id, 0
        return self._noted(lambda: super(Diary, self).reset(task))

    def perform(self, action: Action) -> Observation:
        """See SimPhone."""
        return self._noted(lambda: super(Diary, self).perform(action))

    def _noted(self, call: Callable[[], Observation]) -> Observation:
        began = time.monotonic()
        observation = call()
        self._diary.write(f"{self._task}\t{self._looks}\t{began!r}\t{time.monotonic()!r}\n")
        self._looks += 1
        return observation


class Tireless(CompactPolicy):
    """The default policy, of which Finish is taken away: every episode has STEPS actions."""

    def featurize(self, moment: Moment) -> Features:
        """See CompactPolicy."""
        features = super().featurize(moment)
        kinds = features["kinds"].copy()
        kinds[Kind.FINISH] = 0
        return {**features, "kinds": kinds}


@dataclass(frozen=True)
class Even:
    """Tasks of equal length."""

    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:  # noqa: ARG002
        """None."""
        return ()


def even(split: str) -> Even:
    """The general tasks, STEPS long."""
    return Even(f"even/{split}", tuple(replace(task, max_steps=STEPS) for task in task_set(f"general/{split}").tasks))


@dataclass(frozen=True)
class Episode:
    """One episode as its phone saw it."""

    phone: str
    task: str
    calls: tuple[tuple[float, float], ...]
    """(begin, end) of each look."""
    after: float
    """When the phone's next episode began; inf after the last."""

    @property
    def began(self) -> float:
        """When it was reset."""
        return self.calls[0][0]

    @property
    def ended(self) -> float:
        """When its last look was over."""
        return self.calls[-1][1]


def read(folder: Path) -> list[Episode]:
    """The whole episodes of all diaries, by their begin."""
    return sorted((each for file in folder.iterdir() for each in _of(file)), key=lambda each: each.began)


def _of(file: Path) -> Iterator[Episode]:
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    starts = [at for at, row in enumerate(rows) if row[1] == "0"]
    for at, end in pairwise([*starts, len(rows)]):
        calls = tuple((float(began), float(ended)) for _, _, began, ended in rows[at:end])
        if len(calls) == LOOKS:
            after = float(rows[end][2]) if end < len(rows) else float("inf")
            yield Episode(file.name, rows[at][0], calls, after)
