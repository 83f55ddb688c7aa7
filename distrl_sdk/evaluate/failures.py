"""How an episode went, by written rules that look at nothing but its Trajectory.

The failure modes are those of the DistRL paper, A.6.1, which people assigned by looking. Here they are rules over the
sequence of screens, told apart by their fingerprints, so they work for every policy, device and judge. A device whose
picture never stands still (a video, a clock with seconds) always shows new screens, and hides "stuck".

Order of precedence: aborted, unjudged, success; then, by how the episode ended, left its apps, wrong goal, gave up;
then, for those that ran into the step limit, stuck, cannot recover, step limit. Each episode has exactly one.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise

from distrl_sdk.types import Finish, Trajectory

STUCK = 3
"""Steps at the end of an episode, all of them idle, that make it stuck."""
ASTRAY = 4
"""Cannot recover: at least one step in so many led back."""


class Outcome(StrEnum):
    """What came of an episode."""

    SUCCESS = "success"
    WRONG_GOAL = "wrong goal"
    STUCK = "stuck"
    CANNOT_RECOVER = "cannot recover"
    STEP_LIMIT = "step limit"
    GAVE_UP = "gave up"
    LEFT_APPS = "left its apps"
    UNJUDGED = "unjudged"
    ABORTED = "aborted"


FAILURES = (
    Outcome.WRONG_GOAL,
    Outcome.STUCK,
    Outcome.CANNOT_RECOVER,
    Outcome.STEP_LIMIT,
    Outcome.GAVE_UP,
    Outcome.LEFT_APPS,
)
"""The outcomes that count as failures."""


def outcome_of(trajectory: Trajectory) -> Outcome:
    """The one outcome of an episode, by the first rule that holds."""
    if trajectory.end.kind == "aborted":
        return Outcome.ABORTED
    if trajectory.verdict is None or trajectory.verdict.success is None:
        return Outcome.UNJUDGED
    if trajectory.verdict.success:
        return Outcome.SUCCESS
    if trajectory.end.kind == "left_app":
        return Outcome.LEFT_APPS
    if is_wrong_goal(trajectory):
        return Outcome.WRONG_GOAL
    if gave_up(trajectory):
        return Outcome.GAVE_UP
    if is_stuck(trajectory):
        return Outcome.STUCK
    return Outcome.CANNOT_RECOVER if cannot_recover(trajectory) else Outcome.STEP_LIMIT


def is_wrong_goal(trajectory: Trajectory) -> bool:
    """The agent ended the episode itself and claimed success. (That it was judged a failure, the caller knows.)"""
    return claim_of(trajectory) is True


def gave_up(trajectory: Trajectory) -> bool:
    """The agent ended the episode itself and claimed no success."""
    return claim_of(trajectory) is False


def is_stuck(trajectory: Trajectory) -> bool:
    """The last 3 steps were idle, each of them: the action could have no effect, or the screen stayed as it was, or
    went the same way, from one screen to another, as earlier in the episode (a loop).
    """
    return len(trajectory) >= STUCK and all(_idle(trajectory)[-STUCK:])


def cannot_recover(trajectory: Trajectory) -> bool:
    """At least 2 steps, and a quarter of all, led to a screen that was seen before: the agent left the way, noticed
    and came back, or tried in vain. A pop-up that is closed leads back too, which is why one such step is not enough.
    """
    screens = trajectory.screens.tolist()
    back = sum(screens[at + 1] in screens[: at + 1] for at in range(len(trajectory)))
    return back >= 2 and ASTRAY * back >= len(trajectory)


def claim_of(trajectory: Trajectory) -> bool | None:
    """What the agent's `Finish` claimed; None when it made none."""
    last = trajectory.actions[-1] if trajectory.actions else None
    return last.success if isinstance(last, Finish) else None


def _idle(trajectory: Trajectory) -> list[bool]:
    """[T]: whether a step had no effect, or only one that it had before."""
    screens = trajectory.screens.tolist()
    gone: set[tuple[int, int]] = set()
    idle = []
    for invalid, way in zip(trajectory.invalid.tolist(), pairwise(screens), strict=True):
        idle.append(invalid or way[0] == way[1] or way in gone)
        gone.add(way)
    return idle
