"""What a user is told of workers and phones while a session runs: one line for each change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from distrl_sdk.wire.server import WorkerStatus

REASONS = 3
"""For which a phone that breaks is told of; one that breaks again and again must not fill the screen."""


class Events:
    """Compares what is there with what was told. Of one thread."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._here: dict[str, int] = {}
        self._broken: dict[str, list[str]] = {}
        """By slot, the reasons that were told."""
        self._given_up: set[str] = set()

    def look(self, workers: Sequence[WorkerStatus], given_up: Mapping[str, str]) -> None:
        """`given_up`: workers that will not be started again, and why."""
        here = {worker.id: len(worker.slots) for worker in workers}
        for name, phones in here.items():
            if self._here.get(name) != phones:
                self._tell(f"{name} {'joined with' if name not in self._here else 'has now'} {_phones(phones)}")
        for name in self._here.keys() - here.keys():
            self._tell(f"{name} is gone")
        self._here = here
        for worker in workers:
            for slot in worker.slots:
                told = self._broken.setdefault(slot.id, [])
                if slot.state == "broken" and slot.reason not in told and len(told) < REASONS:
                    told.append(slot.reason)
                    self._tell(f"{slot.id} is broken: {slot.reason}")
        for name in given_up.keys() - self._given_up:
            self._given_up.add(name)
            self._tell(f"{name} is given up: {given_up[name]}")


def _phones(count: int) -> str:
    return f"{count} phone" if count == 1 else f"{count} phones"
