"""Whether a trajectory fits together: what every receiver may rely on, whoever sent it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import WireError
from distrl_sdk.types import Trajectory
from distrl_sdk.wire.limits import Limits

LANES = ("train", "eval")

COLUMNS: Mapping[str, tuple[type[np.generic], int, int]] = {
    "code": (np.int32, 2, 0),
    "log_mu": (np.float32, 1, 0),
    "log_pi": (np.float32, 1, 0),
    "version": (np.int32, 2, 0),
    "invalid": (np.bool_, 1, 0),
    "repeats": (np.int32, 1, 0),
    "seconds": (np.float32, 1, 1),
    "screens": (np.uint32, 1, 1),
}
"""The arrays that every trajectory has: type, dimensions, and rows beyond T."""


def check_trajectory(trajectory: Trajectory, limits: Limits) -> None:
    """Raise WireError when the parts of a trajectory do not agree, or a number in it is not one.

    T actions have T rows of code, log_mu, log_pi, version, invalid and repeats, and T + 1 rows of features, seconds and
    screens.
    An aborted episode may lack its features altogether (its reset failed).
    """
    steps = len(trajectory.actions)
    if steps > limits.steps:
        raise WireError(f"{steps} steps, at most {limits.steps} are read")
    for name, text in (("id", trajectory.id), ("slot", trajectory.slot), ("task id", trajectory.task.id)):
        if len(text) > limits.name:
            raise WireError(f"the {name} has {len(text)} characters, at most {limits.name} are read")
    if not trajectory.id:
        raise WireError("the id is empty")
    if trajectory.lane not in LANES:
        raise WireError(f"unknown lane {trajectory.lane[:40]!r}: known: {', '.join(LANES)}")
    if not 0 <= trajectory.temperature < float("inf"):
        raise WireError(f"temperature {trajectory.temperature}")
    if (trajectory.end.kind == "aborted") != bool(trajectory.end.blame):
        raise WireError(f"end {trajectory.end.kind!r} with blame {trajectory.end.blame!r}")
    if len(trajectory.pictures) not in (0, 1, steps, steps + 1):
        raise WireError(f"{len(trajectory.pictures)} pictures of {steps} steps")
    _check_columns(trajectory, steps)
    _check_features(trajectory, steps, limits)


def _check_columns(trajectory: Trajectory, steps: int) -> None:
    for name, (dtype, dimensions, extra) in COLUMNS.items():
        array: npt.NDArray[Any] = getattr(trajectory, name)
        if array.dtype != dtype or array.ndim != dimensions:
            raise WireError(f"{name}: expected {dimensions} dimensions of {dtype.__name__}")
        if len(array) != steps + extra:
            raise WireError(f"{name}: {len(array)} rows for {steps} steps")
    if trajectory.version.shape[1] != 2 or (steps and trajectory.version.min() < 0):
        raise WireError("version: expected [T, 2], none negative")
    if steps and trajectory.repeats.min() < 0:
        raise WireError("repeats: negative")
    numbers = np.concatenate((trajectory.log_mu, trajectory.log_pi, trajectory.seconds))
    if not np.isfinite(numbers).all():
        raise WireError("log_mu, log_pi or seconds: not finite")
    if trajectory.seconds.min() < 0:
        raise WireError("seconds: negative")


def _check_features(trajectory: Trajectory, steps: int, limits: Limits) -> None:
    if not trajectory.features and trajectory.end.kind != "aborted":
        raise WireError("an episode without features")
    if len(trajectory.features) > limits.features:
        raise WireError(f"{len(trajectory.features)} features, at most {limits.features} are read")
    for name, array in trajectory.features.items():
        if array.ndim == 0 or array.ndim > limits.dimensions or len(array) != steps + 1:
            raise WireError(f"features.{name}: shape {list(array.shape)} for {steps} steps")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise WireError(f"features.{name}: not finite")
