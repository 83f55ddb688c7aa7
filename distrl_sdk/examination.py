"""An evaluation from its plan to its result with a card, inside a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from distrl_sdk.evaluate.card import Card, hash_of, hash_tasks
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.result import EvalResult
from distrl_sdk.learner.exam import Played, attempts
from distrl_sdk.session import Session, Setting
from distrl_sdk.types import Json, Task


@dataclass(frozen=True)
class Plan:
    """What is to be played, and how."""

    name: str
    """The task set's."""
    tasks: Sequence[Task]
    attempts: int = 1
    """Episodes a task."""
    temperature: float = 0.0
    """0: the likeliest action, always."""
    seed: int = 0
    """From which every attempt's own seed follows."""


@dataclass(frozen=True)
class Origin:
    """Where the weights come from."""

    run: str
    """The run's folder, '' without one."""
    settings: Mapping[str, Json]
    """All that the run was told."""


def examine(
    session: Session, setting: Setting, plan: Plan, origin: Origin, title: str = "", record: Iterable[str] = ()
) -> tuple[EvalResult, list[Played]]:
    """Play the plan with the newest published weights. `title` is shown meanwhile; `record`: see Exam."""
    card = _card(session, setting, plan, origin)
    wanted = attempts(plan.tasks, plan.attempts, plan.seed)
    played = session.play(wanted, title or plan.name, plan.temperature, record)
    episodes = tuple(EvalEpisode.of(trajectory, attempt.number) for attempt, trajectory in played)
    return EvalResult(episodes, session.publisher.version, card), played


def _card(session: Session, setting: Setting, plan: Plan, origin: Origin) -> Card:
    learner, config = setting.learner, setting.config
    return Card(
        tasks=plan.name,
        tasks_hash=hash_tasks(plan.tasks),
        count=len(plan.tasks),
        attempts=plan.attempts,
        temperature=plan.temperature,
        seed=plan.seed,
        policy=learner.policy_name,
        policy_options=learner.policy_options,
        weights=session.publisher.sha256,
        config=hash_of(origin.settings),
        judge=config.judge,
        judge_options=config.judge_options,
        fleet=setting.fleet.spec,
        run=origin.run,
        machine=Machine.here(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )
