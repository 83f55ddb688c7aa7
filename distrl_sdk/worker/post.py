"""The way of a finished episode out of the worker: numbered, packed, on disk, and then on the wire."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from distrl_sdk.errors import WireError
from distrl_sdk.types import Assignment, End, Trajectory
from distrl_sdk.wire.client import Link
from distrl_sdk.wire.codec import Frame, pack_trajectory
from distrl_sdk.worker.outbox import Outbox, Record
from distrl_sdk.worker.tape import Tape

log = logging.getLogger(__name__)


class Post:
    """Sends what slots finish and what earlier processes of this worker left."""

    def __init__(self, outbox: Outbox, link: Link, worker_id: str, run: str) -> None:
        self._outbox = outbox
        self._link = link
        self._sender = f"{worker_id}/{outbox.incarnation}"
        self._run = run

    def deliver(self, assignment: Assignment, played: Trajectory) -> None:
        """Write an episode to the outbox and send it. Raises StorageError when the disk takes no more.

        One that cannot travel (a number that is none, a picture too large) is sent as aborted, without its steps.
        """

        def build(seq: int) -> Sequence[Frame]:
            name = f"{self._sender}/{seq}"
            try:
                return pack_trajectory(replace(played, id=name))
            except WireError as error:
                log.error("an episode of task %s cannot travel: %s", played.task.id, error)
                empty = Tape(assignment, played.slot).trajectory(End("aborted", "worker", str(error)))
                return pack_trajectory(replace(empty, id=name))

        self._outbox.put(self._run, assignment.id, build, self._send)

    def resend(self) -> None:
        """Send what was left in the outbox by earlier processes, if it belongs to this run; the rest stays."""
        others = 0
        for record in self._outbox.left():
            if record.run == self._run:
                self._send(record)
            else:
                others += 1
        if others:
            log.warning("%d episodes of other runs stay in the outbox, for their own learners", others)

    def _send(self, record: Record) -> None:
        self._link.send(record.incarnation, record.seq, record.frames, record.assignment)
