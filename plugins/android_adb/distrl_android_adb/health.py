"""Heat and charge of a phone: a shelf of phones is left alone for days, and lithium does not forgive."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from distrl_android_adb.options import Options
from distrl_android_adb.phone import Phone
from distrl_android_adb.screen import plain_digits
from distrl_sdk.errors import DeviceError

EVERY = 60.0
"""Seconds between two looks at the battery."""
_COOLER, _FULLER = 5.0, 15
"""Degrees below and percent above the limit at which a phone that rested goes on."""


class RestError(DeviceError):
    """The phone must rest; it is tried again later."""


@dataclass(frozen=True, slots=True)
class Battery:
    """What `dumpsys battery` says."""

    level: int | None
    """Percent."""
    celsius: float | None
    plugged: bool


def read_battery(dump: str) -> Battery:
    """None for what is not told."""
    text = plain_digits(dump)
    level = re.search(r"^\s*level: (\d+)", text, re.MULTILINE)
    heat = re.search(r"^\s*temperature: (-?\d+)", text, re.MULTILINE)
    powered = re.findall(r"^\s*(?:AC|USB|Wireless|Dock) powered: true", text, re.MULTILINE)
    return Battery(int(level[1]) if level else None, int(heat[1]) / 10 if heat else None, bool(powered))


class Health:
    """When one phone must rest, and when it has rested enough."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._due = 0.0
        self._resting = False

    def check(self, phone: Phone) -> None:
        """At most once a minute ask the battery. Raises RestError while the phone is too hot or too empty."""
        now = time.monotonic()
        if now < self._due and not self._resting:
            return
        self._due = now + EVERY
        trouble = self.trouble(read_battery(phone.link.ask("dumpsys", "battery").text))
        self._resting = bool(trouble)
        if trouble:
            raise RestError(f"{phone.link.serial} rests: {trouble}")

    def trouble(self, battery: Battery) -> str:
        """'' when the phone may work."""
        hottest = self._options.heat - (_COOLER if self._resting else 0.0)
        least = self._options.charge + (_FULLER if self._resting else 0)
        if battery.celsius is not None and battery.celsius > hottest:
            return f"its battery has {battery.celsius:g} °C, more than {hottest:g}"
        if battery.level is not None and battery.level < least and not battery.plugged:
            return f"its battery has {battery.level} %, less than {least}, and is not charging"
        if self._resting and battery.level is not None and battery.level < least:
            return f"its battery has {battery.level} %, less than {least}; it charges"
        return ""
