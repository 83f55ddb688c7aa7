"""An evaluation in the making: held-out tasks, each played once at temperature 0 by one version of the weights."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from queue import SimpleQueue

from distrl_sdk.learner.desk import drained
from distrl_sdk.tasks.curriculum import fits
from distrl_sdk.types import Assignment, DeviceAbout, SlotAbout, Task, Trajectory, Version

TRIES = 3
"""How often a task is handed out whose episodes abort."""


class Exam:
    """Which tasks still want an episode. Used under the intake's lock, but for `finished`."""

    def __init__(self, tasks: Sequence[Task], version: Version, record: Iterable[str] = ()) -> None:
        """`record`: ids of the tasks whose every picture is kept."""
        self.version = version
        self.record = frozenset(record)
        self._waiting = deque((task, 1) for task in tasks)
        self._done: set[str] = set()
        self._finished: SimpleQueue[Trajectory] = SimpleQueue()

    def next(self, about: DeviceAbout) -> tuple[Task, int] | None:
        """A task that the device can play and which try it is, or None."""
        for at, (task, tries) in enumerate(self._waiting):
            if fits(task, about):
                del self._waiting[at]
                return task, tries
        return None

    def again(self, assignment: Assignment, tries: int) -> None:
        """An episode did not come."""
        if assignment.version == self.version:
            self._waiting.appendleft((assignment.task, tries))

    def take(self, assignment: Assignment, trajectory: Trajectory, tries: int) -> None:
        """An episode came, of this evaluation or of an earlier one; an aborted one counts after the last try."""
        task = trajectory.task
        if assignment.version != self.version or task.id in self._done:
            return
        if trajectory.end.kind == "aborted" and tries < TRIES:
            self._waiting.append((task, tries + 1))
            return
        self._done.add(task.id)
        self._finished.put(trajectory)

    def finished(self) -> list[Trajectory]:
        """The episodes that came since the last call; one a task."""
        return drained(self._finished)

    def unplayable(self, slots: Iterable[SlotAbout]) -> set[str]:
        """Ids of the tasks that wait and that none of these slots can play."""
        abouts = {slot.device for slot in slots}
        return {task.id for task, _ in self._waiting if not any(fits(task, about) for about in abouts)}

    def drop(self, names: Collection[str]) -> int:
        """Give up tasks that wait; returns how many there were."""
        before = len(self._waiting)
        self._waiting = deque(item for item in self._waiting if item[0].id not in names)
        return before - len(self._waiting)
