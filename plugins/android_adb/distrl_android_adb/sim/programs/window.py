"""wm: the display's size, density and rotation, and the keyguard."""

from __future__ import annotations

import re

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.shell import Call, Outcome, failed, said

_DENSITY = 420
"""Of the whole 1080 pixels."""


def wm(call: Call) -> Outcome:
    """size, density, dismiss-keyguard, set-user-rotation, user-rotation."""
    android, guest = call.android, call.android.guest
    match [word for word in call.arguments if word not in ("-d", "0") or call.arguments[0] == "user-rotation"]:
        case ["size"]:
            more = f"Override size: {guest.size[0]}x{guest.size[1]}\n" if guest.size else ""
            width, height = android.natural_size()
            return said(f"Physical size: {width}x{height}\n{more}")
        case ["size", "reset"]:
            guest.size = None
        case ["size", wanted] if re.fullmatch(r"[1-9]\d{1,4}x[1-9]\d{1,4}", wanted):
            width, height = map(int, wanted.split("x"))
            guest.size = width, height
        case ["density"]:
            more = f"Override density: {guest.density}\n" if guest.density else ""
            return said(f"Physical density: {natural_density(android)}\n{more}")
        case ["density", "reset"]:
            guest.density = None
        case ["density", wanted] if wanted.isdigit():
            guest.density = int(wanted)
        case ["dismiss-keyguard"]:
            guest.locked = guest.locked and not guest.awake
        case ["user-rotation" | "set-user-rotation", *words]:
            return _rotate(android, words)
        case _:
            return failed(f"Error: bad arguments {' '.join(call.arguments)}\n", 255)
    return Outcome()


def natural_density(android: Android) -> int:
    """Dots an inch that it was built with."""
    return round(_DENSITY * android.options.scale)


def _rotate(android: Android, words: list[str]) -> Outcome:
    system = android.guest.settings["system"]
    match words:
        case []:
            locked = system.get("accelerometer_rotation") == "0"
            return said(f"lock {android.display.rotation}\n" if locked else "free\n")
        case ["free"]:
            system["accelerometer_rotation"] = "1"
        case ["lock", *turn]:
            system["accelerometer_rotation"] = "0"
            system["user_rotation"] = turn[0] if turn else str(android.display.rotation)
        case _:
            return failed(f"Error: bad arguments {' '.join(words)}\n", 255)
    return Outcome()
