"""The learner's answers to the server: which slot plays what, and where finished episodes go.

Everything here runs on the server's thread and is quick; the training thread meets it at a queue and a lock.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import NamedTuple

from distrl_sdk.config import CollectConfig
from distrl_sdk.errors import WireError
from distrl_sdk.learner.drought import Drought
from distrl_sdk.learner.exam import TRIES, Exam
from distrl_sdk.learner.rounds import Round, in_order
from distrl_sdk.tasks.curriculum import Curriculum, slot_temperature
from distrl_sdk.types import NO_VERSION, Assignment, SlotAbout, Task, Trajectory, Verdict, Version
from distrl_sdk.wire.codec import Frame

Store = Callable[[Sequence[Frame]], int]
"""Makes a trajectory's frames durable; returns the journal's offset behind them, or raises StorageError."""


class Arrival(NamedTuple):
    """A train episode that is durable."""

    trajectory: Trajectory
    behind: int
    """The journal's offset behind it."""
    place: int = 0
    """In its round, under the sync schedule."""


class Intake:
    """Implements the server's Host. `seed` and `incarnation` make seeds and ids that no other start of the run made."""

    def __init__(
        self,
        curriculum: Curriculum,
        config: CollectConfig,
        store: Store,
        seed: int,
        incarnation: int = 1,
        keep_final: bool = False,
    ) -> None:
        self._curriculum = curriculum
        self._config = config
        self._store = store
        self._keep_final = keep_final
        self._incarnation = incarnation
        self._seeds = itertools.count((seed * 1_009 + incarnation) * 1_000_003)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._slots: dict[str, int] = {}
        self._out: dict[str, tuple[Assignment, int]] = {}
        self._aborts: Counter[str] = Counter()
        self._exam: Exam | None = None
        self._lockstep = config.schedule == "sync"
        self._round = Round()
        self._total = 0
        self._came = 0
        self._refused = False
        self.wake: Callable[[], None] = lambda: None
        """Called when a slot that asked in vain may get a task now."""
        self._shape: dict[str, tuple[str, tuple[int, ...]]] | None = None
        self._arrived: SimpleQueue[Arrival] = SimpleQueue()
        self.counts: Counter[str] = Counter()
        """received, aborted by blame, lost."""
        self.drought = Drought(config.patience)
        """Whether episodes come to anything."""

    # --- the training thread ---------------------------------------------------------------------------------------

    def allow(self, total: int) -> None:
        """How many train episodes may come in all, those that came and those under way included; 0 stops collection.

        A total, so that it does not matter how many more have come when this is called.
        """
        with self._lock:
            wake, self._refused = self._refused and total > self._total, self._refused and total <= self._total
            self._total = total
            if not total:
                self._round.stop()
        if wake:
            self.wake()

    def take(self, seconds: float = 0.0) -> Arrival | None:
        """The next train episode, in the journal's order; None when there is none, after waiting so long."""
        try:
            return self._arrived.get(timeout=seconds) if seconds else self._arrived.get_nowait()
        except Empty:
            return None

    @property
    def waiting(self) -> int:
        """Train episodes that nobody has taken."""
        return self._arrived.qsize()

    def begin(self, exam: Exam | None) -> None:
        """Hand out an exam before anything else; None: train episodes only."""
        with self._lock:
            self._exam = exam

    def unplayable(self, slots: Sequence[SlotAbout]) -> int:
        """How many of the exam's tasks wait for another phone than these."""
        with self._lock:
            return len(self._exam.unplayable(slots)) if self._exam is not None else 0

    def drop_unplayable(self, slots: Sequence[SlotAbout]) -> int:
        """Give those up; returns how many."""
        with self._lock:
            return self._exam.drop(self._exam.unplayable(slots)) if self._exam is not None else 0

    @property
    def slots_seen(self) -> int:
        """How many slots have ever asked for a task."""
        return len(self._slots)

    def success_rates(self) -> Mapping[str, float]:
        """The fresh success rate of each family."""
        with self._lock:
            return dict(self._curriculum.rate)

    def set_rates(self, rates: Mapping[str, float]) -> None:
        """Go on with the success rates of an earlier process."""
        with self._lock:
            self._curriculum.rate.update(rates)

    def judged(self, verdict: Verdict | None) -> None:
        """Notice whether an episode came to anything, once its verdict is known."""
        if verdict is None or verdict.success is None:
            self.drought.failed(f"no verdict: {verdict.reason}" if verdict else "no verdict")
        else:
            self.drought.came()

    def record(self, task: Task, success: bool) -> None:
        """Tell the curriculum what came of a train episode."""
        with self._lock:
            self._curriculum.record(task, success)

    # --- rounds of the sync schedule, on the training thread ----------------------------------------------------------

    def plan(self, slots: Sequence[SlotAbout], most: int, version: Version) -> None:
        """Begin a round, when the one before is over: one task for each of these slots, `most` at most.

        They get them in the order of their numbers, so that nothing depends on who asks first.
        """
        with self._lock:
            drawn = [(slot, self._drawn(slot, version)) for slot in in_order(slots)[:most]]
            self._round.plan([(slot, made) for slot, made in drawn if made is not None])
        self.wake()

    def know(self, slots: Sequence[SlotAbout]) -> None:
        """Give these slots their places among the temperatures in the order of their numbers."""
        with self._lock:
            for slot in in_order(slots):
                self._at(slot)

    @property
    def owed(self) -> int:
        """Episodes of the round that have not come. When it is 0, those that came can be taken."""
        with self._lock:
            return self._round.owed

    def release(self, working: Sequence[SlotAbout]) -> None:
        """Let the slots that work have the tasks of those that do not."""
        with self._lock:
            self._round.release(working)

    # --- the server's thread ----------------------------------------------------------------------------------------

    def assign(self, slot: SlotAbout) -> Assignment | None:
        """A task for a slot that asks for one, or None for now."""
        with self._lock:
            made, tries = self._exam_assignment(slot) or (self._for_training(slot), 1)
            if made is not None:
                self._out[made.id] = made, tries
            return made

    def receive(self, assignment_id: str, trajectory: Trajectory, frames: Sequence[Frame]) -> None:
        """Take a finished episode; when this returns, it is durable.

        Raises WireError for one without a step, or whose features are not those of the others.
        """
        self._check_shape(trajectory)
        offset = self._store(frames)
        self._weigh(trajectory)
        with self._lock:
            assignment, tries = self._out.pop(assignment_id, (None, 0))
            if trajectory.lane == "train":
                self._take_train(assignment_id, trajectory, offset)
            elif self._exam is not None and assignment is not None:
                self._exam.take(assignment, trajectory, tries)

    def lost(self, assignment: Assignment, why: str) -> None:  # noqa: ARG002
        """An episode that will not come: its task is handed out again."""
        with self._lock:
            known = self._out.pop(assignment.id, None)
            if known is None:
                return
            self.counts["lost"] += 1
            if assignment.lane == "train":
                self._again(assignment.id, assignment.task)
            elif self._exam is not None:
                self._exam.again(assignment, known[1])

    def _exam_assignment(self, slot: SlotAbout) -> tuple[Assignment, int] | None:
        exam = self._exam
        chosen = exam.next(slot.device) if exam is not None else None
        if exam is None or chosen is None:
            return None
        attempt, tries = chosen
        made = self._new(attempt.task, "eval", exam.temperature, exam.version)
        return replace(made, seed=attempt.seed, record=exam.recorded(attempt)), tries

    def _for_training(self, slot: SlotAbout) -> Assignment | None:
        if self._lockstep:
            return self._round.next(slot)
        under_way = sum(assignment.lane == "train" for assignment, _ in self._out.values())
        if self._came + under_way >= self._total:
            self._refused = True
            return None
        return self._drawn(slot, NO_VERSION)

    def _drawn(self, slot: SlotAbout, version: Version) -> Assignment | None:
        """A task of the curriculum for a slot, at the slot's own temperature."""
        task = self._curriculum.next(slot.device)
        if task is None:
            return None
        heat = slot_temperature(self._at(slot), self._config.cold_share, self._config.max_temperature)
        return self._new(task, "train", heat, version)

    def _at(self, slot: SlotAbout) -> int:
        return self._slots.setdefault(slot.id, len(self._slots))

    def _new(self, task: Task, lane: str, temperature: float, version: Version) -> Assignment:
        return Assignment(
            id=f"{self._incarnation}-{lane}-{next(self._numbers)}",
            task=task,
            lane=lane,
            temperature=temperature,
            seed=next(self._seeds),
            keep_final=self._keep_final,
            version=version,
        )

    def _take_train(self, assignment_id: str, trajectory: Trajectory, offset: int) -> None:
        name = trajectory.task.id
        if trajectory.end.kind != "aborted":
            del self._aborts[name]
            self._came += 1
            self._arrived.put(Arrival(trajectory, offset, self._round.came(assignment_id)))
            return
        self._aborts[name] += 1
        if self._aborts[name] < TRIES:
            self._again(assignment_id, trajectory.task)
        else:
            self._round.came(assignment_id)

    def _again(self, assignment_id: str, task: Task) -> None:
        if self._lockstep:
            self._round.again(assignment_id)
        else:
            self._curriculum.again(task)

    def _weigh(self, trajectory: Trajectory) -> None:
        """Count an episode; what the desk has yet to judge comes to `judged` later."""
        self.counts["received"] += 1
        end = trajectory.end
        if end.kind == "aborted":
            self.counts[f"aborted_{end.blame}"] += 1
            self.drought.failed(f"aborted, blame {end.blame}: {end.message}")
        elif trajectory.verdict is not None:
            self.judged(trajectory.verdict)

    def _check_shape(self, trajectory: Trajectory) -> None:
        """What a worker of another version sends must not reach the replay."""
        if trajectory.end.kind == "aborted":
            return
        if not len(trajectory):
            raise WireError("an episode without a step that was not aborted")
        arrays = {**trajectory.features, "code": trajectory.code}
        shape = {name: (str(each.dtype), each.shape[1:]) for name, each in arrays.items()}
        self._shape = self._shape or shape
        if shape != self._shape:
            odd = sorted(name for name in {**shape, **self._shape} if shape.get(name) != self._shape.get(name))
            why = f"the features {', '.join(odd)} are not those of the episodes before: another version?"
            self.drought.failed(why)
            raise WireError(why)
