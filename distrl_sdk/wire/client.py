"""The worker's link to the learner: one thread, one DEALER, and the courage to go on while the learner is silent."""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections.abc import Callable, Sequence

import zmq

from distrl_sdk.errors import DistrlError, UsageError, WireError
from distrl_sdk.types import Json, SlotAbout, Version
from distrl_sdk.wire.codec import Frame
from distrl_sdk.wire.conversation import Conversation, LinkEvents
from distrl_sdk.wire.handshake import Handshakes
from distrl_sdk.wire.keys import WorkerKey
from distrl_sdk.wire.messages import FROM_LEARNER, Delivery, Hello, SlotState, WeightsAbout, decode
from distrl_sdk.wire.sockets import Bell, dealer, on_same_host
from distrl_sdk.wire.weights import GoneError, WeightsFetcher
from distrl_sdk.wire.window import Parcel

__all__ = ["Link", "LinkEvents", "SlotState"]

log = logging.getLogger(__name__)

QUEUE = 1000
"""Messages that libzmq may queue either way."""
LEAVING = 0.5
"""Seconds that `close` gives what is still to be said."""
LINGER_BYE = 200
"""Milliseconds that the closed socket may go on sending its BYE."""
RECONNECT = (100, 5000)
"""Milliseconds between two tries to connect, and what they grow to."""


