"""The tables of the report: success a family, how episodes ended, configuration."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from distrl_sdk.evaluate.comparison import ALL, Change, compare
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.markup import Html, join, missing, table, tag
from distrl_sdk.evaluate.result import EvalResult, FamilyRow, RunResult
from distrl_sdk.evaluate.summary import brief, number, signed, signed_span, span
from distrl_sdk.types import Json


def families(before: EvalResult | None, after: EvalResult | None) -> Html:
    """One row a family: successes, rates with their intervals, the change task by task with its interval, all drawn."""
    if before is None and after is None:
        return missing("Missing: the held-out tasks were not played, neither before nor after training.")
    old, new = _rows(before), _rows(after)
    changes = _changes(before, after)
    head = ("family", "before", "after", "change", "0 to 1")
    names = sorted((old.keys() | new.keys()) - {ALL})
    rows = [_family(name, old.get(name), new.get(name), changes.get(name)) for name in names]
    notes = [
        missing(f"Missing: the held-out tasks were not played {when} training.")
        for when, result in (("before", before), ("after", after))
        if result is None
    ]
    whole = _family(ALL, old.get(ALL), new.get(ALL), changes.get(ALL))
    return join([table(head, rows, whole, "families"), *notes])


def _rows(result: EvalResult | None) -> dict[str, FamilyRow]:
    if result is None:
        return {}
    whole = FamilyRow(ALL, result.successes, result.n, result.success, result.interval)
    return {row.family: row for row in (*result.by_family(), whole)}


def _changes(before: EvalResult | None, after: EvalResult | None) -> dict[str, Change]:
    if before is None or after is None:
        return {}
    found = compare(before, after)
    return {row.family: row for row in (*found.families, found.whole)}


def _family(name: str, old: FamilyRow | None, new: FamilyRow | None, changed: Change | None) -> tuple[str, ...]:
    return name, rate(old), rate(new), change(changed), _whiskers(old, new)


def rate(row: FamilyRow | None) -> Html:
    """'0.71 [0.63, 0.78] 91/128', or a dash where nothing was judged."""
    if row is None or not row.n:
        return Html("&ndash;")
    interval = tag("small", f"{span(row.interval)} {row.successes}/{row.n}")
    return join([tag("b", f"{row.success:.2f}"), " ", interval])


def change(found: Change | None) -> Html:
    """'+0.25 [+0.12, +0.37]', marked when the interval leaves zero out; a dash where no task was judged both times."""
    if found is None or not found.n:
        return Html("&ndash;")
    low, high = found.interval
    shown = join([tag("b", signed(found.difference)), " ", tag("small", signed_span(found.interval))])
    return tag("span", shown, class_="better" if low > 0 else "worse" if high < 0 else None)


def _whiskers(old: FamilyRow | None, new: FamilyRow | None) -> Html:
    """Both rates with their intervals on a line from 0 to 1: the old one hollow, above."""
    marks: list[Html] = []
    for row, y, kind in ((old, 6, "old"), (new, 14, "new")):
        if row is not None and row.n:
            low, high = (_percent(end) for end in row.interval)
            marks.append(tag("line", x1=low, x2=high, y1=y, y2=y, class_=kind))
            marks.append(tag("circle", cx=_percent(row.success), cy=y, r=3.5, class_=kind))
    rail = tag("line", x1="0", x2="100%", y1=19, y2=19, class_="rail")
    return tag("svg", rail, *marks, class_="whiskers", width=140, height=20, aria_hidden="true")


def _percent(share: float) -> str:
    # Room for half a dot at both ends.
    return f"{3 + 94 * share:.1f}%"


def endings(result: RunResult | None) -> Html:
    """How the held-out episodes ended, before and after: successes, then the failure modes, then what was left out."""
    before, after = (result.before, result.after) if result else (None, None)
    if before is None and after is None:
        return missing("Missing: no held-out episode was played, so there are no endings to count.")
    old, new = (evaluation.endings() if evaluation else None for evaluation in (before, after))
    order = [str(outcome) for outcome in Outcome]
    names = sorted({*(old or ()), *(new or ())}, key=lambda name: (order.index(name.partition(":")[0]), name))
    rows = [(name, _count(old, name), _count(new, name), _bars(old, new, name)) for name in names]
    return table(("how it ended", "before", "after", "share"), rows, class_="endings")


def _count(counts: Counter[str] | None, name: str) -> str:
    return "–" if counts is None else str(counts[name])


def _bars(old: Counter[str] | None, new: Counter[str] | None, name: str) -> Html:
    """Both shares of all episodes as bars: the old one above."""
    bars = [
        tag("rect", x=0, y=y, width=f"{100 * counts[name] / counts.total():.1f}%", height=6, rx=1, class_=kind)
        for counts, y, kind in ((old, 3, "old"), (new, 11, "new"))
        if counts
    ]
    return tag("svg", *bars, class_="bars", width=140, height=20, aria_hidden="true")


def measures(result: RunResult | None) -> Html:
    """What else was measured on the held-out tasks, before and after."""
    shown = [evaluation for evaluation in (result.before, result.after) if evaluation] if result else []
    if not any(evaluation.n for evaluation in shown):
        return Html("")
    phases = (result.before, result.after) if result else ()
    rows = [
        (name, *("–" if evaluation is None or not evaluation.n else figure(evaluation) for evaluation in phases))
        for name, figure in _MEASURES.items()
    ]
    return table(("held-out tasks", "before", "after"), rows, class_="measures")


def _side_effects(result: EvalResult) -> Html:
    named = ", ".join(f"{fact} {count}" for fact, count in result.side_effects.most_common(3))
    return join([str(result.with_side_effects), " ", tag("small", named)])


_MEASURES: dict[str, Callable[[EvalResult], str]] = {
    "success, 95 % as if tasks were unlike each other": lambda result: join(
        [span(result.interval), " ", tag("small", "Wilson")]
    ),
    "success, 95 % as tasks resemble each other": lambda result: join(
        [span(result.clustered), " ", tag("small", f"bootstrap over {result.clusters}")]
    ),
    "false completes": lambda result: str(result.false_completes),
    "episodes with side effects": _side_effects,
    "steps of a success, median": lambda result: number(result.success_steps, 0),
    "seconds of the phone in a success, median": lambda result: brief(result.success_seconds),
}


def counts(result: RunResult | None) -> Html:
    """Whatever the run counted on the way."""
    if result is None or not result.counts:
        return Html("")
    return table(("counted during training", ""), [(name, f"{value:g}") for name, value in result.counts.items()])


def settings(config: Mapping[str, Json]) -> Html:
    """Every setting on a line of its own, nested ones by their path."""
    if not config:
        return missing("Missing: the run kept no configuration.")
    return table(("setting", "value"), list(_flat(config)))


def _flat(config: Mapping[str, Json], path: str = "") -> Iterator[tuple[str, str]]:
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value if isinstance(value, str) else json.dumps(value, default=str)


def versions(machine: Machine | None, format_version: int) -> Html:
    """What the figures were measured with."""
    if machine is None:
        return missing("Missing: the run did not note its machine.")
    rows = [
        ("distrl-sdk", machine.distrl),
        ("run format", str(format_version)),
        ("torch", machine.torch or "not installed"),
        ("Python", machine.python),
        ("system", machine.system),
        ("processor", machine.cpu),
        ("cores", str(machine.cores)),
        ("memory", f"{machine.memory / 2**30:.1f} GB" if machine.memory else "unknown"),
    ]
    return table(("measured with", ""), rows)
