"""Rows of different lengths, such as the words of goals or the elements of screens, without work for the padding."""

from __future__ import annotations

import torch
from torch import Tensor


class Ragged:
    """Which entries of N rows with room for P each are there. Most rows have far fewer than the fullest.

    Values come dense, [N, P, ...], or as [M, ...], those of the M entries alone, row after row.
    """

    def __init__(self, mask: Tensor) -> None:
        """mask [N, P] bool."""
        self.mask = mask
        self._at = mask.flatten().nonzero().squeeze(-1)
        self._full = len(self._at) == mask.numel()
        self.row = self._at // mask.shape[1]
        """[M]: which row each entry is of."""
        self._place: Tensor | None = None

    def pick(self, dense: Tensor) -> Tensor:
        """[N, P, ...] -> [M, ...]"""
        flat = dense.flatten(0, 1)
        return flat if self._full else flat.index_select(0, self._at)

    def pick_some(self, dense: Tensor, wanted: Tensor) -> Tensor:
        """[N, P, ...] -> [W, ...]: of the M entries the W that are `wanted`, [M] bool."""
        return dense.flatten(0, 1).index_select(0, self._at[wanted])

    def spread(self, values: Tensor, empty: float = 0.0) -> Tensor:
        """[M, ...] -> [N, P, ...], `empty` where no entry is."""
        if not self._full:
            blank = values.new_full((1, *values.shape[1:]), empty)
            values = torch.cat([values, blank]).index_select(0, self._places())
        return values.view(*self.mask.shape, *values.shape[1:])

    def mean(self, values: Tensor) -> Tensor:
        """[M, D] -> [N, D]: the mean of each row; 0 of one without an entry."""
        total = values.new_zeros(len(self.mask), values.shape[1]).index_add(0, self.row, values)
        return total / self.mask.sum(-1, keepdim=True).clamp(min=1)

    def largest(self, values: Tensor) -> Tensor:
        """[M, D] -> [N, D]: the largest of each row; 0 of one without an entry."""
        if self._full:
            return self.spread(values).amax(-2)
        count = self.mask.sum(-1)
        best = torch.segment_reduce(values, "max", lengths=count, axis=0, unsafe=True)
        return best.masked_fill(count.eq(0)[:, None], 0.0)

    def _places(self) -> Tensor:
        """[N * P]: where among the M each entry is; M if it is not there."""
        if self._place is None:
            count = len(self._at)
            self._place = self._at.new_full((self.mask.numel(),), count)
            self._place[self._at] = torch.arange(count, device=self._at.device)
        return self._place
