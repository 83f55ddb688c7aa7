"""Weights over real sockets: pulled, whole, and at no cost when somebody is stuck."""

from __future__ import annotations

import hashlib
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import zmq

from distrl_sdk.errors import WireError
from distrl_sdk.types import NO_VERSION, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.sockets import dealer
from distrl_sdk.wire.weights import CHUNK, CREDIT, GoneError, WeightsFetcher, WeightsServer
from tests.wire.net import Net
from tests.wire.samples import Hand, Tasks, wait_until


def blob(size: int, seed: int = 0) -> bytes:
    return random.Random(seed).randbytes(size)


def about(version: Version, weights: bytes) -> m.WeightsAbout:
    return m.WeightsAbout(version, len(weights), hashlib.sha256(weights).hexdigest())


@pytest.fixture
def served(ipc: Net) -> Iterator[tuple[WeightsServer, WeightsFetcher]]:
    """A server of weights alone, and one who fetches."""
    with zmq.Context() as context:
        server = WeightsServer(context, None, lambda: None)
        server.start([f"{ipc.address}.weights"])
        yield server, WeightsFetcher(context, None, threading.Event())
        server.close()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK])
def test_any_size_arrives_whole(served: tuple[WeightsServer, WeightsFetcher], size: int) -> None:
    server, fetcher = served
    server.publish(Version(1, 1), blob(size))
    assert server.newest is not None

    assert fetcher.fetch(server.addresses[0], server.newest) == blob(size)


def test_four_workers_fetch_at_once(net: Net) -> None:
    server = net.started(Tasks(0))
    hands = [Hand(f"w{n}") for n in range(4)]
    links = [net.joined(hand) for hand in hands]
    weights = blob(8 * CHUNK + 5)
    server.weights.publish(Version(1, 1), weights)
    for link in links:
        wait_until(lambda link=link: link.newest == Version(1, 1))

    with ThreadPoolExecutor(4) as pool:
        fetched = [future.result() for future in [pool.submit(link.fetch) for link in links]]

    assert fetched == [(Version(1, 1), weights)] * 4


def test_the_newest_number_reaches_the_workers_by_itself(net: Net) -> None:
    server = net.started(Tasks(0))
    link = net.joined(Hand("w"))
    assert link.newest == NO_VERSION
    with pytest.raises(WireError, match="no weights yet"):
        link.fetch()
    for n in (1, 2, 3):
        server.weights.publish(Version(1, n), blob(10, n))

    wait_until(lambda: link.newest == Version(1, 3))
    assert link.fetch() == (Version(1, 3), blob(10, 3))


def test_a_pinned_version_stays_until_it_is_unpinned(net: Net) -> None:
    server = net.started(Tasks(0))
    link = net.joined(Hand("w"))
    server.weights.publish(Version(1, 1), b"one")
    server.weights.pin(Version(1, 1))
    server.weights.publish(Version(1, 2), b"two")
    wait_until(lambda: link.newest == Version(1, 2) and link.pinned == (Version(1, 1),))

    assert link.fetch(Version(1, 1)) == (Version(1, 1), b"one")
    assert link.fetch() == (Version(1, 2), b"two")

    server.weights.unpin(Version(1, 1))
    wait_until(lambda: link.pinned == ())
    with pytest.raises(WireError, match="offers no weights of version"):
        link.fetch(Version(1, 1))
    with pytest.raises(WireError, match="not kept"):
        server.weights.pin(Version(1, 9))


def test_numbers_only_rise(served: tuple[WeightsServer, WeightsFetcher]) -> None:
    server, _ = served
    server.publish(Version(2, 1), b"")

    with pytest.raises(ValueError, match="does not follow"):
        server.publish(Version(1, 9), b"")


def test_a_superseded_version_is_gone(served: tuple[WeightsServer, WeightsFetcher]) -> None:
    server, fetcher = served
    server.publish(Version(1, 1), b"one")
    server.publish(Version(1, 2), b"two")

    with pytest.raises(GoneError):
        fetcher.fetch(server.addresses[0], about(Version(1, 1), b"one"))


def test_a_version_that_is_being_fetched_outlives_its_successor(served: tuple[WeightsServer, WeightsFetcher]) -> None:
    server, fetcher = served
    server.publish(Version(1, 1), b"one")
    first = about(Version(1, 1), b"one")
    fetcher.fetch(server.addresses[0], first)
    server.publish(Version(1, 2), b"two")

    assert fetcher.fetch(server.addresses[0], first) == b"one"


def test_weights_of_another_size_or_hash_than_announced_are_refused(
    served: tuple[WeightsServer, WeightsFetcher],
) -> None:
    server, fetcher = served
    server.publish(Version(1, 1), b"these")
    true = about(Version(1, 1), b"these")

    for false, reason in [
        (about(Version(1, 1), b"those"), "they arrive damaged"),
        (replace(true, size=4), "they come in pieces that were not asked for"),
        (replace(true, size=-1), "weights of -1 bytes"),
        (replace(true, size=1 << 60), "at most"),
    ]:
        with pytest.raises(WireError, match=reason):
            fetcher.fetch(server.addresses[0], false)


def test_who_asks_and_does_not_read_gets_no_more_than_its_queue(
    served: tuple[WeightsServer, WeightsFetcher],
) -> None:
    server, fetcher = served
    weights = blob(4 * CHUNK)
    server.publish(Version(1, 1), weights)
    with zmq.Context() as context, dealer(context, None, 1000, 1) as stuck:
        stuck.linger = 0
        stuck.connect(server.addresses[0])
        wait_until(lambda: stuck.poll(0, zmq.POLLOUT))
        for _ in range(50):
            for chunk in range(4):
                stuck.send(m.encode(m.Fetch(Version(1, 1), chunk)))

        assert fetcher.fetch(server.addresses[0], about(Version(1, 1), weights)) == weights
        wait_until(lambda: stuck.poll(0))
        came = 0
        while stuck.poll(300):
            stuck.recv_multipart()
            came += 1

    assert came < 50 + 4 * CREDIT


def test_requests_that_lie_are_dropped(served: tuple[WeightsServer, WeightsFetcher]) -> None:
    server, _ = served
    server.publish(Version(1, 1), b"weights")
    with zmq.Context() as context, dealer(context, None, 100, 100) as peer:
        peer.linger = 0
        peer.connect(server.addresses[0])
        wait_until(lambda: peer.poll(0, zmq.POLLOUT))
        for chunk in (-1, 1, 1 << 60):
            peer.send(m.encode(m.Fetch(Version(1, 1), chunk)))
        peer.send_multipart([b"\xc1", b"garbage"])
        peer.send(m.encode(m.Fetch(Version(1, 1), 0)))

        header, chunk_0 = peer.recv_multipart()

    assert m.decode(header, m.FROM_WEIGHTS) == m.Chunk(Version(1, 1), 0)
    assert chunk_0 == b"weights"
    server.check()


def test_closing_a_link_ends_its_fetch(ipc: Net) -> None:
    server = ipc.started(Tasks(0))
    link = ipc.joined(Hand("w"))
    server.weights.publish(Version(1, 1), b"weights")
    wait_until(lambda: link.newest == Version(1, 1))
    server.weights.close()
    with ThreadPoolExecutor(1) as pool:
        fetching = pool.submit(link.fetch)
        wait_until(lambda: link._fetcher._lock.locked())
        link.close()
        with pytest.raises(WireError, match="closed while weights were fetched"):
            fetching.result(5.0)
