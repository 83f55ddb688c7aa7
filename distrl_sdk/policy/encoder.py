"""The compact policy's network: sets of words and places, looked at twice in the light of the goal.

Places (elements of the UI tree, or cells of a grid over the picture) are encoded one by one, attend to the words of
the goal, and are summed up into the state; then each is looked at again knowing the state. No attention between
places: on a CPU that costs a tenth of a transformer of the same width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from distrl_sdk.policy.features import ELEMENT_FLAGS, HISTORY, ROLES, SCALARS, STEP_FLAGS, WORD_FLAGS
from distrl_sdk.policy.grammar import COLUMNS, ROWS
from distrl_sdk.policy.words import BUCKETS, GOAL_WORDS
from distrl_sdk.types import ACTIONS


class Real:
    """The places that are there, of N moments with room for P each. Most moments have far fewer than the fullest."""

    def __init__(self, mask: Tensor) -> None:
        """mask [N, P]; M places hold."""
        self.mask = mask
        self._rows = mask.flatten().nonzero().squeeze(-1)
        self.moment = self._rows // mask.shape[1]
        """[M]: which moment each belongs to."""

    def pick(self, dense: Tensor) -> Tensor:
        """[N, P, ...] -> [M, ...]"""
        return dense.flatten(0, 1)[self._rows]

    def spread(self, values: Tensor, empty: float = 0.0) -> Tensor:
        """[M, ...] -> [N, P, ...], `empty` where no place is."""
        dense = values.new_full((self.mask.numel(), *values.shape[1:]), empty)
        return dense.index_copy(0, self._rows, values).view(*self.mask.shape, *values.shape[1:])


class Encoded(NamedTuple):
    """N moments, M places that are there, W words of the goal."""

    state: Tensor
    """[N, D]"""
    places: Tensor
    """[M, D]"""
    real: Real
    """Where they belong: P = E elements, or E + cells when one of the moments has a picture."""
    goal: Tensor
    """[N, W, D]"""
    elements: int
    """E: as many as the fullest moment has."""


def mlp(inputs: int, width: int, outputs: int) -> nn.Sequential:
    """Two layers."""
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs))


class Encoder(nn.Module):
    """Features of N moments -> Encoded."""

    def __init__(self, width: int, word_width: int) -> None:
        super().__init__()
        self.width = width
        self.word = nn.Embedding(BUCKETS, word_width, padding_idx=0)
        self.role = nn.Embedding(len(ROLES) + 1, 8)
        self.kind = nn.Embedding(len(ACTIONS) + 1, 8)
        self.goal = mlp(word_width + WORD_FLAGS + 2 * word_width, width, width)
        self.position = nn.Parameter(0.1 * torch.randn(GOAL_WORDS, width))
        self.reading = nn.TransformerEncoderLayer(width, 4, 2 * width, 0.0, batch_first=True, norm_first=True)
        self.place = nn.Linear(word_width + ELEMENT_FLAGS + 8 + 4 + 2, width)
        self.query, self.key = nn.Linear(word_width, 32), nn.Linear(word_width, 32)
        self.alike, self.shared = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.first = mlp(width, width, width)
        self.wide = nn.Linear(2 * width, width)
        self.second = mlp(width, width, width)
        steps = HISTORY * (word_width + 8 + STEP_FLAGS)
        self.context = mlp(steps + SCALARS + word_width + 2 * width, width, width)
        self.state = mlp(4 * width, 2 * width, width)
        self.norm_place, self.norm_state = nn.LayerNorm(width), nn.LayerNorm(width)
        self.eye = PictureEye(width)

    def forward(self, features: Mapping[str, Tensor]) -> Encoded:
        """features each [N, ...]."""
        words = features["goal"].long()
        words = words[:, : max(1, int(words.ne(0).sum(-1).max()))]
        there = words.ne(0)
        raw = self.word(words)
        flags = features["goal_flags"][:, : words.shape[1]].float()
        goal = self.goal(torch.cat([raw, flags, _around(raw)], -1)) + self.position[: words.shape[1]]
        read = there | (
            torch.arange(words.shape[1], device=there.device) == 0
        )  # an empty goal is read as one empty word
        goal = self.reading(goal, src_key_padding_mask=~read)
        real, places, elements = self._places(features, words, read, raw, goal)
        places = self.norm_place(places)
        context = self._context(features, torch.cat([_mean(goal, there), _max(goal, there)], -1))
        dense = real.spread(places)
        state = torch.cat([context, _mean(dense, real.mask), _max(dense, real.mask), _mean(goal, there)], -1)
        state = self.norm_state(self.state(state))
        light = self.wide(torch.cat([state, context], -1))
        places = places + self.second(places + light[real.moment])
        return Encoded(state, places, real, goal, elements)

    def _places(
        self, features: Mapping[str, Tensor], words: Tensor, read: Tensor, raw: Tensor, goal: Tensor
    ) -> tuple[Real, Tensor, int]:
        elements = max(1, int(features["box"][..., 2].gt(0).sum(-1).max()))
        real = Real(features["box"][:, :elements, 2].gt(0))
        ids = features["words"][:, :elements].long()
        text = self._text(real.pick(ids))
        shared = _shared(ids, words)
        alike = real.spread(self.query(text)) @ self.key(raw).transpose(1, 2) / 32**0.5
        alike = alike.masked_fill(~read[:, None], -1e9).softmax(-1)
        found = real.pick(alike @ self.alike(goal) + shared @ self.shared(goal))
        order = torch.linspace(0, 1, GOAL_WORDS, device=shared.device)[: words.shape[1]]
        where = real.pick(torch.stack([shared @ order, shared.sum(-1)], -1))
        flags = real.pick(features["flags"][:, :elements]).float()
        flags = torch.cat([flags[:, :9], flags[:, 9:11] / 255.0, flags[:, 11:]], -1)
        role = self.role(real.pick(features["role"][:, :elements]).long())
        box = real.pick(features["box"][:, :elements])
        places = self.first((self.place(torch.cat([text, flags, role, box, where], -1)) + found).relu())
        has_picture = features["picture"].flatten(1).amax(-1) > 0
        if not has_picture.any():
            return real, places, elements
        cells = self.eye(features["picture"][has_picture], _mean(goal, words.ne(0))[has_picture])
        cell_mask = has_picture[:, None].expand(-1, cells.shape[1])
        both = Real(torch.cat([real.mask, cell_mask], 1))
        dense = torch.cat([real.spread(places), Real(cell_mask).spread(cells.flatten(0, 1))], 1)
        return both, both.pick(dense), elements

    def _text(self, ids: Tensor) -> Tensor:
        """[M, K] buckets -> [M, words' width]: the mean of the words that are there, 0 for none."""
        return functional.embedding_bag(ids, self.word.weight, mode="mean", padding_idx=0)

    def _context(self, features: Mapping[str, Tensor], goal: Tensor) -> Tensor:
        ids = features["step_words"].long()
        steps = torch.cat(
            [
                self._text(ids.flatten(0, 1)).view(*ids.shape[:2], -1),
                self.kind(features["step_kind"].long()),
                features["step_flags"].float(),
            ],
            -1,
        ).flatten(1)
        app = self.word(features["app"].long())[:, 0]
        inside: Tensor = self.context(torch.cat([steps, features["scalars"], app, goal], -1))
        return inside


class PictureEye(nn.Module):
    """A small CNN: the picture -> one vector a cell of the tap grid, in the light of the goal."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, 32, 5, stride=5)
        self.near = nn.Sequential(
            nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1)
        )
        self.place = nn.Parameter(0.1 * torch.randn(ROWS * COLUMNS, 32))
        self.lift = nn.Linear(32, width)
        self.goal = nn.Linear(width, width)

    def forward(self, picture: Tensor, goal: Tensor) -> Tensor:
        """picture [N, height, width, 3] uint8, goal [N, D] -> [N, cells, D]."""
        patches = self.patch(picture.permute(0, 3, 1, 2).float() / 255.0 - 0.5)
        cells = (patches + self.near(patches)).flatten(2).transpose(1, 2) + self.place
        lifted: Tensor = self.lift(cells) * (1 + self.goal(goal)[:, None]).relu()
        return lifted


def _around(words: Tensor) -> Tensor:
    """[N, W, D] -> [N, W, 2 D]: the word before and the word behind."""
    blank = torch.zeros_like(words[:, :1])
    return torch.cat([torch.cat([blank, words[:, :-1]], 1), torch.cat([words[:, 1:], blank], 1)], -1)


def _shared(ids: Tensor, words: Tensor) -> Tensor:
    """ids [N, E, K] of elements, words [N, W] of the goal -> [N, E, W]: 1 / n at the n words that they share."""
    same = (ids[..., None].eq(words[:, None, None]) & ids.ne(0)[..., None]).any(2).float()
    return same / same.sum(-1, keepdim=True).clamp(min=1)


def _mean(values: Tensor, mask: Tensor) -> Tensor:
    """Mean over the last but one axis where the mask holds; 0 where it holds nowhere."""
    weight = mask.to(values.dtype).unsqueeze(-1)
    total: Tensor = (values * weight).sum(-2) / weight.sum(-2).clamp(min=1)
    return total


def _max(values: Tensor, mask: Tensor) -> Tensor:
    """Largest over the last but one axis where the mask holds; 0 where it holds nowhere."""
    best = values.masked_fill(~mask.unsqueeze(-1), -1e9).max(-2).values
    return best.masked_fill(~mask.any(-1, keepdim=True), 0.0)
