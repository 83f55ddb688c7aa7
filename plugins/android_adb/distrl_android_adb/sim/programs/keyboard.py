"""ime: the input methods."""

from __future__ import annotations

import asyncio

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.options import ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD, spent
from distrl_android_adb.sim.shell import Call, Outcome, failed, said


def ime(call: Call) -> Outcome:
    """list [-a] [-s], enable, disable, set, reset."""
    android = call.android
    secure = android.guest.settings["secure"]
    enabled = _enabled(android)
    match call.arguments:
        case ("list", *flags):
            shown = keyboards(android) if "-a" in flags else [one for one in keyboards(android) if one in enabled]
            return said("".join(f"{one}\n" if "-s" in flags else f"{one}:\n  mId={one}\n" for one in shown))
        case ("enable", name):
            if name not in keyboards(android) or android.faults.unknown_keyboard:
                android.faults.unknown_keyboard = spent(android.faults.unknown_keyboard)
                return failed(f"Unknown input method {name} cannot be enabled for user #0\n", 255)
            secure["enabled_input_methods"] = ":".join(dict.fromkeys((*enabled, name)))
            return said(f"Input method {name}: now enabled for user #0\n")
        case ("disable", name):
            secure["enabled_input_methods"] = ":".join(one for one in enabled if one != name)
            if secure.get("default_input_method") == name:
                secure["default_input_method"] = next((one for one in enabled if one != name), "")
            return said(f"Input method {name}: now disabled for user #0\n")
        case ("set", name):
            if name not in enabled:
                return failed(f"Unknown input method {name} cannot be selected for user #0\n", 255)
            _select(android, name)
            return said(f"Input method {name} selected for user #0\n")
        case ("reset",):
            first = android.options.keyboards[0]
            secure["default_input_method"] = secure["enabled_input_methods"] = first
            return said(f"Reset current and enabled IMEs for user #0\n  Newly selected: {first}\n")
        case _:
            return failed(f"Unknown command: {' '.join(call.arguments)}\n", 255)


def keyboards(android: Android) -> list[str]:
    """Those whose package is installed."""
    guest = android.guest
    later = (name for name in (ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD) if name.partition("/")[0] in guest.foreign)
    known = dict.fromkeys((*android.options.keyboards, *later))
    return [name for name in known if name.partition("/")[0] not in guest.removed | guest.disabled]


def _enabled(android: Android) -> list[str]:
    listed = android.guest.settings["secure"].get("enabled_input_methods", "")
    return [name for name in listed.split(":") if name]


def _select(android: Android, name: str) -> None:
    secure = android.guest.settings["secure"]
    seconds = android.faults.keyboard_seconds * android.options.pace
    if seconds > 0:
        asyncio.get_running_loop().call_later(seconds, secure.__setitem__, "default_input_method", name)
    else:
        secure["default_input_method"] = name
