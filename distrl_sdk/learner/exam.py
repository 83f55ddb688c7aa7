"""An evaluation in the making: held-out tasks, each played once or several times by one version of the weights."""

from __future__ import annotations

import hashlib
import math
from collections import deque
from collections.abc import Iterable, Sequence
from queue import SimpleQueue
from typing import NamedTuple

from distrl_sdk.errors import UsageError
from distrl_sdk.learner.desk import drained
from distrl_sdk.tasks.curriculum import fits
from distrl_sdk.types import Assignment, DeviceAbout, SlotAbout, Task, Trajectory, Version

TRIES = 3
"""How often an attempt is handed out whose episodes abort."""


class Attempt(NamedTuple):
    """One task that is to be played once more."""

    task: Task
    number: int
    """1, 2, ... of the same task."""
    seed: int
    """Of all that is drawn by chance in it."""


def attempts(tasks: Iterable[Task], count: int, seed: int) -> list[Attempt]:
    """`count` attempts at each task: first all that are the first of their task, then all that are the second."""
    listed = list(tasks)
    return [Attempt(task, number, seed_of(seed, task.id, number)) for number in range(1, count + 1) for task in listed]


def seed_of(seed: int, task: str, number: int) -> int:
    """The seed of one attempt, below 2 ** 48: a function of the evaluation's seed, the task's id and the number."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}/{task}".encode()).digest()[:6], "big")


def check_attempts(attempts: int, temperature: float) -> None:
    """Raise UsageError for what cannot be."""
    if attempts < 1:
        raise UsageError(f"{attempts} attempts measure nothing: at least 1")
    if not 0 <= temperature < math.inf:
        raise UsageError(f"temperature {temperature}: it must be at least 0, which takes the likeliest action")


class Played(NamedTuple):
    """An attempt and what came of it."""

    attempt: Attempt
    trajectory: Trajectory


class Exam:
    """Which attempts still want an episode. Used under the intake's lock, but for `finished`."""

    def __init__(
        self, wanted: Sequence[Attempt], version: Version, temperature: float = 0.0, record: Iterable[str] = ()
    ) -> None:
        """`record`: ids of the tasks whose every picture is kept, of the first attempt."""
        self.version = version
        self.temperature = temperature
        self._record = frozenset(record)
        self._waiting = deque((attempt, 1) for attempt in wanted)
        self._open = {(attempt.task.id, attempt.seed): attempt for attempt in wanted}
        self._finished: SimpleQueue[Played] = SimpleQueue()

    def next(self, about: DeviceAbout) -> tuple[Attempt, int] | None:
        """An attempt that the device can make and which try it is, or None."""
        for at, (attempt, tries) in enumerate(self._waiting):
            if fits(attempt.task, about):
                del self._waiting[at]
                return attempt, tries
        return None

    def recorded(self, attempt: Attempt) -> bool:
        """Whether every picture is to be kept."""
        return attempt.number == 1 and attempt.task.id in self._record

    def again(self, assignment: Assignment, tries: int) -> None:
        """An episode did not come."""
        if (attempt := self._attempt(assignment)) is not None:
            self._waiting.appendleft((attempt, tries))

    def take(self, assignment: Assignment, trajectory: Trajectory, tries: int) -> None:
        """An episode came, of this evaluation or of an earlier one; an aborted one counts after the last try."""
        attempt = self._attempt(assignment)
        if attempt is None:
            return
        if trajectory.end.kind == "aborted" and tries < TRIES:
            self._waiting.append((attempt, tries + 1))
            return
        del self._open[attempt.task.id, attempt.seed]
        self._finished.put(Played(attempt, trajectory))

    def _attempt(self, assignment: Assignment) -> Attempt | None:
        """The attempt that an assignment was made for; None if it came already, or for an earlier evaluation."""
        if assignment.version != self.version:
            return None
        return self._open.get((assignment.task.id, assignment.seed))

    def finished(self) -> list[Played]:
        """What came since the last call; one episode an attempt."""
        return drained(self._finished)

    def unplayable(self, slots: Iterable[SlotAbout]) -> set[str]:
        """Ids of the tasks that wait and that none of these slots can play."""
        abouts = {slot.device for slot in slots}
        return {
            attempt.task.id for attempt, _ in self._waiting if not any(fits(attempt.task, about) for about in abouts)
        }

    def drop(self, names: set[str]) -> int:
        """Give up what waits of these tasks; returns how many attempts there were."""
        before = len(self._waiting)
        self._waiting = deque(item for item in self._waiting if item[0].task.id not in names)
        return before - len(self._waiting)
