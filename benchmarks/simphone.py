"""How fast one simulated phone is on one core, with its UI tree alone and with a picture of 270 x 600 at every step.

The phone plays tasks of general/train: half of the actions are the expert's, half random ones, as in early training.
Timed are the phone's own calls, resets among them, and the drawing; choosing the actions is not. Nothing is warm: every
screen is laid out, and every widget drawn, within the time.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from typing import TypeVar

from distrl_sdk.simphone.expert import SWIPE_DOWN, SWIPE_UP, next_action
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.tasks import general
from distrl_sdk.types import Action, Finish, Key, Observation, Press, Tap, TypeText

EPISODES = 600
T = TypeVar("T")


class Stopwatch:
    """Adds up the processor time of some calls."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def time(self, call: Callable[[], T]) -> T:
        """The call's result."""
        began = time.process_time()
        result = call()
        self.seconds += time.process_time() - began
        return result


def any_action(observation: Observation, chance: random.Random) -> Action:
    """A random legal action: mostly a touch on an element."""
    touchable = [element for element in observation.elements or () if element.clickable]
    if touchable and chance.random() < 0.8:
        return Tap(*chance.choice(touchable).box.centre)
    return chance.choice((SWIPE_UP, SWIPE_DOWN, TypeText("hello"), Press(Key.BACK), Press(Key.ENTER)))


def steps_per_second(picture: bool, seed: int) -> float:
    """Play episodes of at most ten actions; observations a second, those of resets not counted."""
    chance, watch, steps = random.Random(seed), Stopwatch(), 0
    phone = SimPhone(SimOptions())
    for task in chance.choices(general("train").tasks, k=EPISODES):
        observation = watch.time(lambda task=task: phone.reset(task))  # type: ignore[misc]
        for _ in range(task.max_steps):
            action = next_action(phone.state, task) if chance.random() < 0.5 else any_action(observation, chance)
            if isinstance(action, Finish):
                break
            observation = watch.time(lambda action=action: phone.perform(action))  # type: ignore[misc]
            steps += 1
            if picture:
                watch.time(observation.screenshot.pixels)
    return steps / watch.seconds


def main() -> None:
    """Measure and print."""
    figures = {
        "state_steps_per_s": round(steps_per_second(picture=False, seed=1), 1),
        "picture_steps_per_s": round(steps_per_second(picture=True, seed=2), 1),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
