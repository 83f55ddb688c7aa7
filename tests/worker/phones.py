"""Small phones, policies and judges of these tests' own. Workers load them as 'tests.worker.phones:Name'."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from distrl_sdk.interfaces import Score
from distrl_sdk.types import (
    Action,
    Assignment,
    Box,
    Code,
    Decision,
    DeviceAbout,
    Features,
    Finish,
    JudgeRequest,
    Key,
    Moment,
    Observation,
    Press,
    Screenshot,
    Swipe,
    Tap,
    Task,
    TypeText,
    UiElement,
    Verdict,
    Version,
    Wait,
)

WIDE = Box(0.0, 0.0, 1.0, 1.0)
TAP = Tap(0.5, 0.5)


def observation(count: int, *, field: bool = False, seconds: float = 0.0) -> Observation:
    """A screen that shows a number."""
    elements = (UiElement(WIDE, str(count), "field" if field else "text", editable=field, focused=field),)
    picture = Screenshot(4, 8, draw=lambda: np.full((8, 4, 3), count % 256, np.uint8))
    return Observation(picture, elements, app="counter", seconds=seconds)


class Counter:
    """Shows how often it was tapped. Fails in the way and at the tap that it is told to.

    `fail`: raise | hang | die_file (raise while the file exists); `at`: the number of taps at which it fails;
    `pause`: seconds that each action takes; `log`: a file that gets a line for each reset.
    """

    def __init__(self, fail: str = "", at: int = 2, pause: float = 0.0, log: str = "", model: str = "counter") -> None:
        self.about = DeviceAbout(
            "test", model, "1", 4, 8, actions=frozenset({"tap", "type", "press", "wait", "finish"})
        )
        self._fail = fail
        self._at = at
        self._pause = pause
        self._log = log
        self.count = 0
        self.performed: list[Action] = []
        self.closed = 0
        self.threads: set[int] = set()
        self.release = threading.Event()

    def reset(self, task: Task) -> Observation:
        self.threads.add(threading.get_ident())
        self.count = 0
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as file:
                file.write(f"{task.id}\n")
        return observation(0, seconds=0.25)

    def perform(self, action: Action) -> Observation:
        self.threads.add(threading.get_ident())
        self.performed.append(action)
        time.sleep(self._pause)
        if isinstance(action, Tap):
            self.count += 1
            if self.count == self._at and self._fail == "raise":
                raise RuntimeError("the cable fell out")
            if self.count == self._at and self._fail == "hang":
                self.release.wait()
        return observation(self.count, seconds=0.5)

    def facts(self, task: Task) -> Mapping[str, Any]:
        return {"count": self.count}

    def close(self) -> None:
        self.closed += 1


class Scripted:
    """A chooser that plays the actions it was given, and features that count the steps."""

    def __init__(self, *actions: Action) -> None:
        self._actions = list(actions)
        self.heard: list[tuple[float, Version | None]] = []

    def prepare(self, assignment: Assignment) -> None:
        pass

    def featurize(self, moment: Moment) -> Features:
        return {"step": np.array([len(moment.history)], np.int32), "left": np.array(moment.steps_left, np.float32)}

    def decide(self, features: Features, temperature: float, pinned: Version | None, seed: int) -> Decision:
        self.heard.append((temperature, pinned))
        step = int(features["step"][0])
        return Decision(self._actions[step], np.array([step, 7], np.int32), -0.5 * step, -0.25 * step)


class CountJudge:
    """Success when the counter stands at `want`; `fail`: raise | hang."""

    needs_device = True

    def __init__(self, want: int = 3, fail: str = "") -> None:
        self._want = want
        self._fail = fail
        self.release = threading.Event()

    def judge(self, request: JudgeRequest) -> Verdict:
        if self._fail == "raise":
            raise ConnectionError("no route to the judge")
        if self._fail == "hang":
            self.release.wait()
        assert request.facts is not None
        return Verdict(request.facts["count"] == self._want, judge="count")

    def close(self) -> None:
        pass


class Tapper(torch.nn.Module):
    """A policy that taps until its task's last step and then finishes; its one weight goes into log_pi."""

    state_size = 1

    def __init__(self, fail: bool = False) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))
        self.frozen = torch.nn.Parameter(torch.ones(3), requires_grad=False)
        self._fail = fail
        self.sizes: list[int] = []

    def featurize(self, moment: Moment) -> Features:
        return {"left": np.array([moment.steps_left], np.int32)}

    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        self.sizes.append(len(features))
        if self._fail:
            raise ArithmeticError("no number")
        log_pi = float(self.weight)
        return [
            Decision(
                Finish() if row["left"][0] == 1 else TAP, np.zeros(1, np.int32), log_pi if heat > 0 else 0.0, log_pi
            )
            for row, heat in zip(features, temperature, strict=True)
        ]

    def encode_action(self, features: Features, action: Action) -> Code | None:
        return None

    def score(self, features: Mapping[str, torch.Tensor], code: torch.Tensor) -> Score:
        zeros = torch.zeros(code.shape[:2])
        return Score(zeros, zeros, zeros[..., None])


__all__ = ["TAP", "CountJudge", "Counter", "Key", "Press", "Scripted", "Swipe", "Tapper", "TypeText", "Wait"]
