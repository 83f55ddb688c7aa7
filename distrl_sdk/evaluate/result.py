"""The outcome of an evaluation and of a whole run, as values that survive a file."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import median
from typing import NamedTuple

from distrl_sdk.errors import RunError, WireError
from distrl_sdk.evaluate import summary
from distrl_sdk.evaluate.card import Card
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.intervals import Interval, bootstrap, pass_at, wilson
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.types import NO_VERSION, Json, Version
from distrl_sdk.wire.plain import from_plain, to_plain

FORMAT = 2
"""Of result.json and of the files of `distrl eval`. Another one is refused."""
FEW = 5
"""Families from which they are the clusters of a bootstrap; of fewer it would tell little."""


class FamilyRow(NamedTuple):
    """The judged episodes of one family."""

    family: str
    successes: int
    n: int
    success: float
    """nan for n = 0."""
    interval: Interval
    """Wilson, 95 %; see EvalResult.interval."""


@dataclass(frozen=True, slots=True)
class EvalResult:
    """Success on a set of tasks, with its interval. Unjudged episodes are counted apart and enter no rate."""

    episodes: tuple[EvalEpisode, ...]
    version: Version = NO_VERSION
    card: Card | None = None
    """What it was made of."""

    @property
    def judged(self) -> list[EvalEpisode]:
        """The episodes with a verdict."""
        return [episode for episode in self.episodes if episode.success is not None]

    @property
    def successes(self) -> int:
        """Episodes judged a success."""
        return sum(episode.success is True for episode in self.episodes)

    @property
    def n(self) -> int:
        """Judged episodes."""
        return len(self.judged)

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
        """Wilson's 95 % interval of `success`, of independent tasks.

        Attempts at one task hang together, so with several of them the tasks are counted, not the episodes.
        """
        return _wilson(self.judged)

    @property
    def clustered(self) -> Interval:
        """The 95 % bootstrap interval of `success` over `clusters`, for tasks that resemble each other."""
        counts: dict[str, list[bool]] = {}
        by_task = self.clusters == "tasks"
        for episode in self.judged:
            counts.setdefault(episode.task if by_task else episode.family, []).append(episode.success is True)
        return bootstrap([(sum(each), len(each)) for each in counts.values()]) if counts else Interval(0.0, 1.0)

    @property
    def clusters(self) -> str:
        """What the clusters are: 'families' of tasks that were played once, 'tasks' that were played several times.

        Of fewer families than 5 it is the tasks, too.
        """
        families = {episode.family for episode in self.judged}
        return "tasks" if self.attempts > 1 or len(families) < FEW else "families"

    @property
    def attempts(self) -> int:
        """The most episodes of one task."""
        return max((episode.attempt for episode in self.episodes), default=0)

    def pass_at(self, k: int) -> float:
        """How likely one of k attempts succeeds, mean over the tasks of which k attempts were judged; nan for none."""
        rates = [pass_at(k, len(each), sum(each)) for each in self.by_task().values() if len(each) >= k]
        return sum(rates) / len(rates) if rates else math.nan

    def by_task(self) -> dict[str, list[bool]]:
        """Whether each judged attempt succeeded, by task id."""
        tasks: dict[str, list[bool]] = {}
        for episode in self.judged:
            tasks.setdefault(episode.task, []).append(episode.success is True)
        return tasks

    @property
    def false_completes(self) -> int:
        """Episodes whose agent claimed success and was judged wrong."""
        return sum(episode.false_complete for episode in self.episodes)

    @property
    def side_effects(self) -> Counter[str]:
        """How many episodes changed a fact that they must not change, by fact."""
        return Counter(fact for episode in self.episodes for fact in episode.side_effects)

    @property
    def with_side_effects(self) -> int:
        """Episodes with at least one side effect."""
        return sum(bool(episode.side_effects) for episode in self.episodes)

    @property
    def success_steps(self) -> float:
        """Median number of actions of a success; nan when there was none."""
        return _median(episode.steps for episode in self.episodes if episode.success)

    @property
    def success_seconds(self) -> float:
        """Median seconds of the device in a success; nan when there was none."""
        return _median(episode.seconds for episode in self.episodes if episode.success)

    def by_family(self) -> tuple[FamilyRow, ...]:
        """One row a family, in the order of their names."""
        rows = []
        for family in sorted({episode.family for episode in self.episodes}):
            judged = [episode for episode in self.judged if episode.family == family]
            successes, n = sum(episode.success is True for episode in judged), len(judged)
            rows.append(FamilyRow(family, successes, n, successes / n if n else math.nan, _wilson(judged)))
        return tuple(rows)

    def endings(self) -> Counter[str]:
        """How many episodes ended in which way; see `EvalEpisode.ending`."""
        return Counter(episode.ending for episode in self.episodes)

    def __str__(self) -> str:
        if not self.n:
            return f"success unknown, none of {len(self.episodes)} episodes was judged"
        low, high = self.interval
        apart = f", {self.unjudged} unjudged" if self.unjudged else ""
        return f"success {self.success:.2f} [{low:.2f}, {high:.2f}], n = {self.n}{apart}"

    def table(self) -> str:
        """All figures as text, for a terminal."""
        return summary.table_of(self)

    def to_json(self) -> dict[str, Json]:
        """Plain values that JSON carries; the figures stand beside the episodes for readers of the file."""
        attempts = [k for k in range(1, self.attempts + 1) if math.isfinite(self.pass_at(k))]
        return {
            "format": FORMAT,
            "card": to_plain(self.card),
            "success": self.success if self.n else None,
            "interval": list(self.interval),
            "clustered_interval": list(self.clustered),
            "n": self.n,
            "unjudged": self.unjudged,
            "pass_at": {str(k): self.pass_at(k) for k in attempts},
            "families": {row.family: {"successes": row.successes, "n": row.n} for row in self.by_family()},
            "false_completes": self.false_completes,
            "side_effects": dict(self.side_effects),
            "endings": dict(self.endings()),
            "version": list(self.version),
            "episodes": to_plain(self.episodes),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Json]) -> EvalResult:
        """The inverse of `to_json`. Raises WireError for what is not one, RunError for one of another format."""
        check_format(plain)
        return from_plain(cls, {name: plain.get(name) for name in ("episodes", "version", "card")})


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
            "format": FORMAT,
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
        """The inverse of `to_json`. Raises WireError for what is not one, RunError for one of another format."""
        check_format(plain)
        rest = {name: value for name, value in plain.items() if name not in ("before", "after", "format")}
        return replace(
            from_plain(cls, rest),
            before=_evaluation(plain.get("before")),
            after=_evaluation(plain.get("after")),
        )


def check_format(plain: Mapping[str, Json]) -> None:
    """Raise RunError unless these are the values of a file of this format."""
    found = plain.get("format")
    if found != FORMAT:
        raise RunError(
            f"a result of format {str(found)[:20]}, this distrl-sdk reads {FORMAT}: read it with the distrl-sdk that "
            "wrote it, or measure again with `distrl eval RUN`"
        )


def _evaluation(plain: Json) -> EvalResult | None:
    if plain is not None and not isinstance(plain, Mapping):
        raise WireError(f"an evaluation is a mapping, not {type(plain).__name__}")
    return None if plain is None else EvalResult.from_json(plain)


def _wilson(judged: Iterable[EvalEpisode]) -> Interval:
    """Of tasks, each with the mean of its attempts."""
    tasks: dict[str, list[bool]] = {}
    for episode in judged:
        tasks.setdefault(episode.task, []).append(episode.success is True)
    return wilson(sum(sum(each) / len(each) for each in tasks.values()), len(tasks))


def _median(numbers: Iterable[float]) -> float:
    listed = list(numbers)
    return float(median(listed)) if listed else math.nan
