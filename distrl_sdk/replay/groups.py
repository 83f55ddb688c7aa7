"""Which episodes belong together: those of one task, in the order in which they came, so many at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt


class Groups:
    """Numbers groups of `size` episodes of one task. A group's number is the key of its first episode."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._open: dict[str, tuple[int, int]] = {}

    def number(self, task: str, key: int) -> int:
        """Of the group that a new episode of this task belongs to; its own key when it opens one."""
        group, count = self._open.pop(task, (key, 0))
        if count + 1 < self._size:
            self._open[task] = group, count + 1
        return group

    def whole(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        """[groups, size]: where in `numbers` the episodes of each group stand of which none is missing."""
        order = np.argsort(numbers, kind="stable")
        _, first, count = np.unique(numbers[order], return_index=True, return_counts=True)
        return np.asarray(order[first[count == self._size, None] + np.arange(self._size)], np.intp)

    def state(self) -> dict[str, Any]:
        """The groups that are still open: task -> number and count. JSON."""
        return {task: list(each) for task, each in self._open.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Replace them by what `state` returned."""
        self._open = {task: (int(group), int(count)) for task, (group, count) in state.items()}
