"""Your own phone, tasks and judge in one file. The phone has two lamps and shows them as a picture, nothing else.

distrl devices 'examples/own_phone.py:LampPhone*2'
distrl train --fleet 'examples/own_phone.py:LampPhone*8' --tasks examples/own_phone.py:lamps/train \
    --judge examples/own_phone.py:LampJudge --max-trajectories 1000
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from distrl_sdk import (
    Action,
    Demonstration,
    DeviceAbout,
    JudgeRequest,
    Observation,
    Screenshot,
    Tap,
    Task,
    Verdict,
)

WIDTH, HEIGHT = 90, 200


class LampPhone:
    """A tap on a half of the screen switches the lamp there on or off."""

    about = DeviceAbout("lamps", "two lamps", "1", WIDTH, HEIGHT, actions=frozenset({"tap", "wait", "finish"}))

    def __init__(self) -> None:
        self._lit = {"upper": False, "lower": False}

    def reset(self, task: Task) -> Observation:
        """Both lamps off, but for those that the task's setup names."""
        self._lit = {name: name in task.setup.get("lit", ()) for name in self._lit}
        return self._look()

    def perform(self, action: Action) -> Observation:
        """Act and look; what is no tap changes nothing here."""
        if isinstance(action, Tap):
            name = "upper" if action.y < 0.5 else "lower"
            self._lit[name] = not self._lit[name]
        return self._look()

    def close(self) -> None:
        """Nothing is held."""

    def facts(self, task: Task) -> Mapping[str, list[str]]:
        """For judges with needs_device; a phone that cannot tell leaves this method out."""
        return {"lit": [name for name, lit in self._lit.items() if lit]}

    def _look(self) -> Observation:
        picture = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
        picture[: HEIGHT // 2] += np.uint8(200 * self._lit["upper"])
        picture[HEIGHT // 2 :] += np.uint8(200 * self._lit["lower"])
        return Observation(Screenshot(WIDTH, HEIGHT, draw=lambda: picture))  # elements=... where there is a UI tree


@dataclass(frozen=True)
class Lamps:
    """A task set: a name and its tasks; `distrl` asks `lamps` below for the split behind the '/'."""

    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        """None: it learns from its own episodes alone."""
        return ()


def lamps(split: str) -> Lamps:
    """The split 'train' or 'test', which says the same in words that were not trained."""
    said = "Light the {} lamp" if split == "train" else "Switch on the {} lamp"
    tasks = tuple(
        Task(f"lamps/{split}/{name}", name, said.format(name), 4, setup={"want": [name]}) for name in ("upper", "lower")
    )
    return Lamps(f"lamps/{split}", tasks)


class LampJudge:
    """Success is that the lamps which the task wants are lit at the end, and no other."""

    needs_device = True

    def judge(self, request: JudgeRequest) -> Verdict:
        """Reads the facts that the phone told at the end; no verdict where it told none."""
        lit, wanted = (request.facts or {}).get("lit"), request.task.setup.get("want")
        if lit is None or wanted is None:
            return Verdict(None, "there are no lamps to judge by", "lamps")
        return Verdict(lit == wanted, f"lit: {', '.join(lit) or 'none'}", "lamps")

    def close(self) -> None:
        """Nothing is held."""
