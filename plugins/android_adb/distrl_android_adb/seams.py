"""Where safety and tasks plug into a device. The device asks; who answers is chosen when it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from distrl_android_adb.look import Look
from distrl_android_adb.phone import Phone
from distrl_sdk.types import Action, Json, Task


class Guard(Protocol):
    """Says what must not be done, and sees to what must not be seen."""

    def begin(self, phone: Phone, task: Task) -> None:
        """A reset begins: what this episode may use follows from its task."""
        ...

    def before_action(self, look: Look, action: Action) -> str:
        """'' when the action may be performed, else why not; `look` is what it was chosen from."""
        ...

    def after_look(self, phone: Phone, look: Look) -> Look:
        """What the agent and the records get instead of the look. May act on the phone, such as press HOME.

        Raises DeviceError to end the episode without any look.
        """
        ...


class Chores(Protocol):
    """Makes a task's start state, and tells facts for its judge."""

    def setup(self, phone: Phone, task: Task) -> None:
        """Bring about what `task.setup` says. Apps were stopped and HOME is shown. Raises DeviceError, UsageError."""
        ...

    def facts(self, phone: Phone, task: Task) -> Mapping[str, Json]:
        """Named facts of the present state; reading them changes nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Seams:
    """Who answers the device."""

    guard: Guard | None = None
    """None: everything may be done and seen."""
    chores: Chores | None = None
    """None: tasks start at the home screen and tell no facts."""
