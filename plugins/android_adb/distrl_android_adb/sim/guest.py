"""All that a simulated Android remembers: what a snapshot keeps and a restart may lose."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from distrl_sdk.simphone.state import PhoneState


class File(NamedTuple):
    """A file of the phone."""

    content: bytes
    mode: int = 0o100644
    changed: int = 0
    """Seconds since 1970."""


def _settings() -> dict[str, dict[str, str]]:
    return {
        "system": {"accelerometer_rotation": "0", "user_rotation": "0", "screen_off_timeout": "60000"},
        "secure": {"default_input_method": LATIN_IME, "enabled_input_methods": LATIN_IME},
        "global": {
            "window_animation_scale": "1.0",
            "transition_animation_scale": "1.0",
            "animator_duration_scale": "1.0",
            "device_provisioned": "1",
        },
    }


LATIN_IME = "com.android.inputmethod.latin/.LatinIME"


@dataclass(slots=True)
class Guest:
    """Mutable; `copy` is what a snapshot holds."""

    phone: PhoneState
    settings: dict[str, dict[str, str]] = field(default_factory=_settings)
    props: dict[str, str] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    override: tuple[int, int] | None = None
    """`wm size` of somebody."""
    awake: bool = True
    locked: bool = False
    root: bool = False
    clock: float = 0.0
    """Seconds by which the phone's time is ahead of ours."""

    def copy(self) -> Guest:
        """The same, which changes no more with this one. The phone's state is a value and shared."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        phone = own.pop("phone")
        return Guest(phone, **copy.deepcopy(own))

    def now(self) -> float:
        """Seconds since 1970, by the phone's clock."""
        return time.time() + self.clock
