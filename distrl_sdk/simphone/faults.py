"""Faults such as real phones have, drawn for every action. They are no part of the phone's state.

The one fault that belongs to the state is an app that does not respond: a dialog covers it (popups.py).
"""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from distrl_sdk.errors import DeviceError
from distrl_sdk.types import Observation, Pixels, Screenshot


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a phone fails: each a probability an action, but for `hang_seconds`."""

    disconnect: float = 0.0
    """The action raises DeviceError, and so does every call until the phone is opened again."""
    hang: float = 0.0
    """The action gives no answer for `hang_seconds`, or until the phone is closed."""
    hang_seconds: float = 600.0
    """Longer than the worker's deadline (`--collect.deadline`), so that a hang is found out."""
    black: float = 0.0
    """The picture is black; the UI tree is right."""
    stale: float = 0.0
    """The picture is that of the moment before; the UI tree is right."""
    cut: float = 0.0
    """The picture ends somewhere, and black follows; the UI tree is right."""
    blind: float = 0.0
    """The UI tree is empty; the picture is right."""


NONE = Faults()


class Trouble:
    """The faults of one phone from one opening to the next."""

    def __init__(self, faults: Faults, seed: str) -> None:
        self._faults = faults
        self._chance = random.Random(seed)
        self._gone = False
        self._seen: Screenshot | None = None

    def reach(self) -> None:
        """Raises DeviceError once the phone is disconnected."""
        if self._gone:
            raise DeviceError("this simulated phone is disconnected until it is opened again")

    def strike(self, closed: threading.Event) -> None:
        """Before an action: perhaps the phone is gone, or hangs. Raises DeviceError."""
        self._gone = self._gone or self._happens(self._faults.disconnect)
        self.reach()
        if self._happens(self._faults.hang):
            closed.wait(self._faults.hang_seconds)

    def spoil(self, observation: Observation) -> Observation:
        """What comes back of an observation after an action."""
        last, right = self._seen, observation.screenshot
        self._seen = right
        if self._happens(self._faults.blind) and observation.elements is not None:
            observation = replace(observation, elements=())
        if self._happens(self._faults.black):
            return replace(observation, screenshot=_cut(right, 0.0))
        if self._happens(self._faults.stale) and last is not None:
            return replace(observation, screenshot=last)
        if self._happens(self._faults.cut):
            return replace(observation, screenshot=_cut(right, self._chance.uniform(0.1, 0.9)))
        return observation

    def remember(self, observation: Observation) -> Observation:
        """The first observation of an episode; it comes back as it is."""
        self._seen = observation.screenshot
        return observation

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self._chance.random() < rate


def _cut(right: Screenshot, share: float) -> Screenshot:
    return Screenshot(right.width, right.height, draw=partial(_upper, right, share))


def _upper(right: Screenshot, share: float) -> Pixels:
    """A share of the picture's rows, the rest black."""
    pixels = np.zeros((right.height, right.width, 3), np.uint8)
    kept = round(share * right.height)
    if kept:
        pixels[:kept] = right.pixels()[:kept]
    return pixels
