"""The judge that compares the device's own facts with the task's checks; it looks at no picture, believes no claim.

What changed although a task's check of "changed" does not allow it is a side effect, whatever else came of the episode.
"""

from __future__ import annotations

import time

from distrl_sdk.errors import JudgeError
from distrl_sdk.judge.checks import beyond, holds
from distrl_sdk.types import JudgeRequest, Verdict

NAME = "programmatic"
CHANGED = "changed"
"""The fact that lists the names of those that changed since the start."""


class ProgrammaticJudge:
    """Success is that every check of `task.verify` holds at the end state; checks are described in checks.py."""

    needs_device = True

    def judge(self, request: JudgeRequest) -> Verdict:
        """A verdict; success None when the task has no checks, or one of them cannot be told. Raises nothing."""
        began = time.monotonic()
        success, reason = _decide(request)
        score = None if success is None else float(success)
        effects = () if success is None else _side_effects(request)
        return Verdict(success, reason, NAME, score, time.monotonic() - began, effects)

    def close(self) -> None:
        """Holds nothing."""


def _decide(request: JudgeRequest) -> tuple[bool | None, str]:
    if not request.task.verify:
        return None, f"task {request.task.id} has no checks"
    if request.facts is None:
        return None, "the device told no facts"
    try:
        failed = [dict(check) for check in request.task.verify if not holds(check, request.facts)]
    except JudgeError as error:
        return None, str(error)
    return not failed, f"does not hold: {failed[0]}" if failed else "every check holds"


def _side_effects(request: JudgeRequest) -> tuple[str, ...]:
    """Facts that changed although the task allows others only; of a request whose checks can all be told."""
    facts = request.facts or {}
    checks = [check for check in request.task.verify if check["fact"] == CHANGED]
    return tuple(sorted({name for check in checks for name in beyond(check, facts)}))
