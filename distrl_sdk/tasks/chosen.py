"""The task sets of a run: what it trains on, and what it is tested with."""

from __future__ import annotations

from collections import Counter

from distrl_sdk.config import RunConfig
from distrl_sdk.errors import UsageError
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.plugins import task_set
from distrl_sdk.tasks.overlap import apart


def chosen(config: RunConfig) -> tuple[TaskSet, TaskSet | None]:
    """What to train on, less what `overlap` drops, and what is held out, if anything. Raises UsageError."""
    train, name = checked(config.tasks, config.judge), held_out(config)
    if name is None:
        return train, None
    tested = checked(name, config.judge)
    return apart(train, tested, config.overlap), tested


def held_out(config: RunConfig) -> str | None:
    """The name of the set to test with. auto: X/test for X/train, and nothing for other names."""
    if config.eval_tasks == "none" or config.eval_episodes == 0:
        return None
    if config.eval_tasks != "auto":
        return config.eval_tasks
    whole, slash, split = config.tasks.rpartition("/")
    return f"{whole}/test" if slash and split == "train" else None


def checked(name: str, judge: str) -> TaskSet:
    """The task set of that name. Raises UsageError for one that cannot be played, or not be judged by this judge."""
    found = task_set(name)
    if not found.tasks:
        raise UsageError(f"task set {name!r} has no tasks")
    twice = [task for task, count in Counter(task.id for task in found.tasks).items() if count > 1]
    if twice:
        raise UsageError(f"task set {name!r} has more than one task {twice[0]!r}: ids must differ")
    if short := [task.id for task in found.tasks if task.max_steps < 1]:
        raise UsageError(f"task {short[0]!r} of {name!r} allows no step: max_steps must be at least 1")
    if judge == "programmatic" and not any(task.verify for task in found.tasks):
        raise UsageError(
            f"the tasks of {name!r} have no checks, which the judge 'programmatic' reads: "
            "give a judge that looks at the screen, such as --judge gemini"
        )
    return found
