"""SimPhone: a Device with snapshots and facts around the state of one simulated phone."""

from __future__ import annotations

import hashlib
import math
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from distrl_sdk.errors import DeviceError
from distrl_sdk.simphone import apps, engine, faults
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import start_state
from distrl_sdk.simphone.faults import Faults, Trouble
from distrl_sdk.simphone.paint.picture import paint
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import FIRST, Chances, Style, dump, load
from distrl_sdk.simphone.widgets import HEIGHT, WIDTH
from distrl_sdk.types import ACTIONS, Action, DeviceAbout, Json, Observation, Screenshot, Task


@dataclass(frozen=True, slots=True)
class SimOptions:
    """How a simulated phone differs from the ideal one."""

    latency: float = 0.0
    """Mean seconds that a reset or an action takes."""
    spread: float = 0.5
    """Sigma of a lognormal factor of each action's seconds; 0: equal actions take equal time."""
    tail: float = 1.0
    """Every task has its own seconds an action, log-uniform over this factor, by its id; 1: all tasks alike."""
    speeds: float = 0.0
    """Sigma of a lognormal factor of each phone's seconds, by its seed; 0: all phones alike."""
    popups: float = 0.05
    """Probability that an action is followed by a pop-up."""
    spinners: float = 0.05
    """Probability that a page which comes from the network takes an action's time to come."""
    stuck: float = 0.0
    """Probability that an action is followed by the dialog of an app that does not respond, beside other pop-ups."""
    scale: float = 0.25
    """Size of the picture; 1 is 1080 x 2400."""
    elements: bool = True
    """False: pictures only, as from a device without a UI tree."""
    style: Style = FIRST
    """What its software looks like; a task's setup may ask for another look."""
    faults: Faults = faults.NONE
    """How often it fails."""
    seed: int = 0
    """Of the latency and the faults: the number of the phone."""
    life: int = 0
    """How often it was opened before: faults differ from one opening to the next."""


class SimPhone:
    """One simulated phone. Its state is the whole of it: two phones in equal states behave alike, but for faults."""

    def __init__(self, options: SimOptions | None = None) -> None:
        self.options = options or SimOptions()
        self._chances = Chances(self.options.popups, self.options.spinners, self.options.stuck)
        self.state = apps.fresh(0, self._chances, self.options.style)
        self.about = DeviceAbout(
            "sim", "simphone", "1", round(WIDTH * self.options.scale), round(HEIGHT * self.options.scale),
            tuple(apps.app(name).title for name in apps.BUILT_IN), frozenset(ACTIONS) - {"long_press"},
        )  # fmt: skip
        self._chance = random.Random(self.options.seed)
        self._speed = _lognormal(random.Random(f"speed {self.options.seed}"), self.options.speeds)
        self._pace = 1.0
        self._closed = threading.Event()
        self._trouble = Trouble(self.options.faults, f"faults {self.options.seed} {self.options.life}")

    def reset(self, task: Task) -> Observation:
        """Exactly the start state that the task's setup describes. Raises UsageError for a setup it cannot read."""
        began = time.monotonic()
        self._trouble.reach()
        self._pace = pace(task, self.options.tail)
        self.state = start_state(task, self._chances, self.options.style)
        return self._trouble.remember(self._look(began))

    def perform(self, action: Action) -> Observation:
        """Act once and look. Raises DeviceError after close(), and when a fault disconnects the phone."""
        began = time.monotonic()
        self._trouble.strike(self._closed)
        self.state = engine.act(self.state, action)
        return self._trouble.spoil(self._look(began))

    def save(self) -> bytes:
        """The state, for `restore` of this or another simulated phone."""
        return dump(self.state)

    def restore(self, state: bytes) -> Observation:
        """The moment that `save` kept. Raises StorageError for other bytes."""
        began = time.monotonic()
        self._trouble.reach()
        self.state = load(state)
        return self._trouble.remember(self._look(began))

    def fork(self) -> SimPhone:
        """Another phone in the same state."""
        other = SimPhone(self.options)
        other.state, other._pace = self.state, self._pace
        return other

    def facts(self, task: Task) -> Mapping[str, Json]:
        """The facts of the present state, compared with the task's start state."""
        self._trouble.reach()
        return facts_of(self.state, start_state(task, self._chances, self.options.style))

    def draw_latency(self) -> float:
        """Seconds for the next action: those of the task and of the phone, times chance; the mean is the latency."""
        return self.options.latency * self._pace * self._speed * _lognormal(self._chance, self.options.spread)

    def close(self) -> None:
        """Wakes a sleeping action, which then raises."""
        self._closed.set()

    def _look(self, began: float) -> Observation:
        if self.options.latency > 0:
            self._closed.wait(self.draw_latency())
        if self._closed.is_set():
            raise DeviceError("this simulated phone was closed")
        scene = scene_of(self.state)
        draw = partial(paint, self.state, self.options.scale)
        return Observation(
            Screenshot(self.about.width, self.about.height, draw=draw),
            scene.elements if self.options.elements else None,
            apps.app(self.state.top.app).title,
            scene.keyboard,
            time.monotonic() - began,
        )


def pace(task: Task, tail: float) -> float:
    """The factor of a task's seconds: log-uniform over `tail`, of mean 1, by a hash of the task's id."""
    if tail == 1:
        return 1.0
    place = int.from_bytes(hashlib.blake2b(task.id.encode(), digest_size=8).digest()) / 2**64
    return math.log(tail) / (tail - 1) * math.pow(tail, place)


def _lognormal(chance: random.Random, sigma: float) -> float:
    """Of mean 1."""
    return chance.lognormvariate(-(sigma**2) / 2, sigma)
