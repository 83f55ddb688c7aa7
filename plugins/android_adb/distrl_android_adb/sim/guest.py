"""All that a simulated Android remembers: what a snapshot keeps."""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from distrl_android_adb.sim.options import LATIN_IME
from distrl_sdk.simphone.state import PhoneState


class File(NamedTuple):
    """A file of the phone."""

    content: bytes
    mode: int = 0o100644
    changed: int = 0
    """Seconds since 1970."""


@dataclass(slots=True)
class Battery:
    """What stands in dumpsys battery."""

    level: int = 100
    tenths: int = 271
    """Degrees Celsius times ten."""
    plugged: bool = True


def _settings() -> dict[str, dict[str, str]]:
    return {
        "system": {
            "accelerometer_rotation": "0",
            "user_rotation": "0",
            "screen_off_timeout": "60000",
            "show_touches": "0",
            "pointer_location": "0",
            "font_scale": "1.0",
        },
        "secure": {
            "default_input_method": LATIN_IME,
            "enabled_input_methods": LATIN_IME,
            "user_setup_complete": "1",
            "show_ime_with_hard_keyboard": "1",
        },
        "global": {
            "window_animation_scale": "1.0",
            "transition_animation_scale": "1.0",
            "animator_duration_scale": "1.0",
            "device_provisioned": "1",
            "auto_time": "1",
            "auto_time_zone": "1",
            "adb_enabled": "1",
            "stay_on_while_plugged_in": "0",
            "heads_up_notifications_enabled": "1",
        },
    }


@dataclass(slots=True)
class Guest:
    """Mutable; `copy` is what a snapshot holds."""

    phone: PhoneState
    start: PhoneState
    """That of the task that was prepared last, for facts that changed."""
    settings: dict[str, dict[str, str]] = field(default_factory=_settings)
    props: dict[str, str] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    """Those that were made; what lies in others tells of them."""
    grants: dict[str, set[str]] = field(default_factory=dict)
    """Package -> permissions that it was given."""
    foreign: set[str] = field(default_factory=set)
    """Installed packages that are no apps of simphone."""
    removed: set[str] = field(default_factory=set)
    """Packages that came with the phone and were uninstalled."""
    disabled: set[str] = field(default_factory=set)
    battery: Battery = field(default_factory=Battery)
    size: tuple[int, int] | None = None
    """`wm size` of somebody."""
    density: int | None = None
    awake: bool = True
    locked: bool = False
    root: bool = False
    selected: bool = False
    """All the text of the field with the focus is selected."""
    clock: float = 0.0
    """Seconds by which the phone's time is ahead of ours."""

    def copy(self) -> Guest:
        """The same, which changes no more with this one. Its states are values and shared."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        phone, start = own.pop("phone"), own.pop("start")
        return Guest(phone, start, **copy.deepcopy(own))

    def now(self) -> float:
        """Seconds since 1970, by the phone's clock."""
        return time.time() + self.clock
