"""The figures of an evaluation, and of a comparison of two, as text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from distrl_sdk.evaluate.failures import FAILURES
from distrl_sdk.evaluate.intervals import Interval

if TYPE_CHECKING:
    from distrl_sdk.evaluate.comparison import Comparison
    from distrl_sdk.evaluate.result import EvalResult


def table_of(result: EvalResult) -> str:
    """One line that says it all, the families, and whatever else was counted."""
    rows = [("family", "n", "success", "95 %")]
    rows += [(row.family, str(row.n), number(row.success), span(row.interval)) for row in result.by_family()]
    rows.append(("all", str(result.n), number(result.success), span(result.interval)))
    return "\n".join([str(result), "", *aligned(rows), "", *_lines(result)])


def comparison_of(found: Comparison) -> str:
    """The difference of two evaluations of the same tasks."""
    rows = [("family", "n", "first", "second", "won", "lost", "difference", "95 %")]
    for row in (*found.families, found.whole):
        counts = str(row.n), number(row.first), number(row.second), str(row.won), str(row.lost)
        rows.append((row.family, *counts, signed(row.difference), signed_span(row.interval)))
    return "\n".join([str(found), "", *aligned(rows)])


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows as lines: the first column to the left, the others to the right, two blanks between."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


def number(value: float, digits: int = 2) -> str:
    """'0.71', or a dash where there is none."""
    return f"{value:.{digits}f}" if math.isfinite(value) else "-"


def brief(seconds: float) -> str:
    """'12.5' or '0.031', or a dash where there is none."""
    return number(seconds, 1 if seconds >= 1 else 3)


def span(interval: Interval) -> str:
    """'[0.63, 0.78]'"""
    return f"[{interval.low:.2f}, {interval.high:.2f}]"


def signed(value: float) -> str:
    """'+0.25', or a dash where there is none."""
    return f"{value:+.2f}" if math.isfinite(value) else "-"


def signed_span(interval: Interval) -> str:
    """'[+0.12, +0.37]'"""
    return f"[{interval.low:+.2f}, {interval.high:+.2f}]"


def _lines(result: EvalResult) -> Iterator[str]:
    yield f"clustered       {span(result.clustered)} (95 %, bootstrap over {result.clusters})"
    if result.attempts > 1:
        rates = (f"pass@{k} {number(result.pass_at(k))}" for k in doubling(result.attempts))
        yield f"attempts        {', '.join(rates)}"
    failed = result.n - result.successes
    counts = result.endings()
    modes = ", ".join(f"{counts[mode]} {mode}" for mode in FAILURES if counts[mode])
    yield f"failures        {failed} of {result.n}{f': {modes}' if modes else ''}"
    yield f"false completes {result.false_completes}"
    named = ", ".join(f"{fact} {count}" for fact, count in result.side_effects.most_common(5))
    yield f"side effects    {result.with_side_effects}{f' ({named})' if named else ''}"
    if result.successes:
        took = brief(result.success_seconds)
        yield f"a success takes {result.success_steps:g} steps, {took} s of the phone (medians)"
    apart = {name: count for name, count in counts.items() if name.startswith(("aborted", "unjudged"))}
    if apart:
        yield f"left out        {', '.join(f'{count} {name}' for name, count in sorted(apart.items()))}"


def doubling(attempts: int) -> list[int]:
    """1, 2, 4, ... and the number of attempts itself."""
    return [*(2**power for power in range(attempts.bit_length()) if 2**power < attempts), attempts]
