"""A draw: episodes taken from a store, padded to the longest of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """n episodes as [n, T, ...], T the length of the longest; copies, safe to change.

    Padding repeats the episode's last step, so it is always something that a policy can score; `mask` says what counts.
    The end state is not among the steps.
    """

    keys: npt.NDArray[np.int64]
    """[n]: for `update`; the same one several times when it was drawn several times."""
    probability: npt.NDArray[np.float64]
    """[n]: P(i) of one draw."""
    size: int
    """N, how many episodes it was drawn from."""
    age: npt.NDArray[np.int64]
    """[n]: versions since the oldest weights that acted in the episode."""
    length: npt.NDArray[np.int32]
    """[n]"""
    success: npt.NDArray[np.float32]
    """[n]: 1 or 0."""
    group: npt.NDArray[np.int64]
    """[n]: the number of the group that the episode belongs to; its own key where there are none."""
    family: tuple[str, ...]
    """n names."""
    first_version: npt.NDArray[np.int32]
    """[n]: of the oldest weights that acted."""
    last_version: npt.NDArray[np.int32]
    """[n]: of the newest."""
    features: Mapping[str, npt.NDArray[Any]]
    """Each [n, T, ...]."""
    code: npt.NDArray[np.int32]
    """[n, T, C]"""
    log_mu: npt.NDArray[np.float32]
    """[n, T]"""
    log_pi: npt.NDArray[np.float32]
    """[n, T]: of the weights that acted, at temperature 1."""
    screen: npt.NDArray[np.uint32]
    """[n, T]: the fingerprint of the screen that each action led to."""
    version_n: npt.NDArray[np.int32]
    """[n, T]"""
    invalid: npt.NDArray[np.bool_]
    """[n, T]"""
    repeats: npt.NDArray[np.int32]
    """[n, T]"""
    mask: npt.NDArray[np.bool_]
    """[n, T]: True on the episode's own steps, which come first."""

    def __len__(self) -> int:
        return len(self.keys)
