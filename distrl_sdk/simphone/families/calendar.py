"""Families in the calendar."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.calendar import HOURS, MONTHS, Appointment, Calendar, days_in, draw_title
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Params,
    Place,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.names import draw_person
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_EVENTS, _REMINDERS = "calendar.events", "calendar.reminders"


def _draw(chance: random.Random) -> dict[str, Json]:
    """An event, and the month that the calendar opens with: its own, or one beside it."""
    month = chance.randrange(12)
    day = f"{chance.randint(1, days_in(month))} {MONTHS[month]}"
    opened = (month + chance.choice((0, 0, 0, -1, 1))) % 12
    return {"title": draw_title(chance), "day": day, "time": chance.choice(HOURS), "opened": MONTHS[opened]}


def _event(params: Params) -> Appointment:
    return Appointment(params["title"], params["day"], params["time"])


def _told(params: Params) -> dict[str, Json]:
    return {"title": params["title"], "day": params["day"], "time": params["time"]}


def _other_title(chance: random.Random, title: str) -> str:
    """The same with somebody else."""
    return f"{title.rpartition(' ')[0]} {draw_person(chance).split()[0]}"


def _without(state: PhoneState, params: Params) -> PhoneState:
    """A calendar that opens in the month, without events at the time."""
    calendar: Calendar = state.apps["Calendar"]
    day, time = params["day"], params["time"]
    events = tuple(event for event in calendar.events if (event.day, event.time) != (day, time))
    today = f"{1 + state.seed % 28} {params['opened']}"
    return state.with_app("Calendar", replace(calendar, today=today, events=events))


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The event, one of a like title on its day, and one of its title on another day."""
    chance = random.Random(state.seed)
    state = _without(state, params)
    calendar: Calendar = state.apps["Calendar"]
    title, day, time = params["title"], params["day"], params["time"]
    month = day.partition(" ")[2]
    beside = Appointment(_other_title(chance, title), day, chance.choice([hour for hour in HOURS if hour != time]))
    again = Appointment(title, f"{chance.randint(1, 28)} {month}", chance.choice(HOURS))
    for event in (beside, again, _event(params)):
        calendar = calendar.with_event(event)
    return state.with_app("Calendar", calendar)


def _to_day(params: Params, places: Route) -> Route:
    """From whatever month is shown to the day's own, and to the day."""
    number, _, name = params["day"].partition(" ")
    goal = MONTHS.index(name)
    months: dict[Place, tuple[Hit, ...]] = {}
    for month, title in enumerate(MONTHS):
        turn = "next" if (goal - month) % 12 <= 6 else "previous"
        move = Hit(f"day:{number}" if month == goal else turn)
        months["Calendar", "month", str(month)] = (move,)
        if title == params["opened"]:
            months["Calendar", "main"] = (move,)
    return from_home("Calendar", {**months, **places})


def _route_add(params: Params) -> Route:
    day, time = params["day"], params["time"]
    return _to_day(params, {
        ("Calendar", "day", day): (Hit(f"slot:{time}"),),
        ("Calendar", "new", day, time): (Fill("heading", params["title"]), Hit("save")),
    })  # fmt: skip


def _at_event(params: Params, name: str) -> Route:
    day, time, title = key = _event(params).key
    return _to_day(params, {
        ("Calendar", "day", day): (Hit(f"event:{time} {title}"),),
        ("Calendar", "event", *key): (Hit(name),),
        ("Calendar", "event", *key, "!"): (Hit("confirm" if name == "delete" else "cancel"),),
    })  # fmt: skip


def _verify_add(params: Params) -> tuple[Check, ...]:
    return has(_EVENTS, _told(params)), equals(f"{_EVENTS}.grown", 1), only(_EVENTS)


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return lacks(_EVENTS, _told(params)), equals(f"{_EVENTS}.grown", -1), only(_EVENTS)


def _verify_remind(params: Params) -> tuple[Check, ...]:
    return has(_REMINDERS, _told(params)), equals(f"{_REMINDERS}.grown", 1), only(_REMINDERS)


ADD_EVENT = Family(
    "add_event", ("Calendar",),
    ("Add {title} on {day} at {time} to the calendar", "Put {title} into the calendar for {day} at {time}",
     "New event on {day} , {time} : {title}", "Plan {title} for {day} , {time} in the calendar"),
    _draw, _without, _verify_add, _route_add,
    ("I have {title} on {day} at {time} , keep it in my calendar",
     "On {day} at {time} there is {title} , note that date"),
)  # fmt: skip
DELETE_EVENT = Family(
    "delete_event", ("Calendar",),
    ("Delete {title} on {day} at {time} from the calendar", "Remove the event {title} of {day} , {time}",
     "{title} on {day} at {time} is cancelled, delete it", "Take {title} on {day} , {time} out of the calendar"),
    _draw, _with, _verify_delete, lambda p: _at_event(p, "delete"),
    ("Nothing comes of {title} on {day} at {time} , clear it from my calendar",
     "My calendar shall not have {title} on {day} at {time} any more"),
)  # fmt: skip
REMIND_EVENT = Family(
    "remind_event", ("Calendar",),
    ("Turn on the reminder for {title} on {day} at {time}", "Remind me of {title} on {day} , {time}",
     "Set a reminder for the event {title} of {day} at {time}",
     "In the calendar switch on the reminder of {title} , {day} , {time}"),
    _draw, _with, _verify_remind, lambda p: _at_event(p, "reminder"),
    ("I must not forget {title} on {day} at {time} , let the calendar remind me",
     "The event {title} on {day} at {time} should have a reminder"),
)  # fmt: skip
