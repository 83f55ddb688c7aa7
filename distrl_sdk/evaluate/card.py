"""The card of an evaluation: what it was made of, so that it can be made again and what differs can be named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.types import Json, Task
from distrl_sdk.wire.plain import to_plain


@dataclass(frozen=True, slots=True)
class Card:
    """All that decides how an evaluation comes out, and where and when it was made. Hashes are SHA-256, in hex."""

    tasks: str
    """The task set's name."""
    tasks_hash: str
    """Of the tasks that were to be played, in their order, as canonical JSON."""
    count: int
    """How many tasks."""
    attempts: int
    """Episodes a task."""
    temperature: float
    seed: int
    """From which every attempt's own seed follows."""
    policy: str
    policy_options: Mapping[str, Json]
    weights: str
    """Hash of the published weights: the bytes of the safetensors file."""
    config: str
    """Hash of the run's settings as canonical JSON; without a run, of the trainer's."""
    judge: str
    judge_options: Mapping[str, Json]
    fleet: str
    """The fleet's spec."""
    run: str
    """The run's folder, '' when there was none."""
    machine: Machine
    """With the versions of distrl-sdk, torch and Python."""
    date: str
    """UTC, ISO 8601."""

    def changes(self, old: Card) -> list[str]:
        """What of this card is unlike an old one, a line each: the name, the value now and the value then.

        Machine and date are no part of it; versions are.
        """
        return [
            f"{name}: {_shown(now)} now, {_shown(then)} on the card"
            for (name, now), (_, then) in zip(self._identity(), old._identity(), strict=True)
            if now != then
        ]

    def _identity(self) -> Iterable[tuple[str, Json]]:
        machine = self.machine
        return (
            ("weights", self.weights),
            ("tasks", [self.tasks, self.count, self.tasks_hash]),
            ("seed", self.seed),
            ("attempts", self.attempts),
            ("temperature", self.temperature),
            ("versions", {"distrl-sdk": machine.distrl, "torch": machine.torch, "python": machine.python}),
            ("fleet", self.fleet),
            ("policy", [self.policy, self.policy_options]),
            ("judge", [self.judge, self.judge_options]),
            ("config", self.config),
        )


def hash_of(plain: Json) -> str:
    """SHA-256 of a plain value as canonical JSON: keys in order, no blanks, whole numbers as such (2.0 is 2)."""
    text = json.dumps(_canonical(plain), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def hash_tasks(tasks: Iterable[Task]) -> str:
    """The hash of tasks in their order, with all that they say."""
    return hash_of([to_plain(task) for task in tasks])


def _canonical(plain: Json) -> Json:
    if isinstance(plain, Mapping):
        return {str(key): _canonical(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_canonical(value) for value in plain]
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain


def _shown(value: Json) -> str:
    """A value on one line, hashes cut to what tells them apart."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items()) or "no options"
    if isinstance(value, list):
        return " ".join(_shown(each) for each in value)
    text = str(value)
    return text[:12] if len(text) == 64 and set(text) <= set("0123456789abcdef") else text
