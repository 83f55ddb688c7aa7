"""Families in the shade: quick settings and notifications."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.settings_table import TABLE
from distrl_sdk.simphone.apps.shade import EVENTS, FILES, TILES, Notice
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Hit,
    Params,
    Pull,
    Route,
    Turn,
    equals,
    lacks,
    only,
)
from distrl_sdk.simphone.names import APPS, draw_person
from distrl_sdk.simphone.state import HOME, SHADE, PhoneState
from distrl_sdk.types import Json

_NOTICES = "shade.notifications"
_LABELS = {setting.key: setting.label for setting in TABLE} | {"flashlight": "Flashlight"}
_NAMED = {
    "call": "the missed call from {}", "message": "the new message from {}", "update": "the update of {}",
    "event": "the upcoming event {}", "download": "the download of {}",
}  # fmt: skip
_MOST = 3
"""Other notifications beside the one of a task: all fit on one screen."""


def _fact(key: str) -> str:
    return "shade.flashlight" if key == "flashlight" else f"settings.{key}"


def _turned(state: PhoneState, key: str, on: bool) -> PhoneState:
    if key == "flashlight":
        return state.with_app(SHADE, replace(state.apps[SHADE], flashlight=on))
    return state.with_app("Settings", state.apps["Settings"].with_value(key, on))


def _draw_two(chance: random.Random) -> dict[str, Json]:
    keys, on = chance.sample(TILES, k=2), chance.random() < 0.5
    first, second = (_LABELS[key] for key in keys)
    return {"keys": keys, "on": on, "first": first, "second": second, "word": "on" if on else "off"}


def _prepare_tiles(state: PhoneState, params: Params) -> PhoneState:
    for key in params["keys"]:
        state = _turned(state, key, not params["on"])
    return state


def _verify_tiles(params: Params) -> tuple[Check, ...]:
    facts = [_fact(key) for key in params["keys"]]
    return *(equals(fact, params["on"]) for fact in facts), only(*facts)


def _route_tiles(params: Params) -> Route:
    return {
        (HOME, "main"): (Pull(),),
        (SHADE, "main"): tuple(Turn(f"quick:{key}", params["on"]) for key in params["keys"]),
    }


def _draw_notice(chance: random.Random) -> dict[str, Json]:
    kind = chance.choice(tuple(_NAMED))
    if kind in ("call", "message"):
        about = draw_person(chance)
    else:
        about = chance.choice({"update": APPS, "event": EVENTS, "download": FILES}[kind])
    return {"kind": kind, "about": about, "what": _NAMED[kind].format(about)}


def _with_notice(state: PhoneState, params: Params) -> PhoneState:
    shade, wanted = state.apps[SHADE], Notice(params["kind"], params["about"])
    others = [notice for notice in shade.notices if notice != wanted][:_MOST]
    others.insert(state.seed % (len(others) + 1), wanted)
    return state.with_app(SHADE, replace(shade, notices=tuple(others)))


def _verify_notice(params: Params) -> tuple[Check, ...]:
    gone = {"kind": params["kind"], "about": params["about"]}
    return lacks(_NOTICES, gone), equals(f"{_NOTICES}.grown", -1), only(_NOTICES)


def _route_notice(params: Params) -> Route:
    return {(HOME, "main"): (Pull(),), (SHADE, "main"): (Hit(f"gone:{params['kind']}:{params['about']}"),)}


QUICK_PAIR = Family(
    "quick_pair", ("Settings",),
    ("Turn {word} both {first} and {second} in the quick settings",
     "From the shade, switch {word} {first} and also {second}",
     "Pull down the quick settings and turn {first} and {second} {word}",
     "I want {first} and {second} to be {word}, use the quick settings"),
    _draw_two, _prepare_tiles, _verify_tiles, _route_tiles,
    ("Both {first} and {second} should be {word}: do it in the shade",
     "Quick settings, please: {first} {word} and {second} {word}"),
)  # fmt: skip
CLEAR_NOTIFICATION = Family(
    "clear_notification", (),
    ("Dismiss the notification about {what}", "Clear {what} from the notifications and leave the others",
     "Pull down the shade and get rid of {what}", "I have seen {what}, remove only that notification"),
    _draw_notice, _with_notice, _verify_notice, _route_notice,
    ("Take {what} off my list of notifications", "The notification of {what} can go, the others stay"),
)  # fmt: skip
