"""The learner's side of the protocol, without sockets and threads: what is heard goes in, what to say goes to `post`.

The order that makes every trajectory count once: `host.receive` returns (it is in the journal), the number is
remembered, the ACK leaves. A trajectory that comes again is acknowledged again and not received again.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NoReturn, Protocol

from distrl_sdk.errors import StorageError, WireError
from distrl_sdk.types import Assignment, Trajectory
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.codec import Frame, unpack_trajectory
from distrl_sdk.wire.host import Host
from distrl_sdk.wire.received import Received
from distrl_sdk.wire.roster import Peer, Roster, Route

log = logging.getLogger(__name__)

ASK = 0.05
"""Seconds between two times that the host is asked for tasks for the slots that wait."""
REASONS = 100
"""Reasons of refusal that are told apart; strangers must not fill the memory with new ones."""
HELD = 15
"""Beats without a failure after which a hold is lifted, to see."""


class Office(Protocol):
    """What the reception needs of the server that it works for."""

    def post(self, route: Route, message: m.Message) -> Literal["sent", "full", "gone"]:
        """Send a message without waiting; says what became of it."""
        ...

    def welcome(self, route: Route) -> m.Welcome:
        """The welcome on a connection."""
        ...

    def offered(self) -> m.Pulse:
        """The weights that can be fetched now."""
        ...


class Reception:
    """Used by one thread. Nothing that a worker says, and nothing that the host raises, leaves `receive` and `tick`."""

    def __init__(self, host: Host, office: Office, received: Received) -> None:
        self._host = host
        self._office = office
        self._post = office.post
        self._received = received
        self.roster = Roster()
        self.refused: Counter[str] = Counter()
        self.error: BaseException | None = None
        """What the host raised and should not have; nothing is taken or handed out after it."""
        self.held = ""
        self.stopping: str | None = None
        self._failed = float("-inf")
        self._asked = float("-inf")
        self._ticked: float | None = None
        self.eager = False
        """Something changed: ask the host at the next tick."""

    # --- what is heard ---

    def receive(self, route: Route, user: str, frames: Sequence[Frame], now: float) -> None:
        """Take in one message from a connection whose key is `user` ('' without encryption)."""
        peer = self.roster.at(route)
        if peer is not None:
            peer.heard = now
        try:
            message = m.decode(frames[0] if frames else b"", m.FROM_WORKER)
            if isinstance(message, m.Delivery) and peer is not None:
                self._deliver(peer, message, frames[1:], now)
            elif len(frames) != 1 and not isinstance(message, m.Delivery):
                raise WireError("frames after a message that has none")
            elif isinstance(message, m.Hello):
                self._hello(message, route, user, now)
            elif peer is not None:
                self._hear(peer, message)
            elif not isinstance(message, m.Bye):
                self._post(route, m.Who())
        except WireError as error:
            self.count(str(error))
            if peer is None:
                self._post(route, m.Refused(str(error)))

    def count(self, reason: str) -> None:
        """Count a refused message."""
        known = reason[:200] if reason[:200] in self.refused or len(self.refused) < REASONS else "other"
        if known not in self.refused:
            log.warning("a message was refused: %s", known)
        self.refused[known] += 1

    def _hello(self, hello: m.Hello, route: Route, user: str, now: float) -> None:
        refused = self.roster.refuse(hello, user, route, lambda peer: self._alive(peer, now))
        if refused is not None:
            self.count(refused.reason)
            self._post(route, refused)
            return
        here = self.roster.named(hello.worker)
        if here is not None and here.token != hello.token:
            self._lose(here, "its process was replaced by another")
        peer = self.roster.admit(hello, user, route, now)
        self._post(route, self._office.welcome(route))
        self._send_pulse(peer, now)
        if self.stopping is not None:
            self._post(route, m.Stop(self.stopping))

    def _alive(self, peer: Peer, now: float) -> bool | None:
        """Whether a worker's process lives: its connection is gone, or it spoke lately, or it is not clear yet."""
        if self._post(peer.route, self._pulse_of(peer)) == "gone":
            return False
        return True if now - peer.heard < 3 * self._office.welcome(peer.route).beat else None

    def _hear(self, peer: Peer, message: Any) -> None:
        match message:
            case m.Ready():
                self._ready(peer, message)
            case m.Slot():
                peer.place(message.about)
            case m.Beat():
                peer.beat = message
            case m.Bye():
                self._lose(peer, f"it left: {message.reason}" if message.reason else "it left")

    def _ready(self, peer: Peer, ready: m.Ready) -> None:
        if ready.slot not in peer.slots:
            raise WireError(f"worker {peer.worker!r} asks for slot {ready.slot[:80]!r}, which it does not have")
        current = peer.current.get(ready.slot, "")
        if current in peer.open and current != ready.last:
            # what it was handed was lost on the way
            self._post(peer.route, m.Handout(ready.slot, peer.open[current][1]))
            return
        if ready.failed and ready.last in peer.open:
            self._give_up(peer, ready.last, ready.failed)
        peer.ready[ready.slot] = None
        self.eager = True

    # --- trajectories ---

    def _deliver(self, peer: Peer, delivery: m.Delivery, frames: Sequence[Frame], now: float) -> None:
        key = peer.worker, delivery.incarnation, delivery.seq
        if min(delivery.incarnation, delivery.seq) < 0:
            raise WireError("a trajectory with a negative number")
        if self._received.has(*key):
            self._check_repeated(peer, delivery)
        else:
            if self.error is not None:
                return
            try:
                trajectory = unpack_trajectory(frames)
                if trajectory.id != "{}/{}/{}".format(*key):
                    raise WireError("the id of a trajectory is not its worker/incarnation/number")
                self._host.receive(self._assignment_of(peer, delivery, trajectory), trajectory, frames)
            except WireError as error:
                self._refuse(peer, delivery, str(error))
            except StorageError as error:
                self._hold(str(error), now)
                return
            except Exception as error:
                self._fail(error)
                return
            self._received.add(*key)
            if self.held:
                self._hold("", now)
        peer.open.pop(delivery.assignment, None)
        self._post(peer.route, m.Ack(delivery.incarnation, delivery.seq))
        self.eager = True

    def _refuse(self, peer: Peer, delivery: m.Delivery, why: str) -> NoReturn:
        """Tell the worker that the trajectory is never taken. Raises WireError."""
        self._post(peer.route, m.Nack(delivery.incarnation, delivery.seq, why))
        self._give_up(peer, delivery.assignment, f"its trajectory was refused: {why}")
        raise WireError(why)

    def _check_repeated(self, peer: Peer, delivery: m.Delivery) -> None:
        """Raise WireError when a number that was taken comes with an assignment that was not: it is used twice."""
        if delivery.assignment in peer.open:
            why = f"worker {peer.worker!r} gives numbers anew that it gave before: was its outbox deleted?"
            self._refuse(peer, delivery, f"{why} choose another name for it")

    def _assignment_of(self, peer: Peer, delivery: m.Delivery, trajectory: Trajectory) -> str:
        """The id of the assignment behind a trajectory, '' when it names one that is somebody else's."""
        mine = peer.open.get(delivery.assignment)
        if mine is not None:
            fits = mine[1].task.id == trajectory.task.id and mine[1].lane == trajectory.lane
            return delivery.assignment if fits else ""
        return "" if any(delivery.assignment in other.open for other in self.roster) else delivery.assignment

    def _give_up(self, peer: Peer, assignment_id: str, why: str) -> None:
        owed = peer.open.pop(assignment_id, None)
        if owed is not None:
            self._tell_lost(owed[1], f"worker {peer.worker}: {why}")

    def _lose(self, peer: Peer, why: str) -> None:
        """A worker is gone, with all that it owes."""
        self.roster.remove(peer)
        log.info("worker %s is gone: %s", peer.worker, why)
        for assignment_id in tuple(peer.open):
            self._give_up(peer, assignment_id, why)
        self.eager = True

    def _tell_lost(self, assignment: Assignment, why: str) -> None:
        try:
            self._host.lost(assignment, why)
        except Exception as error:
            self._fail(error)

    def _hold(self, why: str, now: float) -> None:
        """Tell everybody to send nothing ('' = go on)."""
        self._failed = now
        if self.held != why:
            log.warning("nothing is taken from workers: %s", why or "that is over")
            self.held = why
            self.tell(now)

    def _fail(self, error: Exception) -> None:
        """Keep the first error for the main thread; the trajectory stays with its worker."""
        log.error("the learner failed on a worker's message", exc_info=error)
        self.error = self.error or error

    # --- what the clock says ---

    def tick(self, now: float, beat: float, silence: float) -> None:
        """Pulses, silences, tasks for the slots that wait. Call after all that was said has been heard."""
        pause = now - self._ticked if self._ticked is not None else 0.0
        self._ticked = now
        for peer in self.roster:
            if pause > beat:  # our own pause is not their silence
                peer.heard = min(now, peer.heard + pause)
            if now - peer.heard > silence:
                self._lose(peer, f"not a word for {silence:g} s")
            elif now - peer.pulsed >= beat:
                self._send_pulse(peer, now)
        if self.held and self.error is None and now - self._failed > HELD * beat:
            self._hold("", now)
        if self.eager or now - self._asked >= ASK:
            self._asked = now
            self.eager = False
            for peer in self.roster:
                self._serve(peer, now)

    @property
    def asking(self) -> bool:
        """Whether any slot waits for a task."""
        return any(peer.ready for peer in self.roster)

    def tell(self, now: float) -> None:
        """A pulse to everybody, at once."""
        for peer in self.roster:
            self._send_pulse(peer, now)

    def stop(self, reason: str) -> None:
        """Hand out nothing more and ask every worker to leave."""
        self.stopping = reason
        for peer in self.roster:
            self._post(peer.route, m.Stop(reason))

    def _serve(self, peer: Peer, now: float) -> None:
        """Tasks for the slots of one worker that wait."""
        for slot in tuple(peer.ready):
            if self.held or self.error is not None or self.stopping is not None or not peer.reached:
                return
            try:
                assignment = self._host.assign(peer.slots[slot])
                if assignment is None:
                    continue
                if self._pulse_of(peer) != peer.told:
                    self._send_pulse(peer, now)  # it must know of weights before the task that asks for them
                state = self._post(peer.route, m.Handout(slot, assignment))
            except Exception as error:
                self._fail(error)
                return
            peer.reached = state == "sent"
            if not peer.reached:
                self._tell_lost(assignment, f"worker {peer.worker} cannot be reached ({state})")
                return
            del peer.ready[slot]
            peer.open[assignment.id] = slot, assignment
            peer.current[slot] = assignment.id

    def _pulse_of(self, peer: Peer) -> m.Pulse:
        hold = "the learner failed" if self.error is not None else self.held
        offered = self._office.offered()
        return m.Pulse(peer.beat.n, offered.newest, offered.pinned, hold)

    def _send_pulse(self, peer: Peer, now: float) -> None:
        peer.pulsed = now
        peer.told = self._pulse_of(peer)
        peer.reached = self._post(peer.route, peer.told) == "sent"
