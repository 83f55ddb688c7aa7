"""A person in the place of a policy: each decision waits until somebody has made it."""

from __future__ import annotations

import threading
import time

import numpy as np

from distrl_sdk.errors import DistrlError
from distrl_sdk.types import Action, Assignment, Decision, Features, Moment, Observation, Version


class QuitError(DistrlError):
    """The person will not go on; the episode is aborted."""


class Person:
    """Chooses the actions of one episode. `tell` and `wait` are for other threads than the one that plays."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._action: Action | None = None
        self._quit = False
        self._over = False
        self._deciding = False
        self.moment: Moment | None = None
        """What there is to look at."""

    @property
    def seen(self) -> list[Observation]:
        """Every observation so far, the last one last."""
        moment = self.moment
        return [*(step.observation for step in moment.history), moment.observation] if moment is not None else []

    def featurize(self, moment: Moment) -> Features:
        """Nothing needs to be remembered for a gradient."""
        with self._changed:
            self.moment = moment
        return {}

    def prepare(self, assignment: Assignment) -> None:
        """A person needs no weights."""

    def decide(self, features: Features, temperature: float, pinned: Version | None, seed: int) -> Decision:  # noqa: ARG002
        """What was told; waits for it for ever. Raises QuitError."""
        with self._changed:
            self._deciding = True
            self._changed.notify_all()
            while self._action is None and not self._quit:
                self._changed.wait()
            self._deciding = False
            action, self._action = self._action, None
        if action is None:
            raise QuitError("the person gave the episode up")
        return Decision(action, np.zeros(0, np.int32), 0.0, 0.0)

    def tell(self, action: Action) -> bool:
        """Make the decision that is waited for; False when none is."""
        with self._changed:
            if not self._deciding or self._action is not None or self._quit:
                return False
            self._action = action
            self._changed.notify_all()
            return True

    def quit(self) -> None:
        """Give up the episode."""
        with self._changed:
            self._quit = True
            self._changed.notify_all()

    def end(self) -> None:
        """The episode is over: nobody needs to wait for a decision."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until the next decision is asked for, or the episode is over; False when neither came in time."""
        until = time.monotonic() + seconds
        with self._changed:
            while not self._over and (self._quit or self._action is not None or not self._deciding):
                if (left := until - time.monotonic()) <= 0:
                    return False
                self._changed.wait(left)
            return True
