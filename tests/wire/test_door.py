"""Who is let in: keys, the gate, and addresses that cannot be had."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest
import zmq

from distrl_sdk.config import NetworkConfig
from distrl_sdk.errors import UsageError, WireError
from distrl_sdk.wire.client import Link
from distrl_sdk.wire.keys import load_server_keys, load_worker_key, make_keys
from distrl_sdk.wire.server import Server
from distrl_sdk.wire.sockets import (
    IPC_LENGTH,
    bind,
    dealer,
    ipc_address,
    on_same_host,
    remove_ipc,
    router,
    secure,
    weights_address,
)
from tests.wire.net import Net
from tests.wire.samples import BEAT, Hand, Tasks, wait_until

# --- keys in files --------------------------------------------------------------------------------------------------


def test_only_their_owner_can_read_the_keys_and_one_file_is_all_a_worker_needs(tmp_path: Path) -> None:
    first, second = make_keys(tmp_path / "keys", ["lab", "office"])

    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "keys").rglob("*.*")} == {0o600}
    keys = load_server_keys(tmp_path / "keys")
    for path in (first, second):
        key = load_worker_key(path)
        assert keys.allows(key.public)
        assert key.server == keys.own.public
        assert key.secret not in repr(key)
    assert keys.own.secret not in repr(keys)


def test_more_workers_get_keys_of_the_same_learner(tmp_path: Path) -> None:
    (first,) = make_keys(tmp_path, ["one"])
    (second,) = make_keys(tmp_path, ["two"])

    assert load_worker_key(first).server == load_worker_key(second).server
    with pytest.raises(UsageError, match=r"there is a key already in .*one\.key"):
        make_keys(tmp_path, ["one"])


@pytest.mark.parametrize("name", ["../evil", "", "a b", "server"])
def test_a_name_that_cannot_be_a_files_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is no name of a worker's key"):
        make_keys(tmp_path, [name])


def test_keys_that_others_can_read_are_refused_with_the_remedy(tmp_path: Path) -> None:
    (path,) = make_keys(tmp_path)
    path.chmod(0o644)

    with pytest.raises(UsageError, match=f"others can read the key {path}: chmod 600 {path}"):
        load_worker_key(path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"public": "a", "secret": "b", "server": "c"}', "ü"])
def test_a_file_that_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "worker.key"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)

    with pytest.raises(UsageError, match="make keys with `distrl keys`"):
        load_worker_key(path)
    with pytest.raises(UsageError, match="no key in"):
        load_server_keys(tmp_path)


# --- the gate -------------------------------------------------------------------------------------------------------


def test_an_unknown_key_is_told_so_at_once(tcp: Net, tmp_path: Path) -> None:
    server = tcp.started(Tasks(0))
    (foreign,) = make_keys(tmp_path)
    key = load_worker_key(foreign)
    stranger = type(key)(key.public, key.secret, tcp.key.server)

    with pytest.raises(WireError, match=f"key not allowed: the learner at {tcp.address}"):
        tcp.link(Hand("w"), key=stranger).connect(10.0)
    assert server.workers() == ()


def test_a_key_that_is_allowed_while_the_learner_runs_is_let_in(tcp: Net) -> None:
    tcp.started(Tasks(0))
    (path,) = make_keys(tcp.folder / "keys", ["late"])

    assert tcp.link(Hand("w"), key=load_worker_key(path)).connect(5.0)["run"] == "run"


def test_a_key_that_is_removed_is_not_let_in_again(tcp: Net) -> None:
    tcp.started(Tasks(0))
    tcp.joined(Hand("w"))
    (tcp.folder / "keys" / "allowed" / "worker.pub").unlink()

    with pytest.raises(WireError, match="key not allowed"):
        tcp.link(Hand("v")).connect(5.0)


def test_a_worker_id_cannot_be_taken_with_another_key(tcp: Net) -> None:
    host, hand = Tasks(0), Hand("w")
    tcp.started(host)
    tcp.joined(hand).close()
    (path,) = make_keys(tcp.folder / "keys", ["other"])

    with pytest.raises(WireError, match="worker id 'w' belongs to another key"):
        tcp.link(Hand("w"), key=load_worker_key(path)).connect(5.0)


def test_the_key_of_another_learner_is_named_as_the_likely_cause(tcp: Net, tmp_path: Path) -> None:
    tcp.started(Tasks(0))
    (foreign,) = make_keys(tmp_path)

    with pytest.raises(WireError, match="is the key file that of another learner"):
        tcp.link(Hand("w"), key=load_worker_key(foreign)).connect(0.3)


def test_a_worker_without_a_key_is_told_to_bring_one(tcp: Net) -> None:
    tcp.started(Tasks(0))
    link = Link(tcp.address, "w", [], Hand("w"), None, BEAT)

    with pytest.raises(WireError, match="expects a key: give the worker its key file"):
        link.connect(10.0)


def test_the_door_is_shut_when_nobody_answers_at_the_gate(tcp: Net) -> None:
    with zmq.Context() as context, router(context, 10, 10) as door, dealer(context, tcp.key, 10, 10) as worker:
        door.linger = worker.linger = 0
        secure(door, tcp.keys)
        bind(door, tcp.address)
        worker.connect(tcp.address)

        assert not worker.poll(300, zmq.POLLOUT)
        assert not door.poll(0)


def test_a_dead_gate_is_reported_and_lets_nobody_in(tcp: Net) -> None:
    server = tcp.started(Tasks(0))
    tcp.joined(Hand("w"))
    server.check()
    assert server._gate is not None
    server._gate._closing = True
    server._gate._bell.ring()
    server._gate._thread.join()
    server._gate._closing = False

    with pytest.raises(WireError, match="no worker can connect any more"):
        server.check()
    with pytest.raises(WireError, match="no learner let us in"):
        tcp.link(Hand("v")).connect(0.3)


def test_tcp_without_keys_must_be_asked_for(tcp: Net) -> None:
    with pytest.raises(UsageError, match="needs keys: make them with `distrl keys`, or listen insecurely"):
        Server([tcp.address], Tasks(0), {})

    host, hand = Tasks(1), Hand("w")
    server = Server([tcp.address], host, {}, network=NetworkConfig(insecure=True), beat=BEAT)
    link = hand.link = Link(tcp.address, "w", [hand.slot], hand, None, BEAT)
    try:
        server.start()
        link.connect(5.0)
        link.ready("w:0")
        wait_until(lambda: hand.acked == [1])
        with pytest.raises(WireError, match="listens without encryption, but this worker has a key"):
            tcp.link(Hand("v")).connect(10.0)
    finally:
        link.close()
        server.close()


# --- addresses ------------------------------------------------------------------------------------------------------


def test_an_address_in_use_is_one_line_with_the_remedy(net: Net) -> None:
    net.started(Tasks(0))

    with pytest.raises(UsageError) as caught:
        net.started(Tasks(0))

    assert str(caught.value).startswith(f"{net.address} is in use: stop what listens there or choose another ")
    assert "\n" not in str(caught.value)


def test_a_failed_start_leaves_nothing_behind(tcp: Net) -> None:
    with zmq.Context() as context, context.socket(zmq.ROUTER) as other:
        other.linger = 0
        other.bind(weights_address(tcp.address))
        before = threading.active_count()
        with pytest.raises(UsageError, match="is in use"):
            tcp.started(Tasks(0))
        assert threading.active_count() == before
    host, hand = Tasks(1), Hand("w")
    tcp.started(host)
    tcp.joined(hand)

    wait_until(lambda: hand.acked == [1])


@pytest.mark.parametrize("address", ["", "udp://a:1", "localhost:5555", "tcp://localhost", "tcp://nowhere.invalid:x"])
def test_an_address_that_is_none_is_refused_on_both_sides(address: str) -> None:
    server = Server([address], Tasks(0), {}, network=NetworkConfig(insecure=True))
    with pytest.raises(UsageError, match="cannot listen on"):
        server.start()
    if not address.startswith("udp"):
        with pytest.raises(UsageError, match="cannot connect to"):
            Link(address, "w", [], Hand("w")).connect(0.1)


def test_the_socket_of_a_dead_learner_is_taken_over(ipc: Net) -> None:
    path = Path(ipc.address.removeprefix("ipc://"))
    with zmq.Context() as context, context.socket(zmq.ROUTER) as dead:
        dead.bind(ipc.address)
        path.rename(path.with_suffix(".kept"))
    path.with_suffix(".kept").rename(path)
    hand = Hand("w")
    ipc.started(Tasks(1))
    ipc.joined(hand)

    wait_until(lambda: hand.acked == [1])


def test_local_sockets_live_where_only_their_owner_comes(tmp_path: Path, folder: Path) -> None:
    address = ipc_address(folder / "run" / "socket")
    assert address == f"ipc://{folder}/run/socket/learner"
    assert stat.S_IMODE((folder / "run" / "socket").stat().st_mode) == 0o700

    (folder / "open").mkdir(mode=0o755)
    (folder / "open").chmod(0o755)
    server = Server([f"ipc://{folder}/open/s"], Tasks(0), {})
    with pytest.raises(UsageError, match="others can reach the socket"):
        server.start()


def test_a_path_too_long_for_a_socket_gets_a_short_one_that_is_removed_afterwards(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    address = ipc_address(deep)
    path = Path(address.removeprefix("ipc://"))
    assert len(str(path)) < IPC_LENGTH
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    server = Server([address], Tasks(0), {})
    server.start()
    server.close()
    assert not path.parent.exists()

    server = Server([f"ipc://{deep}/s"], Tasks(0), {})
    with pytest.raises(UsageError, match="is longer than 107 bytes: choose a shorter folder"):
        server.start()


def test_removing_a_socket_leaves_other_folders_alone(folder: Path) -> None:
    (folder / "s").touch()
    remove_ipc(f"ipc://{folder}/s")
    remove_ipc("tcp://127.0.0.1:1")

    assert folder.exists()
    assert not (folder / "s").exists()


def test_the_weights_are_beside_the_learner() -> None:
    assert weights_address("tcp://*:5555") == "tcp://*:5556"
    assert weights_address("tcp://[::1]:5555") == "tcp://[::1]:5556"
    assert weights_address("tcp://127.0.0.1:*") == "tcp://127.0.0.1:*"
    assert on_same_host("tcp://:5556", "tcp://lab.example:5555") == "tcp://lab.example:5556"
    assert on_same_host("ipc:///tmp/s.weights", "ipc:///tmp/s") == "ipc:///tmp/s.weights"
