"""Recording: episodes that a person plays on one phone, each judged and kept with all that a policy would see."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from distrl_sdk.episodes.demonstrations import is_solution, keep
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import StorageError
from distrl_sdk.interfaces import Judge
from distrl_sdk.recording.person import Person
from distrl_sdk.types import Assignment, JudgeRequest, Task, Trajectory, Verdict
from distrl_sdk.worker.episode import play
from distrl_sdk.worker.lease import Lease

WHO = "recorded"
"""The first part of a recorded episode's id, where others have their worker's name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an episode."""

    key: str
    """Under which it is kept; '' when it is not."""
    solved: bool
    """Whether it will be learned from."""
    said: str
    """How it ended, and what the judge says."""


class Recorder:
    """Plays tasks one after the other on an open phone. All but `play` may be called from any thread."""

    def __init__(self, lease: Lease, tasks: Sequence[Task], store: EpisodeStore, judge: Judge | None) -> None:
        self._lease = lease
        self._store = store
        self._judge = judge
        self._tasks = itertools.cycle(tasks)
        self._started = int(time.time())
        self._lock = threading.Lock()
        self._begun = threading.Event()
        self._begun.set()
        self._ended = False
        self.task = next(self._tasks)
        self.number = 1
        """Of the episode."""
        self.person = Person()
        """Who plays it."""
        self.outcome: Outcome | None = None
        """Of the episode that is over; None while one is played."""
        self.solved = 0
        """Episodes that are kept and will be learned from."""

    def begin(self, *, again: bool) -> bool:
        """Start the next task, or the same again; False while an episode is played."""
        with self._lock:
            if self.outcome is None:
                return False
            self.task = self.task if again else next(self._tasks)
            self.number += 1
            self.person, self.outcome = Person(), None
        self._begun.set()
        return True

    def discard(self) -> bool:
        """Throw away the episode that is over, or give up the one that is played; False when it is gone already."""
        with self._lock:
            outcome = self.outcome
            if outcome is None:
                self.person.quit()
            elif outcome.key:
                self._store.remove(outcome.key)
                self.solved -= outcome.solved
                self.outcome = Outcome("", False, "thrown away")
            return outcome is None or bool(outcome.key)

    def end(self) -> None:
        """Let `play` return; an episode that is played is given up."""
        self._ended = True
        self.person.quit()
        self._begun.set()

    def play(self, enough: int = 0) -> None:
        """Play until `end`, or until so many are solved and kept (0: no limit).

        Raises StorageError when the disk refuses, DeviceError when the phone failed and cannot be opened again.
        """
        while not (enough and self.solved >= enough):
            self._begun.wait()
            self._begun.clear()
            if self._ended:
                return
            outcome = self._played(self.person)
            with self._lock:
                self.outcome = outcome
                self.solved += outcome.solved
            self.person.end()

    def _played(self, person: Person) -> Outcome:
        about = self._lease.about
        assignment = Assignment(f"{WHO}-{self.number}", self.task, temperature=0.0, record=True)
        judge = self._judge if self._judge is not None and self._judge.needs_device else None
        played = play(assignment, self._lease, person, judge, slot=self._lease.address)
        if played.end.kind == "aborted":
            if played.end.blame == "device":
                self._lease.open()
            return Outcome("", False, f"aborted ({played.end.blame}): {played.end.message}")
        name = f"{WHO}/{self._started}/{self.number}"
        played = replace(played, id=name, verdict=self._verdict(played, person))
        key = keep(self._store, played, about, person.seen)
        if key is None:
            raise StorageError(f"there is no room for another episode in {self._store.folder}")
        solved = is_solution(self._store.read(key))
        said = played.verdict.reason if played.verdict is not None else "no judge was asked"
        return Outcome(key, solved, f"{'solved' if solved else 'not solved'}: {said}")

    def _verdict(self, played: Trajectory, person: Person) -> Verdict | None:
        """Of a judge that looks at pictures instead of the device, where there is one."""
        judge = self._judge
        if played.verdict is not None or judge is None:
            return played.verdict
        try:
            return judge.judge(JudgeRequest(played.task, played.actions, played.end, person.seen[-1]))
        except Exception as error:
            return Verdict(None, f"{type(error).__name__}: {error}")
