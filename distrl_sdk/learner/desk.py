"""Where episodes wait for their verdict when the judge sits beside the learner.

A judge that fails gives no verdict: the episode is counted as unjudged and trains nothing, it never becomes a failure.
"""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue

from PIL import Image

from distrl_sdk.interfaces import Judge
from distrl_sdk.types import JudgeRequest, Observation, Screenshot, Trajectory, Verdict

log = logging.getLogger(__name__)


class Desk:
    """Asks a judge from a few threads; judged episodes come out of `judged`, in the order of their verdicts."""

    def __init__(self, judge: Judge, threads: int = 4, note: Callable[[str, Verdict], None] | None = None) -> None:
        self._judge = judge
        self._note = note
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="judge")
        self.judged: SimpleQueue[Trajectory] = SimpleQueue()
        self.under_way = 0

    def submit(self, trajectory: Trajectory) -> None:
        """Have an episode judged; returns at once."""
        self.under_way += 1
        self._pool.submit(self._work, trajectory)

    def take(self) -> list[Trajectory]:
        """The episodes judged since the last call."""
        taken = []
        while not self.judged.empty():
            taken.append(self.judged.get())
        self.under_way -= len(taken)
        return taken

    def verdicts(self, trajectories: Sequence[Trajectory]) -> list[Trajectory]:
        """The same episodes with their verdicts, in the same order; aborted ones stay without."""
        return list(self._pool.map(lambda one: one if one.end.kind == "aborted" else self._judged(one), trajectories))

    def close(self) -> None:
        """Give up what is waiting; what is being judged ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._judge.close()

    def _work(self, trajectory: Trajectory) -> None:
        self.judged.put(self._judged(trajectory))

    def _judged(self, trajectory: Trajectory) -> Trajectory:
        started = time.monotonic()
        try:
            verdict = self._judge.judge(_request(trajectory))
        except Exception as error:
            log.warning("no verdict on %s: %s: %s", trajectory.id, type(error).__name__, error)
            verdict = Verdict(None, f"{type(error).__name__}: {error}", type(self._judge).__name__)
        verdict = replace(verdict, seconds=time.monotonic() - started)
        if self._note is not None:
            self._note(trajectory.id, verdict)
        return replace(trajectory, verdict=verdict)


def _request(trajectory: Trajectory) -> JudgeRequest:
    final = None
    if trajectory.pictures:
        last = trajectory.pictures[-1]
        with Image.open(io.BytesIO(last)) as image:
            final = Observation(Screenshot(*image.size, encoded=last))
    return JudgeRequest(trajectory.task, trajectory.actions, trajectory.end, final)
