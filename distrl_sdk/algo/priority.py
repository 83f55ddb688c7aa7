"""How often an episode is to be replayed: DPER's priorities (DistRL section 5.3) and the weights that undo them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from distrl_sdk.config import ReplayConfig

Numbers = npt.NDArray[np.floating[Any]]

FLOOR = 0.01
"""Added to every priority, so that every episode can be drawn and no importance weight is without bound."""


class PriorityTerms(NamedTuple):
    """What the learner measured of n episodes when it last saw them, each [n], finite and not negative."""

    td: Numbers
    """mean_t |delta_t|"""
    ratio: Numbers
    """mean_t min(1, rho_t)"""
    entropy: Numbers
    """mean_t H(pi(.|s_t))"""


def priorities(
    terms: PriorityTerms, age: npt.NDArray[Any], config: ReplayConfig, fresh: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.float64]:
    """[n]: the priorities of a whole buffer.

        p = (w1 td / max td + w2 ratio + w3 entropy / max entropy + FLOOR) 0.5^(age / half_life)

    The maxima are those of the n episodes, so |delta| and entropy lie in [0, 1]. `age` is in versions. Episodes that
    are `fresh` have no terms yet: what stands there is ignored, and they get the largest of the others, or 1.
    """
    fresh = np.zeros(len(age), np.bool_) if fresh is None else fresh
    td, ratio, entropy = (np.where(fresh, 0.0, term) for term in terms)
    weight = config.td * _share(td) + config.ratio * ratio + config.entropy * _share(entropy) + FLOOR
    weight[fresh] = weight[~fresh].max() if not fresh.all() else 1.0
    return np.asarray(weight * 0.5 ** (age / config.half_life), np.float64)


def importance_weights(
    probability: Numbers, size: int, exponent: float = 1.0, most: float = 0.0
) -> npt.NDArray[np.float64]:
    """[n]: min(most, (1 / (N P))^exponent) of draws that had probability P in a buffer of N (Schaul et al. 2016).

    Exponent 1 without a bound (`most` 0) makes a weighted mean over draws an unbiased mean over the buffer.
    """
    weight = (size * np.asarray(probability, np.float64)) ** -exponent
    return np.asarray(np.minimum(weight, most) if most else weight, np.float64)


def _share(each: Numbers) -> npt.NDArray[np.float64]:
    """Of the largest; all 0 when that is 0."""
    largest = each.max(initial=0.0)
    return np.asarray(each / largest if largest > 0 else np.zeros_like(each), np.float64)
