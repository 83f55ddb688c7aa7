"""The running parts around one learner: server, workers, journal, intake and desk, from start to orderly end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from distrl_sdk.config import CollectConfig, NetworkConfig, RunConfig
from distrl_sdk.doors import addresses, keys_of
from distrl_sdk.errors import DistrlError, StorageError
from distrl_sdk.events import Events
from distrl_sdk.fleet import Fleet
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.launch.local import LocalWorkers
from distrl_sdk.learner.desk import Desk, Pile, drained
from distrl_sdk.learner.exam import Attempt, Exam, Played
from distrl_sdk.learner.intake import Intake
from distrl_sdk.learner.publisher import Publisher
from distrl_sdk.matching import playable
from distrl_sdk.plugins import make_judge
from distrl_sdk.progress import Progress
from distrl_sdk.replay.journal import Journal, Kind
from distrl_sdk.tasks.curriculum import Curriculum
from distrl_sdk.types import Demonstration, SlotAbout, Task, Verdict
from distrl_sdk.wire.codec import Frame, join_frames
from distrl_sdk.wire.limits import pack_header
from distrl_sdk.wire.plain import to_plain
from distrl_sdk.wire.server import Server, WorkerStatus
from distrl_sdk.worker.judging import TimedJudge

JOINING = 60.0
"""Seconds in which the first phone of a local fleet must be open."""


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
    recorded: tuple[Demonstration, ...] = ()
    """Solutions to start from, beside those of the tasks."""


class Session:
    """Use as a context manager. Everything but the server's own thread belongs to the caller's thread.

    `journal` is where finished episodes are made durable; an evaluation without a run has none. `last`: see Publisher.
    """

    def __init__(self, setting: Setting, progress: Progress, journal: Journal | None = None, last: int = 0) -> None:
        self._setting = setting
        self._journal = journal
        self.progress = progress
        self.interrupted = False
        self.at_once = False
        """An interrupt need not wait until somebody looks at `interrupted`."""
        config = setting.config
        listen, keys = addresses(setting.fleet, setting.network, setting.folder), keys_of(setting.network)
        judge = make_judge(config.judge, config.judge_options)
        self.desk = None if judge.needs_device else Desk(TimedJudge(judge), note=self._note)
        if judge.needs_device:
            judge.close()  # it works on the workers; here it was made to fail early
        collect, group = setting.collect, setting.learner.config.replay.group
        tasks = setting.tasks.tasks
        curriculum = Curriculum(tasks, collect.curriculum_floor, config.seed, collect.curriculum_memory, group)
        keep = self.desk is not None
        self.intake = Intake(curriculum, collect, self._store, config.seed, setting.incarnation, keep)
        self.server = Server(
            listen,
            self.intake,
            self._welcome(),
            network=setting.network,
            keys=keys,
            run=setting.run,
            incarnation=setting.incarnation,
        )
        self.intake.wake = self.server.changed
        self.publisher = Publisher(setting.learner.policy, self.server.weights, setting.incarnation, last)
        self._workers: LocalWorkers | None = None
        self._events = Events(progress.event)

    @property
    def schedule(self) -> str:
        """async or sync."""
        return self._setting.collect.schedule

    def __enter__(self) -> Session:
        setting = self._setting
        try:
            self.server.start()
            if setting.network.listen:
                address = self.server.addresses[-1]
                key = "" if setting.network.insecure else " --key FILE"
                reached = address.replace("0.0.0.0", "HOST")  # every address of this machine: none to connect to
                self.progress.event(f"workers may join: distrl worker --connect {reached}{key} --devices SPEC")
            if setting.fleet.launcher == "local":
                addresses = setting.fleet.addresses()
                count = min(setting.collect.workers, len(addresses))
                self._workers = LocalWorkers(
                    addresses, self.server.addresses[0], setting.folder, count, deadline=setting.collect.deadline
                )
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
        """As `check`; raises KeyboardInterrupt after an interrupt."""
        if self.interrupted:
            raise KeyboardInterrupt
        self.check()

    def check(self) -> None:
        """Tell what changed. Raises what stopped the server or the desk, and DistrlError when nothing can come."""
        self.server.check()
        if self.desk is not None:
            self.desk.check()
        if held := self.server.held:
            raise StorageError(f"{held}; what workers have finished stays with them: make room and resume the run")
        workers = self.server.workers()
        given_up = self._workers.given_up() if self._workers is not None else {}
        self._events.look(workers, given_up)
        if self._workers is not None and given_up and not self._workers.alive() and not workers:
            worker, why = next(iter(given_up.items()))
            raise DistrlError(f"no worker is left; {worker} {why}")
        if why := self.intake.drought.over(len(self.slots()), self._dark(workers)):
            raise DistrlError(f"{why}; see {self._setting.folder}")

    def _dark(self, workers: Sequence[WorkerStatus]) -> str:
        """Why none of a local fleet's phones works; '' when one does, or when others may come from elsewhere."""
        states = [slot for worker in workers for slot in worker.slots]
        if self._workers is None or any(slot.state != "broken" for slot in states):
            return ""
        if states:
            return f"all {len(states)} are broken, one by {states[0].reason}"
        return "" if self._workers.alive() else "every worker has ended"

    def slots(self) -> list[SlotAbout]:
        """The slots of every worker that is here."""
        return [slot for worker in self.server.workers() for slot in worker.abouts]

    def working(self) -> list[SlotAbout]:
        """The slots whose phones are not broken."""
        return [slot for worker in self.server.workers() for slot in worker.working]

    def phones(self) -> tuple[int, int, int]:
        """Busy, idle and broken ones."""
        states = [slot.state for worker in self.server.workers() for slot in worker.slots]
        return states.count("busy"), states.count("idle"), states.count("broken")

    def wait_for_slots(self, tasks: Sequence[Task]) -> list[SlotAbout]:
        """Return the phones that are here when one of them can play one of the tasks.

        Raises DistrlError when no phone of a local fleet opens in time. If all that will be here can play none of the
        tasks, returns them all the same; where phones come from elsewhere it goes on waiting. Under the sync schedule
        it waits for every worker of a local fleet as well: the first round is for all phones.
        """
        started = time.monotonic()
        told = False
        self.progress.waiting_for = "a worker that brings a phone"
        while True:
            self.watch()
            slots = self.slots()
            late = self._workers is not None and time.monotonic() - started > JOINING
            if (playable(tasks, slots) and (late or self._gathered())) or (slots and (late or self._complete(slots))):
                self.intake.know(slots)
                return slots
            if late:
                raise DistrlError(f"no phone was opened within {JOINING:.0f} s; see the logs in {self._setting.folder}")
            if slots and not told:
                told = True
                self.progress.event("no phone that is here can play one of the tasks: waiting for others to join")
            time.sleep(0.02)

    def _complete(self, slots: Sequence[SlotAbout]) -> bool:
        """Whether these are all phones of a local fleet, so that no others will come."""
        return self._workers is not None and len(slots) >= len(self._setting.fleet.addresses())

    def _gathered(self) -> bool:
        """Whether those are here that the first tasks are for."""
        workers = self._workers if self.schedule == "sync" else None
        return workers is None or len(self.server.workers()) >= workers.count

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(
        self, attempts: Sequence[Attempt], name: str, temperature: float = 0.0, record: Iterable[str] = ()
    ) -> list[Played]:
        """Every attempt, with the newest published weights; judged, in the order of the attempts.

        Tasks that no phone here can play are told of and left out. `record`: see Exam.
        """
        version = self.publisher.version
        exam = Exam(attempts, version, temperature, record)
        played: dict[tuple[str, int], Played] = {}
        self.server.weights.pin(version)
        self.intake.begin(exam)
        try:
            with self.progress.task(name, len(attempts)) as advance:
                for each in self._results(exam, len(attempts)):
                    played[each.attempt.task.id, each.attempt.number] = each
                    advance()
        finally:
            self.intake.begin(None)
            self.server.weights.unpin(version)
        wanted = [(attempt.task.id, attempt.number) for attempt in attempts]
        return [played[name] for name in wanted if name in played]

    def _results(self, exam: Exam, count: int) -> Iterator[Played]:
        """Attempts with the verdicts on their episodes, as they come."""
        pile: Pile = SimpleQueue()
        made: dict[str, Attempt] = {}
        fitting = time.monotonic()
        while count > 0:
            self.watch()
            for attempt, trajectory in exam.finished():
                made[trajectory.id] = attempt
                if self.desk is None or trajectory.end.kind == "aborted" or trajectory.verdict is not None:
                    count -= 1
                    yield Played(made.pop(trajectory.id), trajectory)
                else:
                    self.desk.submit(trajectory, pile)
            for trajectory in drained(pile):
                self.intake.judged(trajectory.verdict)
                count -= 1
                yield Played(made.pop(trajectory.id), trajectory)
            slots = self.slots()
            unplayable = self.intake.unplayable(slots) if slots else 0
            if not unplayable:
                fitting = time.monotonic()
            elif self._complete(slots) or time.monotonic() - fitting > self._setting.collect.patience:
                dropped = self.intake.drop_unplayable(slots)
                count -= dropped
                self.progress.event(f"{dropped} episodes are left out: no phone that is here can play them")
            time.sleep(0.02)

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
            "exact": self.schedule == "sync",
        }
