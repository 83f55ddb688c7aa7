"""Two policies on the same tasks: what the second solves that the first does not, and the other way round."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from distrl_sdk.errors import UsageError
from distrl_sdk.evaluate import summary
from distrl_sdk.evaluate.intervals import Interval, Pairs, bootstrap, paired, sign_test
from distrl_sdk.evaluate.result import FEW, EvalResult

ALL = "all"


class Pair(NamedTuple):
    """One task that was judged both times: the share of its attempts that succeeded."""

    task: str
    family: str
    first: float
    second: float


class Change(NamedTuple):
    """What became of the tasks of a family, or of all."""

    family: str
    n: int
    """Tasks that were judged both times."""
    first: float
    """Success rate over these tasks, as `second`; nan for n = 0."""
    second: float
    won: int
    """Tasks that the second solves more often."""
    lost: int
    """Tasks that the first solves more often."""
    interval: Interval
    """95 %, of the difference."""

    @property
    def difference(self) -> float:
        """Second minus first."""
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference of two evaluations, task by task."""

    whole: Change
    """Its interval is a bootstrap over families of tasks, or over tasks where there are fewer families than 5."""
    families: tuple[Change, ...]
    p: float
    """McNemar's exact test of won against lost."""

    def __str__(self) -> str:
        whole = self.whole
        if not whole.n:
            return "no task was judged both times"
        tied = whole.n - whole.won - whole.lost
        change = f"{summary.signed(whole.difference)} {summary.signed_span(whole.interval)}"
        return f"change {change}, won {whole.won}, lost {whole.lost}, tied {tied}, p = {self.p:.2g}, n = {whole.n}"

    def table(self) -> str:
        """The whole and every family as text, for a terminal."""
        return summary.comparison_of(self)


def compare(first: EvalResult, second: EvalResult) -> Comparison:
    """Pair the tasks that were judged both times. With several attempts a task counts with its rates."""
    old, new = first.by_task(), second.by_task()
    families = {episode.task: episode.family for episode in first.judged}
    pairs = [Pair(task, families[task], _mean(old[task]), _mean(new[task])) for task in old if task in new]
    by_family: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_family.setdefault(pair.family, []).append(pair)
    whole = _change(ALL, pairs, by_family.values() if len(by_family) >= FEW else [[pair] for pair in pairs])
    changes = tuple(_change(name, by_family[name]) for name in sorted(by_family))
    return Comparison(whole, changes, sign_test(whole.won, whole.lost))


def need_same_tasks(first: EvalResult, second: EvalResult, names: tuple[str, str]) -> None:
    """Raise UsageError, naming both, unless both were played on the same tasks."""
    one, other = first.card, second.card
    if one is None or other is None:
        raise UsageError(f"{names[0 if one is None else 1]} has no card: it does not say which tasks were played")
    if one.tasks_hash != other.tasks_hash:
        raise UsageError(
            f"{names[0]} played {one.count} tasks of {one.tasks} ({one.tasks_hash[:12]}), {names[1]} {other.count} of "
            f"{other.tasks} ({other.tasks_hash[:12]}): play the same ones with `distrl eval RUN --tasks {one.tasks} "
            f"--episodes {one.count}`"
        )


def _change(name: str, pairs: Sequence[Pair], clusters: Iterable[Sequence[Pair]] = ()) -> Change:
    won = sum(pair.second > pair.first for pair in pairs)
    lost = sum(pair.second < pair.first for pair in pairs)
    first, second = _mean([pair.first for pair in pairs]), _mean([pair.second for pair in pairs])
    return Change(name, len(pairs), first, second, won, lost, _interval(pairs, clusters))


def _interval(pairs: Sequence[Pair], clusters: Iterable[Sequence[Pair]]) -> Interval:
    """A bootstrap over the clusters if there are any; of tasks that are solved or not otherwise Newcombe's."""
    grouped = [(sum(pair.second - pair.first for pair in each), len(each)) for each in clusters]
    if grouped:
        return bootstrap(grouped)
    if all(rate in (0.0, 1.0) for pair in pairs for rate in (pair.first, pair.second)):
        outcomes = [(pair.first == 1.0, pair.second == 1.0) for pair in pairs]
        return paired(Pairs(*map(outcomes.count, ((True, True), (True, False), (False, True), (False, False)))))
    return bootstrap([(pair.second - pair.first, 1) for pair in pairs])


def _mean(rates: Sequence[float]) -> float:
    return sum(rates) / len(rates) if rates else math.nan
