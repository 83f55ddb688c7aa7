"""The worker's side of the protocol, without sockets, threads or clocks: what is heard goes in, what to say, out."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.types import NO_VERSION, Assignment, SlotAbout, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.codec import Frame
from distrl_sdk.wire.window import Parcel, Window

log = logging.getLogger(__name__)

AGAIN = 5
"""Beats after which an overdue ACK makes a trajectory go out again."""


class LinkEvents(Protocol):
    """What a worker is told. Called on the link's own thread: be quick, and raise nothing."""

    def on_assignment(self, slot_id: str, assignment: Assignment) -> None:
        """A task for a slot that was ready; each assignment once."""
        ...

    def on_ack(self, incarnation: int, seq: int) -> None:
        """The learner has the trajectory; forget it."""
        ...

    def on_nack(self, incarnation: int, seq: int, reason: str) -> None:
        """The learner will never take the trajectory."""
        ...

    def on_stop(self, reason: str) -> None:
        """The run is over: finish and leave. Once."""
        ...

    def on_error(self, error: DistrlError) -> None:
        """The link is dead. Once, and nothing else after it."""
        ...


class Conversation:
    """What was asked and what is not answered yet. Used by one thread."""

    def __init__(self, hello: m.Hello, events: LinkEvents, beat: float) -> None:
        self._hello = hello
        self._events = events
        self._slots = {slot.id: slot for slot in hello.slots}
        self._last: dict[str, str] = {}
        self._ready: dict[str, str] = {}
        self._stopped = False
        self._leaving = False
        self._control: deque[m.Message] = deque()
        self._peeked: m.Message | Parcel | None = None
        self._report = m.Beat(0)
        self._spoke = float("-inf")
        self.window = Window()
        self.welcome: m.Welcome | None = None
        """Of the learner that was met first; its run is the only one that is served."""
        self.greeted = False
        """Whether this connection was welcomed."""
        self.pulse = m.Pulse()
        self.heard = float("-inf")
        self.beat = beat
        self.silence = 15 * beat
        self.refusal = ""
        """Why the learner does not let us in now."""

    # --- what the worker wants ---

    def add(self, slot: SlotAbout) -> None:
        """Announce a slot, or what became of it."""
        self._slots[slot.id] = slot
        if self.greeted:
            self._control.append(m.Slot(slot))

    def ready(self, slot_id: str, failed: str) -> None:
        """Ask for a task until one comes; `failed`: why the slot's last assignment gives no trajectory."""
        self._ready[slot_id] = failed
        if self.greeted:
            self._control.append(self._request(slot_id))

    def report(self, states: Sequence[m.SlotState], version: Version) -> None:
        """What the next beats tell."""
        self._report = m.Beat(self._report.n, tuple(states), version)

    def leave(self, reason: str) -> None:
        """Say BYE, after what is to be said already."""
        self._leaving = True
        self._control.append(m.Bye(reason))

    # --- what is to be said ---

    def greet(self, now: float) -> None:
        """The connection is a new one, or the learner does not know us: start again with HELLO."""
        self.greeted = False
        self.heard = now
        self._control.clear()
        self._spoke = float("-inf")

    def tick(self, now: float) -> float:
        """Add what is due by the clock; returns when the next is."""
        if now - self._spoke >= self.beat:
            self._spoke = now
            if self.greeted:
                self._report = m.Beat(self._report.n + 1, self._report.slots, self._report.version)
                self._control.append(self._report)
            elif not self._control:
                hello = self._hello
                self._control.append(m.Hello(hello.worker, hello.token, tuple(self._slots.values())))
        return self._spoke + self.beat

    def peek(self, now: float) -> list[Frame] | None:
        """The next message to send, or None."""
        if self._control:
            self._peeked = self._control[0]
            return [m.encode(self._peeked)]
        self._peeked = None
        if self.greeted and not self._leaving:
            self._peeked = self.window.due(now, self.pulse.n, AGAIN * self.beat, bool(self.pulse.hold))
        return None if self._peeked is None else self._peeked.frames()

    def sent(self, now: float) -> None:
        """What was peeked went out."""
        if isinstance(self._peeked, Parcel):
            self._peeked.sent = now
            self._peeked.beat = self._report.n + 1
        else:
            self._control.popleft()

    @property
    def said_all(self) -> bool:
        """Whether nothing waits to be said, trajectories aside."""
        return not self._control

    # --- what is heard ---

    def receive(self, message: Any, now: float) -> None:
        """Take in one message of the learner. Raises WireError when the link cannot go on."""
        self.heard = now
        hear: Mapping[type[Any], Callable[[Any], None]] = {
            m.Welcome: self._welcomed,
            m.Refused: self._refused,
            m.Who: self._asked_who,
            m.Pulse: self._pulsed,
            m.Handout: self._take,
            m.Ack: self._acked,
            m.Nack: self._nacked,
            m.Stop: self._stop,
        }
        hear[type(message)](message)

    def _asked_who(self, _: m.Who) -> None:
        if self.greeted:
            self.greet(self.heard)

    def _refused(self, refused: m.Refused) -> None:
        if not refused.retry:
            raise WireError(f"the learner refuses this worker: {refused.reason}")
        self.refusal = refused.reason

    def _pulsed(self, pulse: m.Pulse) -> None:
        self.pulse = pulse

    def _acked(self, ack: m.Ack) -> None:
        if self.window.drop((ack.incarnation, ack.seq)):
            self._events.on_ack(ack.incarnation, ack.seq)

    def _nacked(self, nack: m.Nack) -> None:
        if self.window.drop((nack.incarnation, nack.seq)):
            self._events.on_nack(nack.incarnation, nack.seq, nack.reason)

    def _stop(self, stop: m.Stop) -> None:
        self._ready.clear()
        if not self._stopped:
            self._stopped = True
            self._events.on_stop(stop.reason)

    def _welcomed(self, welcome: m.Welcome) -> None:
        """Everything that is open is said anew: the learner may be another process than before."""
        if self.greeted:
            return  # the answer to a HELLO that was repeated
        met = self.welcome
        if met is not None and met.run != welcome.run:
            raise WireError(f"the learner has gone: run {welcome.run!r} answers instead of {met.run!r}")
        if met is not None and met.incarnation != welcome.incarnation:
            self._last.clear()  # another process: what it hands out is none of what its forerunner did
        self.welcome = welcome
        self.greeted = True
        self.refusal = ""
        self.pulse = welcome.pulse
        self.beat = welcome.beat
        self.silence = welcome.silence
        self._report = m.Beat(0, self._report.slots, self._report.version)
        self._control.clear()
        self._spoke = float("-inf")
        self._control.extend(map(self._request, self._ready))
        self.window.lose()

    def _take(self, handout: m.Handout) -> None:
        """Hand an assignment on. One that was taken already comes again when READY was repeated."""
        if self._last.get(handout.slot) == handout.assignment.id:
            return
        if handout.slot not in self._ready:
            log.warning("an assignment for slot %r, which asked for none", handout.slot)
            return
        del self._ready[handout.slot]
        self._last[handout.slot] = handout.assignment.id
        self._events.on_assignment(handout.slot, handout.assignment)

    def _request(self, slot_id: str) -> m.Ready:
        return m.Ready(slot_id, self._last.get(slot_id, ""), self._ready[slot_id])

    @property
    def newest(self) -> Version:
        """The newest version of the weights that was announced."""
        return self.pulse.newest.version if self.pulse.newest else NO_VERSION
