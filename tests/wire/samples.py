"""Fixed things to send, and the two parties that the wire serves."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from distrl_sdk.errors import DistrlError, StorageError
from distrl_sdk.types import Assignment, DeviceAbout, End, SlotAbout, Tap, Task, Trajectory
from distrl_sdk.wire.client import Link
from distrl_sdk.wire.codec import Frame, pack_trajectory

ABOUT = DeviceAbout("sim", "toy", "1", 1080, 2400)
TASK = Task("t1", "family", "do it")
BEAT = 0.05
"""Seconds: twenty times faster than in earnest."""


def trajectory(name: str = "w/1/1", task: Task = TASK, steps: int = 2, width: int = 4) -> Trajectory:
    """A trajectory whose features count up from the number in its id."""
    start = int(name.rpartition("/")[2])
    return Trajectory(
        id=name,
        task=task,
        lane="train",
        temperature=1.0,
        features={"x": np.arange(start, start + (steps + 1) * width, dtype=np.float32).reshape(steps + 1, width)},
        code=np.zeros((steps, 3), np.int32),
        log_mu=np.full(steps, -1.5, np.float32),
        log_pi=np.full(steps, -1.0, np.float32),
        version=np.ones((steps, 2), np.int32),
        invalid=np.zeros(steps, np.bool_),
        repeats=np.zeros(steps, np.int32),
        seconds=np.ones(steps + 1, np.float32),
        screens=np.arange(steps + 1, dtype=np.uint32),
        actions=(Tap(0.5, 0.5),) * steps,
        end=End("finish"),
    )


def wait_until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Return as soon as the condition holds; fail the test after the deadline."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "the condition did not come true in time"
        time.sleep(0.002)


class Tasks:
    """A Host: hands out numbered tasks, keeps what comes, and fails when told to."""

    def __init__(self, count: int, run: int = 1) -> None:
        self.todo = deque(Assignment(f"{run}-{n}", replace(TASK, id=f"t{n}")) for n in range(1, count + 1))
        self.got: dict[str, tuple[str, Trajectory]] = {}
        """By trajectory id: (assignment id, trajectory)."""
        self.twice: list[str] = []
        self.lost_ones: list[tuple[str, str]] = []
        self.raises: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()

    def assign(self, slot: SlotAbout) -> Assignment | None:
        return self.todo.popleft() if self.todo else None

    def receive(self, assignment_id: str, trajectory: Trajectory, frames: Sequence[Frame]) -> None:
        if self.raises is not None:
            raise self.raises
        if trajectory.id in self.got:
            self.twice.append(trajectory.id)
        self.got[trajectory.id] = assignment_id, trajectory

    def lost(self, assignment: Assignment, why: str) -> None:
        self.lost_ones.append((assignment.id, why))
        self.todo.append(replace(assignment, id=f"{assignment.id}'"))


class FullDisk(Tasks):
    """A Host whose disk is full at first."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.raises = StorageError("the disk is full")


class Hand:
    """LinkEvents: plays every task at once, on one slot, in numbers that rise."""

    def __init__(self, worker: str, incarnation: int = 1, *, plays: bool = True) -> None:
        self.worker = worker
        self.incarnation = incarnation
        self.plays = plays
        self.link: Link | None = None
        self.seq = 0
        self.assigned: list[Assignment] = []
        self.acked: list[int] = []
        self.nacked: list[tuple[int, str]] = []
        self.stops: list[str] = []
        self.errors: list[DistrlError] = []

    @property
    def slot(self) -> SlotAbout:
        return SlotAbout(f"{self.worker}:0", ABOUT)

    def play(self, assignment: Assignment) -> None:
        """Send a trajectory for an assignment and ask for the next."""
        assert self.link is not None
        self.seq += 1
        played = trajectory(f"{self.worker}/{self.incarnation}/{self.seq}", assignment.task)
        self.link.send(self.incarnation, self.seq, pack_trajectory(played), assignment.id)
        self.link.ready(self.slot.id)

    def on_assignment(self, slot_id: str, assignment: Assignment) -> None:
        self.assigned.append(assignment)
        if self.plays:
            self.play(assignment)

    def on_ack(self, incarnation: int, seq: int) -> None:
        self.acked.append(seq)

    def on_nack(self, incarnation: int, seq: int, reason: str) -> None:
        self.nacked.append((seq, reason))

    def on_stop(self, reason: str) -> None:
        self.stops.append(reason)

    def on_error(self, error: DistrlError) -> None:
        self.errors.append(error)
