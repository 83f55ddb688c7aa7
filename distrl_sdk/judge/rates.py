"""How many calls and tokens a server takes a minute."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

MINUTE = 60.0


@dataclass(slots=True)
class Booking:
    """A place in time for an amount; it may be corrected once the amount is known."""

    at: float
    amount: float


class Bucket:
    """Holds an amount in any 60 seconds, in the order of asking. Used from several threads."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        """0 is no limit."""
        self._limit = per_minute
        self._clock = clock
        self._lock = threading.Lock()
        self._booked: deque[Booking] = deque()

    def book(self, amount: float, seconds: float) -> Booking | None:
        """The earliest place for an amount within `seconds`, or None, and then nothing is booked.

        What is more than the limit takes a whole minute of its own.
        """
        with self._lock:
            now = self._clock()
            at = self._earliest(min(amount, self._limit), now) if self._limit else now
            if at - now > seconds:
                return None
            booking = Booking(at, amount)
            if self._limit:
                self._booked.append(booking)
            return booking

    def wait(self, booking: Booking) -> float:
        """Seconds until it is its turn."""
        return max(0.0, booking.at - self._clock())

    def correct(self, booking: Booking, amount: float) -> None:
        """Say how much it was."""
        with self._lock:
            booking.amount = amount

    def _earliest(self, amount: float, now: float) -> float:
        while self._booked and self._booked[0].at <= now - MINUTE:
            self._booked.popleft()
        at = max(now, self._booked[-1].at) if self._booked else now
        inside = [booking for booking in self._booked if booking.at > at - MINUTE]
        held = sum(booking.amount for booking in inside)
        for oldest in inside:
            if held + amount <= self._limit:
                break
            at = max(at, oldest.at + MINUTE)
            held -= oldest.amount
        return at
