"""The lock-step schedule: one task a slot at once, and nothing new before the slowest has come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from distrl_sdk.tasks.curriculum import fits
from distrl_sdk.types import Assignment, SlotAbout


@dataclass(slots=True)
class _Seat:
    """One episode of the round that has not come."""

    place: int
    assignment: Assignment
    slot: str
    """For whom it is; '' = for whoever asks."""
    handed: int = 0
    """How often it was handed out."""


class Round:
    """The episodes of one round. Used under the intake's lock.

    An episode that aborts or is lost is handed out again with the same seed, to whoever asks first; so is one whose
    slot is gone before it asked.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, _Seat] = {}
        self._out: dict[str, _Seat] = {}

    @property
    def owed(self) -> int:
        """Episodes that have not come."""
        return len(self._waiting) + len(self._out)

    def plan(self, assignments: Sequence[tuple[SlotAbout, Assignment]]) -> None:
        """Begin: what each slot is to play, in the order in which the episodes are to be learned from."""
        for place, (slot, assignment) in enumerate(assignments):
            self._waiting[assignment.id] = _Seat(place, assignment, slot.id)

    def next(self, slot: SlotAbout) -> Assignment | None:
        """What a slot plays now, or None until the next round."""
        own = next((name for name, seat in self._waiting.items() if seat.slot == slot.id), None)
        name = own or next((n for n, seat in self._waiting.items() if not seat.slot and _can(slot, seat)), None)
        if name is None:
            return None
        seat = self._out[name] = self._waiting.pop(name)
        seat.handed += 1
        return replace(seat.assignment, id=f"{name}.{seat.handed}")

    def again(self, assignment_id: str) -> None:
        """An episode will not come: it is for whoever asks."""
        name, _, handed = assignment_id.rpartition(".")
        if name in self._out and handed == str(self._out[name].handed):
            seat = self._waiting[name] = self._out.pop(name)
            seat.slot = ""

    def came(self, assignment_id: str) -> int:
        """Its place in the round of an episode that came, or is given up; 0 if the round expects it no more."""
        name = assignment_id.rpartition(".")[0]
        seat = self._out.pop(name, None) or self._waiting.pop(name, None)
        return seat.place if seat is not None else 0

    def release(self, working: Sequence[SlotAbout]) -> None:
        """Let others have what waits for slots that do not work; give up what no slot that works can play."""
        names = {slot.id for slot in working}
        for name, seat in tuple(self._waiting.items()):
            seat.slot = seat.slot if seat.slot in names else ""
            if working and not seat.slot and not any(_can(slot, seat) for slot in working):
                del self._waiting[name]

    def stop(self) -> None:
        """Hand out nothing more."""
        self._waiting.clear()


def _can(slot: SlotAbout, seat: _Seat) -> bool:
    return fits(seat.assignment.task, slot.device)


def in_order(slots: Iterable[SlotAbout]) -> list[SlotAbout]:
    """By worker and number, whoever came first: w:2 before w:10."""

    def key(slot: SlotAbout) -> tuple[str, int, str]:
        worker, _, number = slot.id.rpartition(":")
        return worker, len(number), number

    return sorted(slots, key=key)
