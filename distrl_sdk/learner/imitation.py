"""A warm start: imitate a few worked solutions, softly, so that exploration still finds what they do not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch

from distrl_sdk.config import LearnerConfig
from distrl_sdk.errors import UsageError
from distrl_sdk.interfaces import Policy, Varies
from distrl_sdk.types import Demonstration, End, Features, Moment, Trajectory, Verdict

STEPS = 64
"""Demonstrated steps in a batch."""


def as_episodes(policy: Policy, demonstrations: Sequence[Demonstration]) -> list[Trajectory]:
    """The demonstrations in the policy's features and codes; steps that it has no word for are left out.

    As nobody drew these actions, their log-probabilities are 0 and their version is 0: they are for imitation only.
    Raises UsageError when not one step can be said.
    """
    episodes = [episode for at, demo in enumerate(demonstrations) for episode in _episode(policy, demo, at)]
    if not episodes:
        raise UsageError(f"no step of {len(demonstrations)} demonstrations can be said by {type(policy).__name__}")
    return episodes


def imitate(
    policy: Policy,
    episodes: Sequence[Trajectory],
    config: LearnerConfig,
    seed: int,
    advance: Callable[[], None] = lambda: None,
) -> float:
    """Cross-entropy with an entropy term over `warm_start_epochs` passes; the mean loss of the last pass."""
    assert isinstance(policy, torch.nn.Module)
    steps = {
        name: torch.from_numpy(np.concatenate([episode.features[name][:-1] for episode in episodes]))
        for name in episodes[0].features
    }
    code = torch.from_numpy(np.concatenate([episode.code for episode in episodes]))
    optimizer = torch.optim.AdamW(policy.parameters(), lr=config.learning_rate, fused=True)
    generator = torch.Generator().manual_seed(seed)
    losses: list[float] = []
    for _ in range(config.warm_start_epochs):
        losses.clear()
        for rows in torch.split(torch.randperm(len(code), generator=generator), STEPS):
            batch = {name: each[rows] for name, each in steps.items()}
            if isinstance(policy, Varies):
                batch = policy.vary(batch, generator)
            mask = torch.ones(len(rows), 1, dtype=torch.bool)
            score = policy.score({name: each[:, None] for name, each in batch.items()}, code[rows][:, None], mask)
            loss = -score.log_pi.mean() - config.warm_start_entropy * score.entropy.mean()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_(policy.parameters(), config.gradient_norm)
            optimizer.step()
            losses.append(-float(score.log_pi.detach().mean()))
        advance()
    return float(np.mean(losses)) if losses else float("nan")


def _episode(policy: Policy, demo: Demonstration, number: int) -> Iterator[Trajectory]:
    """The demonstration, or nothing when the policy can say none of it."""
    rows: list[Features] = []
    codes, said = [], []
    for at, step in enumerate(demo.steps):
        features = policy.featurize(Moment(demo.about, demo.task, step.observation, demo.steps[:at]))
        code = policy.encode_action(features, step.action)
        if code is not None:
            rows.append(features)
            codes.append(code)
            said.append(step)
    if not rows:
        return
    rows.append(policy.featurize(Moment(demo.about, demo.task, demo.final, demo.steps)))
    count = len(said)
    yield Trajectory(
        id=f"demo/0/{number}",
        task=demo.task,
        lane="train",
        temperature=1.0,
        features={name: np.stack([row[name] for row in rows]) for name in rows[0]},
        code=np.stack(codes).astype(np.int32),
        log_mu=np.zeros(count, np.float32),
        log_pi=np.zeros(count, np.float32),
        version=np.zeros((count, 2), np.int32),
        invalid=np.array([step.invalid for step in said], np.bool_),
        repeats=np.array([step.repeats for step in said], np.int32),
        seconds=np.zeros(count + 1, np.float32),
        screens=np.array(
            [seen.fingerprint() for seen in (*(step.observation for step in said), demo.final)], np.uint32
        ),
        actions=tuple(step.action for step in said),
        end=End("finish"),
        verdict=Verdict(True, "demonstrated"),
    )
