"""Batches for the learner, drawn from the replay at the last moment.

Lightning fetches one batch ahead, which would make priorities lag and a rate limit deadlock. So the dataset yields
ticks, and the batch is drawn in `on_before_batch_transfer`, when the step is about to be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import lightning
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from distrl_sdk.algo.priority import importance_weights
from distrl_sdk.replay.draw import Draw


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """B episodes of up to T steps."""

    features: Mapping[str, Tensor]
    """Each [B, T, ...]."""
    code: Tensor
    """[B, T, C]"""
    log_mu: Tensor
    """[B, T], as recorded at the slot's temperature."""
    log_pi: Tensor
    """[B, T], log pi_old: the same weights at temperature 1."""
    mask: Tensor
    """[B, T] bool: steps that were taken."""
    invalid: Tensor
    """[B, T] bool"""
    repeats: Tensor
    """[B, T] int"""
    rarity: Tensor
    """[B, T]: 1 / sqrt(how often the screen that an action led to was seen in its family); 0 where nobody wants it."""
    success: Tensor
    """[B] 0.0 or 1.0: the verdict."""
    weight: Tensor
    """[B]: the critics' importance weights, of any scale; 0 for elite episodes, which critics never see."""
    elite: Tensor
    """[B] bool: drawn to be imitated and for nothing else; these stand behind the others."""
    group: Tensor
    """[B] int64: equal for episodes of one task that were drawn together; where there are no groups, the key. -1 of
    those that are only imitated."""
    key: Tensor
    """[B] int64: the replay's key of the episode."""

    def to(self, device: torch.device | str, non_blocking: bool = False) -> Batch:
        """The batch on another device."""
        moved: dict[str, Any] = {
            field.name: value.to(device, non_blocking=non_blocking)
            for field in fields(self)
            if isinstance(value := getattr(self, field.name), Tensor)
        }
        moved["features"] = {n: each.to(device, non_blocking=non_blocking) for n, each in self.features.items()}
        return replace(self, **moved)


def collate(
    draw: Draw,
    elite: Draw | None = None,
    weight_max: float = 0.0,
    rarity: npt.NDArray[np.float32] | None = None,
) -> Batch:
    """One batch of a draw and, behind it, a draw of episodes to be imitated, padded to the longer of the two.

    `weight_max` bounds the critics' importance weights; 0 does not. `rarity` is Replay.rarity of `draw`.
    """
    weight = importance_weights(draw.probability, draw.size, most=weight_max)
    batch = _batch(draw, weight, rarity, is_elite=False)
    if elite is None:
        return batch
    return _joined(batch, _batch(elite, np.zeros(len(elite)), None, is_elite=True))


def _batch(
    draw: Draw, weight: npt.NDArray[np.float64], rarity: npt.NDArray[np.float32] | None, *, is_elite: bool
) -> Batch:
    return Batch(
        features={name: torch.from_numpy(values) for name, values in draw.features.items()},
        code=torch.from_numpy(draw.code),
        log_mu=torch.from_numpy(draw.log_mu),
        log_pi=torch.from_numpy(draw.log_pi),
        mask=torch.from_numpy(draw.mask),
        invalid=torch.from_numpy(draw.invalid),
        repeats=torch.from_numpy(draw.repeats),
        rarity=torch.from_numpy(np.zeros(draw.mask.shape, np.float32) if rarity is None else rarity),
        success=torch.from_numpy(draw.success),
        weight=torch.from_numpy(weight.astype(np.float32)),
        elite=torch.full((len(draw),), is_elite),
        group=torch.full((len(draw),), -1) if is_elite else torch.from_numpy(draw.group),
        key=torch.from_numpy(draw.keys),
    )


def _joined(one: Batch, two: Batch) -> Batch:
    steps = max(one.mask.shape[1], two.mask.shape[1])

    def padded(value: Tensor) -> Tensor:
        missing = steps - value.shape[1]
        return torch.cat([value, value.new_zeros(len(value), missing, *value.shape[2:])], 1) if missing else value

    def both(name: str) -> Tensor | dict[str, Tensor]:
        left, right = getattr(one, name), getattr(two, name)
        if isinstance(left, Mapping):
            return {key: torch.cat([padded(left[key]), padded(right[key])]) for key in left}
        return torch.cat([padded(left), padded(right)]) if left.dim() > 1 else torch.cat([left, right])

    return Batch(**{field.name: both(field.name) for field in fields(Batch)})  # type: ignore[arg-type]


class _Ticks(IterableDataset[Tensor]):
    """An endless stream of nothing: one tick a step."""

    def __iter__(self) -> Iterator[Tensor]:
        while True:
            yield torch.zeros(0)


class ReplayData(lightning.LightningDataModule):
    """Feeds a LightningModule from `next_batch`, which waits until a step is due; None when training is to stop."""

    def __init__(self, next_batch: Callable[[], Batch | None]) -> None:
        super().__init__()
        self._next_batch = next_batch

    def train_dataloader(self) -> DataLoader[Tensor]:
        """Ticks."""
        return DataLoader(_Ticks(), batch_size=None)

    def on_before_batch_transfer(self, batch: Tensor, dataloader_idx: int) -> Batch | None:  # noqa: ARG002
        """The tick becomes a batch here."""
        return self._next_batch()
