"""Confidence intervals of success rates and of their differences. Pure functions of counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

DRAWS = 4_000
"""Bootstrap samples: the ends of the interval then vary by about .002 between seeds."""


class Interval(NamedTuple):
    """The ends of a confidence interval."""

    low: float
    high: float


class Pairs(NamedTuple):
    """The same tasks, played by two: how many were solved by both, by the first alone, by the second alone, by none."""

    both: int
    lost: int
    won: int
    neither: int


def wilson(successes: float, n: int, confidence: float = 0.95) -> Interval:
    """The score interval of a proportion (Wilson 1927), inside [0, 1] and sound for small n; (0, 1) for n = 0.

    `successes` need not be whole: the sum of n rates that are not just 0 and 1 varies less than this allows for.
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


def paired(pairs: Pairs, confidence: float = 0.95) -> Interval:
    """The interval of the second rate minus the first of independent pairs: Newcombe 1998 (paired data), method 10.

    Sound for few pairs, where a bootstrap of equal outcomes would have no width; (-1, 1) for none.
    Raises ValueError as `wilson` does.
    """
    both, lost, won, neither = pairs
    n = sum(pairs)
    if n == 0:
        return Interval(-1.0, 1.0)
    first, second = (both + lost) / n, (both + won) / n
    old, new = wilson(both + lost, n, confidence), wilson(both + won, n, confidence)
    product = float(both * neither - lost * won)
    if product > 0:
        product = max(0.0, product - n / 2)  # for continuity
    spread = math.sqrt((both + lost) * (won + neither) * (both + won) * (lost + neither))
    phi = product / spread if spread else 0.0
    below = _joined(second - new.low, old.high - first, phi)
    above = _joined(first - old.low, new.high - second, phi)
    return Interval(max(-1.0, second - first - below), min(1.0, second - first + above))


def _joined(one: float, other: float, phi: float) -> float:
    """The length of the difference of two correlated deviations."""
    return math.sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))


def bootstrap(clusters: Sequence[tuple[float, int]], seed: int = 0, confidence: float = 0.95) -> Interval:
    """The percentile interval of sum / count over clusters, which are drawn anew with replacement, each as a whole.

    `clusters`: (sum, count) of each, the counts above 0. What lies in one cluster may hang together; the clusters are
    taken as independent, so a few of them tell little. The same clusters and seed give the same interval.
    Raises ValueError for no cluster.
    """
    if not clusters:
        raise ValueError("a bootstrap needs a cluster")
    sums, counts = np.array(clusters, np.float64).T
    drawn = np.random.default_rng(seed).multinomial(len(clusters), np.full(len(clusters), 1 / len(clusters)), DRAWS)
    rates = (drawn @ sums) / (drawn @ counts)
    low, high = np.quantile(rates, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def sign_test(won: int, lost: int) -> float:
    """The exact two-sided p of McNemar's test: how likely so uneven a split of the unlike pairs is by chance alone."""
    unlike = won + lost
    tail = sum(math.comb(unlike, fewer) for fewer in range(min(won, lost) + 1))
    return min(1.0, tail / 2 ** (unlike - 1)) if unlike else 1.0


def pass_at(k: int, n: int, successes: int) -> float:
    """How likely one of k attempts succeeds, given `successes` of n: 1 - C(n-c, k) / C(n, k), Chen et al. 2021.

    Unbiased. Raises ValueError for k beyond n, where it cannot be told.
    """
    if not 0 <= successes <= n or not 1 <= k <= n:
        raise ValueError(f"pass@{k} of {successes} in {n} cannot be told")
    return 1.0 - math.comb(n - successes, k) / math.comb(n, k)
