"""Slots: one thread each, one leased phone each, one episode after the other."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Literal

from distrl_sdk.errors import DistrlError, StorageError, UsageError
from distrl_sdk.interfaces import Judge
from distrl_sdk.types import Assignment, DeviceAbout, Trajectory
from distrl_sdk.worker.episode import Chooser, play
from distrl_sdk.worker.lease import Lease

log = logging.getLogger(__name__)

State = Literal["opening", "idle", "busy", "broken", "full", "stopped"]
"""full: the disk takes no more episodes. broken: the phone failed and is opened again after a while."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """Seconds."""

    first: float = 1.0
    """Before a phone that failed is opened again; doubled at each failure in a row."""
    longest: float = 60.0
    room: float = 2.0
    """Between two looks whether the disk has room again."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every slot of a worker shares."""

    chooser: Chooser
    judge: Judge | None
    ask: Callable[[str, str], None]
    """Tell the learner that the slot of this id is free, and why its last assignment gives nothing ('': it does)."""
    deliver: Callable[[Assignment, Trajectory], None]
    """Make an episode safe and send it. Raises StorageError when the disk takes none."""


class Slot:
    """Plays what it is assigned on its phone; repairs the phone, and says how it is.

    Opens its phone at once; asks for tasks after `begin`; stops at the next step once `stopping` is set.
    """

    def __init__(self, id_: str, lease: Lease, stopping: threading.Event, pauses: Pauses = Pauses()) -> None:
        self.id = id_
        self.lease = lease
        self.state: State = "opening"
        self.reason = ""
        """Why it is broken or full."""
        self.fault: UsageError | None = None
        """Why the phone can never be opened."""
        self.tried = threading.Event()
        """Set once the first opening has succeeded or failed."""
        self._stopping = stopping
        self._pauses = pauses
        self._begun: SimpleQueue[Surroundings | None] = SimpleQueue()
        self._assigned: SimpleQueue[Assignment | None] = SimpleQueue()
        self._failures = 0
        self._pause = 0.0
        self._thread = threading.Thread(target=self._serve, name=f"slot {id_}", daemon=True)
        self._thread.start()

    @property
    def about(self) -> DeviceAbout | None:
        """Of its phone; None while that is not open."""
        return self.lease.known

    def begin(self, around: Surroundings) -> None:
        """Ask for tasks from now on."""
        self._begun.put(around)

    def assign(self, assignment: Assignment) -> None:
        """Play this next."""
        self._assigned.put(assignment)

    def wake(self) -> None:
        """Notice that `stopping` is set."""
        self._begun.put(None)
        self._assigned.put(None)

    def join(self, seconds: float) -> bool:
        """Wait for it to stop; False if it has not by then."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _serve(self) -> None:
        if self._opened() and (around := self._begun.get()) is not None:
            failed = ""
            while self._opened():
                self.state, self.reason = "idle", ""
                around.ask(self.id, failed)
                assignment = self._assigned.get()
                if assignment is None:
                    break
                self.state = "busy"
                failed = self._played(assignment, around)
        self.lease.close()
        if self.fault is None:
            self.state = "stopped"

    def _opened(self) -> bool:
        """Have the phone open, trying again after growing pauses; False when it is time to stop."""
        while not self._stopping.is_set():
            pause, self._pause = self._pause, 0.0
            if pause and self._stopping.wait(pause):
                break
            if self.lease.known is not None:
                return True
            try:
                self.lease.open()
            except UsageError as error:
                self.fault = error
                self._fail("broken", str(error))
                break
            except DistrlError as error:
                self._fail("broken", str(error))
            else:
                self.state, self.reason = "idle", ""
                return True
            finally:
                self.tried.set()
        return False

    def _played(self, assignment: Assignment, around: Surroundings) -> str:
        """Play and deliver one episode; returns why there is none, for what nobody foresaw."""
        try:
            self._play(assignment, around)
        except Exception as error:
            log.exception("slot %s lost assignment %s", self.id, assignment.id)
            failed = f"{type(error).__name__}: {error}"
            self._fail("broken", failed)
            return failed
        return ""

    def _play(self, assignment: Assignment, around: Surroundings) -> None:
        played = play(
            assignment, self.lease, around.chooser, around.judge, slot=self.id, stopping=self._stopping.is_set
        )
        self._deliver(assignment, played, around)
        if played.end.blame == "device":
            self.lease.close()
            self._fail("broken", played.end.message)
        elif played.end.blame == "worker" and not self._stopping.is_set():
            self._fail("broken", played.end.message)
        else:
            self._failures = 0

    def _deliver(self, assignment: Assignment, played: Trajectory, around: Surroundings) -> None:
        """Hand the episode over, waiting for room on the disk: it is kept, and no task is taken meanwhile."""
        while True:
            try:
                around.deliver(assignment, played)
            except StorageError as error:
                if self.state != "full":
                    log.error("slot %s takes no tasks until there is room: %s", self.id, error)
                self.state, self.reason = "full", str(error)
                if self._stopping.wait(self._pauses.room):
                    log.error("slot %s stops with an episode that found no room: %s", self.id, error)
                    return
            else:
                return

    def _fail(self, state: State, reason: str) -> None:
        self._failures += 1
        self._pause = min(self._pauses.longest, self._pauses.first * 2.0 ** min(self._failures - 1, 16))
        self.state, self.reason = state, reason
        log.warning("slot %s: %s (failure %d in a row)", self.id, reason, self._failures)