class Link:
    """One worker's connection. Its methods may be called from any thread."""

    def __init__(
        self,
        address: str,
        worker_id: str,
        slots: Sequence[SlotAbout],
        events: LinkEvents,
        key: WorkerKey | None = None,
        beat: float = 1.0,
    ) -> None:
        """`beat`: seconds between two signs of life until the learner says its own."""
        self.address = address
        self._key = key
        self._events = events
        self._slots = {slot.id for slot in slots}
        self._talk = Conversation(Hello(worker_id, uuid.uuid4().hex, tuple(slots)), events, beat)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._bell = Bell(self._context)
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._error: DistrlError | None = None
        self._fetcher = WeightsFetcher(self._context, key, self._closing)
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    # --- any thread ---

    def connect(self, deadline_s: float = 30.0) -> dict[str, Json]:
        """Wait until the learner lets us in; returns its specs, with 'run' and 'incarnation'.

        Raises WireError (and closes) when it refuses, or does not answer in time; UsageError for a bad address.
        """
        try:
            self._socket = self._open()
        except zmq.ZMQError as error:
            self.close()
            raise UsageError(f"cannot connect to {self.address!r}: {error.strerror}") from error
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._talk.welcome or self._error, deadline_s)
        welcome = self._talk.welcome
        if welcome is None:
            self.close()
            self.check()
            hint = self._talk.refusal or self._handshakes.hint or "nothing listens there"
            raise WireError(f"no learner let us in at {self.address} in {deadline_s:g} s: {hint}")
        return {**welcome.specs, "run": welcome.run, "incarnation": welcome.incarnation}

    def add(self, slot: SlotAbout) -> None:
        """Announce a slot that opened later, or whose device changed."""
        self._slots.add(slot.id)
        self._call(lambda: self._talk.add(slot))

    def ready(self, slot_id: str, failed: str = "") -> None:
        """Ask for a task for a slot; it comes by `on_assignment`, whenever there is one.

        `failed`: why the slot's last assignment will give no trajectory, not even an aborted one.
        """
        if slot_id not in self._slots:
            raise WireError(f"unknown slot {slot_id!r}: known: {', '.join(sorted(self._slots))}")
        self._call(lambda: self._talk.ready(slot_id, failed))

    def send(self, incarnation: int, seq: int, frames: Sequence[Frame], assignment_id: str = "") -> None:
        """Send a trajectory (its id is 'worker/incarnation/seq') until it is acknowledged; `frames` must not change."""
        parcel = Parcel(Delivery(incarnation, seq, assignment_id), frames)
        self._call(lambda: self._talk.window.add(parcel))

    def report(self, states: Sequence[SlotState], version: Version) -> None:
        """What the next heartbeats tell: the state of every slot and the version in use."""
        self._call(lambda: self._talk.report(states, version))

    @property
    def newest(self) -> Version:
        """The newest version of the weights; NO_VERSION before the first."""
        return self._talk.newest

    @property
    def pinned(self) -> tuple[Version, ...]:
        """The versions that the learner keeps for evaluation, the latest last."""
        return tuple(about.version for about in self._talk.pulse.pinned)

    @property
    def held(self) -> str:
        """Why the learner takes nothing now; '' when it does."""
        return self._talk.pulse.hold

    def fetch(self, version: Version | None = None) -> tuple[Version, bytes]:
        """Fetch a version that is announced (default: the newest), on the caller's thread.

        Raises WireError when it is not announced, does not arrive, or arrives damaged.
        """
        while True:
            self.check()
            about = self._announced(version)
            assert self._talk.welcome is not None
            address = on_same_host(self._talk.welcome.weights, self.address)
            try:
                return about.version, self._fetcher.fetch(address, about)
            except GoneError:
                if self._closing.wait(0.05):
                    raise

    def flush(self, deadline_s: float) -> bool:
        """Wait until everything sent is acknowledged or refused; False when time runs out. Raises as `check`."""
        with self._changed:
            done = self._changed.wait_for(lambda: self._error or self._answered(), deadline_s)
        self.check()
        return bool(done)

    def check(self) -> None:
        """Raise the error that ended the link, if one did."""
        if self._error is not None:
            raise self._error

    def close(self, reason: str = "") -> None:
        """Say BYE and end. What is not acknowledged is forgotten here. Safe to call twice."""
        if self._closing.is_set():
            return
        self._call(lambda: self._talk.leave(reason))
        self._closing.set()
        self._bell.ring()
        if self._thread.ident is not None:
            self._thread.join()
        else:
            self._bell.close()
        self._context.term()

    def _answered(self) -> bool:
        return self._calls.empty() and not len(self._talk.window)

    def _announced(self, version: Version | None) -> WeightsAbout:
        pulse = self._talk.pulse
        for about in (pulse.newest, *pulse.pinned):
            if about is not None and version in (None, about.version):
                return about
        raise WireError(f"the learner offers no weights of version {version}" if version else "no weights yet")

    def _call(self, what: Callable[[], None]) -> None:
        self._calls.put(what)
        self._bell.ring()

    # --- the link's own thread ---

    def _open(self) -> zmq.Socket[bytes]:
        """A fresh socket: what an old one had queued for a dead learner goes with it."""
        made = dealer(self._context, self._key, QUEUE, QUEUE)
        made.reconnect_ivl, made.reconnect_ivl_max = RECONNECT
        made.ipv6 = "[" in self.address
        self._handshakes = Handshakes(made, self.address, self._key is not None)
        try:
            made.connect(self.address)
        except zmq.ZMQError:
            self._shut(made)
            raise
        return made

    def _shut(self, which: zmq.Socket[bytes], linger: int = 0) -> None:
        self._handshakes.close()
        which.close(linger)

    def _run(self) -> None:
        try:
            self._talk.greet(time.monotonic())
            while not self._closing.is_set():
                self._turn()
            until = time.monotonic() + LEAVING
            while self._talk.greeted and not self._said_all() and time.monotonic() < until:
                self._socket.poll(20, zmq.POLLOUT)
        except DistrlError as error:
            self._fail(error)
        except Exception as error:
            log.exception("the link to %s failed", self.address)
            self._fail(WireError(f"the link to {self.address} failed: {type(error).__name__}: {error}"))
        finally:
            self._shut(self._socket, LINGER_BYE if self._talk.greeted else 0)
            self._bell.close()

    def _fail(self, error: DistrlError) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()
        self._events.on_error(error)

    def _turn(self) -> None:
        """Wait for something, then take everything in, then say what is to be said."""
        now = time.monotonic()
        pause = max(0.0, self._talk.tick(now) - now)
        stalled = not self._pump(now)
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN | (zmq.POLLOUT if stalled else 0))
        poller.register(self._handshakes.socket, zmq.POLLIN)
        poller.register(self._bell.socket, zmq.POLLIN)
        poller.poll(1 + int(pause * 1000))
        self._bell.answer()
        self._obey()
        self._handshakes.check()
        self._hear()
        if time.monotonic() - self._talk.heard > self._talk.silence:
            self._shut(self._socket)
            self._socket = self._open()
            self._talk.greet(time.monotonic())

    def _obey(self) -> None:
        with self._changed:
            while not self._calls.empty():
                self._calls.get()()

    def _hear(self) -> None:
        while True:
            try:
                frames = self._socket.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                break
            self._talk.receive(decode(frames[0], FROM_LEARNER), time.monotonic())
        with self._changed:
            self._changed.notify_all()

    def _pump(self, now: float) -> bool:
        """Say everything there is; False when the socket takes no more."""
        while (frames := self._talk.peek(now)) is not None:
            try:
                self._socket.send_multipart(frames, zmq.DONTWAIT, copy=False)
            except zmq.Again:
                return False
            self._talk.sent(now)
        return True

    def _said_all(self) -> bool:
        self._obey()
        return self._pump(time.monotonic()) and self._talk.said_all
