"""Which tasks the phones that are here can play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from distrl_sdk.errors import DistrlError, UsageError
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.plugins import names, task_set
from distrl_sdk.tasks.curriculum import fits
from distrl_sdk.types import SlotAbout, Task

SPLITS = ("train", "test")
"""Of task sets that are recommended."""


def playable(tasks: Iterable[Task], slots: Iterable[SlotAbout]) -> list[Task]:
    """Those of the tasks that one of the slots can play."""
    abouts = {slot.device for slot in slots}
    return [task for task in tasks if any(fits(task, about) for about in abouts)]


def need_playable(tasks: TaskSet, slots: Sequence[SlotAbout]) -> None:
    """Raise UsageError, naming the task sets that fit, when none of the slots can play any of the tasks."""
    if not playable(tasks.tasks, slots):
        platforms = ", ".join(sorted({slot.device.platform for slot in slots})) or "none"
        raise UsageError(
            f"no task of {tasks.name!r} can be played on this fleet (platform {platforms}): "
            f"task sets that fit: {', '.join(_fitting(slots)) or 'none that is installed'}"
        )


def _fitting(slots: Sequence[SlotAbout]) -> Iterator[str]:
    for name in (f"{known}/{split}" for known in names("task set") for split in SPLITS):
        try:
            tasks = task_set(name)
        except DistrlError:
            continue  # it has no such split, or is broken: no set to recommend
        if playable(tasks.tasks, slots):
            yield name
