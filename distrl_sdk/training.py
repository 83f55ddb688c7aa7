"""One training run from its warm start to its result, inside a session."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import Any

import torch

from distrl_sdk import checkpoint
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import DistrlError, StorageError
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.metrics import MetricsWriter
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.examination import Origin, Plan, examine
from distrl_sdk.gauges import Gauges
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.learner import backlog, engine
from distrl_sdk.learner.imitation import as_episodes, imitate
from distrl_sdk.learner.loop import Limits, Loop, Parts
from distrl_sdk.matching import need_playable, playable
from distrl_sdk.progress import Progress
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.replay.journal import Journal
from distrl_sdk.rundir import RunDirectory
from distrl_sdk.session import Session, Setting
from distrl_sdk.tasks.curriculum import spread

SHOWN = 3
"""Held-out tasks whose pictures are kept, before and after."""


class Training:
    """Use as a context manager: the session runs inside it. `options` are lightning.Trainer's.

    Entering restores what an earlier process of the run left: its checkpoint, and what the journal got after that.
    """

    def __init__(self, setting: Setting, run: RunDirectory, progress: Progress, options: Mapping[str, Any]) -> None:
        self._setting = setting
        self._run = run
        self._progress = progress
        self._options = options
        self._learner = setting.learner
        self._stack = contextlib.ExitStack()
        self._episodes = EpisodeStore(run.episodes)
        self._place = checkpoint.newest(run.checkpoints)

    def __enter__(self) -> Training:
        with contextlib.ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _open(self, stack: contextlib.ExitStack) -> None:
        setting, run, settings = self._setting, self._run, self._learner.config
        path = run.journal / "journal"
        journal = stack.enter_context(Journal(path))
        position = checkpoint.position_of(self._place) if self._place else checkpoint.Position()
        left = backlog.read(path, position.journal, set(position.ahead))
        self.session = session = Session(setting, self._progress, journal, max(position.version, left.version))
        stack.callback(session.close)
        working = session.working if session.schedule == "sync" else None
        parts = Parts(session.intake, session.desk, session.publisher, setting.collect.publish_every, working)
        limits = Limits(setting.config.max_trajectories, setting.config.max_minutes)
        self._loop = Loop(settings, Replay(settings.replay, setting.config.seed), parts, limits, self._between)
        self._engine = engine.make_engine(self._options, self._loop, settings.gradient_norm)
        self._restore(position, left, journal)
        metrics = MetricsWriter(run, setting.incarnation)
        stack.callback(metrics.close)
        self._gauges = Gauges(session, self._loop, metrics, setting.config.max_trajectories)
        stack.enter_context(session)

    def _restore(self, position: checkpoint.Position, left: backlog.Backlog, journal: Journal) -> None:
        loop, session = self._loop, self.session
        if self._place is not None:
            loop.replay.load(self._place / "replay.npz")
        loop.limiter.inserts, loop.limiter.updates = position.inserts, position.updates
        loop.tally.trajectories, loop.tally.unjudged = position.trajectories, position.unjudged
        loop.tally.updates, loop.tally.minutes = position.updates, position.minutes
        session.intake.set_rates(position.rates)
        session.intake.counts.update(left.counts)
        for name in left.received:
            session.server.received.add_id(name)
        loop.restore(left.episodes.values(), journal.end)
        if left.received:
            torn = f"; a torn record of {journal.torn_bytes} bytes was cut off" if journal.torn_bytes else ""
            again = len(left.episodes)
            self._progress.event(f"goes on at {position.updates} updates; {again} episodes come from the journal{torn}")

    # --- from start to end ------------------------------------------------------------------------------------------

    def go(self, held_out: TaskSet | None) -> RunResult:
        """Warm start, evaluation, training, evaluation; of a resumed run what is missing. Writes result.json.

        By then the session is closed: the counts are final. Raises KeyboardInterrupt after an interrupt, and whatever
        else ended the run: what was learned is kept then, too.
        """
        before = self._earlier()
        try:
            self._begin(held_out)
            before = before or self._evaluate(held_out, "before", None)
            self._write(self._result(before))
            self._train()
            self.session.publisher.publish()
            after = self._evaluate(held_out, "after", before)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                self._progress.event("interrupted: ending in order; once more ends it at once")
            self.session.close()
            self._write(self._result(before))
            raise
        self.session.close()
        result = self._result(before, after)
        self._run.write_result(result.to_json())
        return result

    def _begin(self, held_out: TaskSet | None) -> None:
        """Make the learner what it was, or warm it up; and see that there is something to play for these phones."""
        session, tasks = self.session, self._setting.tasks
        if self._place is None:
            self._warm_start()
        else:
            self._learner.load_state_dict(checkpoint.weights(self._place))
        session.publisher.publish()
        slots = session.wait_for_slots(tasks.tasks)
        for wanted in (tasks, held_out):
            if wanted is not None:
                need_playable(wanted, slots)

    def _warm_start(self) -> None:
        config, settings, session = self._setting.config, self._learner.config, self.session
        session.at_once = True  # nothing here but sums: an interrupt may end it anywhere
        try:
            session.watch()
            torch.manual_seed(config.seed)
            wanted = config.demos_per_family * len({task.family for task in self._setting.tasks.tasks})
            scripted = self._setting.tasks.demonstrations(wanted, config.seed) if wanted else ()
            shown = [*scripted, *self._setting.recorded]
            if not shown:
                return
            name = f"warm start from {len(shown)} demonstrations"
            with self._progress.task(name, settings.warm_start_epochs) as advance:
                episodes = as_episodes(self._learner.policy, shown)
                imitate(self._learner.policy, episodes, settings, config.seed, advance)
            for episode in episodes:
                self._loop.replay.keep(episode)
        finally:
            session.at_once = False

    def _evaluate(self, held_out: TaskSet | None, phase: str, earlier: EvalResult | None) -> EvalResult | None:
        """Play the tasks of an earlier evaluation, or else some that the phones that are here can play."""
        if held_out is None:
            return None
        same = {episode.task for episode in earlier.episodes} if earlier is not None else set()
        possible = playable(held_out.tasks, self.session.slots())
        tasks = [task for task in held_out.tasks if task.id in same] or spread(
            possible, self._setting.config.eval_episodes
        )
        shown = {task.id for task in tasks[:SHOWN]}
        plan = Plan(held_out.name, tasks, seed=self._setting.config.seed)
        origin = Origin(str(self._run.path.resolve()), self._run.config)
        result, played = examine(self.session, self._setting, plan, origin, f"{held_out.name} {phase}", shown)
        for each in played:
            if each.trajectory.task.id in shown:
                self._episodes.save(each.trajectory, phase=phase, pinned=True)
        self._progress.event(f"{held_out.name} {phase} training: {result}")
        return result

    def _earlier(self) -> EvalResult | None:
        earlier = self._run.read_result()
        return RunResult.from_json(earlier).before if earlier is not None else None

    def _train(self) -> None:
        loop, session = self._loop, self.session
        self._saved = time.monotonic()
        self._gauges.start()
        try:
            engine.train(self._engine, self._learner, loop, self._place / "learner.ckpt" if self._place else None)
        except DistrlError:
            self._save()  # the learner is whole; what failed is outside of it
            raise
        self._save()
        self._gauges.write()
        self._gauges.look(self._progress)
        session.watch()

    def _between(self) -> None:
        """Between two gradient steps, and while waiting for the next one."""
        session = self.session
        if session.interrupted:
            self._loop.stopped = True  # KeyboardInterrupt must not reach Lightning
            return
        session.check()
        self._gauges.look(self._progress)
        if time.monotonic() - self._saved >= 60 * self._setting.config.checkpoint_minutes:
            self._save()

    # --- what stays -------------------------------------------------------------------------------------------------

    def _result(self, before: EvalResult | None, after: EvalResult | None = None) -> RunResult:
        tally, minutes = self._loop.tally, self._loop.minutes
        counts = self._gauges.counts()
        return RunResult(tally.trajectories, tally.updates, minutes, before, after, Machine.here(), counts)

    def _write(self, result: RunResult) -> None:
        """A result on the way: not being able to write it must not hide why the run ends."""
        try:
            self._run.write_result(result.to_json())
        except StorageError as error:
            self._progress.event(f"the result so far is not kept: {error}")

    def _save(self) -> None:
        loop = self._loop
        offset, ahead = loop.position()
        position = checkpoint.Position(
            trajectories=loop.tally.trajectories,
            unjudged=loop.tally.unjudged,
            updates=loop.tally.updates,
            version=self.session.publisher.version.n,
            journal=offset,
            ahead=ahead,
            inserts=loop.limiter.inserts,
            rates=self.session.intake.success_rates(),
            minutes=loop.minutes,
        )
        self._saved = time.monotonic()
        try:
            checkpoint.save(self._run.checkpoints, partial(engine.save, self._engine), loop.replay, position)
        except StorageError as error:
            # The journal has every episode: a run without this checkpoint loses time, not data.
            self._progress.event(f"no checkpoint: {error}")
