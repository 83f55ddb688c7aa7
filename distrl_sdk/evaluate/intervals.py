"""Confidence intervals of success rates. Pure functions of counts."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """The ends of a confidence interval."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """The score interval of a proportion (Wilson 1927), inside [0, 1] and sound for small n; (0, 1) for n = 0.

    Raises ValueError for counts or a confidence that cannot be.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes of {n} cannot be")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    if n == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # At 0 or n successes one end is the rate itself; rounding must not move it past.
    return Interval(min(max(0.0, centre - half), rate), max(min(1.0, centre + half), rate))


def difference(before: tuple[int, int], after: tuple[int, int], confidence: float = 0.95) -> Interval:
    """The interval of `after`'s rate minus `before`'s, each (successes, n): Newcombe 1998, method 10.

    Takes the two samples as independent. On the same tasks twice, where outcomes agree more than by chance, it is
    wider than need be. Raises ValueError as `wilson` does.
    """
    old, new = wilson(*before, confidence), wilson(*after, confidence)
    old_rate, new_rate = _rate(*before), _rate(*after)
    below = math.hypot(new_rate - new.low, old.high - old_rate)
    above = math.hypot(new.high - new_rate, old_rate - old.low)
    return Interval(max(-1.0, new_rate - old_rate - below), min(1.0, new_rate - old_rate + above))


def _rate(successes: int, n: int) -> float:
    # Nothing known: the middle of Wilson's (0, 1), so that the difference spans what can be.
    return successes / n if n else 0.5
