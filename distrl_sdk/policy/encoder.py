"""The compact policy's network: sets of words and places, looked at twice in the light of the goal.

Places (elements of the UI tree, or cells of a grid over the picture) are encoded one by one, attend to the words of
the goal, and are summed up into the state; then each is looked at again knowing the state. No attention between
places: on a CPU that costs a tenth of a transformer of the same width. Nothing is computed for padding, and the words
of a goal are read once for all moments in a row that show the same of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from distrl_sdk.policy.features import ELEMENT_FLAGS, HISTORY, NO_ELEMENTS, ROLES, SCALARS, STEP_FLAGS, WORD_FLAGS
from distrl_sdk.policy.grammar import COLUMNS, ROWS
from distrl_sdk.policy.ragged import Ragged
from distrl_sdk.policy.words import BUCKETS, GOAL_WORDS
from distrl_sdk.types import ACTIONS

QUERY = 32
"""Width in which places ask for words."""


class Goals(NamedTuple):
    """The words of U goals, of N moments; G words in all, at most W in one."""

    of: Tensor
    """[N]: whose goal each moment has."""
    words: Ragged
    """U x W; an empty goal is read as one empty word."""
    ids: Tensor
    """[U, W] buckets, 0 for none."""
    raw: Tensor
    """[G, word width]: as they stand in the embedding."""
    read: Tensor
    """[G, D]: in the light of each other."""

    def spread(self, each: Tensor) -> Tensor:
        """[G, D] -> [N, W, D]"""
        return self.words.spread(each).index_select(0, self.of)


class Encoded(NamedTuple):
    """N moments, M places that are there, G words of U goals."""

    state: Tensor
    """[N, D]"""
    places: Tensor
    """[M, D]"""
    real: Ragged
    """Where they belong: N x E elements, or E + cells when one of the moments has a picture."""
    goals: Goals
    elements: int
    """E: as many as the fullest moment has."""


def mlp(inputs: int, width: int, outputs: int) -> nn.Sequential:
    """Two layers."""
    return nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, outputs))


class Encoder(nn.Module):
    """Features of N moments -> Encoded."""

    scale: Tensor

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
        self.query, self.key = nn.Linear(word_width, QUERY), nn.Linear(word_width, QUERY)
        self.alike, self.shared = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.first = mlp(width, width, width)
        self.wide = nn.Linear(2 * width, width)
        self.second = mlp(width, width, width)
        steps = HISTORY * (word_width + 8 + STEP_FLAGS)
        self.context = mlp(steps + SCALARS + word_width + 2 * width, width, width)
        self.state = mlp(4 * width, 2 * width, width)
        self.norm_place, self.norm_state = nn.LayerNorm(width), nn.LayerNorm(width)
        self.eye = PictureEye(width)
        scale = torch.ones(ELEMENT_FLAGS)
        scale[9:11] = 255.0  # shares, see features.py
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, features: Mapping[str, Tensor]) -> Encoded:
        """features each [N, ...]; of pictures those that `pictured` names, in a row."""
        goals = self._goals(features)
        mean = goals.words.mean(goals.read)
        goal = torch.cat([mean, goals.words.largest(goals.read)], -1)
        goal = goal.masked_fill(goals.ids[:, :1].eq(0), 0.0).index_select(0, goals.of)
        mean = goal[:, : self.width]
        room = max(1, int(features["box"][..., 2].gt(0).sum(-1).max()))
        elements = Ragged(features["box"][:, :room, 2].gt(0))
        texts, steps = self._texts(elements.pick(features["words"][:, :room]), features["step_words"])
        places = self._places(features, elements, texts, goals)
        real, places = self._with_cells(features["picture"], pictured(features), mean, elements, places)
        places = self.norm_place(places)
        app = self.word(features["app"].long())[:, 0]
        kinds, flags = self.kind(features["step_kind"].long()), features["step_flags"].float()
        steps = torch.cat([steps, kinds, flags], -1).flatten(1)
        context = self.context(torch.cat([steps, features["scalars"], app, goal], -1))
        state = self.state(torch.cat([context, real.mean(places), real.largest(places), mean], -1))
        state = self.norm_state(state)
        light = self.wide(torch.cat([state, context], -1))
        places = places + self.second(places + light.index_select(0, real.row))
        return Encoded(state, places, real, goals, room)

    def _goals(self, features: Mapping[str, Tensor]) -> Goals:
        ids, flags = features["goal"].int(), features["goal_flags"]
        other = (ids[1:].ne(ids[:-1]) | flags[1:].ne(flags[:-1]).any(-1)).any(-1)
        first = functional.pad(other, (1, 0), value=True)
        of, at = first.cumsum(0) - 1, first.nonzero().squeeze(-1)
        ids = ids.index_select(0, at)
        longest = max(1, int(ids.ne(0).sum(-1).max()))
        ids, flags = ids[:, :longest], flags.index_select(0, at)[:, :longest]
        start = torch.arange(longest, device=ids.device).eq(0)
        words = Ragged(ids.ne(0) | start)
        raw = self.word(words.pick(ids))
        begins = words.pick(start.expand(ids.shape))[:, None]
        before = functional.pad(raw[:-1], (0, 0, 1, 0)).masked_fill(begins, 0.0)
        behind = functional.pad(raw[1:].masked_fill(begins[1:], 0.0), (0, 0, 0, 1))
        place = words.pick(torch.arange(longest, device=ids.device).expand(ids.shape))
        read = self.goal(torch.cat([raw, words.pick(flags).float(), before, behind], -1))
        read = _read(self.reading, read + self.position.index_select(0, place), words)
        return Goals(of, words, ids, raw, read)

    def _texts(self, elements: Tensor, steps: Tensor) -> tuple[Tensor, Tensor]:
        """Buckets [M, K] and [N, HISTORY, K] -> the means of the words that are there, 0 for none."""
        ids = torch.cat([elements.int(), steps.int().flatten(0, 1)])
        means = functional.embedding_bag(ids, self.word.weight, mode="mean", padding_idx=0)
        return means[: len(elements)], means[len(elements) :].view(*steps.shape[:2], -1)

    def _places(self, features: Mapping[str, Tensor], elements: Ragged, texts: Tensor, goals: Goals) -> Tensor:
        """[M, D]: the elements in the light of the goal."""
        room, longest = elements.mask.shape[1], goals.ids.shape[1]
        shared = _shared(elements.pick(features["words"][:, :room]), goals.ids.index_select(0, goals.of), elements.row)
        wanted = elements.spread(self.query(texts)) @ goals.spread(self.key(goals.raw)).transpose(1, 2)
        alike = wanted / QUERY**0.5
        unread = ~goals.words.mask.index_select(0, goals.of)[:, None]
        alike = alike.masked_fill(unread, -1e9).softmax(-1)
        meant = goals.spread(torch.cat([self.alike(goals.read), self.shared(goals.read)], -1))
        meant = torch.cat(meant.chunk(2, -1), 1)
        found = elements.pick(torch.cat([alike, elements.spread(shared)], -1) @ meant)
        order = torch.linspace(0, 1, GOAL_WORDS, device=shared.device)[:longest]
        where = shared @ torch.stack([order, torch.ones_like(order)], -1)
        flags = elements.pick(features["flags"][:, :room]) / self.scale
        role = self.role(elements.pick(features["role"][:, :room]).long())
        box = elements.pick(features["box"][:, :room])
        places: Tensor = self.first((self.place(torch.cat([texts, flags, role, box, where], -1)) + found).relu())
        return places

    def _with_cells(
        self, pictures: Tensor, shown: Tensor, goal: Tensor, elements: Ragged, places: Tensor
    ) -> tuple[Ragged, Tensor]:
        """The places of moments that have no elements are the cells of the picture."""
        if not len(pictures):
            return elements, places
        cells = self.eye(pictures, goal[shown])
        mask = shown[:, None].expand(-1, cells.shape[1])
        both = Ragged(torch.cat([elements.mask, mask], 1))
        dense = torch.cat([elements.spread(places), Ragged(mask).spread(cells.flatten(0, 1))], 1)
        return both, both.pick(dense)


def pictured(features: Mapping[str, Tensor]) -> Tensor:
    """[N] bool: the moments of which the picture is looked at, as there are no elements."""
    return features["scalars"][:, NO_ELEMENTS] > 0


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


def _read(layer: nn.TransformerEncoderLayer, tokens: Tensor, words: Ragged) -> Tensor:
    """What `layer` makes of tokens [G, D], each row of `words` a sequence; only attention looks at padding."""
    attention = layer.self_attn
    heads, width = attention.num_heads, attention.head_dim
    mixed = functional.linear(layer.norm1(tokens), attention.in_proj_weight, attention.in_proj_bias)
    rows, longest = words.mask.shape
    query, key, value = words.spread(mixed).view(rows, longest, 3, heads, width).permute(2, 0, 3, 1, 4)
    unread = ~words.mask[:, None, None]
    chance = (query @ key.transpose(-1, -2) / width**0.5).masked_fill(unread, -1e9).softmax(-1)
    tokens = tokens + attention.out_proj(words.pick((chance @ value).transpose(1, 2).flatten(2)))
    inside = layer.linear1(layer.norm2(tokens)).relu()
    out: Tensor = tokens + layer.linear2(inside)
    return out


def _shared(ids: Tensor, goals: Tensor, row: Tensor) -> Tensor:
    """ids [M, K] of elements, words [N, W] of the goals, `row` [M] whose -> [M, W]: 1 / n at the n words they share."""
    ids = ids.int()
    longest = max(1, int(ids.ne(0).sum(-1).max())) if len(ids) else 1
    ids = ids[:, :longest].masked_fill(ids[:, :longest].eq(0), -1)
    same = ids[..., None].eq(goals.index_select(0, row)[:, None]).any(1).float()
    return same / same.sum(-1, keepdim=True).clamp(min=1)
