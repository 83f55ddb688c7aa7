"""The task sets of the simulated phone: `general`, `webshop`, and `demo`, a part of general that is learned in minutes.

A set has six splits, which share neither an instruction nor a goal:

    train            what may be trained on
    test-instances   the same families and wordings, other names, texts, times, products; `test` for short
    test-templates   wordings that training never uses
    test-apps        apps (of webshop: a shop) that training never opens
    test-version     phones with another version of their software: things moved, renamed, restyled
    validation       as test-instances, of the families that have goals left: settings are chosen by it
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from distrl_sdk.errors import UsageError, choices
from distrl_sdk.interfaces import Finding
from distrl_sdk.simphone.audit import audit, done
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.families import FAMILIES, GENERAL, HELD_OUT_SHOP, WEBSHOP, start_state
from distrl_sdk.simphone.families.family import Family, Params
from distrl_sdk.simphone.phone import SimPhone
from distrl_sdk.types import Demonstration, Finish, Json, Step, Task

HELD_OUT_APPS = frozenset({"Calculator", "Maps", "Music"})
"""Titles of the apps that only test-apps opens."""
SPLITS = ("test-instances", "test-templates", "test-version", "test-apps", "train", "validation")
"""In the order in which they are drawn: what is tested does not depend on how much is trained."""
_DRAWS = 3000
"""Draws in a row without a new goal after which a family has no more."""


@dataclass(frozen=True)
class Recipe:
    """How a set is made."""

    families: tuple[Family, ...]
    train: int
    """Tasks to train on."""
    test: int
    """Tasks of each split to test with, as far as the families have enough goals."""
    max_steps: int


_DEMO = (
    "toggle_switch", "set_level", "choose_option", "create_alarm", "delete_alarm", "start_timer", "add_contact",
    "call_contact", "send_message", "reply_message", "open_site", "web_search", "shop_open", "shop_cart", "install_app",
    "uninstall_app",
)  # fmt: skip
RECIPES = {
    "general": Recipe(GENERAL, 1200, 512, 10),
    "webshop": Recipe(WEBSHOP, 500, 512, 20),
    "demo": Recipe(tuple(FAMILIES[name] for name in _DEMO), 896, 128, 10),
}


@dataclass(frozen=True, slots=True)
class SimTasks:
    """One split of a set, its families in turn."""

    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        """Expert solutions of `count` tasks of the set's training split, spread over the families."""
        chance = random.Random(seed)
        train = splits(self.name.partition("/")[0])["train"]
        by_family: dict[str, list[Task]] = {}
        for task in train:
            by_family.setdefault(task.family, []).append(task)
        drawn = []
        for family in itertools.islice(itertools.cycle(by_family), count):
            rest = by_family[family]
            drawn.append(rest.pop(chance.randrange(len(rest))) if rest else chance.choice(train))
        return [demonstrate(task) for task in drawn]

    def audit(self) -> Iterator[Finding]:
        """See audit.py: against the set's other splits, from the start, by the expert, at random."""
        whole, _, split = self.name.partition("/")
        return audit(self.tasks, {name: tasks for name, tasks in splits(whole).items() if name != split})


def sim_tasks(name: str, split: str) -> SimTasks:
    """A split of a set. Raises UsageError for a split that there is not, or that has no tasks."""
    split = "test-instances" if split == "test" else split
    if split not in SPLITS:
        raise UsageError(f"task set {name}: unknown split {split!r}: {choices(split, ('test', *SPLITS))}")
    tasks = splits(name)[split]
    if not tasks:
        raise UsageError(f"task set {name}: nothing is held out for {split!r}")
    _need_open(name, split)
    return SimTasks(f"{name}/{split}", tasks)


general = partial(sim_tasks, "general")
webshop = partial(sim_tasks, "webshop")
demo = partial(sim_tasks, "demo")


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
def splits(name: str) -> dict[str, tuple[Task, ...]]:
    """All splits of a set."""
    recipe = RECIPES[name]
    sources = [_Source(name, family, recipe.max_steps) for family in recipe.families]
    made: dict[str, tuple[Task, ...]] = {}
    for split in SPLITS:
        made[split] = tuple(_dealt(sources, split, recipe.train if split == "train" else recipe.test))
    return made


def _dealt(sources: Sequence[_Source], split: str, count: int) -> Iterable[Task]:
    """At most `count` tasks, the families in turn."""
    left = list(sources)
    while left:
        for source in tuple(left):
            task = source.next(split) if count else None
            if task is None:
                left.remove(source)
                continue
            yield task
            count -= 1


class _Source:
    """Tasks of one family, the same for ever, no goal and no instruction twice."""

    def __init__(self, name: str, family: Family, max_steps: int) -> None:
        self._name = name
        self._family = family
        self._max_steps = max_steps
        self._chance = random.Random(f"{name}/{family.name}")
        self._seen: set[str] = set()
        self._number = itertools.count()

    def next(self, split: str) -> Task | None:
        """A new task for a split; None when the family has none for it."""
        wordings = self._family.unseen if split == "test-templates" else self._family.wordings
        if not wordings:
            return None
        for _ in range(_DRAWS):
            params = self._family.draw(self._chance)
            if self._held_out(params) != (split == "test-apps"):
                if "shop" not in params:
                    return None
                continue
            goal = json.dumps(self._family.verify(params), sort_keys=True)
            instruction = self._chance.choice(wordings).format(**params)
            if goal not in self._seen and instruction not in self._seen:
                self._seen |= {goal, instruction}
                return self._task(split, instruction, params)
        return None

    def _held_out(self, params: Params) -> bool:
        return bool(HELD_OUT_APPS.intersection(self._family.apps)) or params.get("shop") == HELD_OUT_SHOP

    def _task(self, split: str, instruction: str, params: Params) -> Task:
        family = self._family
        setup: dict[str, Json] = {"seed": self._chance.randrange(1 << 30), "family": family.name, "params": params}
        if split == "test-version":
            setup["version"] = 2
        return Task(
            f"{self._name}/{split}/{family.name}/{next(self._number)}", family.name, instruction, self._max_steps,
            "sim", family.apps, setup, family.verify(params),
        )  # fmt: skip


@cache
def _need_open(name: str, split: str) -> None:
    """Raise UsageError for a task that is done before anything was."""
    for task in splits(name)[split]:
        if done(start_state(task), task):
            raise UsageError(f"task {task.id} ({task.instruction!r}) is done at its start: it measures nothing")
