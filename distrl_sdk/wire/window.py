"""Trajectories on their way to the learner: kept until acknowledged, sent again when they must have been lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

from distrl_sdk.wire.codec import Frame
from distrl_sdk.wire.messages import Delivery, encode

COUNT = 32
"""Trajectories under way at once."""
BYTES = 16 << 20
"""Bytes under way at once, or one trajectory: heartbeats queue behind them."""

Key = tuple[int, int]
"""(incarnation, seq)."""


@dataclass(slots=True)
class Parcel:
    """One trajectory, ready to be sent."""

    delivery: Delivery
    trajectory: Sequence[Frame]
    size: int = field(init=False)
    sent: float | None = None
    """When; None before the first time, and when the learner must have lost it."""
    beat: int = 0
    """The first beat after it: once that one is answered, the parcel's ACK is overdue."""

    def __post_init__(self) -> None:
        self.size = sum(map(len, self.trajectory))

    @property
    def key(self) -> Key:
        """What its ACK names."""
        return self.delivery.incarnation, self.delivery.seq

    def frames(self) -> list[Frame]:
        """The whole message."""
        return [encode(self.delivery), *self.trajectory]


class Window:
    """Parcels in the order of their coming; a bounded part of them is under way."""

    def __init__(self) -> None:
        self._parcels: dict[Key, Parcel] = {}

    def add(self, parcel: Parcel) -> None:
        """Put a parcel last; one with the same key that waits already stays."""
        self._parcels.setdefault(parcel.key, parcel)

    def drop(self, key: Key) -> bool:
        """Forget an answered parcel; False when it was not waited for (answers may come twice)."""
        return self._parcels.pop(key, None) is not None

    def lose(self) -> None:
        """Nothing is under way any more: the connection or the learner is another one."""
        for parcel in self._parcels.values():
            parcel.sent = None

    def due(self, now: float, answered: int, again: float, hold: bool) -> Parcel | None:
        """The next parcel to send, if there is room: a new one, or one whose ACK is overdue for `again` seconds.

        While the learner holds, only the oldest is tried, so that it can show when it takes again.
        """
        room = BYTES
        for parcel in islice(self._parcels.values(), 1 if hold else COUNT):
            lost = parcel.sent is None or (parcel.beat <= answered and now - parcel.sent >= again)
            if lost:
                return parcel if parcel.size <= room or room == BYTES else None
            room -= parcel.size
        return None

    def __len__(self) -> int:
        return len(self._parcels)
