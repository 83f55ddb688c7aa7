"""Between the intake and Lightning: finished episodes go into the replay, batches come out, new weights go up.

All of it runs on the training thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import lightning

from distrl_sdk.config import LearnerConfig
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.desk import Desk
from distrl_sdk.learner.evidence import Evidence
from distrl_sdk.learner.feed import Feed
from distrl_sdk.learner.intake import Arrival, Intake
from distrl_sdk.learner.publisher import Publisher
from distrl_sdk.learner.role import Learner
from distrl_sdk.learner.tally import Tally
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.replay.limiter import RateLimiter
from distrl_sdk.types import SlotAbout, Trajectory

SPARE = 8
"""One slot in so many may be slower than the rest: at the end of a run nothing waits for its episode."""


@dataclass(frozen=True)
class Limits:
    """When training is over, counted from the run's first start; 0 = no limit."""

    trajectories: int
    minutes: float


@dataclass(frozen=True)
class Parts:
    """What a loop stands between."""

    intake: Intake
    desk: Desk | None
    """None when episodes are judged on the workers."""
    publisher: Publisher
    publish_every: int
    """Gradient steps between two versions of the weights, under the async schedule."""
    working: Callable[[], Sequence[SlotAbout]] | None = None
    """The slots that work now, for the rounds of the sync schedule; None: async."""


class _Open(NamedTuple):
    """A train episode that is not in the replay yet."""

    start: int
    """Where it begins in the journal."""
    place: int
    """In its round."""


