"""Episodes whose contents follow from their number, so that a drawn one can be compared with what was added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from distrl_sdk.replay.draw import Draw
from distrl_sdk.types import End, Task, Trajectory, Wait

PICTURE = (50, 40, 3)


def trajectory(
    number: int,
    steps: int = 3,
    version: int | Sequence[int] = 0,
    family: str = "alarm",
    end: End | None = None,
    picture: tuple[int, ...] = PICTURE,
    task: str = "",
) -> Trajectory:
    random = np.random.default_rng(number)
    versions = np.stack([np.ones(steps), np.broadcast_to(version, steps)], axis=1)
    return Trajectory(
        id=f"worker/0/{number}",
        task=Task(id=task or f"task{number}", family=family, instruction="set an alarm"),
        lane="train",
        temperature=1.0,
        features={
            "picture": random.integers(0, 256, (steps + 1, *picture)).astype(np.uint8),
            "words": random.integers(-9, 9, (steps + 1, 5)).astype(np.int16),
            "score": random.random(steps + 1).astype(np.float64),
        },
        code=random.integers(0, 99, (steps, 3)).astype(np.int32),
        log_mu=-random.random(steps).astype(np.float32),
        log_pi=-random.random(steps).astype(np.float32),
        version=versions.astype(np.int32),
        invalid=random.random(steps) < 0.3,
        repeats=random.integers(0, 3, steps).astype(np.int32),
        seconds=random.random(steps + 1).astype(np.float32),
        screens=np.arange(steps + 1, dtype=np.uint32),
        actions=tuple(Wait() for _ in range(steps)),
        end=end or End("finish"),
    )


ROW_BYTES = 50 * 40 * 3 + 5 * 2 + 8 + 3 * 4 + 4 + 4 + 1 + 4 + 4 + 4
"""Of one step of the default trajectory: its features, code, log-probabilities, invalid, repeats, screen, version."""


def assert_holds(draw: Draw, place: int, added: Trajectory) -> None:
    """The episode at this place of a draw is the one that was added, and its padding repeats its last step."""
    steps = len(added)
    padded = np.minimum(np.arange(draw.mask.shape[1]), steps - 1)
    pairs: list[tuple[str, Any, Any]] = [
        (name, feature[place], added.features[name][padded]) for name, feature in draw.features.items()
    ]
    pairs += [
        (name, getattr(draw, name)[place], getattr(added, name)[padded])
        for name in ("code", "log_mu", "log_pi", "invalid", "repeats")
    ]
    pairs.append(("version_n", draw.version_n[place], added.version[padded, 1]))
    for name, drawn, expected in pairs:
        assert drawn.dtype == expected.dtype, name
        assert np.array_equal(drawn, expected), name
    assert draw.length[place] == draw.mask[place].sum() == steps
    assert draw.mask[place, :steps].all()
    assert draw.family[place] == added.task.family
    assert draw.first_version[place] == added.version[:, 1].min()
    assert draw.last_version[place] == added.version[:, 1].max()
