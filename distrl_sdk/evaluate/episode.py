"""What an evaluation keeps of an episode."""

from __future__ import annotations

from dataclasses import dataclass

from distrl_sdk.evaluate.failures import Outcome, claim_of, outcome_of
from distrl_sdk.types import Trajectory


@dataclass(frozen=True, slots=True)
class EvalEpisode:
    """One held-out task, played once."""

    task: str
    """The task's id."""
    family: str
    outcome: Outcome
    end: str
    """finish | step_limit | left_app | aborted"""
    attempt: int = 1
    """1, 2, ... of the same task."""
    blame: str = ""
    """For an aborted episode: whose fault it was."""
    claim: bool | None = None
    """What the agent's `Finish` claimed; None when it made none."""
    steps: int = 0
    seconds: float = 0.0
    """What the device took: reset, actions, looks."""
    side_effects: tuple[str, ...] = ()
    """Facts that changed although they must not."""
    trajectory: str = ""
    """The trajectory's id."""

    @classmethod
    def of(cls, trajectory: Trajectory, attempt: int = 1) -> EvalEpisode:
        """What an evaluation keeps of a trajectory."""
        outcome = outcome_of(trajectory)
        judged = outcome not in (Outcome.ABORTED, Outcome.UNJUDGED)
        return cls(
            task=trajectory.task.id,
            family=trajectory.task.family,
            outcome=outcome,
            end=trajectory.end.kind,
            attempt=attempt,
            blame=trajectory.end.blame,
            claim=claim_of(trajectory),
            steps=len(trajectory),
            seconds=float(trajectory.seconds.sum()),
            side_effects=trajectory.verdict.side_effects if judged and trajectory.verdict else (),
            trajectory=trajectory.id,
        )

    @property
    def success(self) -> bool | None:
        """None: aborted, or no verdict could be had. It never counts as a failure."""
        return None if self.outcome in (Outcome.ABORTED, Outcome.UNJUDGED) else self.outcome is Outcome.SUCCESS

    @property
    def false_complete(self) -> bool:
        """The agent claimed success and was judged wrong."""
        return self.claim is True and self.success is False

    @property
    def ending(self) -> str:
        """The outcome, and of an aborted episode whose fault it was: 'aborted: device'."""
        return f"{self.outcome}: {self.blame}" if self.outcome is Outcome.ABORTED and self.blame else str(self.outcome)
