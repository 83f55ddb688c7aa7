"""Learner and workers over real sockets: everything arrives once, whoever stumbles."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import zmq

from distrl_sdk.errors import WireError
from distrl_sdk.types import Task, Version
from distrl_sdk.wire.client import SlotState
from distrl_sdk.wire.codec import pack_trajectory
from tests.wire.net import SHORT, Net
from tests.wire.samples import BEAT, FullDisk, Hand, Tasks, trajectory, wait_until


def test_every_task_comes_back_once(net: Net) -> None:
    host, hands = Tasks(40), [Hand("w1"), Hand("w2")]
    net.started(host)
    for hand in hands:
        net.joined(hand)

    wait_until(lambda: len(host.got) == 40)

    assert sorted(assignment for assignment, _ in host.got.values()) == sorted(f"1-{n}" for n in range(1, 41))
    assert host.twice == host.lost_ones == []
    for hand in hands:
        assert hand.link is not None
        assert hand.link.flush(5.0)
        assert hand.acked == list(range(1, len(hand.assigned) + 1))


def test_the_welcome_says_what_to_set_up(net: Net) -> None:
    net.started(Tasks(0))

    assert net.link(Hand("w")).connect(5.0) == {"policy": {"name": "compact"}, "run": "run", "incarnation": 1}


def test_a_learner_that_starts_late_is_found(net: Net) -> None:
    host, hand = Tasks(1), Hand("w")
    server, link = net.server(host), net.link(hand)
    with pytest.raises(WireError, match=r"no learner let us in at .* in 0\.2 s: nothing listens there"):
        net.link(Hand("early")).connect(0.2)
    with ThreadPoolExecutor(1) as pool:
        connecting = pool.submit(link.connect, 10.0)
        server.start()
        connecting.result()
    link.ready("w:0")

    wait_until(lambda: hand.acked == [1])


def test_large_trajectories_arrive_whole(net: Net) -> None:
    host, hand = Tasks(0), Hand("w")
    net.started(host)
    link = net.joined(hand)
    for seq in range(1, 9):
        big = replace(trajectory(f"w/1/{seq}", steps=10, width=60_000), pictures=(bytes([seq]) * 300_000,))
        link.send(1, seq, pack_trajectory(big))

    assert link.flush(20.0)
    assert sorted(host.got) == [f"w/1/{seq}" for seq in range(1, 9)]
    for seq in range(1, 9):
        got = host.got[f"w/1/{seq}"][1]
        assert got.pictures == (bytes([seq]) * 300_000,)
        assert got.features["x"][10, 59_999] == seq + 11 * 60_000 - 1


def test_a_learner_that_starts_again_on_the_same_address_gets_the_rest_and_nothing_twice(net: Net) -> None:
    first, hand = FullDisk(3), Hand("w")
    first.raises = None
    server = net.started(first)
    link = net.joined(hand)
    wait_until(lambda: hand.acked == [1, 2, 3])
    first.raises = FullDisk(0).raises
    for seq in (4, 5, 6):
        link.send(1, seq, pack_trajectory(trajectory(f"w/1/{seq}")))
    wait_until(lambda: link.held == "the disk is full")
    server.close()
    link.send(1, 7, pack_trajectory(trajectory("w/1/7")))

    second = Tasks(2, run=2)
    hand.seq = 7
    again = net.server(second, incarnation=2)
    for trajectory_id in first.got:
        again.received.add_id(trajectory_id)
    again.start()

    wait_until(lambda: len(hand.acked) == 9)
    assert sorted(second.got) == [f"w/1/{seq}" for seq in range(4, 10)]
    assert second.twice == []


def test_a_learner_that_hangs_for_longer_than_the_silence_loses_nothing(net: Net) -> None:
    class Slow(Tasks):
        def receive(self, *args: object) -> None:
            if len(self.got) == 2:
                time.sleep(3 * SHORT)
            super().receive(*args)  # type: ignore[arg-type]

    host, hand = Slow(10), Hand("w")
    net.started(host, silence=SHORT)
    net.joined(hand)

    wait_until(lambda: len(host.got) == 10)
    assert host.twice == host.lost_ones == []


def test_a_learner_of_another_run_on_the_same_address_is_left(ipc: Net) -> None:
    hand = Hand("w")
    server = ipc.started(Tasks(0))
    link = ipc.joined(hand)
    server.close()
    ipc.started(Tasks(1), run="other")

    wait_until(lambda: hand.errors)
    with pytest.raises(WireError, match="run 'other' answers instead of 'run'"):
        link.check()


def test_workers_are_shown_with_the_state_of_their_slots(net: Net) -> None:
    server = net.started(Tasks(1))
    hand = Hand("w", plays=False)
    link = net.joined(hand)
    wait_until(lambda: [worker.busy for worker in server.workers()] == [1])

    link.report([SlotState("w:0", "broken", "the cable")], Version(1, 3))
    wait_until(lambda: server.workers()[0].broken == 1)

    (worker,) = server.workers()
    assert worker.slots == (SlotState("w:0", "broken", "the cable"),)
    assert (worker.id, worker.version, worker.open, worker.abouts) == ("w", (1, 3), 1, (hand.slot,))
    assert time.monotonic() - worker.heard < 1.0


def test_a_slot_that_opens_later_is_announced_by_its_worker(net: Net) -> None:
    host, hand = Tasks(1), Hand("w", plays=False)
    net.started(host)
    link = net.joined(hand)
    wait_until(lambda: hand.assigned)
    host.todo.extend(Tasks(1).todo)
    with pytest.raises(WireError, match="unknown slot 'w:1': known: w:0"):
        link.ready("w:1")
    link.add(replace(hand.slot, id="w:1"))
    link.ready("w:1")

    wait_until(lambda: len(hand.assigned) == 2)


def test_a_worker_leaves_with_bye_and_its_task_is_free_at_once(net: Net) -> None:
    host, hand = Tasks(1), Hand("w", plays=False)
    server = net.started(host, silence=60.0)
    link = net.joined(hand)
    wait_until(lambda: hand.assigned)
    link.close("enough")

    wait_until(lambda: host.lost_ones == [("1-1", "worker w: it left: enough")])
    wait_until(lambda: server.workers() == ())


def test_stop_reaches_the_workers(net: Net) -> None:
    server, hand = net.started(Tasks(0)), Hand("w")
    net.joined(hand)
    server.stop_workers("the run is over")

    wait_until(lambda: hand.stops == ["the run is over"])


def test_a_full_disk_at_the_learner_keeps_everything_with_the_worker_until_there_is_room(net: Net) -> None:
    host, hand = FullDisk(5), Hand("w")
    server = net.started(host)
    link = net.joined(hand)
    wait_until(lambda: link.held == "the disk is full")
    assert server.held == "the disk is full"
    assert not link.flush(3 * BEAT)
    host.raises = None

    wait_until(lambda: len(host.got) == 5)
    assert link.flush(5.0)
    assert (host.twice, hand.nacked, server.held) == ([], [], "")


def test_what_the_host_should_not_raise_comes_out_in_the_main_thread(net: Net) -> None:
    host, hand = Tasks(2), Hand("w")
    host.raises = ZeroDivisionError("a bug in the learner")
    server = net.started(host)
    net.joined(hand)

    def failed() -> bool:
        try:
            server.check()
        except ZeroDivisionError:
            return True
        return False

    wait_until(failed)
    assert hand.acked == hand.nacked == []


def test_a_second_worker_of_the_same_name_is_refused_and_the_first_goes_on(net: Net) -> None:
    host, hand = Tasks(0), Hand("w")
    net.started(host)
    net.joined(hand)
    with pytest.raises(WireError, match="the learner refuses this worker: duplicate worker id 'w'"):
        net.link(Hand("w")).connect(5.0)
    host.todo.extend(Tasks(1).todo)

    wait_until(lambda: hand.acked == [1])
    assert host.lost_ones == []


# --- dead and hostile peers -----------------------------------------------------------------------------------------

CHILD = """
import sys
from pathlib import Path
from distrl_sdk.wire.client import Link
from distrl_sdk.wire.keys import load_worker_key
from tests.wire.samples import BEAT, Hand, wait_until

