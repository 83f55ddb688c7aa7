"""Notices that nothing comes any more: phones that break in every episode, a judge that never gives a verdict."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LEAST = 3
"""Episodes in a row that must have come to nothing, whatever the time."""


class Drought:
    """A row of episodes without an outcome, or a time without a phone that works. Methods may be called by any thread.

    `patience` is in seconds: a run that got nothing for so long is not going to get anything.
    """

    def __init__(self, patience: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._row = 0
        self._since = 0.0
        self._why = ""
        self._dark: float | None = None

    def came(self) -> None:
        """An episode came to an end and has a verdict."""
        with self._lock:
            self._row = 0

    def failed(self, why: str) -> None:
        """An episode was aborted, or could not be judged."""
        with self._lock:
            if not self._row:
                self._since = self._clock()
            self._row += 1
            self._why = why

    def over(self, slots: int, broken: str = "") -> str:
        """What to tell when patience is at its end, '' while it is not. To be asked often.

        Each of `slots` phones gets its turn. `broken`: why none of them works, if none does.
        """
        with self._lock:
            now = self._clock()
            self._dark = None if not broken else now if self._dark is None else self._dark
            if self._row >= max(LEAST, slots) and now - self._since >= self._patience:
                row = f"none of the last {self._row} episodes, in {now - self._since:.0f} s, came to a verdict"
                return f"{row}; the last: {self._why}"
            if self._dark is not None and now - self._dark >= self._patience:
                return f"no phone has worked for {now - self._dark:.0f} s: {broken}"
            return ""
