"""One training run from its warm start to its result, inside a session."""

from __future__ import annotations

import contextlib
import logging
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import lightning
import numpy as np
import torch

from distrl_sdk import checkpoint
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.metrics import MetricsWriter
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.learner.batches import ReplayData
from distrl_sdk.learner.imitation import encode, imitate
from distrl_sdk.learner.loop import Limits, Loop, Tally
from distrl_sdk.progress import Progress, Status
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.replay.journal import Journal, Kind
from distrl_sdk.replay.journal import replay as records
from distrl_sdk.rundir import RunDirectory
from distrl_sdk.session import Session, Setting
from distrl_sdk.tasks.curriculum import spread
from distrl_sdk.types import Trajectory, Verdict
from distrl_sdk.wire.codec import split_frames, unpack_trajectory
from distrl_sdk.wire.limits import unpack_header
from distrl_sdk.wire.plain import from_plain

SHOWN = 3
"""Held-out tasks whose pictures are kept, before and after."""
METRICS_EVERY = 5.0
"""Seconds between two rows of metrics."""


class Training:
    """Use as a context manager: the session runs inside it."""

    def __init__(
        self, setting: Setting, run: RunDirectory, progress: Progress, lightning_options: Mapping[str, Any]
    ) -> None:
        self._setting = setting
        self._run = run
        self._progress = progress
        self._options = dict(lightning_options)
        self._learner = setting.learner
        self._stack = contextlib.ExitStack()
        self._place = checkpoint.newest(run.checkpoints)
        self._from = checkpoint.position_of(self._place) if self._place else checkpoint.Position()
        self._journal = self._stack.enter_context(Journal(run.journal / "journal"))
        self.session = Session(setting, progress, self._journal, last=self._from.version)
        self._metrics = MetricsWriter(run, setting.incarnation)
        self._stack.callback(self._metrics.close)
        self._episodes = EpisodeStore(run.episodes)
        for name in received(run.journal / "journal"):
            self.session.server.received.add_id(name)
        self._loop: Loop | None = None
        self._lightning: lightning.Trainer | None = None
        self._began = self._measured = self._saved = time.monotonic()
        self._counted = 0

    def __enter__(self) -> Training:
        self._stack.enter_context(self.session)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def go(self, held_out: TaskSet | None) -> RunResult:
        """Warm start, evaluation, training, evaluation; of a resumed run what is missing. Writes result.json."""
        session = self.session
        if self._place is None:
            self._warm_start()
        else:
            self._learner.load_state_dict(checkpoint.weights(self._place))
        session.publisher.publish()
        session.wait_for_slots(self._setting.tasks.tasks)
        before = self._earlier() or self._evaluate(held_out, "before")
        self._run.write_result(self._result(0.0, before, None).to_json())
        minutes = self._train()
        session.publisher.publish()
        after = self._evaluate(held_out, "after")
        result = self._result(minutes, before, after)
        self._run.write_result(result.to_json())
        return result

    # --- parts of it ------------------------------------------------------------------------------------------------

    def _warm_start(self) -> None:
        config = self._setting.config
        shown = self._setting.tasks.demonstrations(config.demos, config.seed) if config.demos else ()
        if not shown:
            return
        torch.manual_seed(config.seed)
        settings = self._learner.config
        with self._progress.task(f"warm start from {len(shown)} demonstrations", settings.warm_start_epochs) as advance:
            imitate(self._learner.policy, encode(self._learner.policy, shown), settings, config.seed, advance)

    def _evaluate(self, held_out: TaskSet | None, phase: str) -> EvalResult | None:
        if held_out is None:
            return None
        tasks = spread(held_out.tasks, self._setting.config.eval_episodes)
        shown = [task.id for task in tasks[:SHOWN]]
        played = self.session.play(tasks, f"{held_out.name} {phase}", shown)
        for trajectory in played[:SHOWN]:
            self._episodes.save(trajectory, phase=phase, pinned=True)
        result = EvalResult.of(played, self.session.publisher.version)
        self._progress.event(f"{held_out.name} {phase} training: {result}")
        return result

    def _earlier(self) -> EvalResult | None:
        earlier = self._run.read_result()
        return RunResult.from_json(earlier).before if earlier is not None else None

    def _train(self) -> float:
        """Minutes it took."""
        config, settings = self._setting.config, self._learner.config
        replay = Replay(settings.replay, config.seed)
        limits = Limits(config.max_trajectories, config.max_minutes)
        session = self.session
        self._loop = loop = Loop(
            settings, replay, session.intake, session.publisher, session.desk, limits,
            self._setting.collect.publish_every, self._between,
        )  # fmt: skip
        self._restore(loop)
        self._began = self._measured = self._saved = time.monotonic()
        options = {**_defaults(settings.gradient_norm), **self._options}
        with _quiet():
            self._lightning = lightning.Trainer(**options, callbacks=[loop, *_listed(self._options.get("callbacks"))])
            self._lightning.fit(
                self._learner,
                ReplayData(loop.next_batch),
                ckpt_path=str(self._place / "learner.ckpt") if self._place else None,
                weights_only=True,
            )
        session.intake.allow(0)
        self._save()
        session.watch()
        return self._minutes()

    def _minutes(self) -> float:
        return self._from.minutes + (time.monotonic() - self._began) / 60

    # --- between two gradient steps ---------------------------------------------------------------------------------

    def _between(self) -> None:
        loop = self._loop
        assert loop is not None
        if self.session.interrupted:
            loop.stopped = True
            return
        self.session.watch()
        now = time.monotonic()
        self._progress.update(self._status(loop))
        if now - self._measured >= METRICS_EVERY:
            self._measure(loop, now)
        if now - self._saved >= 60 * self._setting.config.checkpoint_minutes and self._lightning is not None:
            self._save()

    def _status(self, loop: Loop) -> Status:
        tally = loop.tally
        busy, idle, broken = self.session.phones()
        return Status(
            trajectories=tally.trajectories,
            total=self._setting.config.max_trajectories,
            success=float(np.mean(tally.recent)) if tally.recent else None,
            per_minute=(tally.trajectories - self._from.trajectories) / max(1e-3, time.monotonic() - self._began) * 60,
            updates=tally.updates,
            lag=float(np.mean(tally.lag)) if tally.lag else None,
            buffer=len(loop.replay),
            busy=busy,
            idle=idle,
            broken=broken,
            waiting_for=f"episodes of {busy} busy phones" if busy else "a phone that is free",
        )

    def _measure(self, loop: Loop, now: float) -> None:
        tally = loop.tally
        figures = {
            "trajectories_per_minute": 60 * (tally.trajectories - self._counted) / (now - self._measured),
            "buffer": len(loop.replay),
            "buffer/elite": len(loop.replay.elite),
            "updates": tally.updates,
            **{f"loss/{name}": value for name, value in tally.terms.items() if name != "entropy"},
        }
        if tally.recent:
            figures |= {"success": float(np.mean(tally.recent)), "policy_lag": float(np.mean(tally.lag))}
        if "entropy" in tally.terms:
            figures["entropy"] = tally.terms["entropy"]
        figures |= {f"success/{family}": rate for family, rate in self.session.intake.success_rates().items()}
        figures |= {f"count/{name}": value for name, value in self._counts().items()}
        self._metrics.write(tally.trajectories, figures)
        self._measured, self._counted = now, tally.trajectories

    def _counts(self) -> dict[str, float]:
        counts = {name: float(value) for name, value in self.session.intake.counts.items()}
        counts |= {f"refused_{name}": float(value) for name, value in self.session.server.refused.items()}
        if self._loop is not None:
            counts["unjudged"] = float(self._loop.tally.unjudged)
            counts["dropped_stale"] = float(self._loop.replay.dropped_stale)
        return counts

    def _result(self, minutes: float, before: EvalResult | None, after: EvalResult | None) -> RunResult:
        tally = self._loop.tally if self._loop is not None else Tally()
        return RunResult(tally.trajectories, tally.updates, minutes, before, after, Machine.here(), self._counts())

    # --- checkpoints ------------------------------------------------------------------------------------------------

    def _save(self) -> None:
        assert self._loop is not None
        assert self._lightning is not None
        loop = self._loop
        offset, ahead = loop.position()
        position = checkpoint.Position(
            trajectories=loop.tally.trajectories,
            updates=loop.tally.updates,
            version=self.session.publisher.version.n,
            journal=offset,
            ahead=ahead,
            inserts=loop.limiter.inserts,
            rates=self.session.intake.success_rates(),
            minutes=self._minutes(),
        )
        checkpoint.save(self._run.checkpoints, self._lightning, loop.replay, position)
        self._saved = time.monotonic()

    def _restore(self, loop: Loop) -> None:
        """The replay as it was saved, and what the journal got after that; of a new run neither."""
        start, again = self._from, 0
        loop.journal = self._journal.end
        if self._place is not None:
            loop.replay.load(self._place / "replay.npz")
        loop.limiter.inserts, loop.limiter.updates = start.inserts, start.updates
        loop.tally.trajectories, loop.tally.updates = start.trajectories, start.updates
        self.session.intake.set_rates(start.rates)
        known = set(start.ahead)
        for trajectory in judged(self._run.journal / "journal", start.journal):
            if trajectory.id not in known:
                loop.add(trajectory)
                again += 1
        if self._place is not None or again:
            what = f"resumed at {start.updates} updates; {again} episodes came back from the journal"
            torn = (
                f"; a torn record of {self._journal.torn_bytes} bytes was cut off" if self._journal.torn_bytes else ""
            )
            self._progress.event(what + torn)


