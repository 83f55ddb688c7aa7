"""The roles that plugins play. Protocols: nothing to inherit.

Where a role handles torch tensors its types are named under TYPE_CHECKING only, so that this module loads fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from distrl_sdk.types import (
    Action,
    Code,
    Decision,
    Demonstration,
    DeviceAbout,
    Features,
    Json,
    JudgeRequest,
    Moment,
    Observation,
    Task,
    Verdict,
)

if TYPE_CHECKING:
    import torch


@runtime_checkable
class Device(Protocol):
    """One phone, leased to one slot, used from one thread at a time. Any method may raise; that aborts the episode."""

    @property
    def about(self) -> DeviceAbout: ...

    def reset(self, task: Task) -> Observation:
        """Go to the task's start state and look."""
        ...

    def perform(self, action: Action) -> Observation:
        """Act once, let the screen settle, look. `Finish` changes nothing."""
        ...

    def close(self) -> None:
        """Let go of the phone. Safe to call twice."""
        ...


@runtime_checkable
class Snapshots(Protocol):
    """A device that can go back to a state it was in."""

    def save(self) -> bytes: ...

    def restore(self, state: bytes) -> Observation: ...


@runtime_checkable
class StateFacts(Protocol):
    """A device that can tell facts about its state, for programmatic judges."""

    def facts(self, task: Task) -> Mapping[str, Json]:
        """Named facts of the present state; reading them changes nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of `distrl doctor`."""

    state: Literal["ok", "warning", "problem"]
    what: str
    remedy: str = ""


class DeviceSource(Protocol):
    """Where the devices of one scheme (sim:, android:, ...) come from."""

    def expand(self, spec: str) -> list[str]:
        """The addresses meant by what stands after the scheme. Opens nothing. Raises UsageError for a bad spec."""
        ...

    def open(self, address: str) -> Device: ...

    def doctor(self) -> list[Finding]: ...

    def close(self) -> None: ...


class Judge(Protocol):
    """Says whether an episode reached its goal."""

    @property
    def needs_device(self) -> bool:
        """True: runs on the worker at the end state, with the device's facts. False: runs beside the learner."""
        ...

    def judge(self, request: JudgeRequest) -> Verdict:
        """A verdict, or one with success None. Called from several threads. May raise: the episode stays unjudged."""
        ...

    def close(self) -> None: ...


class TaskSet(Protocol):
    """Tasks under a name such as 'general/train'."""

    @property
    def name(self) -> str: ...

    @property
    def tasks(self) -> Sequence[Task]: ...

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:
        """Up to `count` worked solutions, spread over the families; empty when the set has none."""
        ...


@runtime_checkable
class Audited(Protocol):
    """A task set that can check itself: `distrl tasks NAME --check`."""

    def audit(self) -> Iterator[Finding]:
        """What is right and wrong with it, as it is found."""
        ...


class Command(Protocol):
    """A verb of the command line that a plugin brings."""

    @property
    def about(self) -> str:
        """What it does, for the list of `distrl --help`, which makes every command: that must be cheap."""
        ...

    def run(self, arguments: Sequence[str]) -> int:
        """Do it; returns the exit status. A DistrlError is printed as one line: status 2 for a UsageError, else 1."""
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """What a policy says now of a batch of recorded actions."""

    log_pi: torch.Tensor
    """[B, T]: log pi(a|s) at temperature 1; any finite number where the mask does not hold."""
    entropy: torch.Tensor
    """[B, T]: of the whole action."""
    state: torch.Tensor
    """[B, T, D]: an encoding of each moment, for the critics."""


@runtime_checkable
class Policy(Protocol):
    """An agent; a torch.nn.Module. Workers load it without the learner."""

    @property
    def state_size(self) -> int:
        """D of `Score.state`."""
        ...

    def featurize(self, moment: Moment) -> Features:
        """What is to be remembered of a moment: arrays of fixed shapes. Worker side, any thread."""
        ...

    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        """One decision for each moment; temperature 0 is greedy (log_mu 0)."""
        ...

    def encode_action(self, features: Features, action: Action) -> Code | None:
        """The code of a foreign action (of a demonstration), or None if the policy cannot say it."""
        ...

    def score(self, features: Mapping[str, torch.Tensor], code: torch.Tensor, mask: torch.Tensor) -> Score:
        """features each [B, T, ...], code [B, T, C], mask [B, T] bool: the steps that count, the rest is padding."""
        ...


@runtime_checkable
class Varies(Protocol):
    """A policy that can make variants of a demonstrated moment in which the same action is right."""

    def vary(self, features: Mapping[str, torch.Tensor], generator: torch.Generator) -> dict[str, torch.Tensor]:
        """features each [N, ...] -> the same names and shapes; arrays that did not change are the same objects."""
        ...
