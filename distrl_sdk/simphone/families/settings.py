"""Families in the settings: switches, levels, choices."""

from __future__ import annotations

import random

from distrl_sdk.simphone.apps.settings_table import LEVELS, TABLE, Setting
from distrl_sdk.simphone.families.family import Check, Family, Hit, Params, Route, equals, from_home, only
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_BY_KEY = {setting.key: setting for setting in TABLE}
_ALIASES = {
    "airplane": "flight mode", "dark_mode": "night theme", "rotate": "screen rotation", "captions": "subtitles",
    "hotspot": "tethering", "location": "GPS", "updates": "system updates by night", "find_phone": "phone tracking",
    "bubbles": "floating chats", "magnify": "magnifying glass", "lift": "raise to wake", "mono": "one-channel sound",
}  # fmt: skip
"""Other words for a setting, which its label does not share."""


def _draw_switch(chance: random.Random) -> dict[str, Json]:
    setting = chance.choice([one for one in TABLE if not one.options])
    on = chance.random() < 0.5
    label = _ALIASES[setting.key] if setting.key in _ALIASES and chance.random() < 0.5 else setting.label
    word, able = ("on", "Enable") if on else ("off", "Disable")
    return {"key": setting.key, "label": label, "value": on, "word": word, "able": able}


def _draw_level(chance: random.Random) -> dict[str, Json]:
    return _draw_option(chance, [one for one in TABLE if one.options == LEVELS])


def _draw_choice(chance: random.Random) -> dict[str, Json]:
    return _draw_option(chance, [one for one in TABLE if one.options not in ((), LEVELS)])


def _draw_option(chance: random.Random, settings: list[Setting]) -> dict[str, Json]:
    setting = chance.choice(settings)
    return {"key": setting.key, "label": setting.label.lower(), "value": chance.choice(setting.options)}


def _prepare(state: PhoneState, params: Params) -> PhoneState:
    setting, value = _BY_KEY[params["key"]], params["value"]
    options = setting.options or (False, True)
    other = options[(options.index(value) + 1) % len(options)]
    return state.with_app("Settings", state.apps["Settings"].with_value(setting.key, other))


def _verify(params: Params) -> tuple[Check, ...]:
    fact = f"settings.{params['key']}"
    return equals(fact, params["value"]), only(fact)


def _route(params: Params) -> Route:
    setting = _BY_KEY[params["key"]]
    hit = (Hit(f"set:{setting.key}"),)
    main = (Hit(f"section:{setting.section}"),) if setting.section else hit
    return from_home("Settings", {
        ("Settings", "main"): main,
        ("Settings", "section", setting.section): hit,
        ("Settings", "choose", setting.key): (Hit(f"option:{params['value']}"),),
    })  # fmt: skip


TOGGLE_SWITCH = Family(
    "toggle_switch", ("Settings",),
    ("Turn {word} {label}", "Turn {label} {word} in the settings", "{able} {label}", "{able} {label} in settings",
     "Switch {label} {word}", "I want {label} to be {word}"),
    _draw_switch, _prepare, _verify, _route,
    ("Make sure that {label} is {word}", "Set {label} to {word}", "Please have {label} {word} from now on"),
)  # fmt: skip
SET_LEVEL = Family(
    "set_level", ("Settings",),
    ("Set the {label} to {value}", "Change {label} to {value}", "Put the {label} at {value} in settings",
     "Make the {label} {value}"),
    _draw_level, _prepare, _verify, _route,
    ("I would like the {label} at {value}", "{value} would be right for the {label}"),
)  # fmt: skip
CHOOSE_OPTION = Family(
    "choose_option", ("Settings",),
    ("Set the {label} to {value}", "Change the {label} to {value} in settings", "Choose {value} as the {label}",
     "Pick {value} for the {label}", "I would like {value} as my {label}"),
    _draw_choice, _prepare, _verify, _route,
    ("Let the {label} be {value}", "Go to the {label} and take {value}"),
)  # fmt: skip
