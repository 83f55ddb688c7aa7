"""Devices that fail again and again rest, longer each time, so that they cost neither time nor episodes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from distrl_sdk.errors import DeviceError

PATIENCE = 3
"""Failures in a row after which a device rests."""
FIRST, LONGEST = 30.0, 1800.0
"""Seconds of the first rest; each further one is twice as long, up to the longest."""


class QuarantineError(DeviceError):
    """The device rests because it failed too often."""


@dataclass(slots=True)
class _Record:
    failures: int = 0
    until: float = 0.0
    why: str = ""


class Quarantine:
    """Of all devices of a source; used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._records: dict[str, _Record] = {}
        self._lock = threading.Lock()

    def admit(self, key: str) -> None:
        """Raises QuarantineError while the device rests."""
        with self._lock:
            record = self._records.get(key)
            left = record.until - self._clock() if record is not None else 0.0
            if record is not None and left > 0:
                raise QuarantineError(
                    f"{key} rests for another {left:.0f} s after {record.failures} failures in a row: {record.why}"
                )

    def failed(self, key: str, why: str) -> None:
        """The device failed once more."""
        with self._lock:
            record = self._records.setdefault(key, _Record())
            record.failures += 1
            record.why = why
            beyond = record.failures - PATIENCE
            if beyond >= 0:
                record.until = self._clock() + min(LONGEST, FIRST * 2.0 ** min(beyond, 16))

    def worked(self, key: str) -> None:
        """The device did what it was asked: all is forgotten."""
        with self._lock:
            self._records.pop(key, None)

    def failures(self, key: str) -> int:
        """How often it failed in a row."""
        with self._lock:
            record = self._records.get(key)
            return record.failures if record is not None else 0
