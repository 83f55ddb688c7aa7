"""Whether a split of simulated tasks is worth publishing figures of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from distrl_sdk.interfaces import Finding
from distrl_sdk.judge.checks import holds
from distrl_sdk.simphone import engine
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import start_state
from distrl_sdk.simphone.random_player import USUAL, random_success
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.tasks.overlap import shared
from distrl_sdk.types import Finish, Task

LUCK = {10: 0.02, 20: 0.01}
"""What a random player may reach at most, by the steps that a task allows."""
_ROUNDS = 2
"""Games of the random player for each task."""


def audit(tasks: Sequence[Task], others: Mapping[str, Sequence[Task]]) -> Iterator[Finding]:
    """One finding for each thing that is asked of a set; `others` are the set's other splits."""
    for name, other in others.items():
        pairs = shared(tasks, other)
        yield _finding(not pairs, f"{len(pairs)} of {len(tasks)} tasks are in {name}, too", _first(pairs))
    solved = [task for task in tasks if done(start_state(task), task)]
    yield _finding(not solved, f"{len(solved)} tasks are done at their start", _names(solved))
    unsolved = [task for task in tasks if not expert_solves(task)]
    yield _finding(not unsolved, f"the expert solves {len(tasks) - len(unsolved)} of {len(tasks)}", _names(unsolved))
    games = [random_success(task, seed) for seed in range(_ROUNDS) for task in tasks]
    rate, most = sum(games) / len(games), LUCK[tasks[0].max_steps]
    yield _finding(rate < most, f"a random player solves {rate:.2%} (at most {most:.0%} allowed)", "")


def done(state: PhoneState, task: Task) -> bool:
    """Whether every check of a task holds."""
    facts = facts_of(state, start_state(task))
    return all(holds(check, facts) for check in task.verify)


def expert_solves(task: Task) -> bool:
    """Whether the expert reaches the goal, within the steps, on a phone with the usual pop-ups and spinners."""
    state = start_state(task, USUAL)
    for _ in range(task.max_steps):
        action = next_action(state, task)
        if isinstance(action, Finish):
            return done(state, task)
        state = engine.act(state, action)
    return False


def _finding(fine: bool, what: str, which: str) -> Finding:
    return Finding("ok" if fine else "problem", what, "" if fine else which)


def _names(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{task.id} ({task.instruction})" for task in tasks[:5])


def _first(pairs: Sequence[tuple[Task, Task]]) -> str:
    return ", ".join(f"{one.id} as {other.id}" for one, other in pairs[:5])
