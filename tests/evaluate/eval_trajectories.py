"""Trajectories made by hand: what matters of them is named, the rest is as small as can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distrl_sdk.types import Action, End, Finish, Tap, Task, Trajectory, Verdict

TAP = Tap(0.5, 0.5)
FINISHED = End("finish")
LIMIT = End("step_limit")


def trajectory(
    screens: Sequence[int] = (0, 1, 2),
    *,
    success: bool | None = False,
    end: End = LIMIT,
    claim: bool | None = None,
    invalid: Sequence[int] = (),
    family: str = "alarm",
    number: int = 1,
    verdict: Verdict | None = None,
    seconds: float = 0.25,
) -> Trajectory:
    """`screens`: what each of the T + 1 observations showed; `invalid`: the steps that were; `claim`: of a last Finish.

    `success` None: no judge has spoken.
    """
    steps = len(screens) - 1
    actions: list[Action] = [TAP] * steps
    if claim is not None:
        actions[-1], end = Finish(claim), FINISHED
    return Trajectory(
        id=f"w/1/{number}",
        task=Task(id=f"{family}-{number}", family=family, instruction="do it"),
        lane="eval",
        temperature=0.0,
        features={},
        code=np.zeros((steps, 1), np.int32),
        log_mu=np.zeros(steps, np.float32),
        log_pi=np.zeros(steps, np.float32),
        version=np.zeros((steps, 2), np.int32),
        invalid=np.isin(np.arange(steps), invalid),
        repeats=np.zeros(steps, np.int32),
        seconds=np.full(steps + 1, seconds, np.float32),
        screens=np.array(screens, np.uint32),
        actions=tuple(actions),
        end=end,
        verdict=verdict or (None if success is None else Verdict(success)),
    )
