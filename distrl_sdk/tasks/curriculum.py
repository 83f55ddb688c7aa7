"""Which task a slot plays next: those that are neither always solved nor never."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distrl_sdk.types import DeviceAbout, Task


class Curriculum:
    """Draws tasks at random and accepts one with probability 4 p (1 - p) + floor, p its family's fresh success rate.

    The rate is a running mean over about `memory` episodes, so that it follows the policy; an unseen family counts
    as p = 0.5. A task that was drawn is handed out `group` times in a row. Tasks that were handed out and did not come
    back are drawn first.
    """

    def __init__(self, tasks: Sequence[Task], floor: float, seed: int, memory: float = 20.0, group: int = 1) -> None:
        self._tasks = tasks
        self._floor = floor
        self._group = group
        self._keep = 1.0 - 1.0 / memory
        self._rng = np.random.default_rng(seed)
        self._again: list[Task] = []
        self.rate: dict[str, float] = {}

    def next(self, about: DeviceAbout) -> Task | None:
        """A task that the device can play, or None when there is none."""
        for at, task in enumerate(self._again):
            if fits(task, about):
                return self._again.pop(at)
        drawn = self._drawn(about)
        if drawn is not None:
            self._again += [drawn] * (self._group - 1)
        return drawn

    def _drawn(self, about: DeviceAbout) -> Task | None:
        for _ in range(200):
            task = self._tasks[int(self._rng.integers(len(self._tasks)))]
            p = self.rate.get(task.family, 0.5)
            if fits(task, about) and self._rng.random() < 4 * p * (1 - p) + self._floor:
                return task
        return next((task for task in self._tasks if fits(task, about)), None)

    def again(self, task: Task) -> None:
        """The task was handed out and did not come back."""
        self._again.append(task)

    def record(self, task: Task, success: bool) -> None:
        """What came of a task."""
        old = self.rate.get(task.family, 0.5)
        self.rate[task.family] = self._keep * old + (1.0 - self._keep) * success


def fits(task: Task, about: DeviceAbout) -> bool:
    """Whether a device meets a task's needs."""
    return task.platform in ("", about.platform) and set(task.apps) <= set(about.apps)


def slot_temperature(at: int, cold_share: float, hottest: float) -> float:
    """The temperature of the `at`-th slot of a fleet: a share of them at 1, the rest spread up to `hottest`.

    As Ape-X (Horgan et al. 2018) gives each actor its own epsilon. Golden-ratio steps spread any number of slots
    evenly, so late joiners need no new plan.
    """
    place = (at * 0.6180339887498949) % 1.0
    if place < cold_share:
        return 1.0
    return 1.0 + (hottest - 1.0) * (place - cold_share) / (1.0 - cold_share)


def spread(tasks: Sequence[Task], count: int) -> list[Task]:
    """`count` tasks of a set, the families in turn; fewer when the set is smaller."""
    families: dict[str, list[Task]] = {}
    for task in tasks:
        families.setdefault(task.family, []).append(task)
    rows = list(families.values())
    picked: list[Task] = []
    depth = 0
    while len(picked) < count and any(len(row) > depth for row in rows):
        picked += [row[depth] for row in rows if len(row) > depth]
        depth += 1
    return picked[:count]
