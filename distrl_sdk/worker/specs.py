"""What a worker is told: by whoever starts it, and by the learner that welcomes it. Loads no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias

from distrl_sdk.errors import DistrlError
from distrl_sdk.fleet import DeviceAddress
from distrl_sdk.types import Json
from distrl_sdk.wire.codec import from_plain
from distrl_sdk.wire.keys import WorkerKey

Ends: TypeAlias = "SimpleQueue[str | DistrlError]"
"""Where reasons to end are put: by signals, the parent's death, the learner's STOP, or a link that cannot go on."""


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What a worker is started with."""

    connect: str
    """The learner's address."""
    devices: tuple[DeviceAddress, ...]
    id: str
    outbox: Path
    """Of this worker alone."""
    key: WorkerKey | None = None
    """For tcp addresses: what `distrl keys` made."""
    deadline: float = 120.0
    """Seconds that one call of a device may take."""
    patience: float = 5.0
    """Seconds that the worker gives its slots, and then the learner, when it ends."""


@dataclass(frozen=True, slots=True)
class Named:
    """Something that the worker makes from its own plugins."""

    name: str
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Specs:
    """The part of a WELCOME's specs that the worker itself acts on."""

    policy: Named
    judge: Named | None = None
    """A judge with needs_device; None when the learner judges."""
    seed: int = 0
    exact: bool = False
    """An episode must depend on its assignment alone: not on the other slots, nor on time."""

    @classmethod
    def of(cls, welcome: Mapping[str, Json]) -> Specs:
        """The specs in a welcome, which may hold more. Raises WireError when they are not there."""
        return from_plain(cls, {each.name: welcome[each.name] for each in fields(cls) if each.name in welcome})