def received(path: Path) -> Iterator[str]:
    """The ids of all trajectories that the journal holds."""
    for record in records(path):
        if record.kind is Kind.TRAJECTORY:
            yield unpack_header(split_frames(record.payload)[0])["id"]


def judged(path: Path, offset: int) -> Iterator[Trajectory]:
    """The train episodes that the journal holds from an offset on and that have a verdict."""
    waiting: dict[str, Trajectory] = {}
    for record in records(path, offset):
        if record.kind is Kind.TRAJECTORY:
            trajectory = unpack_trajectory(split_frames(record.payload))
            if trajectory.lane != "train" or trajectory.end.kind == "aborted":
                continue
            if trajectory.verdict is not None:
                yield trajectory
            else:
                waiting[trajectory.id] = trajectory
        elif record.kind is Kind.VERDICT:
            name, plain = unpack_header(record.payload)
            if name in waiting:
                yield replace(waiting.pop(name), verdict=from_plain(Verdict, plain))


def _defaults(gradient_norm: float) -> dict[str, Any]:
    """Lightning's part: no files and no noise of its own; when to stop is the loop's business."""
    return {
        "max_epochs": -1,
        "gradient_clip_val": gradient_norm,
        "logger": False,
        "enable_checkpointing": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "devices": 1,
    }


def _listed(callbacks: Any) -> list[Any]:
    return callbacks if isinstance(callbacks, list) else [callbacks] if callbacks else []


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without what Lightning says of a usual training, which is not true of this one."""
    log = logging.getLogger("lightning.pytorch")
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        with warnings.catch_warnings():
            # the dataset yields ticks: there is nothing for more processes to load
            warnings.filterwarnings("ignore", message=".*does not have many workers.*")
            # None is how the loop says that training is over
            warnings.filterwarnings("ignore", message="train_dataloader yielded None")
            # Lightning's own use of torch
            warnings.filterwarnings("ignore", message=r"`isinstance\(treespec, LeafSpec\)` is deprecated")
            yield
    finally:
        log.setLevel(level)
