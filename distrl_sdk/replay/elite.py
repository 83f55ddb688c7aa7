"""Successes kept apart, to be imitated by how much they surprised. They never feed a critic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl_sdk.replay.archive import pack, unpack
from distrl_sdk.replay.draw import Draw
from distrl_sdk.replay.episode import Episode
from distrl_sdk.replay.store import EpisodeStore, Table

FLOOR = 0.02
"""The least surprise in a draw: no success is forgotten while it is kept."""


class Elite:
    """Up to `capacity` successes with their own copy of the arrays. Of one thread.

    When it is full the least surprising goes; of several, the oldest.
    """

    def __init__(self, capacity: int, megabytes: float, seed: int) -> None:
        self._store = EpisodeStore(capacity, megabytes, [("surprise", np.float64)])
        self._capacity = capacity
        self._random = np.random.default_rng([seed, 1])

    def __len__(self) -> int:
        return len(self._store)

    @property
    def store(self) -> EpisodeStore:
        """Where they are kept."""
        return self._store

    def add(self, key: int, episode: Episode) -> None:
        """Keep a success, as fully surprising until `update` says otherwise. Raises as `EpisodeStore.add` does."""
        if self._capacity == 0:
            return
        self._store.add(key, episode, _least_surprising)
        self._store.table["surprise"][-1] = 1.0

    def update(self, keys: Iterable[int], surprise: npt.NDArray[np.floating]) -> None:
        """Set max(0, 1 - V) of each; keys that are gone are ignored. Raises ValueError for what is not finite."""
        if not np.isfinite(surprise).all():
            raise ValueError("surprise holds a number that is not finite")
        places, indices = self._store.indices(keys)
        self._store.table["surprise"][indices] = np.clip(np.asarray(surprise)[places], 0.0, 1.0)

    def sample(self, count: int, now: int) -> Draw:
        """`count` successes, with replacement, in proportion to their surprise. Raises ValueError when it has none."""
        if not len(self):
            raise ValueError("no success is kept yet")
        surprise = np.maximum(self._store.table["surprise"], FLOOR)
        return self._store.sample(surprise, count, now, self._random)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything, as arrays."""
        return {**self._store.state(), "random": pack(self._random.bit_generator.state)}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Replace everything by what `state` returned, less what the bounds allow. Raises ValueError, KeyError."""
        self._random.bit_generator.state = unpack(state["random"])
        self._store.restore(state)
        self._store.make_room(_least_surprising)


def _least_surprising(table: Table) -> int:
    return int(np.lexsort((table["key"], table["surprise"]))[0])