class Loop(lightning.Callback):
    """Feeds a learner and looks after what its steps change. `between` is called often, with nothing held."""

    def __init__(
        self, config: LearnerConfig, replay: Replay, parts: Parts, limits: Limits, between: Callable[[], None]
    ) -> None:
        self._config = config
        self.replay = replay
        self._intake = parts.intake
        self._desk = parts.desk
        self.publisher = parts.publisher
        self._publish_every = parts.publish_every
        self._working = parts.working
        self._limits = limits
        self._between = between
        self._started: float | None = None
        self._minutes = 0.0
        self._batch: Batch | None = None
        self._feed = Feed(replay, config)
        warmup = min(2 * config.batch, max(1, limits.trajectories // 2 or 2 * config.batch))
        slack = max(8.0, 8 * config.updates_per_trajectory)
        self.limiter = RateLimiter(config.updates_per_trajectory, warmup, slack)
        self.tally = Tally()
        self.stopped = False
        self._taken = 0
        self._journal = 0
        self._open: dict[str, _Open] = {}
        self._ahead: dict[str, int] = {}
        self._judged: list[Trajectory] = []
        self._settled = self._fresh = False
        self._published = 0

    # --- where it stands --------------------------------------------------------------------------------------------

    @property
    def at_desk(self) -> int:
        """Train episodes that wait for their verdict."""
        return len(self._open) - len(self._judged)

    @property
    def pending(self) -> int:
        """Train episodes that wait for their verdict, or for the rest of their round."""
        return len(self._open)

    @property
    def minutes(self) -> float:
        """Of training, over all processes of the run."""
        here = (time.monotonic() - self._started) / 60 if self._started is not None else self._minutes
        return self.tally.minutes + here

    def position(self) -> tuple[int, list[str]]:
        """Where to read the journal on from after a restart, and the ids behind it that need not be taken in again."""
        oldest = min([self._journal, *(each.start for each in self._open.values())])
        self._ahead = {name: start for name, start in self._ahead.items() if start >= oldest}
        return oldest, list(self._ahead)

    def restore(self, episodes: Iterable[tuple[Trajectory, int]], end: int) -> None:
        """Take in the episodes that the journal holds up to its `end`, each with its offset, and go on from there."""
        self._journal = end
        for trajectory, start in episodes:
            self._receive(trajectory, start)
        self._settle()

    # --- batches ----------------------------------------------------------------------------------------------------

    def next_batch(self) -> Batch | None:
        """Wait until a gradient step is due; None when training is over."""
        while True:
            self.take_in()
            if self.over:
                return None
            self.replay.drop_stale(self.publisher.version.n)
            if self._due and self.replay.drawable:
                self._batch = self._feed.draw(self.publisher.version.n)
                return self._batch
            if self._working is not None:
                self._keep_step(self._working())
            if (arrival := self._waited()) is not None:
                self._arrive(arrival)

    def _waited(self) -> Arrival | None:
        began = time.monotonic()
        arrival = self._intake.take(0.02)
        self.tally.waited += time.monotonic() - began
        return arrival

    @property
    def evidence(self) -> Evidence:
        """The latest gradient steps, for the gauges."""
        return self._feed.evidence

    @property
    def _due(self) -> bool:
        """Whether a gradient step is due; only the async schedule's learner runs ahead of the episodes."""
        return self.limiter.may_update() and (self._working is None or self.limiter.owed >= 1)

    @property
    def over(self) -> bool:
        """Whether a limit is reached, and the gradient steps that are due for it were taken."""
        if self.stopped or (self._limits.minutes and self.minutes >= self._limits.minutes):
            return True
        return self._full and (self.limiter.owed < 1 or not self.replay.drawable)

    def take_in(self) -> None:
        """Move what has arrived to the desk or into the replay, and say how much more may be under way."""
        self._between()
        whole = not self._intake.owed  # asked before the queue is emptied, so that nothing of the round is missed
        while (arrival := self._intake.take()) is not None:
            self._arrive(arrival)
        for trajectory in self._desk.take() if self._desk else ():
            self._intake.judged(trajectory.verdict)
            self._judged.append(trajectory)
        self._settled = whole and not self.at_desk
        if self._settled or self._working is None:
            self._settle()
        if self._working is None:
            room = self._room()
            self._intake.allow(self._taken + room if room else 0)

    def _settle(self) -> None:
        """Take what is judged into the replay, in the order of the round's plan."""
        for trajectory in sorted(self._judged, key=lambda each: self._open[each.id].place):
            self._ahead[trajectory.id] = self._open.pop(trajectory.id).start
            self._add(trajectory)
            self._fresh = True
        self._judged.clear()

    def _keep_step(self, working: Sequence[SlotAbout]) -> None:
        """When a round is over and its gradient steps were taken: new weights, and the next round."""
        if not self._settled or not working:
            self._intake.release(working)
            return
        if self._fresh:
            self._fresh = False
            if self.tally.updates != self._published:
                self._published = self.tally.updates
                self.publisher.publish()
            self.tally.rounds += 1
            self._between()
        left = self._limits.trajectories - self.tally.trajectories if self._limits.trajectories else len(working)
        self._intake.plan(working, left, self.publisher.version)

    def _room(self) -> int:
        """Episodes that may be under way: what the rate and the limit leave, less those that wait for a verdict."""
        if self._full or self.stopped:
            return 0
        # a learner that has nothing to draw, no whole group yet, pays no debt back: that must not stop collection
        owed = self.limiter.owed if self.replay.drawable else min(0.0, self.limiter.owed)
        room = (self.limiter.slack - owed) / self.limiter.updates_per_trajectory - len(self._open)
        if self._limits.trajectories:
            left = self._limits.trajectories - self.tally.trajectories - len(self._open)
            room = min(room, left + max(1, self._intake.slots_seen // SPARE) if left > 0 else 0)
        return max(0, int(room))

    @property
    def _full(self) -> bool:
        return bool(self._limits.trajectories) and self.tally.trajectories >= self._limits.trajectories

    def _arrive(self, arrival: Arrival) -> None:
        self._taken += 1
        start, self._journal = self._journal, arrival.behind
        versions = arrival.trajectory.version[:, 1]
        self.tally.lag.append(self.publisher.version.n - float(versions.mean()) if len(versions) else 0.0)
        self._receive(arrival.trajectory, start, arrival.place)

    def _receive(self, trajectory: Trajectory, start: int, place: int = 0) -> None:
        self._open[trajectory.id] = _Open(start, place)
        if trajectory.verdict is None and self._desk is not None:
            self._desk.submit(trajectory)
        else:
            self._judged.append(trajectory)

    def _add(self, trajectory: Trajectory) -> None:
        """Take a judged episode into the replay; one without a verdict is counted and trains nothing."""
        success = trajectory.verdict.success if trajectory.verdict else None
        if success is None:
            self.tally.unjudged += 1
            return
        self.replay.add(trajectory, success, self.publisher.version.n)
        self.limiter.inserted()
        self._intake.record(trajectory.task, success)
        self.tally.count(trajectory.task.family, success, len(trajectory))

    # --- Lightning's calls ------------------------------------------------------------------------------------------

    def on_train_start(self, trainer: lightning.Trainer, pl_module: lightning.LightningModule) -> None:  # noqa: ARG002
        """The clock of the time limit starts here."""
        self._started = time.monotonic()

    def on_train_end(self, trainer: lightning.Trainer, pl_module: lightning.LightningModule) -> None:  # noqa: ARG002
        """It stops here, and nothing more is handed out."""
        self._stop()

    def on_exception(
        self,
        trainer: lightning.Trainer,  # noqa: ARG002
        pl_module: lightning.LightningModule,  # noqa: ARG002
        exception: BaseException,  # noqa: ARG002
    ) -> None:
        """As at the end."""
        self._stop()

    def _stop(self) -> None:
        self._intake.allow(0)
        if self._started is not None:
            self._minutes, self._started = (time.monotonic() - self._started) / 60, None

    def on_train_batch_end(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
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
        self._feed.told(done, outputs)
        self._feed.sweep(cast(Learner, pl_module), self.publisher.version.n)
        for name, value in outputs["terms"].items():
            old = self.tally.terms.get(name, value)
            self.tally.terms[name] = 0.9 * old + 0.1 * value
        if self._working is None and self.tally.updates % self._publish_every == 0:
            self.publisher.publish()
