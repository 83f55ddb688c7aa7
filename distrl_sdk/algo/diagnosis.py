"""What tells whether off-policy learning is in good health: effective samples, shares of ratios, calibration.

Pure functions on flat arrays, for figures that are looked at and never trained on.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from distrl_sdk.algo.priority import Numbers

EDGES = (0.0, 1 / 8, 1 / 4, 1 / 2, 0.8, 1.25, 2.0, 4.0, 8.0, inf)
"""Of the histogram of ratios: symmetric about 1, the middle bin about as wide as the usual clip."""
BINS = 10
"""Of a reliability table, equally wide."""


class Reliability(NamedTuple):
    """One bin of a reliability table: predictions of about the same size, and what came of them."""

    n: int
    predicted: float
    """Their mean."""
    outcome: float
    """The mean of what came."""


def effective_share(log_ratio: Numbers) -> float:
    """(sum w)^2 / (n sum w^2) of the weights w = exp(log_ratio), [n]: 1 when all are alike, 1 / n when one rules.

    Kish's effective sample size as a share of the samples; nan for none.
    """
    if not len(log_ratio):
        return float("nan")
    weight = np.exp(log_ratio - np.max(log_ratio))  # the scale cancels out
    return float(weight.sum() ** 2 / (len(weight) * np.square(weight).sum()))


def shares(ratio: Numbers) -> npt.NDArray[np.float64]:
    """The share of ratios in each bin of EDGES; zeros for none."""
    counts, _ = np.histogram(ratio, EDGES)
    return counts / max(1, len(ratio))


def reliability(predicted: Numbers, outcome: Numbers) -> tuple[Reliability, ...]:
    """BINS rows for predictions in [0, 1] and what came of each, both [n]; a bin without any has n = 0 and zeros."""
    bins = np.minimum((np.asarray(predicted) * BINS).astype(np.int64), BINS - 1)
    count = np.bincount(bins, minlength=BINS)
    mean = [np.bincount(bins, each, BINS) / np.maximum(1, count) for each in (predicted, outcome)]
    return tuple(Reliability(int(n), float(p), float(o)) for n, p, o in zip(count, *mean, strict=True))


def calibration_error(table: tuple[Reliability, ...]) -> float:
    """The expected calibration error: |predicted - outcome| of the bins, weighted by n; nan when all are empty."""
    total = sum(row.n for row in table)
    gaps = sum(row.n * abs(row.predicted - row.outcome) for row in table)
    return gaps / total if total else float("nan")
