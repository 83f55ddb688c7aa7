"""Clock: alarms, and a timer."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_TIME = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")


@record
@dataclass(frozen=True, slots=True)
class Alarm:
    """One alarm."""

    time: str
    """HH:MM"""
    on: bool = True


@record
@dataclass(frozen=True, slots=True)
class Clock:
    """Alarms by time, and the running timer in minutes; 0 = none."""

    alarms: tuple[Alarm, ...] = ()
    timer: int = 0

    def with_alarm(self, alarm: Alarm) -> Clock:
        """One alarm more, or the one of its time replaced."""
        kept = tuple(old for old in self.alarms if old.time != alarm.time)
        return replace(self, alarms=tuple(sorted((*kept, alarm), key=lambda one: one.time)))

    def without(self, time: str) -> Clock:
        """One alarm less."""
        return replace(self, alarms=tuple(alarm for alarm in self.alarms if alarm.time != time))


def draw_time(chance: random.Random) -> str:
    """A time of day at five minutes' pace."""
    return f"{chance.randrange(24):02d}:{5 * chance.randrange(12):02d}"


def _start(chance: random.Random) -> Clock:
    clock = Clock()
    for _ in range(chance.randint(2, 4)):
        clock = clock.with_alarm(Alarm(draw_time(chance), chance.random() < 0.6))
    return clock


def _layout(page: PageBuilder, clock: Clock) -> None:
    screen = page.screen
    match screen.page:
        case "new":
            page.bar("New alarm", ("save", "Save", ("save",)))
            page.field("time", "Time")
            page.paragraph("Enter hours and minutes, such as 07:30.")
        case "alarm":
            time = screen.args[0]
            page.bar("Edit alarm")
            page.paragraph(page.say("Alarm at {}", time))
            page.button("delete", "Delete", ("dialog", "delete", time))
        case "timer":
            _timer(page, clock)
        case _:
            _alarms(page, clock)
    if screen.dialog:
        time = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", time)))
        page.ask("Delete alarm?", page.say("The alarm at {} will be gone.", time), *buttons)


_TABS = (("Alarms", ("tab", "main")), ("Timer", ("tab", "timer")))


def _alarms(page: PageBuilder, clock: Clock) -> None:
    page.bar("Clock")
    for alarm in clock.alarms:
        body = Rect(0, 0, 800, ROW)
        detail = page.say("On" if alarm.on else "Off")
        page.place(
            Widget(body, "row", alarm.time, detail, f"alarm:{alarm.time}", "item", ("page", "alarm", alarm.time))
        )
        box = Rect(800, 0, WIDTH, ROW)
        name = f"switch:{alarm.time}"
        page.place(
            Widget(
                box, "toggle", page.say("{} alarm", alarm.time), "", name, "switch", ("toggle", alarm.time), alarm.on
            )
        )
        page.skip(ROW)
    page.fab("add", "Add alarm", ("page", "new"))
    page.tabs("Alarms", *_TABS)


def _timer(page: PageBuilder, clock: Clock) -> None:
    page.bar("Clock")
    if clock.timer:
        page.paragraph(page.say("Timer running: {} minutes", clock.timer))
        page.button("stop", "Stop", ("stop",))
    else:
        page.field("minutes", "Minutes")
        page.button("start", "Start", ("start",))
    page.tabs("Timer", *_TABS)


def _react(state: PhoneState, event: Event) -> PhoneState:
    clock: Clock = state.apps["Clock"]
    match event:
        case ("save",) | ("enter", "time"):
            found = _TIME.fullmatch(state.top.draft("time").strip())
            if not found:
                return replace(state, toast=say(state.style, "Enter a time such as 07:30"))
            alarm = Alarm(f"{int(found[1]):02d}:{found[2]}")
            return state.with_app("Clock", clock.with_alarm(alarm)).pop()
        case ("toggle", time):
            on = next(alarm.on for alarm in clock.alarms if alarm.time == time)
            return state.with_app("Clock", clock.with_alarm(Alarm(time, not on)))
        case ("delete", time):
            return state.with_app("Clock", clock.without(time)).pop()
        case ("tab", page):
            return state.with_top(Screen("Clock", page))
        case ("start",) | ("enter", "minutes"):
            typed = state.top.draft("minutes").strip()
            if not (typed.isascii() and typed.isdigit() and 0 < int(typed) < 1000):
                return replace(state, toast=say(state.style, "Enter minutes from 1 to 999"))
            return state.with_app("Clock", replace(clock, timer=int(typed))).with_top(Screen("Clock", "timer"))
        case ("stop",):
            return state.with_app("Clock", replace(clock, timer=0))
        case _:
            return state


def _facts(clock: Clock) -> Mapping[str, Json]:
    return {
        "clock.alarms": [{"time": alarm.time, "on": alarm.on} for alarm in clock.alarms],
        "clock.timer": clock.timer,
    }


APP = App("Clock", "Clock", ("Clock",), _layout, _react, _start, _facts, {"new": "time"})
