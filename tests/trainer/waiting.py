"""Waiting for a condition with a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(
    condition: Callable[[], object], seconds: float = 30.0, what: Callable[[], str] = str, every: float = 0.02
) -> None:
    """Return as soon as the condition holds; fail the test after the deadline, with what there is to say.

    `every`: seconds between two looks; more where a look is dear.
    """
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"the condition did not come true in {seconds:g} s: {what()}"
        time.sleep(every)
