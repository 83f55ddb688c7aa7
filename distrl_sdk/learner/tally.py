"""What was seen of a training run so far."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

RECENT = 100
"""Episodes of the running means."""


@dataclass
class FamilyTally:
    """Judged train episodes of one family, in this process."""

    episodes: int = 0
    successes: int = 0
    dry: int = 0
    """Episodes since the last success."""

    def count(self, success: bool) -> None:
        """One more."""
        self.episodes += 1
        self.successes += success
        self.dry = 0 if success else self.dry + 1


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
    alike: int = 0
    """Judged train episodes in a row with the outcome of the last one."""
    families: dict[str, FamilyTally] = field(default_factory=dict)
    waited: float = 0.0
    """Seconds that the learner waited for episodes, in this process."""
    terms: dict[str, float] = field(default_factory=dict)
    """The latest loss terms, smoothed."""
    rounds: int = 0
    """Of the sync schedule, whose gradient steps were taken; in this process."""

    def count(self, family: str, success: bool, steps: int) -> None:
        """A judged train episode."""
        self.trajectories += 1
        self.alike = self.alike + 1 if self.recent and self.recent[-1] == success else 1
        self.recent.append(success)
        self.steps.append(steps)
        self.families.setdefault(family, FamilyTally()).count(success)
