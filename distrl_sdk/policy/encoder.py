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

from distrl_sdk.policy.features import ELEMENT_FLAGS, HISTORY, ROLES, SCALARS, STEP_FLAGS, WORD_FLAGS
from distrl_sdk.policy.grammar import COLUMNS, ROWS
from distrl_sdk.policy.words import BUCKETS, GOAL_WORDS
from distrl_sdk.types import ACTIONS


class Encoded(NamedTuple):
    """N moments, E places (as many as the fullest moment has), W words of the goal."""

    state: Tensor
    """[N, D]"""
    places: Tensor
    """[N, P, D], P = E, or E + cells when one of the moments has a picture"""
    goal: Tensor
    """[N, W, D]"""
    elements: int
    """E: the first E places are elements."""


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
        self.place = nn.Linear(word_width + ELEMENT_FLAGS + 8 + 4 + 2, width)
        self.query, self.key = nn.Linear(word_width, 32), nn.Linear(word_width, 32)
        self.first = mlp(3 * width, width, width)
        self.second = mlp(3 * width, width, width)
        steps = HISTORY * (word_width + 8 + STEP_FLAGS)
        self.context = mlp(steps + SCALARS + word_width + 2 * width, width, width)
        self.state = mlp(4 * width, 2 * width, width)
        self.norm_place, self.norm_state = nn.LayerNorm(width), nn.LayerNorm(width)
        self.eye = PictureEye(width)

    def forward(self, features: Mapping[str, Tensor]) -> Encoded:
        """features each [N, ...]."""
        elements = max(1, int(features["box"][..., 2].gt(0).sum(-1).max()))
        words = features["goal"].long()
        used = max(1, int(words.ne(0).sum(-1).max()))
        words = words[:, :used]
        there = words.ne(0)
        raw = self.word(words)
        goal = self.goal(torch.cat([raw, features["goal_flags"][:, :used].float(), _around(raw)], -1))
        places, mask = self._places(features, elements, words, raw, goal)
        places = self.norm_place(places)
        summed = torch.cat([_mean(goal, there), _max(goal, there)], -1)
        context = self._context(features, summed)
        state = self.state(torch.cat([context, _mean(places, mask), _max(places, mask), _mean(goal, there)], -1))
        state = self.norm_state(state)
        spread = state[:, None].expand(-1, places.shape[1], -1)
        wide = context[:, None].expand(-1, places.shape[1], -1)
        places = places + self.second(torch.cat([places, spread, wide], -1))
        return Encoded(state, places, goal, elements)

    def _places(
        self, features: Mapping[str, Tensor], elements: int, words: Tensor, raw: Tensor, goal: Tensor
    ) -> tuple[Tensor, Tensor]:
        there = words.ne(0)
        ids = features["words"][:, :elements].long()
        text = _mean(self.word(ids), ids.ne(0))
        flags = features["flags"][:, :elements].float()
        flags = torch.cat([flags[..., :9], flags[..., 9:11] / 255.0, flags[..., 11:]], -1)
        box = features["box"][:, :elements]
        shared = _shared(ids, words)
        order = torch.linspace(0, 1, GOAL_WORDS, device=shared.device)[: words.shape[1]]
        where = torch.stack([shared @ order, shared.sum(-1)], -1)
        role = self.role(features["role"][:, :elements].long())
        seen = self.place(torch.cat([text, flags, role, box, where], -1))
        alike = self.query(text) @ self.key(raw).transpose(1, 2) / 32**0.5
        alike = alike.masked_fill(~there[:, None], -1e9).softmax(-1)
        places = self.first(torch.cat([seen, alike @ goal, shared @ goal], -1).relu())
        mask = features["box"][:, :elements, 2].gt(0)
        picture = features["picture"]
        if picture.any():
            cells = self.eye(picture, _mean(goal, there))
            places = torch.cat([places, cells], 1)
            has = picture.flatten(1).amax(-1, keepdim=True) > 0
            mask = torch.cat([mask, has.expand(-1, cells.shape[1])], 1)
        return places, mask

    def _context(self, features: Mapping[str, Tensor], goal: Tensor) -> Tensor:
        ids = features["step_words"].long()
        steps = torch.cat(
            [_mean(self.word(ids), ids.ne(0)), self.kind(features["step_kind"].long()), features["step_flags"].float()],
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
