"""Between a replay and a learner: the batch of the next gradient step, and what a step says of its episodes."""

from __future__ import annotations

import numpy as np
import torch

from distrl_sdk.algo.priority import PriorityTerms
from distrl_sdk.config import LearnerConfig
from distrl_sdk.learner.batches import Batch, collate
from distrl_sdk.learner.evidence import Drawn, Evidence
from distrl_sdk.learner.role import Learner, StepOutput
from distrl_sdk.replay.buffer import Replay


class Feed:
    """Draws as the settings say. `now` is the newest version's n."""

    def __init__(self, replay: Replay, config: LearnerConfig) -> None:
        self._replay = replay
        self._config = config
        self._steps = 0
        self.evidence = Evidence(config.trace.discount)
        """The latest gradient steps."""

    def draw(self, now: int) -> Batch:
        """Episodes for policy and critics, behind them those to be imitated. Raises ValueError with nothing to draw."""
        config = self._config
        draw = self._replay.sample(config.batch, now)
        self._drawn = Drawn(draw.age, self._replay.unmeasured(draw.keys))
        imitated = self._replay.to_imitate(config.elite_batch, now)
        rarity = self._replay.rarity(draw) if config.loss.novelty else None
        return collate(draw, imitated, config.loss.critic_weight_max, rarity)

    def told(self, batch: Batch, output: StepOutput) -> None:
        """Keep what a gradient step on the batch of the last draw measured."""
        if "measured" in output:
            self.evidence.add(batch, output["measured"], self._drawn)
        self._note(batch, output)

    def _note(self, batch: Batch, output: StepOutput) -> None:
        """Priorities of its own episodes, surprise of all."""
        elite, keys = batch.elite.cpu().numpy(), batch.key.cpu().numpy()
        terms = output["priority"].cpu().numpy().astype(np.float64)
        surprise = output["surprise"].cpu().numpy().astype(np.float64)
        self._replay.update(keys[~elite], PriorityTerms(*terms[~elite].T), surprise[~elite])
        self._replay.elite.update(keys[elite], surprise[elite])

    def sweep(self, learner: Learner, now: int) -> None:
        """After a gradient step: from time to time, measure again what was measured longest ago."""
        config = self._config.replay
        self._steps += 1
        if not config.sweep or self._steps % config.sweep_every or not len(self._replay):
            return
        batch = collate(self._replay.sweep(config.sweep, now))
        assert isinstance(learner, torch.nn.Module)
        learner.eval()
        with torch.no_grad():
            output = learner.training_step(batch.to(next(learner.parameters()).device), 0)
        learner.train()
        assert output is not None
        self._note(batch, output)
