"""The default policy: small enough to train on a laptop's CPU, exact in every log-probability.

It reads the goal, the UI tree (or a small picture when there is none), its last actions and the steps that are left.
It answers with a slot of one flat row (taps first, see grammar.py); a long press asks for a place, a text for the
first word and the number of words. Temperature divides every logit of the row and of those questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from distrl_sdk.interfaces import Score
from distrl_sdk.policy import features as reading
from distrl_sdk.policy import grammar
from distrl_sdk.policy.encoder import Encoded, Encoder, mlp
from distrl_sdk.policy.grammar import ELEMENTS, PLACES, SPAN_WORDS, Kind
from distrl_sdk.policy.words import BUCKETS
from distrl_sdk.types import Action, Code, Decision, Features, Moment

_NEVER = -1e9
_PRIME = 104_729
_TRAVELS_NOT = frozenset({"goal_raw", "goal_span"})


class Logits(NamedTuple):
    """Of N moments; what is not legal holds -1e9."""

    choice: Tensor
    """[N, PLACES + kinds]"""
    target: Tensor
    """[N, PLACES]"""
    word: Tensor
    """[N, GOAL_WORDS]"""
    length: Tensor
    """[N, GOAL_WORDS, SPAN_WORDS]: how many words, for each first word"""


class CompactPolicy(nn.Module):
    """A Policy of about 0.6 million parameters."""

    def __init__(self, width: int = 96, word_width: int = 48) -> None:
        super().__init__()
        self.state_size = width
        self.encoder = Encoder(width, word_width)
        self.tap = mlp(width, width, 1)
        self.press = nn.Linear(width, 1)
        self.kind = nn.Linear(width, len(Kind))
        self.word = mlp(2 * width, width, 1)
        self.first_word, self.last_word = nn.Linear(2 * width, width), nn.Linear(width, width)

    def featurize(self, moment: Moment) -> Features:
        """See features.py."""
        return reading.featurize(moment)

    def encode_action(self, features: Features, action: Action) -> Code | None:
        """See grammar.py."""
        return grammar.encode(features, action)

    @torch.inference_mode()
    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        """Sample at each temperature; 0 takes the likeliest and calls its log mu 0."""
        names = features[0].keys() - _TRAVELS_NOT
        batch = {name: torch.from_numpy(np.stack([row[name] for row in features])) for name in names}
        logits, _ = self._logits(batch)
        heat = torch.tensor(temperature, dtype=torch.float32)
        code = _sample(logits, heat, generator)
        log_pi = _log_prob(logits, code)
        hot = heat.clamp(min=1e-6)
        log_mu = _log_prob(Logits(*(each / hot.view(-1, *[1] * (each.dim() - 1)) for each in logits)), code)
        log_mu = torch.where(heat > 0, log_mu, torch.zeros_like(log_mu))
        codes = code.numpy().astype(np.int32)
        return [
            Decision(grammar.decode(row, own), own, float(mu), float(pi))
            for row, own, mu, pi in zip(features, codes, log_mu.tolist(), log_pi.tolist(), strict=True)
        ]

    def score(self, features: Mapping[str, Tensor], code: Tensor, mask: Tensor) -> Score:
        """Padding costs nothing: only steps that count are looked at, the others score 0."""
        shape = code.shape[:2]
        real = mask.flatten()
        rows = real.nonzero().squeeze(-1)
        flat = {n: f.flatten(0, 1)[rows] for n, f in features.items() if n not in _TRAVELS_NOT}
        logits, encoded = self._logits(flat)
        taken = code.flatten(0, 1)[rows].long()

        def spread(values: Tensor) -> Tensor:
            empty = values.new_zeros(real.shape[0], *values.shape[1:])
            return empty.index_copy(0, rows, values).view(*shape, *values.shape[1:])

        return Score(spread(_log_prob(logits, taken)), spread(_entropy(logits)), spread(encoded.state))

    def _logits(self, features: Mapping[str, Tensor]) -> tuple[Logits, Encoded]:
        encoded = self.encoder(features)
        legal = features["places"].bool()
        tap = self._over_places(self.tap(encoded.places).squeeze(-1), encoded)
        press = self._over_places(self.press(encoded.places).squeeze(-1), encoded)
        kind = self.kind(encoded.state).masked_fill(~features["kinds"].bool(), _NEVER)
        word, length = self._spans(features, encoded)
        choice = torch.cat([tap.masked_fill(~legal, _NEVER), kind], -1)
        return Logits(choice, press.masked_fill(~legal, _NEVER), word, length), encoded

    def _over_places(self, each: Tensor, encoded: Encoded) -> Tensor:
        """[M] -> [N, PLACES]: elements at the front, cells at the back."""
        logits = encoded.real.spread(each, _NEVER)
        gap = logits.new_full((len(logits), ELEMENTS - encoded.elements), _NEVER)
        cells = logits[:, encoded.elements :]
        rest = logits.new_full((len(logits), PLACES - ELEMENTS - cells.shape[1]), _NEVER)
        return torch.cat([logits[:, : encoded.elements], gap, cells, rest], -1)

    def _spans(self, features: Mapping[str, Tensor], encoded: Encoded) -> tuple[Tensor, Tensor]:
        """A text is a first word and, seen from it, a last word at most SPAN_WORDS - 1 behind."""
        used, width = encoded.goal.shape[1:]
        there = features["goal"][:, :used].ne(0)
        seen = torch.cat([encoded.goal, encoded.state[:, None].expand(-1, used, -1)], -1)
        word = self.word(seen).squeeze(-1).masked_fill(~there, _NEVER)
        last = functional.pad(self.last_word(encoded.goal), (0, 0, 0, SPAN_WORDS - 1)).unfold(1, SPAN_WORDS, 1)
        length = torch.einsum("nwd,nwdk->nwk", self.first_word(seen), last) / width**0.5
        at, lengths = torch.arange(used, device=there.device), torch.arange(1, SPAN_WORDS + 1, device=there.device)
        left = there.sum(-1, keepdim=True) - at
        fits = lengths <= left.clamp(min=1)[..., None]
        length = length.masked_fill(~fits, _NEVER)
        pad = features["goal"].shape[1] - used
        return functional.pad(word, (0, pad), value=_NEVER), functional.pad(length, (0, 0, 0, pad), value=0.0)

    def vary(self, features: Mapping[str, Tensor], generator: torch.Generator) -> dict[str, Tensor]:
        """Demonstrated moments, features [N, ...], with some words renamed on the screen and in the goal alike.

        What was right stays right, so that a few demonstrations teach to match words rather than to know them.
        """
        count, device = len(features["goal"]), features["goal"].device
        multiply, shift, rename = torch.randint(1, _PRIME, (3, count, 1), generator=generator).to(device)
        share = 0.4 * torch.rand(count, 1, generator=generator).to(device)

        def renamed(ids: Tensor) -> Tensor:
            flat = ids.flatten(1).long()
            mixed = (flat * multiply + shift) % _PRIME
            other = 1 + (mixed * rename) % _PRIME % (BUCKETS - 1)
            chosen = (mixed < share * _PRIME) & flat.ne(0)
            return torch.where(chosen, other, flat).view(ids.shape).to(ids.dtype)

        return {**features, **{name: renamed(features[name]) for name in ("goal", "words", "step_words")}}


def _sample(logits: Logits, temperature: Tensor, generator: torch.Generator) -> Tensor:
    """[N, 4] codes. One Gumbel draw a question: the largest of logits + temperature * noise."""

    def draw(row: Tensor) -> Tensor:
        noise = -torch.log(-torch.log(torch.rand(row.shape, generator=generator).clamp(1e-20, 1 - 1e-7)))
        return (row + temperature[:, None] * noise).argmax(-1)

    choice, target, word = draw(logits.choice), draw(logits.target), draw(logits.word)
    at = torch.arange(len(word))
    count = draw(logits.length[at, word]) + 1
    presses, types = choice.eq(PLACES + Kind.LONG_PRESS), choice.eq(PLACES + Kind.TYPE)
    return torch.stack([choice, target * presses, word * types, count * types], -1)


def _log_prob(logits: Logits, code: Tensor) -> Tensor:
    """[N]: log-probability of the whole action: its choice and the answers to the questions that it asks."""
    choice, target, word, count = code.long().unbind(-1)
    at = torch.arange(len(choice), device=choice.device)
    total = logits.choice.log_softmax(-1)[at, choice]
    presses, types = choice.eq(PLACES + Kind.LONG_PRESS), choice.eq(PLACES + Kind.TYPE)
    if presses.any():
        total = total + presses * logits.target.log_softmax(-1)[at, target]
    if types.any():
        first = logits.word.log_softmax(-1)[at, word]
        length = logits.length[at, word].log_softmax(-1)[at, (count - 1).clamp(min=0)]
        total = total + types * (first + length)
    return total


def _entropy(logits: Logits) -> Tensor:
    """[N]: exact entropy of the whole action (chain rule over its questions)."""
    chance = logits.choice.softmax(-1)
    words = logits.word.softmax(-1)
    spans = _entropy_of(logits.word) + (words * _entropy_of(logits.length)).sum(-1)
    return (
        _entropy_of(logits.choice)
        + chance[:, PLACES + Kind.LONG_PRESS] * _entropy_of(logits.target)
        + chance[:, PLACES + Kind.TYPE] * spans
    )


def _entropy_of(row: Tensor) -> Tensor:
    log = row.log_softmax(-1)
    return -(log.exp() * log).sum(-1)
