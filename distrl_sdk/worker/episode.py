"""Playing one episode: from an assignment to a trajectory. Knows no thread, no socket, no model.

An episode always becomes a Trajectory, also when it is aborted: then it holds the steps that were finished before
the failure (none if the reset failed; `features` is then empty), and it never trains.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Literal, Protocol

from distrl_sdk.errors import DeviceError, DistrlError, UsageError
from distrl_sdk.interfaces import Device, Judge
from distrl_sdk.types import (
    ACTION_KINDS,
    Action,
    Assignment,
    Decision,
    DeviceAbout,
    End,
    Features,
    Finish,
    Json,
    JudgeRequest,
    Moment,
    Observation,
    Step,
    Task,
    Trajectory,
    TypeText,
    Verdict,
    Version,
)
from distrl_sdk.worker.tape import Tape


class Chooser(Protocol):
    """What chooses the actions of an episode."""

    def featurize(self, moment: Moment) -> Features:
        """What is to be remembered of the moment: `Policy.featurize`."""
        ...

    def prepare(self, assignment: Assignment) -> None:
        """Get ready for an episode, before its device is touched: the weights that it must be played with."""
        ...

    def decide(self, features: Features, temperature: float, pinned: Version | None, seed: int) -> Decision:
        """Blocks until the choice is made: by the newest weights, or by the pinned ones. `seed`: of this decision."""
        ...


def never() -> bool:
    """For episodes that nobody will stop."""
    return False


def play(
    assignment: Assignment,
    device: Device,
    chooser: Chooser,
    judge: Judge | None = None,
    *,
    slot: str = "",
    stopping: Callable[[], bool] = never,
) -> Trajectory:
    """Play one episode to its end. Never raises for what the device, the chooser or the judge do.

    `judge` is asked at the end state, with the device's facts, unless the episode was aborted or left its
    apps. `stopping` is looked at before each step. The trajectory's id is left empty for the outbox to give.
    """
    tape = Tape(assignment, slot)
    try:
        end, final = _steps(tape, device, chooser, stopping)
    except _AbortedError as aborted:
        return tape.trajectory(aborted.end)
    return tape.trajectory(end, _verdict(judge, device, tape, end, final))


def _steps(tape: Tape, device: Device, chooser: Chooser, stopping: Callable[[], bool]) -> tuple[End, Observation]:
    """Reset and act until the episode ends; returns how, and the end state."""
    assignment, task = tape.assignment, tape.assignment.task
    with _blaming("worker"):
        chooser.prepare(assignment)
    about = device.about
    observation, seconds = _look(partial(device.reset, task))
    features = _featurize(chooser, Moment(about, task, observation))
    with _blaming("worker"):
        tape.start(observation, features, seconds)
    while len(tape.steps) < task.max_steps:
        if stopping():
            raise _AbortedError(End("aborted", "worker", "the worker was stopped"))
        with _blaming("worker"):
            seed = seed_of(assignment, len(tape.steps))
            decision = chooser.decide(features, tape.temperature, assignment.pinned, seed)
            step = judged_step(tape.steps, about, observation, decision.action)
        if ACTION_KINDS[type(decision.action)] in about.actions:
            observation, seconds = _look(partial(device.perform, decision.action))
            step = replace(step, invalid=step.invalid or bool(observation.refused))
        else:
            seconds = 0.0
        features = _featurize(chooser, Moment(about, task, observation, (*tape.steps, step)))
        with _blaming("worker"):
            tape.advance(step, decision, observation, features, seconds)
        if isinstance(decision.action, Finish) or observation.left:
            break
    with _blaming("device"):
        tape.keep_final(observation)
    return _end(tape, observation), observation


def _end(tape: Tape, final: Observation) -> End:
    if final.left:
        return End("left_app", message=f"left its apps for {final.left}")
    finished = bool(tape.steps) and isinstance(tape.steps[-1].action, Finish)
    return End("finish" if finished else "step_limit")


def seed_of(assignment: Assignment, step: int) -> int:
    """Of one decision, from the assignment's."""
    return zlib.crc32(f"{assignment.seed}/{step}".encode())


def judged_step(before: list[Step], about: DeviceAbout, observation: Observation, action: Action) -> Step:
    """The step with its local marks: whether the action can have an effect, and how often it was just repeated."""
    repeats = 0
    for earlier in reversed(before):
        if earlier.action != action or not same_screen(earlier.observation, observation):
            break
        repeats += 1
    return Step(observation, action, has_no_effect(action, observation, about), repeats)


def has_no_effect(action: Action, observation: Observation, about: DeviceAbout) -> bool:
    """Whether the action is of a kind that the device lacks, types nothing, or types where no field has the focus."""
    if ACTION_KINDS[type(action)] not in about.actions:
        return True
    if not isinstance(action, TypeText):
        return False
    if not action.text:
        return True
    if observation.elements is None or observation.keyboard:
        return False
    return not any(element.editable and element.focused for element in observation.elements)


def same_screen(one: Observation, other: Observation) -> bool:
    """Whether two observations show the same: by elements and app, or pixel by pixel where there are no elements."""
    if one is other:
        return True
    if one.app != other.app or (one.elements is None) != (other.elements is None):
        return False
    if one.elements is not None:
        return one.elements == other.elements
    return one.screenshot.pixels().tobytes() == other.screenshot.pixels().tobytes()


class _AbortedError(Exception):
    def __init__(self, end: End) -> None:
        super().__init__(end.message)
        self.end = end


@contextmanager
def _blaming(who: Literal["device", "worker"]) -> Iterator[None]:
    """Turn any failure into the end of the episode; a UsageError is the user's fault."""
    try:
        yield
    except UsageError as error:
        raise _AbortedError(End("aborted", "user", str(error))) from error
    except Exception as error:
        raise _AbortedError(End("aborted", who, _said(error))) from error


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, DistrlError) else f"{type(error).__name__}: {error}"


def _look(call: Callable[[], Observation]) -> tuple[Observation, float]:
    """One call of the device, and the seconds it took: by its own account, or measured."""
    start = time.perf_counter()
    with _blaming("device"):
        observation = call()
        if not isinstance(observation, Observation):
            raise DeviceError(f"a device returned {type(observation).__name__} instead of an Observation")
    return observation, observation.seconds if observation.seconds > 0 else time.perf_counter() - start


def _featurize(chooser: Chooser, moment: Moment) -> Features:
    with _blaming("worker"):
        return chooser.featurize(moment)


def _verdict(judge: Judge | None, device: Device, tape: Tape, end: End, final: Observation) -> Verdict | None:
    """None: the learner has it judged. Who left its apps has failed, whatever it reached in them."""
    if end.kind == "left_app":
        return Verdict(False, end.message, "apps")
    return _ask(judge, device, tape, end, final) if judge is not None else None


def _ask(judge: Judge, device: Device, tape: Tape, end: End, final: Observation) -> Verdict:
    """The judge's verdict; one without success when it or the device's facts fail."""
    task = tape.assignment.task
    start = time.perf_counter()
    try:
        facts = _facts(device, task)
        return judge.judge(JudgeRequest(task, tuple(step.action for step in tape.steps), end, final, facts))
    except Exception as error:
        return Verdict(None, _said(error), seconds=time.perf_counter() - start)


def _facts(device: Device, task: Task) -> Mapping[str, Json] | None:
    ask = getattr(device, "facts", None)
    return ask(task) if ask is not None else None
