"""Between the intake and Lightning: finished episodes go into the replay, batches come out, new weights go up.

All of it runs on the training thread.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty
from typing import Any

import lightning
import numpy as np

from distrl_sdk.algo.priority import PriorityTerms
from distrl_sdk.config import LearnerConfig
from distrl_sdk.learner.batches import Batch, collate
from distrl_sdk.learner.desk import Desk
from distrl_sdk.learner.intake import Intake
from distrl_sdk.learner.publisher import Publisher
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.replay.limiter import RateLimiter
from distrl_sdk.types import Trajectory

RECENT = 100
"""Episodes of the running success rate."""


@dataclass
class Limits:
    """When training is over; 0 = no limit."""

    trajectories: int
    minutes: float


@dataclass
class Tally:
    """What was seen so far, for whoever shows it."""

    trajectories: int = 0
    """Judged train episodes."""
    unjudged: int = 0
    updates: int = 0
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=RECENT))
    lag: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT))
    """Versions behind, mean over the steps of each episode when it arrived."""
    steps: deque[int] = field(default_factory=lambda: deque(maxlen=RECENT))
    terms: dict[str, float] = field(default_factory=dict)
    """The latest loss terms, smoothed."""


class Loop(lightning.Callback):
    """Feeds a learner and looks after what its steps change. `between` is called often, with nothing held."""

    def __init__(
        self,
        config: LearnerConfig,
        replay: Replay,
        intake: Intake,
        publisher: Publisher,
        desk: Desk | None,
        limits: Limits,
        publish_every: int,
        between: Callable[[], None],
    ) -> None:
        self._config = config
        self.replay = replay
        self._intake = intake
        self.publisher = publisher
        self._desk = desk
        self._limits = limits
        self._publish_every = publish_every
        self._between = between
        self._started = time.monotonic()
        self._batch: Batch | None = None
        warmup = min(2 * config.batch, max(1, limits.trajectories // 2 or 2 * config.batch))
        slack = max(8.0, 8 * config.updates_per_trajectory)
        self.limiter = RateLimiter(config.updates_per_trajectory, warmup, slack)
        self.tally = Tally()
        self.stopped = False
        self.journal = 0
        """The journal's offset behind the last episode that arrived here."""
        self._open: dict[str, int] = {}
        self._ahead: dict[str, int] = {}

    # --- batches ----------------------------------------------------------------------------------------------------

    def next_batch(self) -> Batch | None:
        """Wait until a gradient step is due; None when training is over."""
        while True:
            self.take_in()
            if self.over:
                return None
            self.replay.drop_stale(self.publisher.version.n)
            if self.limiter.may_update() and len(self.replay):
                self._batch = self._draw()
                return self._batch
            self._wait()

    @property
    def over(self) -> bool:
        """Whether a limit is reached, and the gradient steps that are due for it were taken."""
        minutes = (time.monotonic() - self._started) / 60
        if self.stopped or (self._limits.minutes and minutes >= self._limits.minutes):
            return True
        return self._full and (self.limiter.owed < 1 or not len(self.replay))

    def take_in(self) -> None:
        """Move what has arrived to the desk or into the replay, and say how much more may be under way."""
        self._between()
        while not self._intake.arrived.empty():
            self._arrive(*self._intake.arrived.get())
        for trajectory in self._desk.take() if self._desk else ():
            self._ahead[trajectory.id] = self._open.pop(trajectory.id)
            self.add(trajectory)
        room = (self.limiter.slack - self.limiter.owed) / self.limiter.updates_per_trajectory
        self._intake.allow(0 if self._full or self.stopped else max(0, int(room)))

    def position(self) -> tuple[int, list[str]]:
        """Where to read the journal on from after a restart, and the ids behind it that need not be taken in again."""
        oldest = min([self.journal, *self._open.values()])
        self._ahead = {name: start for name, start in self._ahead.items() if start >= oldest}
        return oldest, list(self._ahead)

    @property
    def _full(self) -> bool:
        return bool(self._limits.trajectories) and self.tally.trajectories >= self._limits.trajectories

    def _wait(self) -> None:
        try:
            self._arrive(*self._intake.arrived.get(timeout=0.02))
        except Empty:
            return

    def _arrive(self, trajectory: Trajectory, behind: int) -> None:
        start, self.journal = self.journal, behind
        self.tally.lag.append(self.publisher.version.n - float(trajectory.version[:, 1].mean()))
        if trajectory.verdict is None and self._desk is not None:
            self._open[trajectory.id] = start
            self._desk.submit(trajectory)
        else:
            self._ahead[trajectory.id] = start
            self.add(trajectory)

    def add(self, trajectory: Trajectory) -> None:
        """Take a judged episode into the replay; one without a verdict is counted and trains nothing."""
        success = trajectory.verdict.success if trajectory.verdict else None
        if success is None:
            self.tally.unjudged += 1
            return
        self.replay.add(trajectory, success, self.publisher.version.n)
        self.limiter.inserted()
        self._intake.record(trajectory.task, success)
        self.tally.trajectories += 1
        self.tally.recent.append(success)
        self.tally.steps.append(len(trajectory))

    def _draw(self) -> Batch:
        now, config = self.publisher.version.n, self._config
        draw = self.replay.sample(config.batch, now)
        if not config.elite_batch or not len(self.replay.elite):
            return collate(draw)
        return collate(draw, self.replay.elite.sample(config.elite_batch, now))

    # --- after each gradient step -----------------------------------------------------------------------------------

    def on_train_start(self, trainer: lightning.Trainer, pl_module: lightning.LightningModule) -> None:  # noqa: ARG002
        """The clock of the time limit starts here."""
        self._started = time.monotonic()

    def on_train_batch_end(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,  # noqa: ARG002
        outputs: Any,
        batch: Any,  # noqa: ARG002
        batch_idx: int,  # noqa: ARG002
    ) -> None:
        """New priorities, and from time to time new weights."""
        done, self._batch = self._batch, None
        if done is None:
            trainer.should_stop = True
            return
        self.limiter.updated()
        self.tally.updates += 1
        self._reprioritise(done, outputs)
        for name, value in outputs["terms"].items():
            old = self.tally.terms.get(name, value)
            self.tally.terms[name] = 0.9 * old + 0.1 * value
        if self.tally.updates % self._publish_every == 0:
            self.publisher.publish()

    def _reprioritise(self, batch: Batch, outputs: Any) -> None:
        elite = batch.elite.numpy()
        keys = batch.key.numpy()
        terms = outputs["priority"].numpy().astype(np.float64)
        self.replay.update(keys[~elite], PriorityTerms(*terms[~elite].T))
        self.replay.elite.update(keys[elite], outputs["surprise"].numpy()[elite])
