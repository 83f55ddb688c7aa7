"""The learner's server: one thread owns the sockets on which workers come, one the weights' sockets, one the gate."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import zmq

from distrl_sdk.config import NetworkConfig
from distrl_sdk.errors import UsageError
from distrl_sdk.types import Json
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.gate import Gate
from distrl_sdk.wire.host import Host
from distrl_sdk.wire.keys import ServerKeys
from distrl_sdk.wire.received import Received
from distrl_sdk.wire.reception import ASK, Reception
from distrl_sdk.wire.roster import Route, WorkerStatus
from distrl_sdk.wire.sockets import Bell, bind, remove_ipc, router, secure, weights_address
from distrl_sdk.wire.weights import WeightsServer

__all__ = ["Host", "Server", "WorkerStatus"]

log = logging.getLogger(__name__)

SEND_QUEUE = 1000
"""Small messages that wait for one worker; one that reads less is served no more tasks."""
RECEIVE_QUEUE = 64
"""Messages that wait here from one worker; beyond, TCP slows it down."""
BURST = 256
"""Messages that are read from one socket before the others and the clock get their turn."""
TCP = "tcp://"


class Server:
    """Lets workers in, hands out what `host.assign` gives, takes their trajectories to `host.receive`.

    Its methods may be called from any thread. `weights` publishes and pins versions; `received` is filled from the
    journal before `start`, so that what was taken before a restart is not taken again.
    """

    def __init__(
        self,
        listen: Sequence[str],
        host: Host,
        welcome: Mapping[str, Json],
        *,
        network: NetworkConfig | None = None,
        keys: ServerKeys | None = None,
        run: str = "",
        incarnation: int = 1,
        beat: float = 1.0,
    ) -> None:
        """`welcome`: what workers must set up. `beat`: seconds between two signs of life.

        Raises UsageError for a TCP address without keys, unless the network is said to be insecure; WireError when
        `welcome` holds what cannot travel.
        """
        self._network = network or NetworkConfig()
        if keys is None and not self._network.insecure and any(address.startswith(TCP) for address in listen):
            raise UsageError(f"{', '.join(listen)} needs keys: make them with `distrl keys`, or listen insecurely")
        self._offered = m.Pulse()
        self._about = m.Welcome(run, incarnation, beat, self._network.silence, "", dict(welcome))
        m.encode(self._about)  # so that what cannot travel shows here
        self._listen = tuple(listen)
        self._keys = keys
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._gate = Gate(self._context, keys) if keys is not None else None
        self.weights = WeightsServer(self._context, keys, self.changed)
        self.received = Received()
        self._bell = Bell(self._context)
        self._doors: list[zmq.Socket[bytes]] = []
        self._reception = Reception(host, self, self.received)
        self._workers: tuple[WorkerStatus, ...] = ()
        self._looked = float("-inf")
        self._stop: str | None = None
        self._closing = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)
        self.addresses: tuple[str, ...] = ()
        """As bound, with their ports."""

    def start(self) -> None:
        """Open the gate, bind, serve. Raises UsageError, in one line, when an address cannot be had."""
        try:
            if self._gate is not None:
                self._gate.start()
            for address in self._listen:
                self._doors.append(router(self._context, SEND_QUEUE, RECEIVE_QUEUE))
                if self._keys is not None and address.startswith(TCP):
                    secure(self._doors[-1], self._keys)
                self.addresses += (bind(self._doors[-1], address),)
            self.weights.start([weights_address(address) for address in self._listen])
        except BaseException:
            self.close()
            raise
        self._thread.start()

    def workers(self) -> tuple[WorkerStatus, ...]:
        """The workers that are here, as they were a moment ago."""
        return self._workers

    @property
    def refused(self) -> dict[str, int]:
        """Messages that were refused, by reason."""
        return dict(self._reception.refused)

    @property
    def held(self) -> str:
        """Why nothing is taken from workers now; '' when it is."""
        return self._reception.held

    def check(self) -> None:
        """Raise what the host raised on the server's thread, or what ended the server."""
        if self._reception.error is not None:
            raise self._reception.error
        if self._gate is not None:
            self._gate.check()
        self.weights.check()

    def changed(self) -> None:
        """Ask the host again now for the slots that wait."""
        self._reception.eager = True
        self._bell.ring()

    def stop_workers(self, reason: str = "") -> None:
        """Hand out nothing more and ask every worker to leave, also those that come later."""
        self._stop = reason
        self._bell.ring()

    def close(self) -> None:
        """Stop serving. Workers keep what is not acknowledged. Safe to call twice."""
        if self._closed:
            return
        self._closed = self._closing = True
        if self._thread.ident is not None:
            self._bell.ring()
            self._thread.join()
        else:
            self._shut()
        self.weights.close()
        if self._gate is not None:
            self._gate.close()
        self._context.term()
        for address in self.addresses:
            remove_ipc(address)

    # --- the thread ---

    def _run(self) -> None:
        poller = zmq.Poller()
        for each in (*self._doors, self._bell.socket):
            poller.register(each, zmq.POLLIN)
        try:
            while not self._closing:
                self._turn(poller)
        except Exception as error:
            log.exception("the server failed")
            self._reception.error = self._reception.error or error
        finally:
            self._shut()

    def _turn(self, poller: zmq.Poller) -> None:
        beat = self._about.beat
        pause = ASK if self._reception.asking else beat / 4
        poller.poll(0 if self._reception.eager else int(1000 * pause))
        self._bell.answer()
        for number, door in enumerate(self._doors):
            self._drain(number, door)
        now = time.monotonic()
        self._look_at_weights(now)
        if self._stop is not None and self._reception.stopping is None:
            self._reception.stop(self._stop)
        self._reception.tick(now, beat, self._network.silence)
        if now - self._looked >= ASK:
            self._looked = now
            self._workers = tuple(peer.status() for peer in self._reception.roster)

    def _drain(self, number: int, door: zmq.Socket[bytes]) -> None:
        for _ in range(BURST):
            try:
                peer, *frames = door.recv_multipart(zmq.DONTWAIT, copy=False)
            except zmq.Again:
                return
            user = ""
            if self._keys is not None and self._listen[number].startswith(TCP) and frames:
                user = str(frames[0].get("User-Id"))
            contents = [frame.buffer for frame in frames]
            self._reception.receive(Route(number, peer.bytes), user, contents, time.monotonic())

    def _look_at_weights(self, now: float) -> None:
        """Announce what was published or pinned since the last turn."""
        offered = self.offered()
        if offered != self._offered:
            self._offered = offered
            self._reception.tell(now)

    # --- the office of the reception ---

    def offered(self) -> m.Pulse:
        """The weights that can be fetched now."""
        return m.Pulse(0, self.weights.newest, self.weights.pinned)

    def post(self, route: Route, message: m.Message) -> Literal["sent", "full", "gone"]:
        """Send without waiting."""
        try:
            self._doors[route.door].send_multipart([route.peer, m.encode(message)], zmq.DONTWAIT)
        except zmq.Again:
            return "full"
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:
                raise
            return "gone"
        return "sent"

    def welcome(self, route: Route) -> m.Welcome:
        """The welcome at one door: a TCP worker takes the host of the weights from its own address."""
        address = self.weights.addresses[route.door]
        where = f"{TCP}:{address.rpartition(':')[2]}" if address.startswith(TCP) else address
        return replace(self._about, weights=where, pulse=self.offered())

    def _shut(self) -> None:
        for door in self._doors:
            door.close()
        self._bell.close()
