"""Whether what is tested was trained: two splits may share no instruction and no task under another wording."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from distrl_sdk.errors import UsageError
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.types import Demonstration, Task

Overlap = Literal["refuse", "drop", "allow"]
"""What becomes of training tasks that are also held out."""


def wording_of(task: Task) -> str:
    """The instruction without case, punctuation and spare blanks."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in task.instruction.lower()).split())


def content_of(task: Task) -> str:
    """What the task is but for its wording and the seed of its start: equal for two wordings of the same thing."""
    setup = {name: value for name, value in task.setup.items() if name != "seed"}
    return json.dumps([task.family, setup, list(task.verify)], sort_keys=True, default=str)


def shared(train: Iterable[Task], held_out: Iterable[Task]) -> list[tuple[Task, Task]]:
    """Pairs (trained, held out) with the same wording or the same content; a task without checks has a wording only."""
    wordings, contents = {}, {}
    for task in held_out:
        wordings[wording_of(task)] = task
        if task.verify:
            contents[content_of(task)] = task
    found = []
    for task in train:
        twin = wordings.get(wording_of(task)) or (contents.get(content_of(task)) if task.verify else None)
        if twin is not None:
            found.append((task, twin))
    return found


@dataclass(frozen=True)
class _Part:
    """A task set of which some tasks are left out."""

    whole: TaskSet
    tasks: Sequence[Task]

    @property
    def name(self) -> str:
        return self.whole.name

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        """Those of the whole set whose tasks are left."""
        left = {task.id for task in self.tasks}
        return [one for one in self.whole.demonstrations(count, seed) if one.task.id in left]


def apart(train: TaskSet, held_out: TaskSet, overlap: Overlap) -> TaskSet:
    """What to train on. Raises UsageError when some are held out, too, and `overlap` says to refuse that.

    drop: they are left out of training; raises UsageError if none remains.
    """
    pairs = shared(train.tasks, held_out.tasks) if overlap != "allow" else []
    if not pairs:
        return train
    if overlap == "refuse":
        first = pairs[0][0]
        raise UsageError(
            f"{len(pairs)} tasks of {train.name!r} are also held out in {held_out.name!r}, such as {first.id!r} "
            f"({first.instruction!r}): leave them out of training with --overlap drop, or insist with --overlap allow"
        )
    twins = {task.id for task, _ in pairs}
    kept = [task for task in train.tasks if task.id not in twins]
    if not kept:
        raise UsageError(
            f"every task of {train.name!r} is also held out in {held_out.name!r}: nothing is left to train on"
        )
    return _Part(train, kept)
