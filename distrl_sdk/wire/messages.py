"""What learner and workers say to each other: one dataclass a message, one msgpack frame each.

TRAJECTORY and CHUNK are followed by raw frames. Worker to learner: HELLO, SLOT, READY, TRAJECTORY, BEAT, BYE, FETCH.
Learner to worker: WELCOME, REFUSED, WHO, TASK, ACK, NACK, PULSE, STOP, CHUNK, GONE. Every request is repeated by its id
until it is answered, so a lost message costs time only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from distrl_sdk.errors import WireError
from distrl_sdk.types import NO_VERSION, Assignment, Json, SlotAbout, Version
from distrl_sdk.wire.limits import LIMITS, Limits, pack_header, unpack_header
from distrl_sdk.wire.plain import from_plain, to_plain

PROTOCOL = 3
"""Counts the incompatible changes of what is said here."""


@dataclass(frozen=True, slots=True)
class WeightsAbout:
    """One version of the weights that can be fetched."""

    version: Version
    size: int
    """Bytes."""
    sha256: str
    """Of the whole, in hex."""


@dataclass(frozen=True, slots=True)
class SlotState:
    """What a slot is doing."""

    id: str
    state: Literal["idle", "busy", "broken"]
    reason: str = ""
    """Why it is broken."""


# --- worker to learner ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """The first word on every connection, and again whenever the learner asks who that is."""

    worker: str
    token: str
    """Drawn by the process at its start: tells a reconnection from a second process of the same name."""
    slots: tuple[SlotAbout, ...] = ()
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that opened later, or whose device changed."""

    about: SlotAbout


@dataclass(frozen=True, slots=True)
class Ready:
    """A standing request for one task."""

    slot: str
    last: str = ""
    """The last assignment that reached the slot: tells one that was played from one that was lost on the way."""
    failed: str = ""
    """Why that one will not give a trajectory; '' when it gave one."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """TRAJECTORY: its frames follow."""

    incarnation: int
    """Of the worker process that played it."""
    seq: int
    """Rises with every trajectory of one incarnation."""
    assignment: str = ""


@dataclass(frozen=True, slots=True)
class Beat:
    """I am alive."""

    n: int
    """Rises; the learner's PULSE repeats the last one it heard, so that what was sent before it must have arrived."""
    slots: tuple[SlotState, ...] = ()
    version: Version = NO_VERSION
    """Of the weights in use."""


@dataclass(frozen=True, slots=True)
class Bye:
    """I leave; what I was playing will not come."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fetch:
    """Send one chunk of one version (to the weights' own socket). Asking ahead is the credit."""

    version: Version
    chunk: int


# --- learner to worker ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pulse:
    """I am alive, too. Also sent when something in it changed."""

    n: int = 0
    """Of the last BEAT heard."""
    newest: WeightsAbout | None = None
    pinned: tuple[WeightsAbout, ...] = ()
    hold: str = ""
    """Why the learner takes nothing now; '' when it does."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The answer to HELLO."""

    run: str
    incarnation: int
    """Of the learner."""
    beat: float
    """Seconds between two beats."""
    silence: float
    """Seconds without a word after which the other side is taken for dead."""
    weights: str = ""
    """Where weights are fetched; 'tcp://:PORT' = the same host. '' = nowhere."""
    specs: Mapping[str, Json] = field(default_factory=dict)
    """What the worker must set up: policy, judge, ..."""
    pulse: Pulse = Pulse()
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Refused:
    """The answer to a HELLO that is not let in."""

    reason: str
    retry: bool = False
    """Whether asking again later may help."""


@dataclass(frozen=True, slots=True)
class Who:
    """The learner does not know this connection: say HELLO, then everything that is open."""


@dataclass(frozen=True, slots=True)
class Handout:
    """TASK: an assignment for a slot."""

    slot: str
    assignment: Assignment


@dataclass(frozen=True, slots=True)
class Ack:
    """The trajectory is in the journal; forget it."""

    incarnation: int
    seq: int


@dataclass(frozen=True, slots=True)
class Nack:
    """The trajectory will never be taken."""

    incarnation: int
    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The run is over: finish and leave."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of a version; its bytes follow as one frame."""

    version: Version
    chunk: int


@dataclass(frozen=True, slots=True)
class Gone:
    """That version is not kept any more."""

    version: Version


Message: TypeAlias = (
    Hello | Slot | Ready | Delivery | Beat | Bye | Fetch
    | Pulse | Welcome | Refused | Who | Handout | Ack | Nack | Stop | Chunk | Gone
)  # fmt: skip

FROM_WORKER: Mapping[str, type[Any]] = {
    "hello": Hello,
    "slot": Slot,
    "ready": Ready,
    "trajectory": Delivery,
    "beat": Beat,
    "bye": Bye,
}
FROM_LEARNER: Mapping[str, type[Any]] = {
    "welcome": Welcome,
    "refused": Refused,
    "who": Who,
    "task": Handout,
    "ack": Ack,
    "nack": Nack,
    "pulse": Pulse,
    "stop": Stop,
}
TO_WEIGHTS: Mapping[str, type[Any]] = {"fetch": Fetch}
FROM_WEIGHTS: Mapping[str, type[Any]] = {"chunk": Chunk, "gone": Gone}

_NAMES = {kind: name for kinds in (FROM_WORKER, FROM_LEARNER, TO_WEIGHTS, FROM_WEIGHTS) for name, kind in kinds.items()}


def encode(message: Message) -> bytes:
    """One frame: the message's fields and its name under 'is'. Raises WireError when it holds what cannot travel."""
    return pack_header({"is": _NAMES[type(message)], **to_plain(message)})


def decode(frame: bytes | memoryview, kinds: Mapping[str, type[Any]], limits: Limits = LIMITS) -> Any:
    """The message in a frame from a stranger, one of `kinds`. Raises WireError for whatever is not one.

    A HELLO or WELCOME of another protocol is told apart before its fields are looked at.
    """
    plain = unpack_header(frame, limits)
    name = plain.pop("is", None) if type(plain) is dict else None
    if type(name) is not str or name not in kinds:
        raise WireError("not a message that is expected here")
    if "protocol" in plain and plain["protocol"] != PROTOCOL:
        raise WireError(
            f"the other side speaks protocol {str(plain['protocol'])[:20]}, this one {PROTOCOL}: "
            "install the same version of distrl-sdk on both"
        )
    return from_plain(kinds[name], plain)
