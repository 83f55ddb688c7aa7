"""A phone, tasks, a policy and judges of these tests' own, small and fast. Named by this file's path and a class."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from distrl_sdk.interfaces import Score
from distrl_sdk.simphone.tasks import general
from distrl_sdk.types import (
    Action,
    Box,
    Code,
    Decision,
    Demonstration,
    DeviceAbout,
    Features,
    Finish,
    JudgeRequest,
    Moment,
    Observation,
    Screenshot,
    Step,
    Tap,
    Task,
    UiElement,
    Verdict,
)

HERE = Path(__file__).resolve()
LEVEL = 20
"""Grey of the screen, a tap."""
MIDDLE = Tap(0.5, 0.5)


def observation(count: int, elements: bool = True) -> Observation:
    picture = Screenshot(40, 90, draw=lambda: np.full((90, 40, 3), LEVEL * (count + 1), np.uint8))
    shown = (UiElement(Box(0.0, 0.0, 1.0, 1.0), f"more {count}", "button", clickable=True),)
    return Observation(picture, shown if elements else None, app="pocket")


class Pocket:
    """Counts taps. It can be tapped and nothing else.

    `pause`: seconds an action takes; `elements`: 0 = pictures only; `fail`: 1 = every action raises, 2 = the first one,
    and then it cannot be opened again; `log`: a file that gets the process and the task of every reset; `platform`:
    what it says it is.
    """

    def __init__(
        self, pause: float = 0.0, elements: int = 1, fail: int = 0, log: str = "", platform: str = "pocket"
    ) -> None:
        self.about = DeviceAbout(platform, "Pocket 1", "1", 40, 90, actions=frozenset({"tap", "finish"}))
        self._pause, self._elements, self._fail, self._log = pause, bool(elements), fail, log
        self._count = 0
        if fail == 2 and Path(log).exists():
            raise ConnectionError("the cable is out")

    def reset(self, task: Task) -> Observation:
        self._count = 0
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(f"{os.getpid()} {task.id}\n")
        return observation(0, self._elements)

    def perform(self, action: Action) -> Observation:
        time.sleep(self._pause)
        if self._fail:
            raise RuntimeError("the cable fell out")
        self._count += isinstance(action, Tap)
        return observation(self._count, self._elements)

    def facts(self, task: Task) -> Mapping[str, Any]:
        return {"count": self._count}

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Tasks:
    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        return [solved(task) for task in self.tasks if task.platform == "pocket"][:count]


def solved(task: Task) -> Demonstration:
    wanted = int(task.family)
    steps = [Step(observation(n), MIDDLE) for n in range(wanted)] + [Step(observation(wanted), Finish())]
    return Demonstration(Pocket().about, task, tuple(steps), observation(wanted))


def counting(split: str) -> Tasks:
    """Tap 1, 2 or 3 times, then finish; 1000 tasks to train on, 12 to test."""

    def task(n: int) -> Task:
        wanted = n % 3 + 1
        verify = ({"fact": "count", "equals": wanted},)
        return Task(f"{split}/{n}", str(wanted), f"tap {wanted} times", 4, "pocket", verify=verify)

    return Tasks(f"counting/{split}", tuple(task(n) for n in range(1000 if split == "train" else 12)))


def mixed(split: str) -> Tasks:
    """Tasks of two platforms."""
    return Tasks(f"mixed/{split}", general(split).tasks[:60] + counting(split).tasks[:60])


def elsewhere(split: str) -> Tasks:
    """Half of the tasks are for a platform that nobody has."""
    tasks = counting(split).tasks[:12]
    moved = tuple(replace(task, id=f"{task.id}/moved", platform="moon") for task in tasks)
    return Tasks(f"elsewhere/{split}", tasks + moved)


def wrong(how: str) -> Tasks:
    """Tasks that cannot be played."""
    first = counting("test").tasks[0]
    return Tasks(how, {"empty": (), "twice": (first, first), "short": (replace(first, max_steps=0),)}[how])


class Tiny(torch.nn.Module):
    """Taps or finishes, by how many taps are left.

    `ballast`: bytes of a feature that means nothing; `interrupt`: so many signals `number` come at its next step.
    """

    state_size = 4

    def __init__(self, ballast: int = 1, interrupt: int = 0, number: int = 2) -> None:
        super().__init__()
        self._ballast = ballast
        self.interrupt = interrupt
        self.number = number
        self.table = torch.nn.Linear(4, 2)

    def featurize(self, moment: Moment) -> Features:
        left = np.zeros(4, np.float32)
        left[max(0, int(moment.task.family) - len(moment.history))] = 1.0
        return {"left": left, "ballast": np.random.default_rng(0).integers(0, 256, self._ballast, np.uint8)}

    @torch.inference_mode()
    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        logits = self.table(torch.from_numpy(np.stack([row["left"] for row in features])))
        decisions = []
        for row, heat in zip(logits, temperature, strict=True):
            mu = torch.log_softmax(row / max(heat, 1e-6), -1)
            code = int(torch.multinomial(mu.exp(), 1, generator=generator)) if heat else int(row.argmax())
            log_pi = float(torch.log_softmax(row, -1)[code])
            action = (MIDDLE, Finish())[code]
            decisions.append(Decision(action, np.array([code], np.int32), float(mu[code]) if heat else 0.0, log_pi))
        return decisions

    def encode_action(self, features: Features, action: Action) -> Code | None:
        return np.array([isinstance(action, Finish)], np.int32)

    def score(self, features: Mapping[str, torch.Tensor], code: torch.Tensor, mask: torch.Tensor) -> Score:
        while self.interrupt:
            self.interrupt -= 1
            os.kill(os.getpid(), self.number)
        log = torch.log_softmax(self.table(features["left"]), -1)
        taken = log.gather(-1, code.long()).squeeze(-1)
        return Score(taken, -(log.exp() * log).sum(-1), features["left"])


class SeesGrey:
    """Beside the learner: success when the picture of the end state is as grey as the task wants; slow on demand."""

    needs_device = False

    def __init__(self, pause: float = 0.0) -> None:
        self._pause = pause

    def judge(self, request: JudgeRequest) -> Verdict:
        time.sleep(self._pause)
        assert request.final is not None
        assert request.facts is None
        grey = int(request.final.screenshot.pixels()[0, 0, 0])
        return Verdict(grey == LEVEL * (int(request.task.family) + 1), f"grey {grey}", "sees grey")

    def close(self) -> None:
        pass


class Interrupts(SeesGrey):
    """A Ctrl-C comes while it judges for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self._first = iter([True])

    def judge(self, request: JudgeRequest) -> Verdict:
        if next(self._first, False):
            os.kill(os.getpid(), signal.SIGINT)
        return super().judge(request)


class Raises:
    """Beside the learner, and never to be had."""

    needs_device = False

    def judge(self, request: JudgeRequest) -> Verdict:
        raise ConnectionError("no route to the judge")

    def close(self) -> None:
        pass
