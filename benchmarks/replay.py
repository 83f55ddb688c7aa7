"""What the replay costs beside one optimiser step of the demo: draws and priorities over forward, backward and step.

    python benchmarks/replay.py

Fills a replay with episodes of the untrained default policy on simphone, then measures in turn, one torch thread.
Ends with one line of JSON; `share_of_step` is the median time of sampling (replay and elite), padding into a batch and
writing new priorities, over the median time of one optimiser step on those batches.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import torch

from distrl_sdk.algo.priority import PriorityTerms
from distrl_sdk.config import LearnerConfig
from distrl_sdk.interfaces import Policy
from distrl_sdk.learner.aride import ARide
from distrl_sdk.learner.batches import Batch, collate
from distrl_sdk.plugins import device_source, task_set
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.types import Assignment, Decision, Features, Moment, Trajectory, Verdict, Version
from distrl_sdk.worker.episode import play

ROUNDS = 60


class Alone:
    """Chooses for one phone, without an inference thread."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._generator = torch.Generator().manual_seed(1)

    def featurize(self, moment: Moment) -> Features:
        """See Policy."""
        return self._policy.featurize(moment)

    def prepare(self, assignment: Assignment) -> None:
        """Nothing to fetch."""

    def decide(self, features: Features, temperature: float, pinned: Version | None, seed: int) -> Decision:  # noqa: ARG002
        """One decision."""
        return self._policy.act([features], [temperature], self._generator)[0]


def episodes(policy: Policy, count: int) -> Iterator[Trajectory]:
    """Train tasks, played by the policy; every fourth is called a success, so that the elite fills too."""
    phone = device_source("sim").open("0")
    tasks = task_set("general/train").tasks
    for at in range(count):
        assignment = Assignment(f"a{at}", tasks[at % len(tasks)], seed=at)
        trajectory = play(assignment, phone, Alone(policy))
        yield replace(trajectory, id=f"w/1/{at}", verdict=Verdict(at % 4 == 0))


def main() -> None:
    """Fill, then measure draws and steps in turn."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    config = LearnerConfig()
    learner = ARide(config=config)
    optimizer = learner.configure_optimizers()
    store = Replay(config.replay, seed=1)
    for trajectory in episodes(learner.policy, config.replay.capacity):
        store.add(trajectory, bool(trajectory.verdict and trajectory.verdict.success), 0)
    replays, steps = [], []
    for at in range(ROUNDS):
        began = time.perf_counter()
        batch = collate(store.sample(config.batch, at), store.elite.sample(config.elite_batch, at))
        drawn = time.perf_counter()
        output = step(learner, optimizer, batch)
        stepped = time.perf_counter()
        reprioritise(store, batch, output)
        replays.append(drawn - began + time.perf_counter() - stepped)
        steps.append(stepped - drawn)
    replay_ms, step_ms = (1000 * statistics.median(each[5:]) for each in (replays, steps))
    print(f"{len(store)} episodes, batches of {config.batch} + {config.elite_batch}")
    figures = {"share_of_step": replay_ms / step_ms, "replay_ms": replay_ms, "step_ms": step_ms}
    print(json.dumps({name: round(value, 5) for name, value in figures.items()}))


def step(learner: ARide, optimizer: torch.optim.Optimizer, batch: Batch) -> dict[str, torch.Tensor]:
    """One optimiser step."""
    output = learner.training_step(batch, 0)
    assert output is not None
    optimizer.zero_grad()
    output["loss"].backward()
    torch.nn.utils.clip_grad_norm_(learner.parameters(), learner.config.gradient_norm)
    optimizer.step()
    return output


def reprioritise(store: Replay, batch: Batch, output: dict[str, torch.Tensor]) -> None:
    """As the training loop does."""
    elite, keys = batch.elite.numpy(), batch.key.numpy()
    terms = output["priority"].numpy().astype(np.float64)
    store.update(keys[~elite], PriorityTerms(*terms[~elite].T))
    store.elite.update(keys[elite], output["surprise"].numpy()[elite])


if __name__ == "__main__":
    main()
