"""Holds gradient steps and new episodes at a set ratio, whichever of them is faster (as Reverb's limiter does)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class RateLimiter:
    """Counts, and says who has to wait. Without it a learning curve would depend on the machine's speed.

    What the learner owes is `updates_per_trajectory` for each episode after the first `warmup`, less the updates made.
    It is held within +- `slack` updates. Raises ValueError for a slack so small that both sides would wait.
    """

    updates_per_trajectory: float
    warmup: int
    """Episodes before the first update."""
    slack: float
    """Updates that either side may be ahead."""
    inserts: int = 0
    updates: int = 0

    def __post_init__(self) -> None:
        least = (1.0 + self.updates_per_trajectory) / 2.0
        if self.updates_per_trajectory <= 0.0 or self.warmup < 0 or self.slack < least:
            raise ValueError(
                f"a rate limiter wants updates_per_trajectory > 0, warmup >= 0 and slack >= {least:g}, "
                f"not {self.updates_per_trajectory:g}, {self.warmup} and {self.slack:g}"
            )

    @property
    def owed(self) -> float:
        """Updates that the learner is behind; negative when it is ahead, or before the warm-up is over."""
        return self.updates_per_trajectory * (self.inserts - self.warmup) - self.updates

    def may_update(self) -> bool:
        """Whether one more update keeps the ratio."""
        return self.inserts >= self.warmup and self.owed - 1.0 >= -self.slack

    def may_insert(self, pending: int = 0) -> bool:
        """Whether one more episode, after `pending` ones that are on their way, keeps the ratio."""
        return self.owed + self.updates_per_trajectory * (pending + 1) <= self.slack

    def inserted(self, count: int = 1) -> None:
        """Count new episodes."""
        self.inserts += count

    def updated(self, count: int = 1) -> None:
        """Count gradient steps."""
        self.updates += count
