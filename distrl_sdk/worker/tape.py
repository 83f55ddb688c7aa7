"""The columns of one episode, written as its steps come: one contiguous array a name, nothing stored twice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from distrl_sdk.types import Assignment, Decision, End, Features, Observation, Step, Trajectory, Verdict


class Tape:
    """Records the episode of one assignment on one slot."""

    def __init__(self, assignment: Assignment, slot: str = "") -> None:
        self.assignment = assignment
        self.slot = slot
        self.temperature = assignment.temperature
        self.steps: list[Step] = []
        self._decisions: list[Decision] = []
        self._columns: dict[str, npt.NDArray[np.generic]] = {}
        self._seconds: list[float] = []
        self._screens: list[int] = []
        self._pictures: list[bytes] = []

    def start(self, observation: Observation, features: Features, seconds: float) -> None:
        """Note the start state."""
        rows = self.assignment.task.max_steps + 1
        for name, array in features.items():
            self._columns[name] = np.empty((rows, *array.shape), array.dtype)
        self._look(observation, features, seconds)

    def advance(
        self, step: Step, decision: Decision, observation: Observation, features: Features, seconds: float
    ) -> None:
        """Note one finished step and the state it led to. Raises ValueError if the features changed their shape."""
        self._look(observation, features, seconds)
        self.steps.append(step)
        self._decisions.append(decision)

    def _look(self, observation: Observation, features: Features, seconds: float) -> None:
        row = len(self._seconds)
        if features.keys() != self._columns.keys():
            raise ValueError(f"a policy must give the same features at every moment; step {row} has others")
        for name, array in features.items():
            column = self._columns[name]
            if array.shape != column.shape[1:] or array.dtype != column.dtype:
                raise ValueError(f"feature {name} changed from {column.shape[1:]} to {array.shape} at step {row}")
            column[row] = array
        if self.assignment.record:
            self._pictures.append(observation.screenshot.encoded())
        self._screens.append(observation.fingerprint())
        self._seconds.append(seconds)

    def keep_final(self, observation: Observation) -> None:
        """Keep the end state's picture, if the assignment asks for it."""
        if self.assignment.keep_final and not self.assignment.record:
            self._pictures = [observation.screenshot.encoded()]

    def trajectory(self, end: End, verdict: Verdict | None = None) -> Trajectory:
        """The episode as a record, its arrays cut to the steps that were played."""
        assignment, decisions = self.assignment, self._decisions
        steps = len(self.steps)
        return Trajectory(
            id="",
            task=assignment.task,
            lane=assignment.lane,
            temperature=self.temperature,
            features={name: column[: steps + 1] for name, column in self._columns.items()},
            code=np.stack([d.code for d in decisions]).astype(np.int32) if steps else np.zeros((0, 0), np.int32),
            log_mu=np.array([d.log_mu for d in decisions], np.float32),
            log_pi=np.array([d.log_pi for d in decisions], np.float32),
            version=np.array([d.version for d in decisions], np.int32).reshape(steps, 2),
            invalid=np.array([step.invalid for step in self.steps], np.bool_),
            repeats=np.array([step.repeats for step in self.steps], np.int32),
            seconds=np.array(self._seconds or [0.0], np.float32),
            screens=np.array(self._screens or [0], np.uint32),
            actions=tuple(step.action for step in self.steps),
            end=end,
            verdict=verdict,
            pictures=tuple(self._pictures),
            slot=self.slot,
        )
