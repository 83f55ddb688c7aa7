"""Whole episodes in flat arrays: a dense table of episodes, and their steps in any free rows of the step arrays.

Rows are handed out one by one, so an episode of any length fits wherever there is room, nothing wraps around, and
each observation is stored once. Which episode goes when room is needed is the owner's decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import ConfigError
from distrl_sdk.replay.archive import pack, unpack
from distrl_sdk.replay.draw import Draw
from distrl_sdk.replay.episode import FEATURE, Columns, Episode

Table: TypeAlias = npt.NDArray[Any]
"""[episodes], structured: the fields of _EPISODE and those of the owner."""
Indices: TypeAlias = npt.NDArray[np.intp]
Choose: TypeAlias = Callable[[Table], int]
"""The index of the episode that is to make room."""

_EPISODE: list[tuple[str, type]] = [
    ("key", np.int64),
    ("group", np.int64),
    ("length", np.int32),
    ("success", np.float32),
    ("family", np.int32),
    ("first_version", np.int32),
    ("last_version", np.int32),
    ("end_row", np.int32),
]


class EpisodeStore:
    """Up to `capacity` episodes in up to `megabytes` (10^6 bytes); `extra` are the owner's own fields of the table.

    An episode's index in the table changes when another one is removed; its key never does. Of one thread.
    """

    def __init__(self, capacity: int, megabytes: float, extra: Sequence[tuple[str, type]] = ()) -> None:
        self._capacity = capacity
        self._limit = int(megabytes * 1e6)
        self._episodes = np.zeros(0, np.dtype([*_EPISODE, *extra]))
        self._rows = np.zeros((0, 1), np.int32)  # [episodes, longest]: the rows of the steps, the last one repeated
        self._count = 0
        self._steps: Columns = {}
        self._row_bytes = 0
        self._free: list[int] = []
        self._families: list[str] = []
        self._index: dict[int, int] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def table(self) -> Table:
        """A view of the episodes that are stored now, in arbitrary order."""
        return self._episodes[: self._count]

    @property
    def stored_bytes(self) -> int:
        """Of the steps that are stored now."""
        return self._used_rows * self._row_bytes

    def add(self, key: int, episode: Episode, victim: Choose) -> list[int]:
        """Store an episode as the last of the table, after removing victims as needed; returns their keys.

        Raises ValueError for an episode that is unlike the first one, ConfigError for one that fits into no room.
        """
        if not self._steps:
            self._lay_out({name: np.zeros((0, *each.shape[1:]), each.dtype) for name, each in episode.columns.items()})
        episode.check_like(self._steps)
        steps = len(episode)
        if (steps + 1) * self._row_bytes > self._limit:
            raise ConfigError(
                f"replay.megabytes leaves {self._limit / 1e6:g} MB here, "
                f"too little for one episode of {steps} steps ({(steps + 1) * self._row_bytes / 1e6:g} MB)"
            )
        gone = self.make_room(victim, 1, steps + 1)
        rows = self._take(steps + 1)
        for name, each in episode.columns.items():
            self._steps[name][rows] = each
        self._append(key, episode, rows)
        return gone

    def make_room(self, victim: Choose, episodes: int = 0, rows: int = 0) -> list[int]:
        """Remove victims until so many more would fit; returns their keys."""
        gone = []
        while self._count and (
            self._count + episodes > self._capacity or (self._used_rows + rows) * self._row_bytes > self._limit
        ):
            index = victim(self.table)
            gone.append(int(self.table["key"][index]))
            self.remove(index)
        return gone

    def remove(self, index: int) -> None:
        """Forget one episode; the last of the table takes its place."""
        last = self._count - 1
        self._free.extend(self._rows_of(index).tolist())
        del self._index[int(self._episodes["key"][index])]
        if index != last:
            self._episodes[index] = self._episodes[last]
            self._rows[index] = self._rows[last]
            self._index[int(self._episodes["key"][index])] = index
        self._count = last

    def indices(self, keys: Iterable[int]) -> tuple[Indices, Indices]:
        """(positions among the keys, indices in the table) of those that are still stored."""
        found = [(place, self._index[key]) for place, key in enumerate(keys) if key in self._index]
        pairs = np.array(found, np.intp).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def sample(self, weight: npt.NDArray[np.float64], count: int, now: int, random: np.random.Generator) -> Draw:
        """`count` episodes, with replacement, each with the probability weight / sum(weight)."""
        edges = np.cumsum(weight)
        # A number equal to the last edge would fall off the end.
        chosen = np.minimum(random.random(count) * edges[-1], np.nextafter(edges[-1], 0.0))
        indices = np.searchsorted(edges, chosen, side="right")
        return self.draw(indices, weight[indices] / edges[-1], now)

    def draw(self, indices: Indices, probability: npt.NDArray[np.float64], now: int) -> Draw:
        """The episodes at these indices, padded to the longest of them."""
        table = self.table[indices]
        length = np.ascontiguousarray(table["length"])
        longest = int(length.max())
        rows = self._rows[indices, :longest]
        steps = {name: each.take(rows, axis=0) for name, each in self._steps.items()}
        return Draw(
            keys=table["key"].copy(),
            probability=probability,
            size=self._count,
            age=now - table["first_version"].astype(np.int64),
            length=length,
            success=table["success"].copy(),
            group=table["group"].copy(),
            family=tuple(self._families[each] for each in table["family"]),
            first_version=table["first_version"].copy(),
            last_version=table["last_version"].copy(),
            mask=np.arange(longest) < length[:, None],
            features={name.removeprefix(FEATURE): each for name, each in steps.items() if name.startswith(FEATURE)},
            code=steps["code"],
            log_mu=steps["log_mu"],
            log_pi=steps["log_pi"],
            screen=steps["screen"],
            version_n=steps["version_n"],
            invalid=steps["invalid"],
            repeats=steps["repeats"],
        )

    def rarity(self, draw: Draw) -> npt.NDArray[np.float32]:
        """[n, T]: 1 / sqrt(how often actions in episodes of the same family led to that screen), 0 in the padding.

        Over what is stored now. Every episode of the draw must be among it.
        """
        lengths = self.table["length"]
        rows = self._rows[: self._count]
        known = np.arange(rows.shape[1]) < lengths[:, None]
        seen = self._steps["screen"][rows[known]] + (np.repeat(self.table["family"], lengths).astype(np.int64) << 32)
        screens, count = np.unique(seen, return_counts=True)
        family = np.array([self._families.index(each) for each in draw.family], np.int64)
        at = np.searchsorted(screens, (draw.screen + (family[:, None] << 32))[draw.mask])
        rare = np.zeros(draw.mask.shape, np.float32)
        rare[draw.mask] = 1.0 / np.sqrt(count[at])
        return rare

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Everything, as arrays: the table, the names of the families, the steps episode after episode."""
        rows = np.concatenate([self._rows_of(index) for index in range(self._count)] or [np.zeros(0, np.int32)])
        steps = {f"steps/{name}": each[rows] for name, each in self._steps.items()}
        return {"table": self.table.copy(), "families": pack(self._families), **steps}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Replace everything by what `state` returned, whatever its size. Raises ValueError, KeyError if it is not."""
        table, families = state["table"], unpack(state["families"])
        steps = {name.removeprefix("steps/"): each for name, each in state.items() if name.startswith("steps/")}
        starts = np.concatenate([[0], np.cumsum(table["length"] + 1)])
        if table.dtype != self._episodes.dtype or any(len(each) != starts[-1] for each in steps.values()):
            raise ValueError("its table does not belong to its steps")
        self._lay_out(steps)
        self._free, self._families = [], families
        self._episodes, self._count = table, len(table)
        self._episodes["end_row"] = starts[1:] - 1
        longest = int(table["length"].max(initial=1))
        self._rows = (starts[:-1, None] + np.minimum(np.arange(longest), table["length"][:, None] - 1)).astype(np.int32)
        self._index = {key: index for index, key in enumerate(table["key"].tolist())}

    def _rows_of(self, index: int) -> npt.NDArray[np.int32]:
        """The rows of an episode's steps, and of its end state."""
        episode = self._episodes[index]
        return np.append(self._rows[index, : episode["length"]], episode["end_row"])

    def _lay_out(self, steps: Columns) -> None:
        self._steps = steps
        self._row_bytes = sum(each.dtype.itemsize * math.prod(each.shape[1:]) for each in steps.values())

    @property
    def _used_rows(self) -> int:
        return self._all_rows - len(self._free)

    @property
    def _all_rows(self) -> int:
        return len(self._steps["code"]) if self._steps else 0

    def _take(self, count: int) -> list[int]:
        """That many free rows; the arrays double, up to the limit, when there are too few."""
        if len(self._free) < count:
            size = self._all_rows
            wanted = max(size + count - len(self._free), min(2 * size, self._limit // self._row_bytes))
            for name, each in self._steps.items():
                self._steps[name] = _longer(each, wanted)
            self._free[:0] = range(wanted - 1, size - 1, -1)
        rows = self._free[-count:]
        del self._free[-count:]
        return rows

    def _append(self, key: int, episode: Episode, rows: list[int]) -> None:
        index, steps = self._count, len(episode)
        if index == len(self._episodes):
            self._episodes = _longer(self._episodes, max(16, 2 * index))
            self._rows = _longer(self._rows, len(self._episodes))
        if steps > self._rows.shape[1]:
            self._rows = np.pad(self._rows, ((0, 0), (0, steps - self._rows.shape[1])), mode="edge")
        self._rows[index, :steps] = rows[:steps]
        self._rows[index, steps:] = rows[steps - 1]
        if episode.family not in self._families:
            self._families.append(episode.family)
        entry = self._episodes[index]
        entry["key"] = entry["group"] = key
        entry["length"] = steps
        entry["success"] = episode.success
        entry["family"] = self._families.index(episode.family)
        entry["first_version"], entry["last_version"] = episode.versions
        entry["end_row"] = rows[steps]
        self._index[key] = index
        self._count = index + 1


def _longer(each: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    longer = np.zeros((rows, *each.shape[1:]), each.dtype)
    longer[: len(each)] = each
    return longer
