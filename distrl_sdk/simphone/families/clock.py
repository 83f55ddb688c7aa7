"""Families in the clock: alarms and the timer."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.cities import CITIES
from distrl_sdk.simphone.apps.clock import LABELS, Alarm, draw_time
from distrl_sdk.simphone.families.family import (
    Check,
    Enter,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    Turn,
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
_TABS = {
    ("Clock", "main"): "Alarms",
    ("Clock", "world"): "World",
    ("Clock", "watch"): "Watch",
    ("Clock", "timer"): "Timer",
}


def _to(tab: str) -> Route:
    """From the other tabs to one of them."""
    return {place: (Hit(f"tab:{tab}"),) for place, other in _TABS.items() if other != tab}


_TO_ALARMS = _to("Alarms")


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
        **_TO_ALARMS,
        ("Clock", "main"): (Hit("add"),),
        ("Clock", "new"): (Fill("time", params["time"]), Hit("save")),
    })  # fmt: skip


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return lacks(_ALARMS, {"time": params["time"]}), equals(_GROWN, -1), only(_ALARMS)


def _route_delete(params: Params) -> Route:
    time = params["time"]
    return from_home("Clock", {
        **_TO_ALARMS,
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
        **_to("Timer"),
        ("Clock", "timer"): (Fill("minutes", str(params["minutes"])), Enter("minutes")),
    })  # fmt: skip


def _draw_toggle(chance: random.Random) -> dict[str, Json]:
    time, on, label = draw_time(chance), chance.random() < 0.5, chance.choice(LABELS)
    what = f"the {time} alarm" if chance.random() < 0.6 else f"the alarm labelled {label}"
    return {"time": time, "label": label, "on": on, "what": what, "word": "on" if on else "off"}


def _with_other(state: PhoneState, params: Params) -> PhoneState:
    clock = state.apps["Clock"]
    others = tuple(replace(one, label="") if one.label == params["label"] else one for one in clock.alarms)
    alarm = Alarm(params["time"], not params["on"], params["label"])
    return state.with_app("Clock", replace(clock, alarms=others).with_alarm(alarm))


def _verify_toggle(params: Params) -> tuple[Check, ...]:
    alarm = {"time": params["time"], "on": params["on"], "label": params["label"]}
    return has(_ALARMS, alarm), equals(_GROWN, 0), only(_ALARMS)


def _route_toggle(params: Params) -> Route:
    switch = Turn(f"switch:{params['time']}", params["on"])
    return from_home("Clock", {**_TO_ALARMS, ("Clock", "main"): (switch,)})


def _draw_city(chance: random.Random) -> dict[str, Json]:
    return {"city": chance.choice(tuple(CITIES))}


def _without_city(state: PhoneState, params: Params) -> PhoneState:
    clock = state.apps["Clock"]
    cities = tuple(city for city in clock.cities if city != params["city"])
    return state.with_app("Clock", replace(clock, cities=cities))


def _verify_city(params: Params) -> tuple[Check, ...]:
    return has("clock.cities", params["city"]), equals("clock.cities.grown", 1), only("clock.cities")


def _route_city(params: Params) -> Route:
    city = params["city"]
    return from_home("Clock", {
        **_to("World"),
        ("Clock", "world"): (Hit("add_city"),),
        ("Clock", "cities"): (Fill("search", city), Enter("search")),
        ("Clock", "found", city): (Hit(f"take:{city}"),),
    })  # fmt: skip


CREATE_ALARM = Family(
    "create_alarm", ("Clock",),
    ("Set an alarm for {time}", "Create an alarm at {time} in the clock", "Wake me up at {time} tomorrow",
     "Add a {time} alarm", "I need an alarm at {time} please"),
    _draw_time, _without, _verify_create, _route_create,
    ("Have the clock ring at {time}", "Let the phone get me up at {time} , set that in the clock"),
)  # fmt: skip
DELETE_ALARM = Family(
    "delete_alarm", ("Clock",),
    ("Delete the {time} alarm", "Remove the alarm at {time} from the clock", "I no longer need the {time} alarm",
     "Get rid of my alarm at {time}"),
    _draw_time, _with, _verify_delete, _route_delete,
    ("Take the {time} alarm off the list for good", "I will never again get up at {time}, so delete that alarm"),
)  # fmt: skip
START_TIMER = Family(
    "start_timer", ("Clock",),
    ("Start a timer for {minutes} minutes", "Set the timer to {minutes} minutes", "Count down {minutes} minutes",
     "Run a {minutes} minute timer in the clock"),
    _draw_minutes, _without_timer, _verify_timer, _route_timer,
    ("My tea needs {minutes} minutes, start a timer", "Let the timer ring after {minutes} minutes"),
)  # fmt: skip
TOGGLE_ALARM = Family(
    "toggle_alarm", ("Clock",),
    ("Turn {word} {what}", "Switch {what} {word} but keep it", "In the clock, turn {what} {word}",
     "I want {what} to be {word}"),
    _draw_toggle, _with_other, _verify_toggle, _route_toggle,
    ("Make sure that {what} is {word}", "{word} is how {what} should be from now on"),
)  # fmt: skip
ADD_CITY = Family(
    "add_city", ("Clock",),
    ("Add {city} to the world clock", "Show me the time of {city} in the clock",
     "Put {city} on the list of world times", "I call people in {city} a lot, add it to the clock"),
    _draw_city, _without_city, _verify_city, _route_city,
    ("Let the clock tell how late it is in {city} too", "The clock should also have the time in {city}"),
)  # fmt: skip
