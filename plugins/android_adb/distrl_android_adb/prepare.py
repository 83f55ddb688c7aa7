"""What is changed on a phone while it is used, and its undoing, also after kill -9.

Before anything is changed, how it was is written to a journal, one a phone. The journal is removed once all of it was
put back: when the device is closed, or else before it is used again.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from distrl_android_adb.folder import file_name, state_folder, write_safely
from distrl_android_adb.link import Link
from distrl_android_adb.settings import Setting, read_setting, same_value, write_setting
from distrl_sdk.errors import DeviceError, blame

CHANGES = (
    Setting("global", "window_animation_scale", "0"),
    Setting("global", "transition_animation_scale", "0"),
    Setting("global", "animator_duration_scale", "0"),
    Setting("global", "heads_up_notifications_enabled", "0"),
    Setting("global", "stay_on_while_plugged_in", "7"),
    Setting("system", "screen_off_timeout", "1800000"),
    Setting("system", "accelerometer_rotation", "0"),
    Setting("system", "user_rotation", "0"),
    Setting("system", "show_touches", "0"),
    Setting("system", "pointer_location", "0"),
)
"""What is set on every phone."""

WATCHED = (("secure", "default_input_method"), ("secure", "enabled_input_methods"))
"""What may change while text is typed."""


class Preparation:
    """The changes of one phone, by its identity."""

    def __init__(self, identity: str, folder: Path | None = None) -> None:
        self.path = (folder or state_folder()) / f"{file_name(identity)}.journal"

    def apply(self, link: Link) -> None:
        """Put back what an earlier use left, then note how everything stands and change it. Raises DeviceError."""
        self.undo(link)
        places = [*((change.space, change.name) for change in CHANGES), *WATCHED]
        before = [read_setting(link, space, name) for space, name in places]
        with blame(DeviceError, f"writing {self.path}"):
            write_safely(self.path, json.dumps([asdict(setting) for setting in before]))
        for change in CHANGES:
            write_setting(link, change)

    def undo(self, link: Link) -> int:
        """Put back what the journal names; returns how many settings that were. Raises DeviceError; can be repeated."""
        undone = 0
        for setting in self.pending():
            now = read_setting(link, setting.space, setting.name)
            if not same_value(now.value, setting.value):
                write_setting(link, setting)
                undone += 1
        self.path.unlink(missing_ok=True)
        return undone

    def pending(self) -> list[Setting]:
        """What is to be put back. Raises DeviceError for a journal that cannot be read."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        with blame(DeviceError, f"{self.path} cannot be read: look at the phone's settings, then remove the file"):
            return [Setting(**row) for row in json.loads(text)]
