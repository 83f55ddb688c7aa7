"""Settings: sections of switches, levels and choices, all from one table."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json


class Setting(NamedTuple):
    """One thing that can be set. Without options it is a switch."""

    key: str
    label: str
    section: str
    """'' = on the first page itself."""
    options: tuple[str, ...] = ()


LEVELS = tuple(f"{percent}%" for percent in range(10, 101, 10))

TABLE = (
    Setting("airplane", "Airplane mode", ""),
    Setting("wifi", "Wi-Fi", "Network"),
    Setting("mobile_data", "Mobile data", "Network"),
    Setting("hotspot", "Hotspot", "Network"),
    Setting("data_saver", "Data saver", "Network"),
    Setting("roaming", "Roaming", "Network"),
    Setting("bluetooth", "Bluetooth", "Connected devices"),
    Setting("nfc", "NFC", "Connected devices"),
    Setting("cast", "Screen cast", "Connected devices"),
    Setting("nearby", "Nearby share", "Connected devices"),
    Setting("dark_mode", "Dark mode", "Display"),
    Setting("brightness", "Brightness", "Display", LEVELS),
    Setting("adaptive", "Adaptive brightness", "Display"),
    Setting("rotate", "Auto rotate", "Display"),
    Setting("timeout", "Screen timeout", "Display",
            ("15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes", "30 minutes")),
    Setting("font", "Font size", "Display", ("Small", "Default", "Large", "Largest")),
    Setting("wallpaper", "Wallpaper", "Display",
            ("Aurora", "Canyon", "Dunes", "Forest", "Glacier", "Lagoon", "Meadow", "Nebula", "Reef")),
    Setting("media_volume", "Media volume", "Sound", LEVELS),
    Setting("ring_volume", "Ring volume", "Sound", LEVELS),
    Setting("alarm_volume", "Alarm volume", "Sound", LEVELS),
    Setting("vibrate", "Vibrate for calls", "Sound"),
    Setting("touch_sounds", "Touch sounds", "Sound"),
    Setting("ringtone", "Ringtone", "Sound",
            ("Bamboo", "Beacon", "Chimes", "Cosmic", "Crystal", "Marimba", "Opening", "Pebbles", "Radar", "Ripple",
             "Sencha", "Silk", "Summit", "Twilight", "Uplift", "Waves")),
    Setting("do_not_disturb", "Do not disturb", "Notifications"),
    Setting("badges", "Icon badges", "Notifications"),
    Setting("bubbles", "Chat bubbles", "Notifications"),
    Setting("lock_alerts", "Lock screen alerts", "Notifications"),
    Setting("battery_saver", "Battery saver", "Battery"),
    Setting("percentage", "Battery percentage", "Battery"),
    Setting("location", "Location", "Privacy"),
    Setting("camera", "Camera access", "Privacy"),
    Setting("microphone", "Microphone access", "Privacy"),
    Setting("language", "Language", "System",
            ("Arabic", "Danish", "Dutch", "English", "Finnish", "French", "German", "Greek", "Hindi", "Italian",
             "Japanese", "Korean", "Norwegian", "Polish", "Portuguese", "Spanish", "Swedish", "Turkish")),
    Setting("updates", "Automatic updates", "System"),
    Setting("clock24", "24 hour clock", "System"),
    Setting("captions", "Live captions", "Accessibility"),
    Setting("magnify", "Magnifier", "Accessibility"),
    Setting("invert", "Invert colours", "Accessibility"),
)  # fmt: skip

SECTIONS = tuple(dict.fromkeys(setting.section for setting in TABLE if setting.section))
_BY_KEY = {setting.key: setting for setting in TABLE}


@record
@dataclass(frozen=True, slots=True)
class Settings:
    """What is set: a bool for a switch, one of the options for the rest."""

    values: tuple[tuple[str, bool | str], ...]

    def get(self, key: str) -> bool | str:
        """The value of one setting."""
        return next(value for name, value in self.values if name == key)

    def with_value(self, key: str, value: bool | str) -> Settings:
        """The same, one thing set otherwise."""
        return Settings(tuple((name, value if name == key else old) for name, old in self.values))


def _start(chance: random.Random) -> Settings:
    def value(setting: Setting) -> bool | str:
        if setting.options:
            return chance.choice(setting.options)
        return chance.random() < (0.15 if setting.key in ("airplane", "dark_mode") else 0.5)

    return Settings(tuple((setting.key, value(setting)) for setting in TABLE))


def _layout(page: PageBuilder, settings: Settings) -> None:
    screen = page.screen
    if screen.page == "choose":
        setting = _BY_KEY[screen.args[0]]
        page.bar(setting.label)
        for option in setting.options:
            chosen = settings.get(setting.key) == option
            page.option(f"option:{option}", option, chosen, ("choose", setting.key, option))
        return
    section = screen.args[0] if screen.args else ""
    page.bar(section or "Settings")
    for setting in TABLE:
        if setting.section != section:
            continue
        current = settings.get(setting.key)
        if isinstance(current, bool):
            page.switch(f"set:{setting.key}", setting.label, current, ("toggle", setting.key))
        else:
            page.row(f"set:{setting.key}", setting.label, ("page", "choose", setting.key), current)
    for name in () if section else SECTIONS:
        held = ", ".join(page.say(setting.label) for setting in TABLE if setting.section == name)
        page.row(f"section:{name}", name, ("page", "section", name), held, icon=name)


def _react(state: PhoneState, event: Event) -> PhoneState:
    settings: Settings = state.apps["Settings"]
    match event:
        case ("toggle", key):
            return state.with_app("Settings", settings.with_value(key, not settings.get(key)))
        case ("choose", key, option):
            toast = say(state.style, "{} set", say(state.style, option))
            return replace(state.with_app("Settings", settings.with_value(key, option)).pop(), toast=toast)
        case _:
            return state


def _facts(settings: Settings) -> Mapping[str, Json]:
    return {f"settings.{key}": value for key, value in settings.values}


APP = App("Settings", "Settings", ("Settings",), _layout, _react, _start, _facts)
