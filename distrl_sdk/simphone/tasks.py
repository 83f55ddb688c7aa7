"""The task set `general`: 600 tasks to train on, 128 to test with, no instruction in both."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from distrl_sdk.errors import UsageError, choices
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.families import GENERAL
from distrl_sdk.simphone.families.family import Family
from distrl_sdk.simphone.phone import SimPhone
from distrl_sdk.types import Demonstration, Finish, Step, Task

MAX_STEPS = 10
_SIZES = {"test": 128, "train": 600}
"""Drawn in this order, so that the test set does not depend on the size of the training set."""


@dataclass(frozen=True, slots=True)
class GeneralTasks:
    """One split, balanced over the families."""

    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        """Expert solutions of `count` tasks of the training split, spread over the families."""
        chance = random.Random(seed)
        by_family: dict[str, list[Task]] = {}
        for task in _splits()["train"]:
            by_family.setdefault(task.family, []).append(task)
        drawn = []
        for family in itertools.islice(itertools.cycle(by_family), count):
            rest = by_family[family]
            drawn.append(rest.pop(chance.randrange(len(rest))) if rest else chance.choice(_splits()["train"]))
        return [demonstrate(task) for task in drawn]


def general(split: str) -> GeneralTasks:
    """The split 'train' or 'test'. Raises UsageError for another one."""
    if split not in _SIZES:
        raise UsageError(f"task set general: unknown split {split!r}: {choices(split, _SIZES)}")
    return GeneralTasks(f"general/{split}", _splits()[split])


def demonstrate(task: Task) -> Demonstration:
    """The expert's solution of a task on a phone with the usual pop-ups."""
    phone = SimPhone()
    observation = phone.reset(task)
    steps: list[Step] = []
    while True:
        action = next_action(phone.state, task)
        steps.append(Step(observation, action))
        observation = phone.perform(action)
        if isinstance(action, Finish):
            return Demonstration(phone.about, task, tuple(steps), observation)


@cache
def _splits() -> dict[str, tuple[Task, ...]]:
    sources = {family.name: _draws(family) for family in GENERAL}
    return {
        split: tuple(next(sources[name]) for name in itertools.islice(itertools.cycle(sources), size))
        for split, size in _SIZES.items()
    }


def _draws(family: Family) -> Iterator[Task]:
    """Tasks of one family, the same for ever, no instruction twice."""
    chance = random.Random(f"general/{family.name}")
    seen: set[str] = set()
    for number in itertools.count():
        while True:
            params = family.draw(chance)
            instruction = chance.choice(family.wordings).format(**params)
            if instruction not in seen:
                break
        seen.add(instruction)
        yield Task(
            f"general/{family.name}/{number}", family.name, instruction, MAX_STEPS, "sim", family.apps,
            {"seed": chance.randrange(1 << 30), "family": family.name, "params": params}, family.verify(params),
        )  # fmt: skip
