"""What a learner tells its workers to set up, as it stands in the WELCOME."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from distrl_sdk.types import Json
from distrl_sdk.wire.codec import from_plain


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

    @classmethod
    def of(cls, welcome: Mapping[str, Json]) -> Specs:
        """The specs in a welcome, which may hold more. Raises WireError when they are not there."""
        return from_plain(cls, {each.name: welcome[each.name] for each in fields(cls) if each.name in welcome})
