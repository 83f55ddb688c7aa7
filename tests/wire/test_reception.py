"""The learner's side of the protocol, message by message, without sockets and clocks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from typing import Any, Literal

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import StorageError, WireError
from distrl_sdk.types import SlotAbout, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.codec import pack_trajectory
from distrl_sdk.wire.received import Received
from distrl_sdk.wire.reception import REASONS, Reception
from distrl_sdk.wire.roster import Route
from tests.wire import drawn
from tests.wire.samples import ABOUT, Tasks, trajectory

A, B = Route(0, b"a"), Route(0, b"b")
SLOT = SlotAbout("w:0", ABOUT)


class Desk:
    """An Office that keeps what is said, and a reception in it."""

    def __init__(self, host: Tasks, received: Received | None = None) -> None:
        self.said: dict[Route, list[Any]] = defaultdict(list)
        self.unreachable: dict[Route, Literal["full", "gone"]] = {}
        self.weights = m.Pulse()
        self.host = host
        self.reception = Reception(host, self, received or Received())
        self.now = 0.0

    def post(self, route: Route, message: m.Message) -> Literal["sent", "full", "gone"]:
        if route in self.unreachable:
            return self.unreachable[route]
        self.said[route].append(message)
        return "sent"

    def welcome(self, route: Route) -> m.Welcome:
        return m.Welcome("run", 1, 1.0, 15.0)

    def offered(self) -> m.Pulse:
        return self.weights

    def hear(self, message: m.Message, route: Route = A, *frames: Any, user: str = "") -> None:
        self.reception.receive(route, user, [m.encode(message), *frames], self.now)

    def wait(self, seconds: float = 0.1) -> None:
        self.now += seconds
        self.reception.tick(self.now, 1.0, 15.0)

    def last(self, kind: type[Any], route: Route = A) -> Any:
        return [message for message in self.said[route] if type(message) is kind][-1]

    def count(self, kind: type[Any], route: Route = A) -> int:
        return sum(type(message) is kind for message in self.said[route])

    def deliver(self, seq: int, assignment: str = "", route: Route = A) -> None:
        self.hear(m.Delivery(1, seq, assignment), route, *pack_trajectory(trajectory(f"w/1/{seq}")))


def joined(host: Tasks, received: Received | None = None) -> Desk:
    """A desk with worker w, whose slot asks for a task."""
    desk = Desk(host, received)
    desk.hear(m.Hello("w", "token", (SLOT,)))
    desk.hear(m.Ready("w:0"))
    desk.wait()
    return desk


def test_a_worker_is_welcomed_and_a_ready_slot_gets_a_task() -> None:
    desk = joined(Tasks(1))

    assert [type(message) for message in desk.said[A]] == [m.Welcome, m.Pulse, m.Handout]
    assert desk.last(m.Handout).slot == "w:0"


def test_a_slot_goes_on_asking_when_there_is_nothing_to_do() -> None:
    host = Tasks(0)
    desk = joined(host)
    host.todo.extend(Tasks(1).todo)
    desk.wait()

    assert desk.last(m.Handout).assignment.id == "1-1"


def test_a_trajectory_is_acknowledged_after_the_host_has_it_and_never_given_to_it_twice() -> None:
    desk = joined(Tasks(1))
    for _ in range(3):
        desk.deliver(1, "1-1")

    assert list(desk.host.got) == ["w/1/1"]
    assert desk.host.twice == []
    assert [message for message in desk.said[A] if type(message) is m.Ack] == [m.Ack(1, 1)] * 3


def test_what_was_in_the_journal_before_a_restart_is_acknowledged_but_not_taken() -> None:
    received = Received()
    received.add_id("w/1/1")
    desk = joined(Tasks(0), received)
    desk.deliver(1, "0-1")

    assert desk.host.got == {}
    assert desk.last(m.Ack) == m.Ack(1, 1)


def test_a_number_given_twice_to_different_episodes_is_refused_aloud() -> None:
    received = Received()
    received.add_id("w/1/1")
    desk = joined(Tasks(1), received)
    desk.deliver(1, "1-1")

    assert "was its outbox deleted?" in desk.last(m.Nack).reason
    assert desk.host.lost_ones[0][0] == "1-1"


def test_a_refused_trajectory_gives_its_task_back_with_the_reason() -> None:
    desk = joined(Tasks(1))
    header, _ = pack_trajectory(trajectory())
    desk.hear(m.Delivery(1, 1, "1-1"), A, header, b"short")

    assert desk.last(m.Nack) == m.Nack(1, 1, "the columns of the steps are cut off")
    assert desk.host.lost_ones == [
        ("1-1", "worker w: its trajectory was refused: the columns of the steps are cut off")
    ]
    assert desk.reception.refused == {"the columns of the steps are cut off": 1}


def test_the_host_may_refuse_a_trajectory() -> None:
    desk = joined(Tasks(1))
    desk.host.raises = WireError("not of this run")
    desk.deliver(1, "1-1")

    assert desk.last(m.Nack).reason == "not of this run"


def test_a_trajectory_under_a_name_of_another_worker_is_refused() -> None:
    desk = joined(Tasks(1))
    desk.hear(m.Delivery(1, 1), A, *pack_trajectory(trajectory("someone/1/1")))

    assert desk.last(m.Nack).reason == "the id of a trajectory is not its worker/incarnation/number"


def test_a_full_disk_holds_everybody_and_loses_nothing() -> None:
    desk = joined(Tasks(2))
    desk.host.raises = StorageError("no space left")
    desk.deliver(1, "1-1")
    desk.hear(m.Ready("w:0", "1-1"))
    desk.wait()

    assert desk.reception.held == "no space left"
    assert desk.last(m.Pulse).hold == "no space left"
    assert desk.count(m.Ack) == desk.count(m.Nack) == 0
    assert desk.count(m.Handout) == 1

    desk.host.raises = None
    desk.deliver(1, "1-1")
    desk.wait()

    assert desk.reception.held == desk.last(m.Pulse).hold == ""
    assert desk.last(m.Ack) == m.Ack(1, 1)
    assert desk.last(m.Handout).assignment.id == "1-2"


def test_a_hold_whose_cause_nobody_repeats_is_lifted() -> None:
    desk = joined(Tasks(1))
    desk.host.raises = StorageError("no space left")
    desk.deliver(1, "1-1")
    for _ in range(20):
        desk.hear(m.Beat(1))
        desk.wait(1.0)

    assert desk.reception.held == ""


def test_what_the_host_should_not_raise_is_kept_for_the_main_thread_and_nothing_is_taken_any_more() -> None:
    desk = joined(Tasks(2))
    desk.host.raises = KeyError("a bug")
    desk.deliver(1, "1-1")
    desk.host.raises = None
    desk.deliver(2)
    desk.hear(m.Ready("w:0", "1-1"))
    desk.wait()

    assert repr(desk.reception.error) == "KeyError('a bug')"
    assert desk.host.got == {}
    assert desk.count(m.Ack) == desk.count(m.Nack) == 0
    assert desk.count(m.Handout) == 1


def test_a_silent_worker_loses_its_tasks_and_what_it_brings_later_is_still_taken() -> None:
    desk = joined(Tasks(1))
    for _ in range(16):
        desk.wait(1.0)
    assert desk.host.lost_ones == [("1-1", "worker w: not a word for 15 s")]

    desk.deliver(1, "1-1")
    assert desk.last(m.Who) == m.Who()
    desk.hear(m.Hello("w", "token", (SLOT,)))
    desk.deliver(1, "1-1")

    assert desk.host.got["w/1/1"][0] == "1-1"


def test_a_pause_of_the_learner_is_not_the_workers_silence() -> None:
    desk = joined(Tasks(1))
    desk.wait(100.0)

    assert desk.host.lost_ones == []


def test_a_worker_that_leaves_gives_its_tasks_back() -> None:
    desk = joined(Tasks(1))
    desk.hear(m.Bye("enough"))

    assert desk.host.lost_ones == [("1-1", "worker w: it left: enough")]
    assert list(desk.reception.roster) == []


def test_a_reconnected_worker_keeps_its_tasks() -> None:
    desk = joined(Tasks(1))
    desk.hear(m.Hello("w", "token", (SLOT,)), B)
    desk.deliver(1, "1-1", B)

    assert desk.host.lost_ones == []
    assert desk.host.got["w/1/1"][0] == "1-1"
    assert desk.count(m.Ack, B) == 1


def test_a_new_process_of_a_dead_worker_takes_its_place_at_once() -> None:
    desk = joined(Tasks(1))
    desk.unreachable[A] = "gone"
    desk.hear(m.Hello("w", "other token", (SLOT,)), B)

    assert desk.host.lost_ones == [("1-1", "worker w: its process was replaced by another")]
    assert desk.count(m.Welcome, B) == 1


def test_a_second_process_of_a_living_worker_is_refused() -> None:
    desk = joined(Tasks(1))
    desk.hear(m.Hello("w", "other token", (SLOT,)), B)

    assert desk.last(m.Refused, B).retry is False
    assert desk.last(m.Refused, B).reason.startswith("duplicate worker id 'w'")


def test_a_second_process_of_a_worker_that_may_be_dead_is_told_to_ask_again() -> None:
    desk = joined(Tasks(1))
    desk.now += 5.0
    desk.hear(m.Hello("w", "other token", (SLOT,)), B)

    assert desk.last(m.Refused, B).retry is True


def test_a_worker_id_belongs_to_one_key_for_ever() -> None:
    desk = Desk(Tasks(0))
    desk.hear(m.Hello("w", "token"), user="key one")
    desk.hear(m.Bye())
    desk.hear(m.Hello("w", "token"), B, user="key two")

    assert desk.last(m.Refused, B).reason == "worker id 'w' belongs to another key: choose another name"


@pytest.mark.parametrize("name", ["", "a/b", "a b", "ü", "x" * 65])
def test_a_worker_id_that_cannot_be_a_name_is_refused(name: str) -> None:
    desk = Desk(Tasks(0))
    desk.hear(m.Hello(name, "token"))

    assert desk.last(m.Refused).reason.startswith("a worker id is")


def test_a_slot_of_another_worker_is_refused() -> None:
    desk = Desk(Tasks(0))
    desk.hear(m.Hello("w", "token", (SlotAbout("v:0", ABOUT),)))

    assert desk.last(m.Refused).reason == "slot 'v:0' cannot be one of worker 'w'"


def test_a_task_lost_on_the_way_is_sent_again_and_one_that_was_played_is_not() -> None:
    desk = joined(Tasks(2))
    desk.hear(m.Ready("w:0", ""))
    desk.wait()
    assert [message.assignment.id for message in desk.said[A] if type(message) is m.Handout] == ["1-1", "1-1"]

    desk.hear(m.Ready("w:0", "1-1"))
    desk.wait()
    assert desk.last(m.Handout).assignment.id == "1-2"
    assert desk.host.lost_ones == []


def test_a_task_that_gives_no_trajectory_is_given_back() -> None:
    desk = joined(Tasks(1))
    desk.hear(m.Ready("w:0", "1-1", "the worker's disk is full"))

    assert desk.host.lost_ones == [("1-1", "worker w: the worker's disk is full")]


def test_a_worker_that_reads_nothing_gets_no_tasks() -> None:
    desk = Desk(Tasks(1))
    desk.hear(m.Hello("w", "token", (SLOT,)))
    desk.hear(m.Ready("w:0"))
    desk.unreachable[A] = "full"
    for _ in range(30):
        desk.wait()
    assert desk.host.lost_ones == [("1-1", "worker w cannot be reached (full)")]

    del desk.unreachable[A]
    desk.wait(1.0)
    desk.wait()
    assert desk.last(m.Handout).assignment.id == "1-1'"


def test_a_worker_hears_of_weights_before_the_task_that_asks_for_them() -> None:
    host = Tasks(0)
    desk = joined(host)
    desk.weights = m.Pulse(pinned=(m.WeightsAbout(Version(1, 7), 1, "00"),))
    host.todo.extend(Tasks(1).todo)
    desk.wait()

    *_, pulse, handout = desk.said[A]
    assert pulse.pinned[0].version == Version(1, 7)
    assert type(handout) is m.Handout


def test_after_stop_nothing_is_handed_out_and_late_comers_are_told() -> None:
    desk = joined(Tasks(2))
    desk.reception.stop("over")
    desk.hear(m.Ready("w:0", "1-1"))
    desk.hear(m.Hello("v", "token"), B)
    desk.wait()

    assert desk.count(m.Handout) == 1
    assert desk.last(m.Stop) == desk.last(m.Stop, B) == m.Stop("over")


def test_a_stranger_is_asked_who_it_is() -> None:
    desk = Desk(Tasks(0))
    desk.hear(m.Beat(1))

    assert desk.said[A] == [m.Who()]


def test_another_protocol_is_told_apart_from_garbage() -> None:
    desk = Desk(Tasks(0))
    desk.hear(m.Hello("w", "token", protocol=1))

    assert desk.last(m.Refused).reason == (
        "the other side speaks protocol 1, this one 3: install the same version of distrl-sdk on both"
    )


def test_reasons_made_up_by_strangers_do_not_fill_the_memory() -> None:
    desk = Desk(Tasks(0))
    for n in range(3 * REASONS):
        desk.reception.count(f"reason {n}")

    assert len(desk.reception.refused) == REASONS + 1
    assert desk.reception.refused["other"] == 2 * REASONS


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(sorted(m.FROM_WORKER)), st.data(), st.booleans())
def test_messages_with_any_value_in_any_field_harm_nobody(name: str, data: st.DataObject, known: bool) -> None:
    names = [field.name for field in fields(m.FROM_WORKER[name])]
    values = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(names, drawn.plain)))
    desk = joined(Tasks(1))
    desk.reception.receive(A if known else B, "", [msgpack.packb({**values, "is": name})], desk.now)
    desk.wait()

    desk.reception.receive(A, "", [m.encode(m.Hello("w", "token", (SLOT,)))], desk.now)
    desk.deliver(1)
    assert desk.last(m.Ack) == m.Ack(1, 1)
    assert desk.reception.error is None


@settings(deadline=None, max_examples=200)
@given(st.lists(st.binary(max_size=60), max_size=3), st.booleans())
def test_random_messages_are_counted_and_harm_nobody(frames: list[bytes], known: bool) -> None:
    desk = joined(Tasks(1))
    desk.reception.receive(A if known else B, "", frames, desk.now)

    assert desk.reception.refused.total() == 1
    assert desk.host.lost_ones == []
    desk.deliver(1, "1-1")
    assert desk.last(m.Ack) == m.Ack(1, 1)
