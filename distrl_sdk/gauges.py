"""The figures of a training run while it runs: on the screen, and as rows of metrics."""

from __future__ import annotations

import time

import numpy as np

from distrl_sdk.evaluate.metrics import MetricsWriter
from distrl_sdk.learner.loop import Loop
from distrl_sdk.progress import Progress, Status
from distrl_sdk.session import Session

METRICS_EVERY = 5.0
"""Seconds between two rows of metrics."""


class Gauges:
    """Of one session and loop, on the training thread. `total`: trajectories at which training ends, 0 = no limit.

    A row of metrics is written every few seconds, under the sync schedule after each round: where a row stands is then
    the same in every run.
    """

    def __init__(self, session: Session, loop: Loop, metrics: MetricsWriter, total: int) -> None:
        self._session = session
        self._loop = loop
        self._metrics = metrics
        self._total = total
        self.start()

    def start(self) -> None:
        """Rates are counted from now on."""
        self._began = self._measured = time.monotonic()
        self._before = self._counted = self._loop.tally.trajectories
        self._rounds = self._loop.tally.rounds

    def look(self, progress: Progress) -> None:
        """Show the present state, and write it down from time to time. Called between any two gradient steps."""
        progress.update(self._status())
        late = time.monotonic() - self._measured >= METRICS_EVERY
        if self._loop.tally.rounds != self._rounds if self._session.schedule == "sync" else late:
            self.write()

    def write(self) -> None:
        """A row of metrics."""
        loop, now = self._loop, time.monotonic()
        tally = loop.tally
        figures: dict[str, float] = {
            "trajectories_per_minute": 60 * (tally.trajectories - self._counted) / max(1e-3, now - self._measured),
            "buffer": len(loop.replay),
            "buffer/elite": len(loop.replay.elite),
            "updates": tally.updates,
            **{f"loss/{name}": value for name, value in tally.terms.items() if name != "entropy"},
        }
        if tally.recent:
            figures["success"] = float(np.mean(tally.recent))
        if tally.lag:
            figures["policy_lag"] = float(np.mean(tally.lag))
        figures |= loop.evidence.figures()
        figures["families_at_zero"] = sum(not family.successes for family in tally.families.values())
        figures |= {f"family/{family}": rate for family, rate in self._session.intake.success_rates().items()}
        figures |= {f"count/{name}": value for name, value in self.counts().items()}
        self._metrics.write(tally.trajectories, figures)
        self._measured, self._counted, self._rounds = now, tally.trajectories, tally.rounds

    def counts(self) -> dict[str, float]:
        """All that is counted beside trajectories and updates.

        late: train episodes that came after the end, or have no verdict yet; they are in the journal, for a resume.
        """
        counts = {name: float(value) for name, value in self._session.intake.counts.items()}
        counts |= {f"refused: {reason}": float(value) for reason, value in self._session.server.refused.items()}
        counts["unjudged"] = float(self._loop.tally.unjudged)
        counts["late"] = float(self._session.intake.waiting + self._loop.pending)
        counts["dropped_stale"] = float(self._loop.replay.dropped_stale)
        return counts

    def _status(self) -> Status:
        tally = self._loop.tally
        busy, idle, broken = self._session.phones()
        minutes = max(1e-3, time.monotonic() - self._began) / 60
        return Status(
            trajectories=tally.trajectories,
            total=self._total,
            success=float(np.mean(tally.recent)) if tally.recent else None,
            per_minute=(tally.trajectories - self._before) / minutes,
            updates=tally.updates,
            lag=float(np.mean(tally.lag)) if tally.lag else None,
            buffer=len(self._loop.replay),
            busy=busy,
            idle=idle,
            broken=broken,
            schedule=self._session.schedule,
            waiting_for=waiting_for(busy, idle, broken, self._loop.at_desk),
        )


def waiting_for(busy: int, idle: int, broken: int, at_desk: int) -> str:
    """What would be the next news, for a run that has had none for a while."""
    waits = []
    if at_desk:
        waits.append(f"{_many(at_desk, 'verdict')} of the judge")
    if busy:
        waits.append(f"the episodes of {_many(busy, 'busy phone')}")
    if broken and not busy:
        waits.append(f"{_many(broken, 'broken phone')} to work again")
    if not waits:
        waits.append(f"tasks for {_many(idle, 'idle phone')}" if idle else "a worker to join")
    return " and ".join(waits)


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
