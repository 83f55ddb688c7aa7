"""What benchmarks/paper.py makes of its cells: figures with intervals, tables, a picture."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

import numpy as np

from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.result import EvalResult

OURS, MULTI, ASYNC = "a-ride", "digirl-sync-multi", "digirl-async"
DRAWS = 4000


@dataclass(frozen=True)
class Point:
    """A checkpoint and what it solved."""

    minutes: float
    trajectories: int
    updates: int
    success: float


Cell: TypeAlias = tuple[list[Point], EvalResult]
Runs: TypeAlias = Mapping[str, Mapping[int, Cell]]
"""Name -> seed -> (points in order of time, the last evaluation)."""


def figures(runs: Runs) -> dict[str, float | None]:
    """The flat line: ratios of final success with the lower ends of their intervals, and times."""
    found: dict[str, float | None] = {}
    for other, name in ((MULTI, "over_digirl_multi"), (ASYNC, "over_digirl_async")):
        if not shared(runs, OURS, other):
            continue
        ratio, low, high = ratio_of(runs, OURS, other)
        found |= {name: ratio, f"{name}_low": low, f"{name}_high": high}
        found[f"{name}_equal_trajectories"] = at_equal_trajectories(runs, OURS, other)
    if shared(runs, OURS, MULTI):
        found["time_share"] = time_share(runs, OURS, MULTI)
    return {name: None if value is None or math.isnan(value) else round(value, 4) for name, value in found.items()}


def shared(runs: Runs, one: str, other: str) -> list[int]:
    """The seeds that both have."""
    return sorted(set(runs.get(one, {})) & set(runs.get(other, {})))


def ratio_of(runs: Runs, one: str, other: str, confidence: float = 0.95) -> tuple[float, float, float]:
    """Ratio of the mean final successes and its interval: a paired bootstrap over seeds and families of tasks."""
    rates = [(_by_family(runs[one][seed][1]), _by_family(runs[other][seed][1])) for seed in shared(runs, one, other)]
    families = sorted(set.intersection(*(set(rate) for pair in rates for rate in pair)))
    table = np.array(
        [[[rate[family] for family in families] for rate in pair] for pair in rates]
    )  # [seed, 2, family, 2]
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(DRAWS):
        drawn = table[rng.integers(len(table), size=len(table))][:, :, rng.integers(len(families), size=len(families))]
        ratios.append(_ratio(drawn))
    low, high = np.quantile(ratios, [(1 - confidence) / 2, (1 + confidence) / 2], method="inverted_cdf")
    return _ratio(table), float(low), float(high)


def _ratio(table: np.ndarray) -> float:
    """[seed, 2, family, (successes, n)] -> ratio of the pooled success rates; inf over nothing."""
    successes, n = table.sum((0, 2)).T
    first, second = successes / n
    return float(first / second) if second else math.inf


def _by_family(result: EvalResult) -> dict[str, tuple[int, int]]:
    return {row.family: (row.successes, row.n) for row in result.by_family() if row.n}


def at_equal_trajectories(runs: Runs, one: str, other: str) -> float:
    """Ratio of mean successes where both have played as many episodes as the slower of the two at its end."""
    ours, theirs = [], []
    for seed in shared(runs, one, other):
        a, b = runs[one][seed][0], runs[other][seed][0]
        count = min(a[-1].trajectories, b[-1].trajectories)
        ours.append(_reading(a, count, lambda point: point.trajectories))
        theirs.append(_reading(b, count, lambda point: point.trajectories))
    return fmean(ours) / fmean(theirs) if fmean(theirs) else math.nan


def time_share(runs: Runs, one: str, other: str) -> float:
    """Mean share of the other's minutes after which the first has reached the success the other ends with.

    1 where it never does.
    """
    shares = []
    for seed in shared(runs, one, other):
        goal, end = runs[other][seed][0][-1].success, runs[other][seed][0][-1].minutes
        shares.append(_reached(runs[one][seed][0], goal) / end)
    return fmean(min(1.0, share) for share in shares)


def _reached(points: Sequence[Point], goal: float) -> float:
    """Minutes after which a curve, straight between its points, first has a success; inf if never."""
    before = points[0]
    for point in points:
        if point.success >= goal:
            rise = point.success - before.success
            share = (goal - before.success) / rise if rise > 0 else 1.0
            return before.minutes + max(0.0, share) * (point.minutes - before.minutes)
        before = point
    return math.inf


def _reading(points: Sequence[Point], at: float, along: Callable[[Point], float]) -> float:
    return float(np.interp(at, [along(point) for point in points], [point.success for point in points]))


def write_report(out: Path, runs: Runs, plan: Mapping[str, object], command: str) -> None:
    """README.md, results.json and figure.png in `out`."""
    out.mkdir(parents=True, exist_ok=True)
    machine = Machine.here()
    lines = [
        "# Learners compared", "",
        f"`{command}`", "",
        f"{plan['tasks']}/test-instances, {plan['episodes']} tasks, greedy; fleet `{plan['fleet']}`, "
        f"{plan['minutes']} minutes of training a cell; policy {plan['policy']}. "
        f"Machine: {machine.cores} cores, {platform.machine()}, Python {platform.python_version()}.", "",
        "| learner | seeds | success, mean (each seed) | trajectories | over the first line, 95 % |",
        "|---|---|---|---|---|",
        *(_row(runs, name) for name in sorted(runs, key=lambda name: -_final(runs, name))),
        "",
        "The interval is a paired bootstrap over seeds and families of tasks.", "",
        "![success and trajectories against time](figure.png)",
    ]  # fmt: skip
    (out / "README.md").write_text("\n".join(lines) + "\n")
    points = {name: {seed: [vars(p) for p in cell[0]] for seed, cell in cells.items()} for name, cells in runs.items()}
    content = {"plan": dict(plan), "command": command, "figures": figures(runs), "points": points}
    (out / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    if runs:
        _draw(out / "figure.png", runs)


def _final(runs: Runs, name: str) -> float:
    return fmean(cell[0][-1].success for cell in runs[name].values())


def _row(runs: Runs, name: str) -> str:
    cells = runs[name]
    each = ", ".join(f"{cells[seed][0][-1].success:.3f}" for seed in sorted(cells))
    count = round(fmean(cell[0][-1].trajectories for cell in cells.values()))
    against = ""
    if name != OURS and shared(runs, name, OURS):
        ratio, low, high = ratio_of(runs, name, OURS)
        against = f"{ratio:.2f} [{low:.2f}, {high:.2f}] of {OURS}"
    return f"| {name} | {len(cells)} | {_final(runs, name):.3f} ({each}) | {count} | {against} |"


def _draw(file: Path, runs: Runs) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2))
    for name, cells in sorted(runs.items()):
        end = min(cell[0][-1].minutes for cell in cells.values())
        minutes = np.linspace(0, end, 40)
        for axis, value in ((left, "success"), (right, "trajectories")):
            lines = [
                np.interp(minutes, [p.minutes for p in cell[0]], [getattr(p, value) for p in cell[0]])
                for cell in cells.values()
            ]
            (drawn,) = axis.plot(minutes, np.mean(lines, 0), label=name)
            axis.fill_between(minutes, np.min(lines, 0), np.max(lines, 0), alpha=0.15, color=drawn.get_color())
            axis.set_xlabel("minutes of training")
            axis.set_ylabel(value)
    left.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
