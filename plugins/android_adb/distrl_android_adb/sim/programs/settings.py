"""settings: the tables system, secure and global. Some rows are the drawn phone's own settings."""

from __future__ import annotations

from collections.abc import Mapping

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.shell import Call, Outcome, failed, said

_SWITCHES: Mapping[tuple[str, str], str] = {
    ("global", "airplane_mode_on"): "airplane",
    ("global", "wifi_on"): "wifi",
    ("global", "bluetooth_on"): "bluetooth",
    ("global", "mobile_data"): "mobile_data",
    ("global", "data_roaming"): "roaming",
    ("global", "low_power"): "battery_saver",
    ("global", "zen_mode"): "do_not_disturb",
    ("secure", "night_display_activated"): "night_light",
    ("secure", "accessibility_display_inversion_enabled"): "invert",
    ("secure", "accessibility_display_magnification_enabled"): "magnify",
    ("secure", "notification_badging"): "badges",
    ("secure", "lock_screen_show_notifications"): "lock_alerts",
    ("system", "screen_brightness_mode"): "adaptive",
    ("system", "vibrate_when_ringing"): "vibrate",
    ("system", "sound_effects_enabled"): "touch_sounds",
}
"""(namespace, row) -> a switch of simphone's settings: 1 or 0."""
_LEVELS: Mapping[tuple[str, str], tuple[str, int]] = {
    ("system", "screen_brightness"): ("brightness", 255),
    ("system", "volume_music_speaker"): ("media_volume", 15),
    ("system", "volume_ring_speaker"): ("ring_volume", 7),
    ("system", "volume_alarm_speaker"): ("alarm_volume", 7),
}
"""(namespace, row) -> (a level in percent, the row's number at 100 %)."""
_NIGHT = ("secure", "ui_night_mode")


def settings(call: Call) -> Outcome:
    """get, put, delete, list. What is not set is the word null."""
    words = list(call.arguments)
    if words[:1] == ["--user"]:
        del words[:2]
    match words:
        case [verb, namespace, *rest] if namespace.lower() in call.android.guest.settings:
            return _answer(call.android, verb, namespace.lower(), rest)
        case [verb, *_] if verb in ("get", "put", "delete", "list"):
            return failed("Invalid namespace. Must be one of: system, secure, global\n", 255)
        case _:
            return failed("Bad arguments\n", 255)


def _answer(android: Android, verb: str, namespace: str, rest: list[str]) -> Outcome:
    table = android.guest.settings[namespace]
    match verb, rest:
        case "get", [key]:
            return said(f"{read(android, namespace, key)}\n")
        case "put", [key, value, *_]:
            put(android, namespace, key, value)
            return Outcome()
        case "delete", [key]:
            return said(f"Deleted {int(table.pop(key, None) is not None)} rows\n")
        case "list", []:
            return said("".join(f"{key}={read(android, namespace, key)}\n" for key in names(android, namespace)))
        case _:
            return failed("Bad arguments\n", 255)


def names(android: Android, namespace: str) -> list[str]:
    """The rows of a namespace."""
    own = (key for space, key in (*_SWITCHES, *_LEVELS, _NIGHT) if space == namespace)
    return sorted({*android.guest.settings[namespace], *own})


def read(android: Android, namespace: str, key: str) -> str:
    """The value of a row; 'null' when it has none."""
    own = android.phone.apps["Settings"]
    if (namespace, key) in _SWITCHES:
        return str(int(bool(own.get(_SWITCHES[namespace, key]))))
    if (namespace, key) in _LEVELS:
        level, most = _LEVELS[namespace, key]
        return str(round(int(str(own.get(level)).rstrip("%")) * most / 100))
    if (namespace, key) == _NIGHT:
        return "2" if own.get("dark_mode") else "1"
    return android.guest.settings[namespace].get(key, "null")


def put(android: Android, namespace: str, key: str, value: str) -> None:
    """Set a row, and what it stands for."""
    own = android.phone.apps["Settings"]
    if (namespace, key) in _SWITCHES:
        own = own.with_value(_SWITCHES[namespace, key], value not in ("0", "false", ""))
    elif (namespace, key) in _LEVELS and value.isdigit():
        level, most = _LEVELS[namespace, key]
        own = own.with_value(level, f"{max(10, min(100, 10 * round(10 * int(value) / most)))}%")
    elif (namespace, key) == _NIGHT:
        own = own.with_value("dark_mode", value == "2")
    else:
        android.guest.settings[namespace][key] = value
        return
    android.phone = android.phone.with_app("Settings", own)
