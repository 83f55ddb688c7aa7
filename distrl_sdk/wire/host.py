"""What the server asks of the learner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from distrl_sdk.types import Assignment, SlotAbout, Trajectory
from distrl_sdk.wire.codec import Frame


class Host(Protocol):
    """What the learner does for the workers. Called on the server's thread: be quick."""

    def assign(self, slot: SlotAbout) -> Assignment | None:
        """A task for a slot that asks for one; None: not now, the slot goes on asking."""
        ...

    def receive(self, assignment_id: str, trajectory: Trajectory, frames: Sequence[Frame]) -> None:
        """Make a trajectory durable; returning lets the worker forget it.

        `frames` is what `pack_trajectory` made of it. `assignment_id` is '', or that of an assignment which may have
        been given up meanwhile (`lost`). Raises WireError to refuse it for good, StorageError when nothing can be
        stored now.
        """
        ...

    def lost(self, assignment: Assignment, why: str) -> None:
        """The trajectory of this assignment is not to be waited for; if it comes after all, `receive` gets it."""
        ...
