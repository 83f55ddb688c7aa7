"""wm: the display's size and density."""

from __future__ import annotations

import re

from distrl_android_adb.sim.shell import Call, Outcome, failed, said


def wm(call: Call) -> Outcome:
    """size, density, dismiss-keyguard."""
    android = call.android
    match call.arguments:
        case ("size",):
            width, height = android.size()
            override = android.guest.override
            more = f"Override size: {override[0]}x{override[1]}\n" if override else ""
            return said(f"Physical size: {width}x{height}\n{more}")
        case ("size", "reset"):
            android.guest.override = None
        case ("size", wanted) if re.fullmatch(r"\d+x\d+", wanted):
            width, height = map(int, wanted.split("x"))
            android.guest.override = width, height
        case ("density",):
            return said(f"Physical density: {round(420 * android.options.scale)}\n")
        case ("dismiss-keyguard",):
            android.guest.locked = False
        case _:
            return failed(f"Unknown command: {' '.join(call.arguments)}\n", 255)
    return Outcome()
