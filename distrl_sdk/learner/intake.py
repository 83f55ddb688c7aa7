"""The learner's answers to the server: which slot plays what, and where finished episodes go.

Everything here runs on the server's thread and is quick; the training thread meets it at two queues and a lock.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from distrl_sdk.config import CollectConfig
from distrl_sdk.tasks.curriculum import Curriculum, fits, slot_temperature
from distrl_sdk.types import NO_VERSION, Assignment, SlotAbout, Task, Trajectory, Version
from distrl_sdk.wire.codec import Frame

TRIES = 3
"""How often an evaluation hands out a task whose episodes abort."""


@dataclass
class Evaluation:
    """Held-out tasks, each played once at temperature 0 by one version of the weights."""

    tasks: Sequence[Task]
    version: Version
    record: frozenset[str] = frozenset()
    """Ids of tasks whose every picture is kept."""
    waiting: deque[tuple[Task, int]] = field(default_factory=deque)
    played: dict[str, Trajectory] = field(default_factory=dict)
    """By task id; an aborted one only after the last try."""

    def __post_init__(self) -> None:
        self.waiting.extend((task, 1) for task in self.tasks)

    @property
    def done(self) -> bool:
        """Whether every task has its episode."""
        return len(self.played) == len(self.tasks)


class Intake:
    """Implements the server's Host.

    `store` makes a trajectory's frames durable and returns the journal's offset behind them; it may raise StorageError.
    """

    def __init__(
        self,
        curriculum: Curriculum,
        config: CollectConfig,
        store: Callable[[Sequence[Frame]], int],
        seed: int,
        *,
        keep_final: bool = False,
    ) -> None:
        self._curriculum = curriculum
        self._config = config
        self._store = store
        self._keep_final = keep_final
        self._seeds = itertools.count(seed * 1_000_003)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._slots: dict[str, int] = {}
        self._out: dict[str, tuple[Assignment, int]] = {}
        self._evaluation: Evaluation | None = None
        self._room = 0
        self.arrived: SimpleQueue[tuple[Trajectory, int]] = SimpleQueue()
        """Durable train episodes and the offset behind each, in the journal's order, for the training thread."""
        self.counts: Counter[str] = Counter()
        """received, aborted by blame, lost."""

    # --- the training thread ---------------------------------------------------------------------------------------

    def allow(self, room: int) -> None:
        """How many train episodes may be under way at once; 0 stops collection."""
        with self._lock:
            self._room = room

    def begin(self, evaluation: Evaluation) -> None:
        """Hand out an evaluation before anything else."""
        with self._lock:
            self._evaluation = evaluation

    def end_evaluation(self) -> None:
        """Hand out train episodes only."""
        with self._lock:
            self._evaluation = None

    @property
    def slots_seen(self) -> int:
        """How many slots have ever asked for a task."""
        return len(self._slots)

    def unplayable(self, tasks: Sequence[Task], abouts: Sequence[SlotAbout]) -> bool:
        """Whether no task can be played by any of these slots."""
        return not any(fits(task, slot.device) for slot in abouts for task in tasks)

    def success_rates(self) -> Mapping[str, float]:
        """The fresh success rate of each family."""
        with self._lock:
            return dict(self._curriculum.rate)

    def set_rates(self, rates: Mapping[str, float]) -> None:
        """Go on with the success rates of an earlier process."""
        with self._lock:
            self._curriculum.rate.update(rates)

    def record(self, task: Task, success: bool) -> None:
        """Tell the curriculum what came of a train episode."""
        with self._lock:
            self._curriculum.record(task, success)

    # --- the server's thread ----------------------------------------------------------------------------------------

    def assign(self, slot: SlotAbout) -> Assignment | None:
        """A task for a slot that asks for one, or None for now."""
        with self._lock:
            at = self._slots.setdefault(slot.id, len(self._slots))
            made = self._eval_assignment(slot) or self._train_assignment(slot, at)
            if made is not None:
                self._out[made[0].id] = made
            return made[0] if made else None

    def receive(self, assignment_id: str, trajectory: Trajectory, frames: Sequence[Frame]) -> None:
        """Take a finished episode; when this returns, it is durable."""
        with self._lock:
            _, tries = self._out.get(assignment_id, (None, TRIES))
        offset = self._store(frames)
        with self._lock:
            self._out.pop(assignment_id, None)
            self.counts["received"] += 1
            if trajectory.end.kind == "aborted":
                self.counts[f"aborted_{trajectory.end.blame or 'unknown'}"] += 1
            if trajectory.lane == "eval":
                self._take_eval(trajectory, tries)
            elif trajectory.end.kind == "aborted":
                self._curriculum.again(trajectory.task)
            else:
                self.arrived.put((trajectory, offset))

    def lost(self, assignment: Assignment, why: str) -> None:  # noqa: ARG002
        """An episode that will not come: its task is handed out again."""
        with self._lock:
            known = self._out.pop(assignment.id, None)
            if known is None:
                return
            self.counts["lost"] += 1
            if assignment.lane == "eval":
                if self._evaluation is not None and self._evaluation.version == assignment.version:
                    self._evaluation.waiting.appendleft((assignment.task, known[1]))
            else:
                self._curriculum.again(assignment.task)

    def _eval_assignment(self, slot: SlotAbout) -> tuple[Assignment, int] | None:
        evaluation = self._evaluation
        if evaluation is None:
            return None
        for at, (task, tries) in enumerate(evaluation.waiting):
            if fits(task, slot.device):
                del evaluation.waiting[at]
                made = self._new(task, "eval", 0.0, evaluation.version)
                return replace(made, record=task.id in evaluation.record), tries
        return None

    def _train_assignment(self, slot: SlotAbout, at: int) -> tuple[Assignment, int] | None:
        under_way = sum(assignment.lane == "train" for assignment, _ in self._out.values())
        if under_way >= self._room:
            return None
        task = self._curriculum.next(slot.device)
        if task is None:
            return None
        heat = slot_temperature(at, self._config.cold_share, self._config.max_temperature)
        return self._new(task, "train", heat, NO_VERSION), 1

    def _new(self, task: Task, lane: str, temperature: float, version: Version) -> Assignment:
        return Assignment(
            id=f"{lane}-{next(self._numbers)}",
            task=task,
            lane=lane,
            temperature=temperature,
            seed=next(self._seeds),
            keep_final=self._keep_final,
            version=version,
        )

    def _take_eval(self, trajectory: Trajectory, tries: int) -> None:
        evaluation = self._evaluation
        if evaluation is None or trajectory.task.id in evaluation.played:
            return
        if trajectory.end.kind == "aborted" and tries < TRIES:
            evaluation.waiting.append((trajectory.task, tries + 1))
        else:
            evaluation.played[trajectory.task.id] = trajectory
