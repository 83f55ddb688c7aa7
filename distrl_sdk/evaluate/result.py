"""The outcome of an evaluation and of a whole run, as values that survive a file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from distrl_sdk.errors import WireError
from distrl_sdk.evaluate.intervals import Interval, wilson
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.types import NO_VERSION, Finish, Json, Trajectory, Version
from distrl_sdk.wire.plain import from_plain, to_plain


@dataclass(frozen=True, slots=True)
class EvalEpisode:
    """One held-out task, played once."""

    task: str
    """The task's id."""
    family: str
    success: bool | None
    """None: aborted, or no verdict could be had. It never counts as a failure."""
    end: str
    """finish | step_limit | aborted"""
    blame: str = ""
    """For an aborted episode: whose fault it was."""
    claim: bool | None = None
    """What the agent's `Finish` claimed; None when it made none."""
    steps: int = 0
    seconds: float = 0.0
    """What the device took: reset, actions, looks."""
    trajectory: str = ""
    """The trajectory's id."""

    @classmethod
    def of(cls, trajectory: Trajectory) -> EvalEpisode:
        """What an evaluation keeps of a trajectory."""
        last = trajectory.actions[-1] if trajectory.actions else None
        judged = trajectory.verdict is not None and trajectory.end.kind != "aborted"
        return cls(
            task=trajectory.task.id,
            family=trajectory.task.family,
            success=trajectory.verdict.success if judged and trajectory.verdict else None,
            end=trajectory.end.kind,
            blame=trajectory.end.blame,
            claim=last.success if isinstance(last, Finish) else None,
            steps=len(trajectory),
            seconds=float(trajectory.seconds.sum()),
            trajectory=trajectory.id,
        )

    @property
    def outcome(self) -> str:
        """success | false finish | gave up | step limit | aborted: BLAME | unjudged."""
        if self.end == "aborted":
            return f"aborted: {self.blame}" if self.blame else "aborted"
        if self.success is None:
            return "unjudged"
        if self.success:
            return "success"
        if self.end == "step_limit":
            return "step limit"
        return "gave up" if self.claim is False else "false finish"


class FamilyRow(NamedTuple):
    """The judged episodes of one family."""

    family: str
    successes: int
    n: int
    success: float
    """nan for n = 0."""
    interval: Interval
    """Wilson, 95 %."""


@dataclass(frozen=True, slots=True)
class EvalResult:
    """Success on a set of tasks, with its interval. Unjudged episodes are counted apart and enter no rate."""

    episodes: tuple[EvalEpisode, ...]
    version: Version = NO_VERSION

    @classmethod
    def of(cls, trajectories: Iterable[Trajectory], version: Version) -> EvalResult:
        """The result of episodes that were all played by one version of the weights."""
        return cls(tuple(EvalEpisode.of(trajectory) for trajectory in trajectories), version)

    @property
    def successes(self) -> int:
        """Episodes judged a success."""
        return sum(episode.success is True for episode in self.episodes)

    @property
    def n(self) -> int:
        """Judged episodes."""
        return sum(episode.success is not None for episode in self.episodes)

    @property
    def unjudged(self) -> int:
        """Episodes that were aborted or that no judge could judge."""
        return len(self.episodes) - self.n

    @property
    def success(self) -> float:
        """Successes over judged episodes; nan when none was judged."""
        return self.successes / self.n if self.n else math.nan

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of `success`."""
        return wilson(self.successes, self.n)

    @property
    def false_finishes(self) -> int:
        """Episodes whose agent claimed success and was judged wrong."""
        return sum(episode.claim is True and episode.success is False for episode in self.episodes)

    def by_family(self) -> tuple[FamilyRow, ...]:
        """One row a family, in the order of their names."""
        rows = []
        for family in sorted({episode.family for episode in self.episodes}):
            judged = [e.success for e in self.episodes if e.family == family and e.success is not None]
            successes, n = sum(judged), len(judged)
            rows.append(FamilyRow(family, successes, n, successes / n if n else math.nan, wilson(successes, n)))
        return tuple(rows)

    def outcomes(self) -> Counter[str]:
        """How many episodes ended in which way; see `EvalEpisode.outcome`."""
        return Counter(episode.outcome for episode in self.episodes)

    def __str__(self) -> str:
        if not self.n:
            return f"success unknown, none of {len(self.episodes)} episodes was judged"
        low, high = self.interval
        apart = f", {self.unjudged} unjudged" if self.unjudged else ""
        return f"success {self.success:.2f} [{low:.2f}, {high:.2f}], n = {self.n}{apart}"

    def to_json(self) -> dict[str, Json]:
        """Plain values that JSON carries; the figures stand beside the episodes for readers of the file."""
        return {
            "success": self.success if self.n else None,
            "interval": list(self.interval),
            "n": self.n,
            "unjudged": self.unjudged,
            "false_finishes": self.false_finishes,
            "version": list(self.version),
            "episodes": to_plain(self.episodes),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Json]) -> EvalResult:
        """The inverse of `to_json`. Raises WireError for what is not one."""
        return from_plain(cls, {"episodes": plain.get("episodes"), "version": plain.get("version")})


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a training run came to: the content of result.json."""

    trajectories: int
    updates: int
    """Gradient steps."""
    minutes: float
    """From the first task handed out to the last update, evaluations left out."""
    before: EvalResult | None = None
    """The held-out tasks before training, None when they were not played."""
    after: EvalResult | None = None
    machine: Machine | None = None
    counts: Mapping[str, float] = field(default_factory=dict)
    """Whatever else the run counted: aborted episodes, refused messages, dropped episodes ..."""

    def __str__(self) -> str:
        after = str(self.after) if self.after else "not evaluated"
        return f"{after}; {self.trajectories} trajectories, {self.updates} updates, {self.minutes:.1f} minutes"

    def to_json(self) -> dict[str, Json]:
        """Plain values that JSON carries."""
        return {
            "trajectories": self.trajectories,
            "updates": self.updates,
            "minutes": self.minutes,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
            "machine": to_plain(self.machine),
            "counts": to_plain(self.counts),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Json]) -> RunResult:
        """The inverse of `to_json`. Raises WireError for what is not one."""
        rest = {name: value for name, value in plain.items() if name not in ("before", "after")}
        return replace(
            from_plain(cls, rest),
            before=_evaluation(plain.get("before")),
            after=_evaluation(plain.get("after")),
        )


def _evaluation(plain: Json) -> EvalResult | None:
    if plain is not None and not isinstance(plain, Mapping):
        raise WireError(f"an evaluation is a mapping, not {type(plain).__name__}")
    return None if plain is None else EvalResult.from_json(plain)
