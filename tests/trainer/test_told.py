"""What a user is told: who joins and leaves, which phones break, what is waited for."""

from __future__ import annotations

import pytest

from distrl_sdk.events import Events
from distrl_sdk.gauges import waiting_for
from distrl_sdk.types import NO_VERSION
from distrl_sdk.wire.messages import SlotState
from distrl_sdk.wire.server import WorkerStatus


def worker(name: str, *states: str, reason: str = "") -> WorkerStatus:
    slots = tuple(SlotState(f"{name}:{n}", state, reason) for n, state in enumerate(states))  # type: ignore[arg-type]
    return WorkerStatus(name, slots, (), 0, 0, 0, 0, 0.0, NO_VERSION)


class Told:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._events = Events(self._lines.append)

    def look(self, *workers: WorkerStatus, **given_up: str) -> list[str]:
        """The lines that this look added."""
        before = len(self._lines)
        self._events.look(workers, given_up)
        return self._lines[before:]


def test_workers_that_join_grow_and_leave_are_told_once() -> None:
    told = Told()

    assert told.look(worker("a", "idle", "busy")) == ["a joined with 2 phones"]
    assert told.look(worker("a", "busy", "busy"), worker("b", "idle")) == ["b joined with 1 phone"]
    assert told.look(worker("a", "busy", "busy", "idle"), worker("b", "idle")) == ["a has now 3 phones"]
    assert told.look(worker("b", "idle")) == ["a is gone"]
    assert told.look(worker("b", "idle")) == []
    assert told.look(worker("a", "idle"), worker("b", "idle")) == ["a joined with 1 phone"]


def test_a_phone_that_breaks_again_and_again_is_told_once_for_each_reason() -> None:
    told = Told()
    told.look(worker("a", "idle"))

    assert told.look(worker("a", "broken", reason="no cable")) == ["a:0 is broken: no cable"]
    for _ in range(3):
        assert told.look(worker("a", "busy")) == []
        assert told.look(worker("a", "broken", reason="no cable")) == []
    assert told.look(worker("a", "broken", reason="no battery")) == ["a:0 is broken: no battery"]
    more = [told.look(worker("a", "broken", reason=f"fault {n}")) for n in range(5)]
    assert more == [["a:0 is broken: fault 0"], [], [], [], []]


def test_a_worker_that_is_given_up_is_told_once_with_the_reason() -> None:
    told = Told()

    assert told.look(local="ended 5 times") == ["local is given up: ended 5 times"]
    assert told.look(local="ended 5 times") == []


@pytest.mark.parametrize(
    ("busy", "idle", "broken", "at_desk", "text"),
    [
        (3, 1, 1, 0, "the episodes of 3 busy phones"),
        (1, 0, 0, 12, "12 verdicts of the judge and the episodes of 1 busy phone"),
        (0, 4, 0, 1, "1 verdict of the judge"),
        (0, 1, 2, 0, "2 broken phones to work again"),
        (0, 16, 0, 0, "tasks for 16 idle phones"),
        (0, 0, 0, 0, "a worker to join"),
    ],
)
def test_a_run_without_news_says_what_it_waits_for(busy: int, idle: int, broken: int, at_desk: int, text: str) -> None:
    assert waiting_for(busy, idle, broken, at_desk) == text
