"""What a learner is to the trainer: a LightningModule with these members; nothing else to inherit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NotRequired, Protocol, TypedDict, runtime_checkable

from torch import Tensor

from distrl_sdk.config import LearnerConfig
from distrl_sdk.interfaces import Policy
from distrl_sdk.learner.batches import Batch
from distrl_sdk.types import Json


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What a gradient step says of its batch, for the gauges. Detached; kept as it is and looked at much later."""

    log_pi: Tensor
    """[B, T]"""
    entropy: Tensor
    """[B, T]"""
    value: Tensor | None = None
    """[B, T]: V(s) as P(success); None of a learner that trains no such critic."""
    start: Tensor | None = None
    """[B]: V_traj as P(success); None likewise."""


class StepOutput(TypedDict):
    """What a gradient step returns. Everything but the loss is detached."""

    loss: Tensor
    """Scalar."""
    priority: Tensor
    """[B, 3], finite, not negative: mean |delta|, mean min(1, rho), mean entropy of each episode, for DPER."""
    surprise: Tensor
    """[B]: success - V_traj, by which the elite set is drawn and kept, and DigiRL's top share chosen."""
    terms: Mapping[str, float]
    """The parts of the loss, to be shown."""
    measured: NotRequired[Measured]
    """Without it a run has no gauges of ratios, entropy and calibration, and no alarms that follow from them."""


@runtime_checkable
class Learner(Protocol):
    """Automatic optimisation, one optimiser, one summed loss.

    A class may have `defaults`, a LearnerConfig: `distrl train --algorithm` starts from it, not from LearnerConfig().
    """

    algorithm: str
    """The name under which a run is gone on with: one that a plugin registers, or module:attribute."""
    policy: Policy
    policy_name: str
    """Under which every worker makes the same policy."""
    policy_options: Mapping[str, Json]
    config: LearnerConfig
    """Batches, rate, replay, warm start."""

    def training_step(self, batch: Batch | None, batch_idx: int) -> StepOutput | None:
        """One gradient step; None when the batch is None, which says that training is over.

        Also called without gradients, in eval mode, to measure priorities anew: it changes nothing by itself.
        """
        ...
