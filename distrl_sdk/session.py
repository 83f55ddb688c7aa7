"""The running parts around one learner: server, workers, journal, intake and desk, from start to orderly end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import torch

from distrl_sdk.config import CollectConfig, NetworkConfig, RunConfig
from distrl_sdk.errors import DistrlError, UsageError
from distrl_sdk.fleet import Fleet
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.launch.local import LocalWorkers
from distrl_sdk.learner.desk import Desk
from distrl_sdk.learner.intake import Evaluation, Intake
from distrl_sdk.learner.publisher import Publisher
from distrl_sdk.plugins import make_judge
from distrl_sdk.progress import Progress
from distrl_sdk.replay.journal import Journal, Kind
from distrl_sdk.tasks.curriculum import Curriculum
from distrl_sdk.types import SlotAbout, Task, Trajectory, Verdict
from distrl_sdk.wire.codec import Frame, join_frames
from distrl_sdk.wire.keys import ServerKeys, load_server_keys
from distrl_sdk.wire.limits import pack_header
from distrl_sdk.wire.plain import to_plain
from distrl_sdk.wire.server import Server
from distrl_sdk.wire.sockets import ipc_address

JOINING = 60.0
"""Seconds in which the first worker of a local fleet must have joined."""


@dataclass(frozen=True)
class Setting:
    """What a session is made of."""

    learner: Any
    """A LightningModule that plays the Learner role."""
    fleet: Fleet
    tasks: TaskSet
    config: RunConfig
    collect: CollectConfig
    network: NetworkConfig
    folder: Path
    """For sockets, outboxes and the workers' output."""
    run: str
    incarnation: int


