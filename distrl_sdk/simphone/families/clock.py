"""Families in the clock: alarms and the timer."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.clock import Alarm, draw_time
from distrl_sdk.simphone.families.family import (
    Check,
    Enter,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_ALARMS = "clock.alarms"
_GROWN = "clock.alarms.grown"


def _draw_time(chance: random.Random) -> dict[str, Json]:
    return {"time": draw_time(chance)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Clock", state.apps["Clock"].without(params["time"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Clock", state.apps["Clock"].with_alarm(Alarm(params["time"])))


def _verify_create(params: Params) -> tuple[Check, ...]:
    return has(_ALARMS, {"time": params["time"], "on": True}), equals(_GROWN, 1), only(_ALARMS)


def _route_create(params: Params) -> Route:
    return from_home("Clock", {
        ("Clock", "timer"): (Hit("tab:Alarms"),),
        ("Clock", "main"): (Hit("add"),),
        ("Clock", "new"): (Fill("time", params["time"]), Hit("save")),
    })  # fmt: skip


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return lacks(_ALARMS, {"time": params["time"]}), equals(_GROWN, -1), only(_ALARMS)


def _route_delete(params: Params) -> Route:
    time = params["time"]
    return from_home("Clock", {
        ("Clock", "timer"): (Hit("tab:Alarms"),),
        ("Clock", "main"): (Hit(f"alarm:{time}"),),
        ("Clock", "alarm", time): (Hit("delete"),),
        ("Clock", "alarm", time, "!"): (Hit("confirm"),),
    })  # fmt: skip


def _draw_minutes(chance: random.Random) -> dict[str, Json]:
    return {"minutes": chance.randint(2, 180)}


def _without_timer(state: PhoneState, params: Params) -> PhoneState:
    del params
    return state.with_app("Clock", replace(state.apps["Clock"], timer=0))


def _verify_timer(params: Params) -> tuple[Check, ...]:
    return equals("clock.timer", params["minutes"]), only("clock.timer")


def _route_timer(params: Params) -> Route:
    return from_home("Clock", {
        ("Clock", "main"): (Hit("tab:Timer"),),
        ("Clock", "timer"): (Fill("minutes", str(params["minutes"])), Enter("minutes")),
    })  # fmt: skip


CREATE_ALARM = Family(
    "create_alarm", ("Clock",),
    ("Set an alarm for {time}", "Create an alarm at {time} in the clock", "Wake me up at {time} tomorrow",
     "Add a {time} alarm", "I need an alarm at {time} please"),
    _draw_time, _without, _verify_create, _route_create,
)  # fmt: skip
DELETE_ALARM = Family(
    "delete_alarm", ("Clock",),
    ("Delete the {time} alarm", "Remove the alarm at {time} from the clock", "I no longer need the {time} alarm",
     "Get rid of my alarm at {time}"),
    _draw_time, _with, _verify_delete, _route_delete,
)  # fmt: skip
START_TIMER = Family(
    "start_timer", ("Clock",),
    ("Start a timer for {minutes} minutes", "Set the timer to {minutes} minutes", "Count down {minutes} minutes",
     "Run a {minutes} minute timer in the clock"),
    _draw_minutes, _without_timer, _verify_timer, _route_timer,
)  # fmt: skip
