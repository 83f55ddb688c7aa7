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
from distrl_sdk.policy.encoder import Encoded, Encoder, mlp, pictured
from distrl_sdk.policy.grammar import ELEMENTS, PLACES, SPAN_WORDS, Kind
from distrl_sdk.policy.ragged import Ragged
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
    typing: Tensor
    """[K]: the moments in which a text can be typed; nobody asks the others which."""
    word: Tensor
    """[K, W]"""
    length: Tensor
    """[K, W, SPAN_WORDS]: how many words, for each first word"""


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
        batch["picture"] = batch["picture"][pictured(batch)]
        logits, _ = self._logits(batch)
        heat = torch.tensor(temperature, dtype=torch.float32)
        code = _sample(logits, heat, generator)
        log_pi = _log_prob(logits, code)
        log_mu = torch.where(heat > 0, _log_prob(_cooled(logits, heat.clamp(min=1e-6)), code), 0.0)
        codes = code.numpy().astype(np.int32)
        return [
            Decision(grammar.decode(row, own), own, float(mu), float(pi))
            for row, own, mu, pi in zip(features, codes, log_mu.tolist(), log_pi.tolist(), strict=True)
        ]

    def score(self, features: Mapping[str, Tensor], code: Tensor, mask: Tensor) -> Score:
        """Padding costs nothing: only steps that count are looked at, the others score 0."""
        taken = Ragged(mask)
        flat = {n: taken.pick(each) for n, each in features.items() if n not in _TRAVELS_NOT and n != "picture"}
        flat["picture"] = taken.pick_some(features["picture"], pictured(flat))
        logits, encoded = self._logits(flat)
        log_pi = _log_prob(logits, taken.pick(code))
        return Score(taken.spread(log_pi), taken.spread(_entropy(logits)), taken.spread(encoded.state))

    def _logits(self, features: Mapping[str, Tensor]) -> tuple[Logits, Encoded]:
        encoded = self.encoder(features)
        legal = features["places"].bool()
        tap = self._over_places(self.tap(encoded.places).squeeze(-1), encoded)
        press = self._over_places(self.press(encoded.places).squeeze(-1), encoded)
        kind = self.kind(encoded.state).masked_fill(~features["kinds"].bool(), _NEVER)
        choice = torch.cat([tap.masked_fill(~legal, _NEVER), kind], -1)
        typing = features["kinds"][:, Kind.TYPE].nonzero().squeeze(-1)
        return Logits(choice, press.masked_fill(~legal, _NEVER), typing, *self._spans(typing, encoded)), encoded

    def _over_places(self, each: Tensor, encoded: Encoded) -> Tensor:
        """[M] -> [N, PLACES]: elements at the front, cells at the back."""
        logits = encoded.real.spread(each, _NEVER)
        elements, cells = logits[:, : encoded.elements], logits[:, encoded.elements :]
        if not cells.shape[1]:
            return functional.pad(elements, (0, PLACES - encoded.elements), value=_NEVER)
        return torch.cat([functional.pad(elements, (0, ELEMENTS - encoded.elements), value=_NEVER), cells], -1)

    def _spans(self, typing: Tensor, encoded: Encoded) -> tuple[Tensor, Tensor]:
        """A text is a first word and, seen from it, a last word at most SPAN_WORDS - 1 behind."""
        goals = encoded.goals
        whose = goals.of.index_select(0, typing)
        goal = goals.words.spread(goals.read).index_select(0, whose)
        there = goals.ids.index_select(0, whose).ne(0)
        used, width = goal.shape[1:]
        seen = torch.cat([goal, encoded.state.index_select(0, typing)[:, None].expand(-1, used, -1)], -1)
        word = self.word(seen).squeeze(-1).masked_fill(~there, _NEVER)
        pairs = self.first_word(seen) @ self.last_word(goal).transpose(1, 2) / width**0.5
        at, more = torch.arange(used, device=there.device)[:, None], torch.arange(SPAN_WORDS, device=there.device)
        length = pairs.gather(2, (at + more).clamp(max=used - 1).expand(len(pairs), -1, -1))
        left = (there.sum(-1, keepdim=True) - at.squeeze(-1)).clamp(min=1)
        return word, length.masked_fill(more >= left[..., None], _NEVER)

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

    def draw(row: Tensor, temperature: Tensor) -> Tensor:
        noise = -torch.log(-torch.log(torch.rand(row.shape, generator=generator).clamp(1e-20, 1 - 1e-7)))
        return (row + temperature[:, None] * noise).argmax(-1)

    choice, target = draw(logits.choice, temperature), draw(logits.target, temperature)
    word, count = torch.zeros_like(choice), torch.zeros_like(choice)
    if len(typing := logits.typing):
        word[typing] = draw(logits.word, temperature[typing])
        at = torch.arange(len(typing))
        count[typing] = draw(logits.length[at, word[typing]], temperature[typing]) + 1
    presses, types = choice.eq(PLACES + Kind.LONG_PRESS), choice.eq(PLACES + Kind.TYPE)
    return torch.stack([choice, target * presses, word * types, count * types], -1)


def _cooled(logits: Logits, temperature: Tensor) -> Logits:
    """Divided by [N] temperatures."""
    heat = temperature[logits.typing]
    return Logits(
        logits.choice / temperature[:, None],
        logits.target / temperature[:, None],
        logits.typing,
        logits.word / heat[:, None],
        logits.length / heat[:, None, None],
    )


def _log_prob(logits: Logits, code: Tensor) -> Tensor:
    """[N]: log-probability of the whole action: its choice and the answers to the questions that it asks."""
    choice, target, word, count = code.long().unbind(-1)
    total = logits.choice.log_softmax(-1).gather(1, choice[:, None]).squeeze(1)
    presses = choice.eq(PLACES + Kind.LONG_PRESS)
    if presses.any():
        total = total + presses * logits.target.log_softmax(-1).gather(1, target[:, None]).squeeze(1)
    types = choice.index_select(0, logits.typing).eq(PLACES + Kind.TYPE)
    if types.any():
        word, count = word.index_select(0, logits.typing), count.index_select(0, logits.typing)
        at = torch.arange(len(word), device=word.device)
        first = logits.word.log_softmax(-1)[at, word]
        length = logits.length[at, word].log_softmax(-1)[at, (count - 1).clamp(min=0)]
        total = total.index_add(0, logits.typing, types * (first + length))
    return total


def _entropy(logits: Logits) -> Tensor:
    """[N]: exact entropy of the whole action (chain rule over its questions)."""
    chance = logits.choice.softmax(-1)
    total = _entropy_of(logits.choice) + chance[:, PLACES + Kind.LONG_PRESS] * _entropy_of(logits.target)
    if not len(logits.typing):
        return total
    spans = _entropy_of(logits.word) + (logits.word.softmax(-1) * _entropy_of(logits.length)).sum(-1)
    types = chance[:, PLACES + Kind.TYPE].index_select(0, logits.typing)
    return total.index_add(0, logits.typing, types * spans)


def _entropy_of(row: Tensor) -> Tensor:
    # not log.exp(): of numbers as small as _NEVER it is ten times slower
    return -(row.softmax(-1) * row.log_softmax(-1)).sum(-1)