address, key = sys.argv[1:]
hand = Hand("w", plays=False)
link = hand.link = Link(address, "w", [hand.slot], hand, load_worker_key(Path(key)) if key else None, BEAT)
link.connect(10.0)
link.ready("w:0")
sys.stdin.read()
"""


def child(net: Net) -> subprocess.Popen[bytes]:
    """A worker process that takes a task and never finishes it."""
    key = str(net.folder / "keys" / "worker.key") if net.address.startswith("tcp") else ""
    command = [sys.executable, "-c", CHILD, net.address, key]
    return subprocess.Popen(command, stdin=subprocess.PIPE, cwd=Path(__file__).parents[2])


def test_a_killed_worker_loses_its_task_and_its_successor_gets_one_at_once(net: Net) -> None:
    host, hand = Tasks(1), Hand("w")
    server = net.started(host, silence=60.0)
    with child(net) as process:
        try:
            wait_until(lambda: [worker.open for worker in server.workers()] == [1], 30.0)
        finally:
            process.send_signal(signal.SIGKILL)
    net.joined(hand)

    wait_until(lambda: host.got)
    assert host.lost_ones == [("1-1", "worker w: its process was replaced by another")]
    assert [assignment for assignment, _ in host.got.values()] == ["1-1'"]


def test_a_frozen_worker_loses_its_task_after_the_silence(ipc: Net) -> None:
    host, hand = Tasks(1), Hand("v")
    server = ipc.started(host, silence=SHORT)
    with child(ipc) as process:
        try:
            wait_until(lambda: [worker.open for worker in server.workers()] == [1], 30.0)
            os.kill(process.pid, signal.SIGSTOP)
            wait_until(lambda: host.lost_ones)
            ipc.joined(hand)
            wait_until(lambda: host.got)
        finally:
            process.send_signal(signal.SIGKILL)

    assert host.lost_ones == [("1-1", f"worker w: not a word for {SHORT:g} s")]


def test_garbage_from_one_peer_does_not_disturb_another(ipc: Net) -> None:
    host, hand = Tasks(200), Hand("w")
    server = ipc.started(host)
    with zmq.Context() as context, context.socket(zmq.DEALER) as peer:
        peer.linger = 0
        peer.connect(ipc.address)
        ipc.joined(hand)
        for n in range(200):
            peer.send_multipart([bytes([n]) * n, b"", bytes(n)])
        wait_until(lambda: sum(server.refused.values()) == 200)
        wait_until(lambda: len(host.got) == 200)

    server.check()
    assert host.twice == host.lost_ones == []


def test_bytes_that_are_no_zeromq_do_not_disturb_a_worker(tcp: Net) -> None:
    host, hand = Tasks(50), Hand("w")
    server = tcp.started(host)
    port = int(tcp.address.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as peer:
        tcp.joined(hand)
        peer.sendall(b"GET / HTTP/1.1\r\n\r\n" * 100)
        wait_until(lambda: len(host.got) == 50)

    server.check()


def test_a_trajectory_that_lies_is_refused_to_its_worker_and_its_task_given_back(net: Net) -> None:
    host, hand = Tasks(1), Hand("w", plays=False)
    server = net.started(host)
    link = net.joined(hand)
    wait_until(lambda: hand.assigned)
    header, _ = pack_trajectory(trajectory("w/1/1"))
    link.send(1, 1, [header, b"short"], hand.assigned[0].id)

    wait_until(lambda: hand.nacked == [(1, "the columns of the steps are cut off")])
    assert link.flush(1.0)
    assert host.lost_ones[0][0] == "1-1"
    assert server.refused == {"the columns of the steps are cut off": 1}


def test_a_task_that_cannot_travel_is_the_learners_fault(ipc: Net) -> None:
    host = Tasks(1)
    host.todo[0] = replace(host.todo[0], task=Task("t", "f", "i", setup={"when": object()}))
    server = ipc.started(host)
    ipc.joined(Hand("w"))

    def failed() -> bool:
        try:
            server.check()
        except WireError as error:
            return "object" in str(error)
        return False

    wait_until(failed)
