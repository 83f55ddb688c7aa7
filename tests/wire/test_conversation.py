"""The worker's side of the protocol, message by message, without sockets and clocks."""

from __future__ import annotations

from typing import Any

import pytest

from distrl_sdk.errors import WireError
from distrl_sdk.types import Assignment, SlotAbout
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.codec import pack_trajectory
from distrl_sdk.wire.conversation import Conversation
from distrl_sdk.wire.window import BYTES, COUNT, Parcel, Window
from tests.wire.samples import ABOUT, TASK, Hand, trajectory

WELCOME = m.Welcome("run", 1, 1.0, 15.0)


class Worker:
    """A conversation and what it says."""

    def __init__(self) -> None:
        self.hand = Hand("w", plays=False)
        self.talk = Conversation(m.Hello("w", "token", (SlotAbout("w:0", ABOUT),)), self.hand, 1.0)
        self.now = 0.0
        self.talk.greet(self.now)

    def says(self, seconds: float = 0.0) -> list[Any]:
        """Everything it says when that much time has passed."""
        self.now += seconds
        self.talk.tick(self.now)
        said = []
        while (frames := self.talk.peek(self.now)) is not None:
            said.append(m.decode(frames[0], m.FROM_WORKER))
            self.talk.sent(self.now)
        return said

    def hears(self, message: m.Message) -> None:
        self.talk.receive(message, self.now)

    def send(self, seq: int) -> None:
        self.talk.window.add(Parcel(m.Delivery(1, seq, f"1-{seq}"), pack_trajectory(trajectory(f"w/1/{seq}"))))

    def welcomed(self) -> Worker:
        self.says()
        self.hears(WELCOME)
        self.says()
        return self


def test_hello_is_repeated_until_it_is_answered_and_nothing_else_is_said() -> None:
    worker = Worker()
    worker.talk.ready("w:0", "")
    worker.send(1)

    assert [type(message) for message in worker.says() + worker.says(0.5) + worker.says(0.5)] == [m.Hello, m.Hello]


def test_after_the_welcome_everything_open_is_said() -> None:
    worker = Worker()
    worker.talk.ready("w:0", "")
    worker.send(1)
    worker.says()
    worker.hears(WELCOME)

    assert [type(message) for message in worker.says()] == [m.Ready, m.Beat, m.Delivery]


def test_another_learner_process_is_told_everything_open_anew() -> None:
    worker = Worker().welcomed()
    worker.talk.ready("w:0", "")
    worker.send(1)
    worker.says()
    worker.hears(m.Who())
    worker.hears(m.Who())

    assert [type(message) for message in worker.says()] == [m.Hello]
    worker.hears(m.Welcome("run", 2, 1.0, 15.0))
    assert [type(message) for message in worker.says()] == [m.Ready, m.Beat, m.Delivery]


def test_a_repeated_welcome_does_not_repeat_what_was_sent() -> None:
    worker = Worker().welcomed()
    worker.send(1)
    worker.says()
    worker.hears(WELCOME)

    assert worker.says() == []


def test_the_learner_of_another_run_is_not_served() -> None:
    worker = Worker().welcomed()
    worker.hears(m.Who())
    worker.says()

    with pytest.raises(WireError, match="run 'next' answers instead of 'run'"):
        worker.hears(m.Welcome("next", 1, 1.0, 15.0))


def test_an_assignment_reaches_its_slot_once() -> None:
    worker = Worker().welcomed()
    worker.talk.ready("w:0", "")
    for _ in range(2):
        worker.hears(m.Handout("w:0", Assignment("1-1", TASK)))
    assert [assignment.id for assignment in worker.hand.assigned] == ["1-1"]

    worker.talk.ready("w:0", "")
    worker.hears(m.Handout("w:0", Assignment("1-1", TASK)))
    assert len(worker.hand.assigned) == 1
    assert worker.says()[-1] == m.Ready("w:0", "1-1")


def test_an_assignment_of_a_restarted_learner_is_another_one_even_with_the_same_id() -> None:
    worker = Worker().welcomed()
    worker.talk.ready("w:0", "")
    worker.hears(m.Handout("w:0", Assignment("1", TASK)))
    worker.talk.ready("w:0", "")
    worker.hears(m.Who())
    worker.says()
    worker.hears(m.Welcome("run", 2, 1.0, 15.0))
    worker.hears(m.Handout("w:0", Assignment("1", TASK)))

    assert len(worker.hand.assigned) == 2


def test_an_overdue_trajectory_goes_out_again_once_a_later_beat_is_answered() -> None:
    worker = Worker().welcomed()
    worker.send(1)
    worker.says()
    assert {type(message) for message in worker.says(20.0)} == {m.Beat}  # it may still be on a slow way

    worker.hears(m.Pulse(worker.talk._report.n))
    assert m.Delivery in {type(message) for message in worker.says(1.0)}


def test_an_answer_is_told_once() -> None:
    worker = Worker().welcomed()
    worker.send(1)
    worker.send(2)
    for _ in range(2):
        worker.hears(m.Ack(1, 1))
        worker.hears(m.Nack(1, 2, "no"))

    assert worker.hand.acked == [1]
    assert worker.hand.nacked == [(2, "no")]
    assert len(worker.talk.window) == 0


def test_while_the_learner_holds_only_the_oldest_is_tried() -> None:
    worker = Worker().welcomed()
    worker.hears(m.Pulse(hold="no space left"))
    for seq in (1, 2, 3):
        worker.send(seq)
    assert worker.says() == [m.Delivery(1, 1, "1-1")]

    worker.hears(m.Pulse())
    assert worker.says() == [m.Delivery(1, 2, "1-2"), m.Delivery(1, 3, "1-3")]


def test_stop_is_told_once_and_ends_the_asking() -> None:
    worker = Worker().welcomed()
    worker.talk.ready("w:0", "")
    worker.says()
    worker.hears(m.Stop("over"))
    worker.hears(m.Stop("over"))
    worker.hears(m.Handout("w:0", Assignment("1-1", TASK)))

    assert worker.hand.stops == ["over"]
    assert worker.hand.assigned == []


def test_a_leaving_worker_says_bye_last() -> None:
    worker = Worker().welcomed()
    worker.talk.leave("enough")
    worker.send(1)

    assert worker.says() == [m.Bye("enough")]
    assert worker.talk.said_all


def test_the_window_bounds_what_is_under_way_by_count_and_by_bytes() -> None:
    window = Window()
    for seq in range(2 * COUNT):
        window.add(Parcel(m.Delivery(1, seq), [b"x"]))
    large = Window()
    for seq in range(3):
        large.add(Parcel(m.Delivery(1, seq), [bytes(BYTES * 2 // 3)]))

    def sent(which: Window) -> int:
        count = 0
        while (parcel := which.due(0.0, 0, 5.0, hold=False)) is not None:
            parcel.sent, parcel.beat = 0.0, 1
            count += 1
        return count

    assert sent(window) == COUNT
    assert sent(large) == 1
    large.drop((1, 0))
    assert sent(large) == 1
