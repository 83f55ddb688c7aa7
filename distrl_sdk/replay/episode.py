"""One finished episode as the columns that a store keeps, checked once on its way in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl_sdk.types import Trajectory

Columns = dict[str, npt.NDArray[Any]]
"""Each [T + 1, ...]. Row T is the end state: it has features, and 0 for all that belongs to an action."""

FEATURE = "feature/"
"""Before the name of a column that is one of the policy's features."""

_ACTION = {"code": np.int32, "log_mu": np.float32, "log_pi": np.float32, "invalid": np.bool_, "repeats": np.int32}


@dataclass(frozen=True, slots=True, eq=False)
class Episode:
    """What is kept of a trajectory."""

    id: str
    task: str
    """Its id."""
    family: str
    success: bool
    columns: Columns

    def __len__(self) -> int:
        """T"""
        return len(self.columns["log_mu"]) - 1

    @property
    def versions(self) -> tuple[int, int]:
        """The oldest and the newest of the weights that acted."""
        acted = self.columns["version_n"][:-1]
        return int(acted.min()), int(acted.max())

    def check_like(self, others: Mapping[str, npt.NDArray[Any]]) -> None:
        """Raise ValueError, naming the column, unless all have the shape and type a step of those of the others."""
        if self.columns.keys() != others.keys():
            odd = sorted(name.removeprefix(FEATURE) for name in self.columns.keys() ^ others.keys())
            raise ValueError(f"trajectory {self.id} does not have the features of those before it: {', '.join(odd)}")
        for name, each in self.columns.items():
            other = others[name]
            if each.shape[1:] != other.shape[1:] or each.dtype != other.dtype:
                raise ValueError(
                    f"trajectory {self.id}: {name.replace('/', ' ')} is {each.dtype} {list(each.shape[1:])} a step, "
                    f"those before it {other.dtype} {list(other.shape[1:])}"
                )


def episode_of(trajectory: Trajectory, success: bool) -> Episode:
    """A whole episode. Raises ValueError, naming the part, when it cannot be learned from."""
    steps = len(trajectory)
    if steps == 0:
        raise ValueError(f"trajectory {trajectory.id} has no step")
    if trajectory.end.kind == "aborted":
        raise ValueError(f"trajectory {trajectory.id} was aborted (blame: {trajectory.end.blame}); it has no outcome")
    actions: Columns = {name: np.asarray(getattr(trajectory, name), kind) for name, kind in _ACTION.items()}
    actions["screen"] = np.asarray(trajectory.screens, np.uint32)[1:]
    actions["version_n"] = np.asarray(trajectory.version, np.int32)[:, 1]
    columns: Columns = {}
    for name, each in actions.items():
        _check_length(trajectory, name, each, steps)
        columns[name] = np.concatenate([each, np.zeros_like(each[:1])])
    for name in ("log_mu", "log_pi"):
        if not np.isfinite(columns[name]).all():
            raise ValueError(f"trajectory {trajectory.id}: {name} holds a number that is not finite")
    for name, feature in trajectory.features.items():
        rows = np.asarray(feature)
        if rows.dtype.kind not in "biufc":
            raise ValueError(f"trajectory {trajectory.id}: feature {name} is of {rows.dtype}, not of numbers")
        _check_length(trajectory, f"feature {name}", rows, steps + 1)
        columns[FEATURE + name] = rows
    return Episode(trajectory.id, trajectory.task.id, trajectory.task.family, success, columns)


def _check_length(trajectory: Trajectory, name: str, each: npt.NDArray[Any], rows: int) -> None:
    if each.ndim == 0 or len(each) != rows:
        raise ValueError(f"trajectory {trajectory.id}: {name} is {list(each.shape)}, wants {rows} rows")
