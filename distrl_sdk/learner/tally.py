"""What was seen of a training run so far."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

RECENT = 100
"""Episodes of the running means."""


@dataclass
class Tally:
    """Counted by the loop, for whoever shows it."""

    trajectories: int = 0
    """Judged train episodes."""
    unjudged: int = 0
    updates: int = 0
    minutes: float = 0.0
    """Of training, before this process."""
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))
    lag: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))
    """Versions behind, mean over the steps of each episode when it arrived."""
    steps: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))
    terms: dict[str, float] = field(default_factory=dict)
    """The latest loss terms, smoothed."""
    rounds: int = 0
    """Of the sync schedule, whose gradient steps were taken; in this process."""