class Session:
    """Use as a context manager. Everything but the server's own thread belongs to the caller's thread.

    `store` is where finished episodes are made durable; an evaluation without a run has none.
    """

    def __init__(self, setting: Setting, progress: Progress, journal: Journal | None = None, last: int = 0) -> None:
        self._setting = setting
        self._journal = journal
        self.progress = progress
        self.interrupted = False
        config = setting.config
        judge = make_judge(config.judge, config.judge_options)
        self.desk = None if judge.needs_device else Desk(judge, note=self._note)
        if judge.needs_device:
            judge.close()  # it works on the workers; here it was made to fail early
        curriculum = Curriculum(setting.tasks.tasks, setting.collect.curriculum_floor, config.seed)
        keep = self.desk is not None
        self.intake = Intake(curriculum, setting.collect, self._store, config.seed, keep_final=keep)
        self.server = Server(
            _addresses(setting),
            self.intake,
            self._welcome(),
            network=setting.network,
            keys=_keys(setting.network),
            run=setting.run,
            incarnation=setting.incarnation,
        )
        self.publisher = Publisher(setting.learner.policy, self.server.weights, setting.incarnation, last)
        self._workers: LocalWorkers | None = None
        self._told: dict[str, str] = {}

    def __enter__(self) -> Session:
        setting = self._setting
        try:
            self.server.start()
            if setting.fleet.launcher == "local":
                addresses = setting.fleet.addresses()
                count = min(setting.collect.workers, len(addresses))
                self._workers = LocalWorkers(addresses, self.server.addresses[0], setting.folder, count)
                self._workers.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers, then the server. Safe to call twice."""
        with contextlib.ExitStack() as stack:
            if self.desk is not None:
                stack.callback(self.desk.close)
            stack.callback(self.server.close)
            if self._workers is not None:
                stack.callback(self._workers.stop)
            self.intake.allow(0)
            self.server.stop_workers()

    # --- watching ---------------------------------------------------------------------------------------------------

    def watch(self) -> None:
        """Notice what went wrong elsewhere. Raises what stopped the server, KeyboardInterrupt after an interrupt."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.server.check()
        lost = self._workers.given_up() if self._workers is not None else {}
        for worker, why in lost.items():
            if self._told.get(worker) != why:
                self._told[worker] = why
                self.progress.event(f"worker {worker} is given up: {why}")
        if self._workers is not None and lost and not self._workers.alive() and not self.server.workers():
            worker, why = next(iter(lost.items()))
            raise DistrlError(f"no worker is left; {worker} {why}")
        self._tell_changes()

    def _tell_changes(self) -> None:
        """Joins, leaves and broken phones, once each."""
        now: dict[str, str] = {}
        for worker in self.server.workers():
            now[worker.id] = f"joined with {len(worker.slots)} phones"
            for slot in worker.slots:
                if slot.state == "broken":
                    now[slot.id] = f"is broken: {slot.reason}"
        for name, what in now.items():
            if self._told.get(name) != what:
                self.progress.event(f"{name} {what}")
        for name in [name for name in self._told if name not in now and name not in self._lost_workers()]:
            self.progress.event(f"{name} is gone" if "joined" in self._told[name] else f"{name} is well again")
            del self._told[name]
        self._told.update(now)

    def _lost_workers(self) -> Iterable[str]:
        return self._workers.given_up() if self._workers is not None else ()

    def slots(self) -> list[SlotAbout]:
        """The slots of every worker that is here."""
        return [slot for worker in self.server.workers() for slot in worker.abouts]

    def phones(self) -> tuple[int, int, int]:
        """Busy, idle and broken ones."""
        states = [slot.state for worker in self.server.workers() for slot in worker.slots]
        return states.count("busy"), states.count("idle"), states.count("broken")

    def wait_for_slots(self, tasks: Sequence[Task]) -> None:
        """Return when a phone has joined that can play one of the tasks.

        Raises UsageError when the phones that are there can play none of them.
        """
        started = time.monotonic()
        while not (slots := self.slots()):
            self.watch()
            if self._workers is not None and time.monotonic() - started > JOINING:
                raise DistrlError(f"no worker joined within {JOINING:.0f} s; see {self._setting.folder}")
            time.sleep(0.02)
        if self.intake.unplayable(tasks, slots):
            platforms = sorted({slot.device.platform for slot in slots})
            raise UsageError(
                f"no task of {self._setting.tasks.name!r} can be played on this fleet ({', '.join(platforms)}): "
                "choose a task set for these phones, see `distrl plugins`"
            )

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self, tasks: Sequence[Task], name: str, record: Iterable[str] = ()) -> list[Trajectory]:
        """Each task once, greedily, with the newest published weights; judged, in the order of the tasks."""
        version = self.publisher.version
        evaluation = Evaluation(tasks, version, frozenset(record))
        self.server.weights.pin(version)
        self.intake.begin(evaluation)
        try:
            with self.progress.task(name, len(tasks)) as advance:
                shown = 0
                while shown < len(tasks):
                    self.watch()
                    for _ in range(len(evaluation.played) - shown):
                        advance()
                        shown += 1
                    time.sleep(0.02)
        finally:
            self.intake.end_evaluation()
            self.server.weights.unpin(version)
        played = [evaluation.played[task.id] for task in tasks]
        return self.desk.verdicts(played) if self.desk is not None else played

    # --- durability -------------------------------------------------------------------------------------------------

    def _store(self, frames: Sequence[Frame]) -> int:
        if self._journal is None:
            return 0
        self._journal.append(Kind.TRAJECTORY, join_frames(frames))
        return self._journal.end

    def _note(self, trajectory_id: str, verdict: Verdict) -> None:
        if self._journal is not None:
            self._journal.append(Kind.VERDICT, pack_header([trajectory_id, to_plain(verdict)]))

    def _welcome(self) -> dict[str, Any]:
        config, learner = self._setting.config, self._setting.learner
        return {
            "policy": {"name": learner.policy_name, "options": learner.policy_options},
            "judge": {"name": config.judge, "options": dict(config.judge_options)} if self.desk is None else None,
            "seed": config.seed,
        }


def _addresses(setting: Setting) -> list[str]:
    """Local workers come by ipc, others by TCP."""
    own = [ipc_address(setting.folder / "socket")] if setting.fleet.launcher == "local" else []
    listen = setting.network.listen
    if not own and not listen:
        raise UsageError("a fleet with launcher 'none' needs an address: NetworkConfig(listen='tcp://HOST:PORT')")
    return own + ([listen] if listen else [])


def _keys(network: NetworkConfig) -> ServerKeys | None:
    if not network.listen or network.insecure:
        return None
    return load_server_keys(Path(network.keys))


@contextlib.contextmanager
def one_thread() -> Any:
    """One torch thread while learner and workers share the cores: two that wait for each other are slower than one."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
