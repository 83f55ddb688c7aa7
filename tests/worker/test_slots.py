"""Slots: phones that fail are repaired or given up, and cost nobody else anything."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue

import pytest

from distrl_sdk.errors import StorageError
from distrl_sdk.interfaces import Device, Judge
from distrl_sdk.types import Assignment, Finish, Observation, Task, Trajectory
from distrl_sdk.worker.judging import TimedJudge
from distrl_sdk.worker.lease import Deadlines, Lease
from distrl_sdk.worker.slots import Pauses, Slot, Surroundings
from tests.worker.phones import TAP, Counter, CountJudge, Scripted
from tests.worker.waiting import wait_until

TASK = Task("count-2", "count", "tap twice", max_steps=6)
SCRIPT = (TAP, TAP, Finish())


@dataclass
class Desk:
    """A learner's side: hands the next assignment to whoever asks, keeps what is delivered."""

    todo: SimpleQueue[Assignment] = field(default_factory=SimpleQueue)
    asked: SimpleQueue[str] = field(default_factory=SimpleQueue)
    delivered: SimpleQueue[Trajectory] = field(default_factory=SimpleQueue)
    stopping: threading.Event = field(default_factory=threading.Event)
    full: bool = False
    failed: list[str] = field(default_factory=list)
    bug: Exception | None = None
    slots: list[Slot] = field(default_factory=list)

    def ask(self, slot: str, failed: str) -> None:
        self.failed += [failed] if failed else []
        self.asked.put(slot)

    def deliver(self, assignment: Assignment, trajectory: Trajectory) -> None:
        if self.full:
            raise StorageError("the disk is full")
        if self.bug is not None:
            bug, self.bug = self.bug, None
            raise bug
        self.delivered.put(trajectory)

    def open(self, opener: Callable[[], Device], judge: Judge | None = None) -> Slot:
        name = f"w:{len(self.slots)}"
        slot = Slot(
            name, Lease(f"test:{name}", opener, Deadlines(0.2, 0.2, 0.2)), self.stopping, Pauses(first=0.01, room=0.01)
        )
        slot.begin(Surroundings(Scripted(*SCRIPT), judge, self.ask, self.deliver))
        self.slots.append(slot)
        return slot


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.stopping.set()
    for slot in made.slots:
        slot.wake()
    assert all(slot.join(5.0) for slot in made.slots)


def play_one(desk: Desk, slot: Slot) -> Trajectory:
    assert desk.asked.get(timeout=5.0) == slot.id
    slot.assign(Assignment("a", TASK))
    return desk.delivered.get(timeout=5.0)


def test_a_slot_asks_plays_delivers_and_asks_again(desk: Desk) -> None:
    slot = desk.open(Counter, CountJudge(want=2))

    played = [play_one(desk, slot) for _ in range(3)]

    assert [len(each) for each in played] == [3, 3, 3]
    assert all(each.verdict is not None and each.verdict.success for each in played)
    assert {each.slot for each in played} == {"w:0"}


def test_a_phone_that_raises_is_opened_anew_and_plays_on(desk: Desk) -> None:
    opened: list[Counter] = []

    def opener() -> Counter:
        opened.append(Counter(fail="raise" if not opened else ""))
        return opened[-1]

    slot = desk.open(opener)

    aborted, finished = play_one(desk, slot), play_one(desk, slot)

    assert (aborted.end.kind, aborted.end.blame, len(aborted)) == ("aborted", "device", 1)
    assert finished.end.kind == "finish"
    assert [phone.closed for phone in opened] == [1, 0]


def test_a_phone_that_hangs_is_left_behind_and_the_slot_plays_on(desk: Desk) -> None:
    phones = [Counter(fail="hang"), Counter()]
    opened = iter(phones)
    slot = desk.open(lambda: next(opened))

    aborted, finished = play_one(desk, slot), play_one(desk, slot)

    assert aborted.end.blame == "device"
    assert aborted.end.message == "test:w:0: tap gave no answer for 0.2 s"
    assert finished.end.kind == "finish"
    phones[0].release.set()


def test_a_phone_that_is_dead_takes_no_tasks_and_says_why_while_others_play(desk: Desk) -> None:
    def dead() -> Counter:
        raise OSError("unplugged")

    broken, sound = desk.open(dead), desk.open(Counter)

    played = play_one(desk, sound)

    wait_until(lambda: broken.state == "broken")
    assert broken.reason == "test:w:0: open: OSError: unplugged"
    assert broken.about is None
    assert played.end.kind == "finish"
    assert desk.asked.get(timeout=5.0) == sound.id
    assert desk.asked.empty()


def test_a_full_disk_stops_the_slot_and_loses_nothing(desk: Desk) -> None:
    slot = desk.open(Counter)
    desk.full = True
    assert desk.asked.get(timeout=5.0) == slot.id
    slot.assign(Assignment("a", TASK))
    wait_until(lambda: slot.state == "full")
    assert slot.reason == "the disk is full"
    assert desk.asked.empty()

    desk.full = False

    assert desk.delivered.get(timeout=5.0).end.kind == "finish"
    assert desk.asked.get(timeout=5.0) == slot.id


def test_a_stopping_slot_aborts_its_episode_at_the_next_step_and_closes_its_phone(desk: Desk) -> None:
    gate = threading.Event()

    class Slow(Counter):
        def perform(self, action: object) -> Observation:
            gate.wait(5.0)
            return super().perform(action)  # type: ignore[arg-type]

    phone = Slow()
    slot = desk.open(lambda: phone)
    desk.asked.get(timeout=5.0)
    slot.assign(Assignment("a", TASK))
    wait_until(lambda: slot.state == "busy")

    desk.stopping.set()
    slot.wake()
    gate.set()

    assert desk.delivered.get(timeout=5.0).end.message == "the worker was stopped"
    assert slot.join(5.0)
    assert (slot.state, phone.closed) == ("stopped", 1)


def test_a_judge_that_hangs_costs_a_verdict_and_after_a_while_is_asked_no_more(desk: Desk) -> None:
    judge = CountJudge(fail="hang")
    slot = desk.open(Counter, TimedJudge(judge, 0.01))

    verdicts = [play_one(desk, slot).verdict for _ in range(TimedJudge.MAX_HUNG + 1)]

    reasons = [verdict.reason for verdict in verdicts if verdict is not None and verdict.success is None]
    assert reasons[0] == "the judge gave no answer for 0.01 s"
    assert reasons[-1] == "the judge hung 8 times and came not back; it is asked no more"
    judge.release.set()


def test_a_fault_that_nobody_foresaw_costs_the_assignment_and_not_the_slot(desk: Desk) -> None:
    slot = desk.open(Counter)
    desk.bug = KeyError("unforeseen")
    assert desk.asked.get(timeout=5.0) == slot.id
    slot.assign(Assignment("a", TASK))

    played = play_one(desk, slot)

    assert desk.failed == ["KeyError: 'unforeseen'"]
    assert played.end.kind == "finish"
