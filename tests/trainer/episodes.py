"""Made-up episodes for tests that play none."""

from __future__ import annotations

import numpy as np

from distrl_sdk.types import DeviceAbout, End, SlotAbout, Tap, Task, Trajectory, Verdict

PLAYED = End("step_limit")
ABOUT = DeviceAbout("pocket", "Pocket 1", "1", 40, 90, actions=frozenset({"tap", "finish"}))
OTHER = DeviceAbout("desk", "Desk 1", "1", 40, 90)


def slot(number: int = 0, about: DeviceAbout = ABOUT) -> SlotAbout:
    return SlotAbout(f"w:{number}", about)


def task(number: int, platform: str = "pocket", family: str = "count") -> Task:
    return Task(f"t{number}", family, f"tap {number} times", max_steps=3, platform=platform)


def episode(
    number: int,
    success: bool | None = True,
    *,
    of: Task | None = None,
    end: End = PLAYED,
    verdict: Verdict | None = None,
    lane: str = "train",
    n: int = 1,
    steps: int = 2,
    width: int = 3,
    pictures: tuple[bytes, ...] = (),
) -> Trajectory:
    """`success` None: no verdict yet, unless one is given."""
    random = np.random.default_rng(number)
    if verdict is None and success is not None and end.kind != "aborted":
        verdict = Verdict(success, judge="made up")
    return Trajectory(
        id=f"w/1/{number}",
        task=of or task(number),
        lane=lane,
        temperature=1.0,
        features={"screen": random.random((steps + 1, width), np.float32)},
        code=np.zeros((steps, 1), np.int32),
        log_mu=np.full(steps, -0.5, np.float32),
        log_pi=np.full(steps, -0.5, np.float32),
        version=np.tile(np.array([1, n], np.int32), (steps, 1)),
        invalid=np.zeros(steps, np.bool_),
        repeats=np.zeros(steps, np.int32),
        seconds=np.zeros(steps + 1, np.float32),
        screens=np.arange(steps + 1, dtype=np.uint32),
        actions=tuple(Tap(0.5, 0.5) for _ in range(steps)),
        end=end,
        verdict=verdict,
        pictures=pictures,
        slot="w:0",
    )
