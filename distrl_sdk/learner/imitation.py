"""A warm start: imitate a few worked solutions, softly, so that exploration still finds what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from distrl_sdk.config import LearnerConfig
from distrl_sdk.errors import UsageError
from distrl_sdk.interfaces import Policy, Varies
from distrl_sdk.types import Demonstration, Moment


@dataclass(frozen=True, slots=True, eq=False)
class Imitations:
    """N moments of demonstrations and what was done in each; `skipped` steps the policy has no word for."""

    features: dict[str, Tensor]
    """Each [N, 1, ...]."""
    code: Tensor
    """[N, 1, C]"""
    skipped: int


def encode(policy: Policy, demonstrations: Sequence[Demonstration]) -> Imitations:
    """Featurise every step. Raises UsageError when not one step can be said in the policy's grammar."""
    rows, codes, skipped = [], [], 0
    for demo in demonstrations:
        for at, step in enumerate(demo.steps):
            features = policy.featurize(Moment(demo.about, demo.task, step.observation, demo.steps[:at]))
            code = policy.encode_action(features, step.action)
            if code is None:
                skipped += 1
                continue
            rows.append(features)
            codes.append(code)
    if not rows:
        raise UsageError(f"none of the {skipped} demonstrated steps can be said by {type(policy).__name__}")
    stacked = {name: torch.from_numpy(np.stack([row[name] for row in rows]))[:, None] for name in rows[0]}
    return Imitations(stacked, torch.from_numpy(np.stack(codes))[:, None], skipped)


def imitate(
    policy: Policy, steps: Imitations, config: LearnerConfig, seed: int, advance: Callable[[], None] = lambda: None
) -> float:
    """Cross-entropy with an entropy term, in batches of 64 steps; the mean loss of the last pass."""
    assert isinstance(policy, torch.nn.Module)
    optimizer = torch.optim.AdamW(policy.parameters(), lr=config.learning_rate)
    generator = torch.Generator().manual_seed(seed)
    mean = float("nan")
    for _ in range(config.warm_start_epochs):
        order = torch.randperm(len(steps.code), generator=generator)
        losses = []
        for rows in torch.split(order, 64):
            features = {name: each[rows] for name, each in steps.features.items()}
            if isinstance(policy, Varies):
                flat = policy.vary({name: each[:, 0] for name, each in features.items()}, generator)
                features = {name: each[:, None] for name, each in flat.items()}
            score = policy.score(features, steps.code[rows], torch.ones(len(rows), 1, dtype=torch.bool))
            loss = -score.log_pi.mean() - config.warm_start_entropy * score.entropy.mean()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(policy.parameters(), config.gradient_norm)
            optimizer.step()
            losses.append(-float(score.log_pi.detach().mean()))
        mean = float(np.mean(losses))
        advance()
    return mean
