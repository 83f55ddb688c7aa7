"""Which trajectories have been taken: each counts once, however often it comes."""

from __future__ import annotations

from bisect import bisect_left

from distrl_sdk.errors import WireError


class Runs:
    """A set of whole numbers that mostly rise one by one: kept as runs, so that a gap costs two numbers, not many."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        """One beyond each run."""

    def __contains__(self, number: int) -> bool:
        at = bisect_left(self._starts, number + 1) - 1
        return at >= 0 and number < self._ends[at]

    def add(self, number: int) -> None:
        """Put a number in; twice is once."""
        if number in self:
            return
        at = bisect_left(self._starts, number)
        joins_left = at > 0 and self._ends[at - 1] == number
        joins_right = at < len(self._starts) and self._starts[at] == number + 1
        if joins_left and joins_right:
            self._ends[at - 1] = self._ends[at]
            del self._starts[at], self._ends[at]
        elif joins_left:
            self._ends[at - 1] = number + 1
        elif joins_right:
            self._starts[at] = number
        else:
            self._starts.insert(at, number)
            self._ends.insert(at, number + 1)

    def __len__(self) -> int:
        return sum(self._ends) - sum(self._starts)


class Received:
    """By worker and incarnation of the worker, the numbers of the trajectories that are in the journal."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, int], Runs] = {}

    def add(self, worker: str, incarnation: int, seq: int) -> None:
        """Remember one."""
        self._runs.setdefault((worker, incarnation), Runs()).add(seq)

    def add_id(self, trajectory_id: str) -> None:
        """Remember one from the journal. Raises WireError for an id that no worker gives."""
        worker, _, rest = trajectory_id.partition("/")
        incarnation, _, seq = rest.partition("/")
        if not worker or not incarnation.isdecimal() or not seq.isdecimal():
            raise WireError(f"{trajectory_id[:80]!r} is not the id of a trajectory: worker/incarnation/number")
        self.add(worker, int(incarnation), int(seq))

    def has(self, worker: str, incarnation: int, seq: int) -> bool:
        """Whether it came before."""
        runs = self._runs.get((worker, incarnation))
        return runs is not None and seq in runs

    def __len__(self) -> int:
        return sum(map(len, self._runs.values()))
