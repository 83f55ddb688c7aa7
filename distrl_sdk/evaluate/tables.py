"""The tables of the report: success a family, how episodes ended, configuration."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from distrl_sdk.evaluate.intervals import Interval, difference
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.markup import Html, join, missing, table, tag
from distrl_sdk.evaluate.result import EvalResult, FamilyRow, RunResult
from distrl_sdk.types import Json


def families(before: EvalResult | None, after: EvalResult | None) -> Html:
    """One row a family: successes, rates with their intervals, the change with its interval, both drawn."""
    if before is None and after is None:
        return missing("Missing: the held-out tasks were not played, neither before nor after training.")
    old, new = _rows(before), _rows(after)
    head = ("family", "before", "after", "change", "0 to 1")
    names = sorted((old.keys() | new.keys()) - {_ALL})
    rows = [_family(name, old.get(name), new.get(name)) for name in names]
    notes = [
        missing(f"Missing: the held-out tasks were not played {when} training.")
        for when, result in (("before", before), ("after", after))
        if result is None
    ]
    return join([table(head, rows, _family(_ALL, old.get(_ALL), new.get(_ALL)), "families"), *notes])


_ALL = "all"


def _rows(result: EvalResult | None) -> dict[str, FamilyRow]:
    if result is None:
        return {}
    whole = FamilyRow(_ALL, result.successes, result.n, result.success, result.interval)
    return {row.family: row for row in (*result.by_family(), whole)}


def _family(name: str, old: FamilyRow | None, new: FamilyRow | None) -> tuple[str, ...]:
    return name, rate(old), rate(new), change(old, new), _whiskers(old, new)


def rate(row: FamilyRow | None) -> Html:
    """'0.71 [0.63, 0.78] 91/128', or a dash where nothing was judged."""
    if row is None or not row.n:
        return Html("&ndash;")
    interval = tag("small", f"{_span(row.interval)} {row.successes}/{row.n}")
    return join([tag("b", f"{row.success:.2f}"), " ", interval])


def change(old: FamilyRow | None, new: FamilyRow | None) -> Html:
    """'+0.25 [0.12, 0.37]', marked when the interval leaves zero out."""
    if old is None or new is None or not old.n or not new.n:
        return Html("&ndash;")
    low, high = difference((old.successes, old.n), (new.successes, new.n))
    shown = join([tag("b", f"{new.success - old.success:+.2f}"), " ", tag("small", f"[{low:+.2f}, {high:+.2f}]")])
    return tag("span", shown, class_="better" if low > 0 else "worse" if high < 0 else None)


def _span(interval: Interval) -> str:
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


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
    """How the held-out episodes ended, before and after."""
    before, after = (result.before, result.after) if result else (None, None)
    if before is None and after is None:
        return missing("Missing: no held-out episode was played, so there are no endings to count.")
    old, new = (evaluation.outcomes() if evaluation else None for evaluation in (before, after))
    names = sorted({*(old or ()), *(new or ())}, key=lambda name: (name != "success", name))
    rows = [(name, *("–" if counts is None else str(counts[name]) for counts in (old, new))) for name in names]
    return table(("how it ended", "before", "after"), rows)


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
