"""A player without a policy: every legal action is equally likely. What it reaches, a set gives away for nothing."""

from __future__ import annotations

import random

from distrl_sdk.judge.checks import holds
from distrl_sdk.simphone import engine
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import start_state
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import Chances, PhoneState
from distrl_sdk.types import Action, Finish, Key, Press, Swipe, Tap, Task, TypeText, Wait

_ANYWHERE: tuple[Action, ...] = (
    Swipe(0.5, 0.7, 0.5, 0.3), Swipe(0.5, 0.3, 0.5, 0.7), Swipe(0.8, 0.5, 0.2, 0.5), Swipe(0.2, 0.5, 0.8, 0.5),
    Press(Key.BACK), Press(Key.HOME), Press(Key.ENTER), Wait(), Finish(True),
)  # fmt: skip
USUAL = Chances(popups=0.05, spinners=0.05)
_LONGEST = 6
"""Words of a span that may be typed."""


def random_success(task: Task, seed: int) -> bool:
    """Whether a player whose every action is drawn uniformly solves a task within its steps.

    Drawn from: a touch on each element that can be touched (keys of the keyboard left out), a swipe in each of four
    directions, BACK, HOME, ENTER, waiting, finishing, and typing a span of the instruction where a field has the focus.
    """
    chance = random.Random(f"{seed}/{task.id}")
    state = start_state(task, USUAL)
    for _ in range(task.max_steps):
        action = _any_action(state, task, chance)
        if isinstance(action, Finish):
            break
        state = engine.act(state, action)
    facts = facts_of(state, start_state(task))
    return all(holds(check, facts) for check in task.verify)


def _any_action(state: PhoneState, task: Task, chance: random.Random) -> Action:
    scene = scene_of(state)
    places = [one for one in scene.elements if one.role != "key" and (one.clickable or one.editable)]
    count = len(places) + len(_ANYWHERE) + scene.keyboard
    at = chance.randrange(count)
    if at < len(places):
        return Tap(*places[at].box.centre)
    if at < len(places) + len(_ANYWHERE):
        return _ANYWHERE[at - len(places)]
    words = task.instruction.split()
    first = chance.randrange(len(words))
    return TypeText(" ".join(words[first : first + chance.randint(1, _LONGEST)]))
