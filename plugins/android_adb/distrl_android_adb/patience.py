"""Waiting for something to become true on a phone, with a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(holds: Callable[[], bool], seconds: float, pause: float) -> bool:
    """Ask until it holds; False when it still does not after `seconds`. Asks at the start and at the end."""
    until = time.monotonic() + seconds
    while not holds():
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
    return True
