"""Where episodes wait for their verdict when the judge sits beside the learner.

A judge that fails gives no verdict: the episode is counted as unjudged and trains nothing, it never becomes a failure.
"""

from __future__ import annotations

import io
import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TypeVar

from PIL import Image

from distrl_sdk.errors import JudgeError
from distrl_sdk.interfaces import Judge
from distrl_sdk.types import Frame, JudgeRequest, Observation, Screenshot, Trajectory, Verdict
from distrl_sdk.wire.plain import to_plain

log = logging.getLogger(__name__)

REASONS = 20
"""Different reasons for which no verdict could be had, that are told."""

Pile = SimpleQueue[Trajectory]
"""Judged episodes, in the order of their verdicts."""

Item = TypeVar("Item")


class Desk:
    """Asks a judge from a few threads, which never keep a process from ending.

    `note` is told each verdict before anybody else: it makes it durable. What it raises, `check` raises.
    """

    def __init__(self, judge: Judge, threads: int = 4, note: Callable[[str, Verdict], None] | None = None) -> None:
        self._judge = judge
        self._note = note
        self._asked: SimpleQueue[tuple[Trajectory, Pile] | None] = SimpleQueue()
        self._judged: Pile = SimpleQueue()
        self._closed = threading.Event()
        self._error: Exception | None = None
        self._told: set[str] = set()
        self._threads = [threading.Thread(target=self._serve, name=f"desk {n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, trajectory: Trajectory, pile: Pile | None = None) -> None:
        """Have an episode judged; returns at once. It comes out of `take`, or is put on `pile` if one is given."""
        self._asked.put((trajectory, self._judged if pile is None else pile))

    def take(self) -> list[Trajectory]:
        """The episodes judged since the last call."""
        return drained(self._judged)

    def check(self) -> None:
        """Raise what kept a verdict from being noted."""
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        """Give up what is waiting; what is being judged gets its answer, and nobody notes it."""
        if not self._closed.is_set():
            self._closed.set()
            for _ in self._threads:
                self._asked.put(None)
            self._judge.close()

    def _serve(self) -> None:
        while (asked := self._asked.get()) is not None and not self._closed.is_set():
            trajectory, pile = asked
            verdict = self._verdict(trajectory)
            if self._closed.is_set():
                return
            try:
                if self._note is not None:
                    self._note(trajectory.id, verdict)
            except Exception as error:
                self._error = self._error or error
                return
            pile.put(replace(trajectory, verdict=verdict))

    def _verdict(self, trajectory: Trajectory) -> Verdict:
        started = time.monotonic()
        try:
            verdict = self._judge.judge(_request(trajectory))
            if not isinstance(verdict, Verdict):
                raise JudgeError(f"it returned {type(verdict).__name__} instead of a Verdict")
            to_plain(verdict)  # what cannot be written down is no verdict
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            if why not in self._told and len(self._told) < REASONS:
                self._told.add(why)
                log.warning("no verdict on %s: %s (each reason is told once)", trajectory.id, why)
            verdict = Verdict(None, why, type(self._judge).__name__)
        return replace(verdict, seconds=time.monotonic() - started)


def drained(pile: SimpleQueue[Item]) -> list[Item]:
    """All that lies on a pile."""
    taken = []
    while True:
        try:
            taken.append(pile.get_nowait())
        except Empty:
            return taken


def _request(trajectory: Trajectory) -> JudgeRequest:
    frames = tuple(_frames(trajectory))
    final = None
    if frames:
        last = frames[-1]
        final = Observation(Screenshot(last.width, last.height, encoded=last.encoded))
    return JudgeRequest(
        trajectory.task, trajectory.actions, trajectory.end, final, frames=frames, episode=trajectory.id
    )


def _frames(trajectory: Trajectory) -> Iterator[Frame]:
    """The pictures that were kept: those of the last observations."""
    first = len(trajectory) + 1 - len(trajectory.pictures)
    for step, picture in enumerate(trajectory.pictures, first):
        with Image.open(io.BytesIO(picture)) as image:
            yield Frame(step, *image.size, picture)
