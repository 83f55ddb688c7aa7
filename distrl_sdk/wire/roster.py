"""The workers that are here: who they are, on which connection, and what they owe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from distrl_sdk.errors import WireError
from distrl_sdk.types import Assignment, SlotAbout, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.keys import NAME

WORKERS = 4096
"""At most; a peer must not fill the learner's memory with names."""
SLOTS = 1024
"""Of one worker, at most."""


class Route(NamedTuple):
    """One connection, until it breaks."""

    door: int
    """Which of the learner's addresses."""
    peer: bytes
    """The routing id that libzmq gave it."""


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """One worker as the learner sees it, at one moment."""

    id: str
    slots: tuple[m.SlotState, ...]
    abouts: tuple[SlotAbout, ...]
    busy: int
    idle: int
    broken: int
    open: int
    """Assignments whose trajectories have not come."""
    heard: float
    """When it last said anything, by time.monotonic()."""
    version: Version
    """Of the weights it acts with."""

    @property
    def working(self) -> list[SlotAbout]:
        """The slots that are not broken."""
        broken = {slot.id for slot in self.slots if slot.state == "broken"}
        return [slot for slot in self.abouts if slot.id not in broken]


@dataclass(slots=True)
class Peer:
    """One worker process."""

    worker: str
    token: str
    route: Route
    heard: float
    slots: dict[str, SlotAbout] = field(default_factory=dict)
    ready: dict[str, None] = field(default_factory=dict)
    """Slots that wait for a task, in the order of their asking."""
    open: dict[str, tuple[str, Assignment]] = field(default_factory=dict)
    """By assignment id: (slot, assignment), until the trajectory comes."""
    current: dict[str, str] = field(default_factory=dict)
    """By slot, the assignment that it was handed last."""
    beat: m.Beat = field(default_factory=lambda: m.Beat(0))
    pulsed: float = float("-inf")
    told: m.Pulse | None = None
    """The last pulse that was sent."""
    reached: bool = True
    """Whether the last message could be sent; no tasks until one can."""

    def place(self, slot: SlotAbout) -> None:
        """Take in a slot, or what became of it. Raises WireError when it is none of this worker's."""
        if not slot.id.startswith(f"{self.worker}:") or (slot.id not in self.slots and len(self.slots) >= SLOTS):
            raise WireError(f"slot {slot.id[:80]!r} cannot be one of worker {self.worker!r}")
        self.slots[slot.id] = slot

    def status(self) -> WorkerStatus:
        """As it is now. A slot of which no beat told is busy while it owes a trajectory."""
        told = {state.id: state for state in self.beat.slots}
        owing = {slot for slot, _ in self.open.values()}
        states = tuple(told.get(slot) or m.SlotState(slot, "busy" if slot in owing else "idle") for slot in self.slots)
        kinds = [state.state for state in states]
        return WorkerStatus(
            id=self.worker,
            slots=states,
            abouts=tuple(self.slots.values()),
            busy=kinds.count("busy"),
            idle=kinds.count("idle"),
            broken=kinds.count("broken"),
            open=len(self.open),
            heard=self.heard,
            version=self.beat.version,
        )


class Roster:
    """At most one process for each worker id, and each id for one key only."""

    def __init__(self) -> None:
        self._peers: dict[str, Peer] = {}
        self._routes: dict[Route, Peer] = {}
        self._keys: dict[str, str] = {}

    def __iter__(self) -> Iterator[Peer]:
        return iter(tuple(self._peers.values()))

    def at(self, route: Route) -> Peer | None:
        """Who is at the other end of a connection."""
        return self._routes.get(route)

    def named(self, worker: str) -> Peer | None:
        """The process that goes by this worker id."""
        return self._peers.get(worker)

    def refuse(self, hello: m.Hello, user: str, route: Route, alive: Callable[[Peer], bool | None]) -> m.Refused | None:
        """Why this HELLO is not let in, or None.

        `user` is the key behind the connection, '' without encryption. `alive` tells of the process that holds the id:
        True, False, or None for not known yet.
        """
        if not NAME.fullmatch(hello.worker):
            return m.Refused("a worker id is 1 to 64 letters, digits, '.', '_' or '-'")
        if self._keys.get(hello.worker, user) != user:
            return m.Refused(f"worker id {hello.worker!r} belongs to another key: choose another name")
        at_route = self._routes.get(route)
        if at_route is not None and at_route.worker != hello.worker:
            return m.Refused(f"this connection is worker {at_route.worker!r} already")
        here = self._peers.get(hello.worker)
        if here is None and (len(self._keys) >= WORKERS and hello.worker not in self._keys):
            return m.Refused(f"there are {WORKERS} workers already")
        if here is None or here.token == hello.token:
            return None
        living = alive(here)
        if living is False:
            return None
        why = f"duplicate worker id {hello.worker!r}: another process has it; choose another name"
        return m.Refused(why, retry=living is None)

    def admit(self, hello: m.Hello, user: str, route: Route, now: float) -> Peer:
        """Let a worker in that is not refused, on a connection that replaces its earlier one.

        What it waits for it says anew; what it owes, it still owes. Raises WireError for a slot that is not its own.
        """
        here = self._peers.get(hello.worker)
        peer = Peer(hello.worker, hello.token, route, now)
        for slot in hello.slots:
            peer.place(slot)
        if here is not None:
            peer.open, peer.current, peer.beat = here.open, here.current, here.beat
            self.remove(here)
        self._peers[hello.worker] = peer
        self._routes[route] = peer
        self._keys[hello.worker] = user
        return peer

    def remove(self, peer: Peer) -> None:
        """A worker is gone. Its id stays bound to its key."""
        if self._peers.get(peer.worker) is peer:
            del self._peers[peer.worker]
        if self._routes.get(peer.route) is peer:
            del self._routes[peer.route]
