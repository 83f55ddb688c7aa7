"""The latest gradient steps as they were, for the gauges: looked at when a row of metrics is due, not before.

A step leaves references to tensors that it has anyway, so that it costs nothing; the sums are made once in a while.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor

from distrl_sdk.algo import diagnosis
from distrl_sdk.algo.diagnosis import Reliability
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.role import Measured

STEPS = 32
"""Gradient steps whose ratios and entropies are kept: at 24 episodes of 7 actions some 5,000 samples."""
EPISODES = 256
"""Episodes of which predictions are kept: ten bins of 25 tell a gap of 0.1 from chance."""
QUANTILES = {"p05": 0.05, "p50": 0.5, "p95": 0.95, "p99": 0.99}
LARGEST = 20.0
"""Of log(ratio) that is told: what lies beyond is told as that, since a file of numbers holds no infinity."""
SAME = 1e-4
"""How far two computations of one log-probability lie apart at most: mu is pi at temperature 1."""

_KEPT = ("mask", "log_mu", "log_pi", "success")

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What the replay knows of a batch's own episodes, [n] each."""

    age: npt.NDArray[np.int64]
    """Versions since the oldest weights that acted."""
    first: npt.NDArray[np.bool_]
    """Never learned from before: what the critics say of these is a prediction."""


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One gradient step, of its own episodes' valid steps."""

    mu: Array
    """log(pi / mu)"""
    old: Array
    """log(pi / pi_old)"""
    entropy: Array
    age: npt.NDArray[np.int64]


@dataclass
class _Predictions:
    """Of one critic: what it said and what came, episode by episode."""

    said: deque[Array] = field(default_factory=lambda: deque(maxlen=EPISODES))
    came: deque[Array] = field(default_factory=lambda: deque(maxlen=EPISODES))

    def table(self) -> tuple[Reliability, ...]:
        if not self.said:
            return ()
        return diagnosis.reliability(np.concatenate(self.said), np.concatenate(self.came))


class Evidence:
    """Of one thread. `discount`: of the state critic's targets."""

    def __init__(self, discount: float) -> None:
        self._discount = discount
        self._raw: deque[tuple[dict[str, Tensor], Measured, Drawn]] = deque(maxlen=STEPS)
        self._steps: deque[_Step] = deque(maxlen=STEPS)
        self._critics = {"state": _Predictions(), "trajectory": _Predictions()}

    def add(self, batch: Batch, measured: Measured, drawn: Drawn) -> None:
        """Keep a gradient step; of the batch, whose features are large, what is needed."""
        self._raw.append(({name: getattr(batch, name) for name in _KEPT}, measured, drawn))

    def figures(self) -> dict[str, float]:
        """The gauges of the kept steps by name; those that this learner does not tell are missing."""
        self._digest()
        figures: dict[str, float] = {}
        if self._steps:
            mu, old = (np.concatenate([getattr(step, name) for step in self._steps]) for name in ("mu", "old"))
            for name, ratio in (("mu", np.exp(mu)), ("old", np.exp(old))):
                marks = np.quantile(ratio, list(QUANTILES.values()))
                figures |= {f"ratio_{name}/{mark}": float(each) for mark, each in zip(QUANTILES, marks, strict=True)}
                figures[f"ratio_{name}/mean"] = float(ratio.mean())
            figures["effective_samples"] = float(np.mean([diagnosis.effective_share(step.mu) for step in self._steps]))
            figures["entropy"] = float(np.mean(np.concatenate([step.entropy for step in self._steps])))
            age = np.concatenate([step.age for step in self._steps])
            figures |= {"sample_age": float(age.mean()), "sample_age/p95": float(np.quantile(age, 0.95))}
        for name, table in self.tables().items():
            figures[f"calibration/{name}"] = diagnosis.calibration_error(table)
        return figures

    def tables(self) -> dict[str, tuple[Reliability, ...]]:
        """The reliability table of each critic that has one."""
        self._digest()
        return {name: table for name, each in self._critics.items() if (table := each.table())}

    def histograms(self) -> dict[str, tuple[float, ...]]:
        """mu, old: the shares of pi / mu and of pi / pi_old in the bins of diagnosis.EDGES."""
        self._digest()
        if not self._steps:
            return {}
        logs = {name: np.concatenate([getattr(step, name) for step in self._steps]) for name in ("mu", "old")}
        return {name: tuple(diagnosis.shares(np.exp(each)).tolist()) for name, each in logs.items()}

    def _digest(self) -> None:
        while self._raw:
            kept, measured, drawn = self._raw.popleft()
            plain = {name: each.cpu().numpy() for name, each in kept.items()}
            own = len(drawn.age)  # those that are only imitated stand behind them
            mask = plain["mask"][:own]
            now, entropy = (each.cpu().numpy()[:own] for each in (measured.log_pi, measured.entropy))
            logs = [
                np.clip((now - plain[name][:own])[mask].astype(np.float64), -LARGEST, LARGEST)
                for name in ("log_mu", "log_pi")
            ]
            if mask.any():
                self._steps.append(_Step(logs[0], logs[1], entropy[mask].astype(np.float64), drawn.age))
            self._predictions(plain, measured, drawn.first)

    def _predictions(self, plain: Mapping[str, Any], measured: Measured, first: npt.NDArray[np.bool_]) -> None:
        """V_traj is of what the slots do, whatever their temperature; V(s) of pi: of slots at temperature 1."""
        value, start = _numbers(measured.value), _numbers(measured.start)
        for at in np.flatnonzero(first):
            steps = int(plain["mask"][at].sum())
            success = float(plain["success"][at])
            if start is not None:
                self._critics["trajectory"].said.append(start[at : at + 1])
                self._critics["trajectory"].came.append(np.array([success]))
            gap = np.abs(plain["log_mu"][at] - plain["log_pi"][at])[:steps].max(initial=0.0)
            if value is not None and gap < SAME:
                self._critics["state"].said.append(value[at, :steps])
                self._critics["state"].came.append(success * self._discount ** np.arange(steps - 1, -1, -1.0))


def _numbers(each: Tensor | None) -> Array | None:
    return None if each is None else each.cpu().numpy().astype(np.float64)
