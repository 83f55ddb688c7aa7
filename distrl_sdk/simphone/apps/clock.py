"""Clock: alarms, the time elsewhere, a stopwatch, a timer."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.cities import CITIES
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
    label: str = ""


@record
@dataclass(frozen=True, slots=True)
class Clock:
    """Alarms by time, cities, and what is running."""

    alarms: tuple[Alarm, ...] = ()
    timer: int = 0
    """Minutes; 0 = none."""
    cities: tuple[str, ...] = ()
    """By name."""
    started: int = 0
    """The tick at which the stopwatch was started; 0 = it stands still."""
    elapsed: int = 0
    """What it shows while it stands still: one second an action."""

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


LABELS = (
    "Gym", "Work", "School", "Medicine", "Train", "Breakfast", "Meeting", "Laundry", "Dog", "Swimming", "Rehearsal",
    "Market",
)  # fmt: skip
"""What alarms may be called."""


def _start(chance: random.Random) -> Clock:
    clock = Clock()
    for _ in range(chance.randint(2, 4)):
        alarm = Alarm(draw_time(chance), chance.random() < 0.6, chance.choice(("", "", *LABELS)))
        clock = clock.with_alarm(alarm)
    return replace(clock, cities=tuple(sorted(chance.sample(tuple(CITIES), k=3))))


def _layout(page: PageBuilder, clock: Clock) -> None:
    screen = page.screen
    match screen.page:
        case "new":
            page.bar("New alarm", ("save", "Save", ("save",)))
            page.field("time", "Time")
            page.field("label", "Label")
            page.paragraph("Enter hours and minutes, such as 07:30.")
        case "alarm":
            time = screen.args[0]
            page.bar("Edit alarm")
            page.paragraph(page.say("Alarm at {}", time))
            label = next((alarm.label for alarm in clock.alarms if alarm.time == time), "")
            if label:
                page.paragraph(page.say("Label: {}", label))
            page.button("delete", "Delete", ("dialog", "delete", time))
        case "timer":
            _timer(page, clock)
        case "watch":
            _watch(page, clock)
        case "world" | "cities" | "found":
            _world(page, clock)
        case _:
            _alarms(page, clock)
    if screen.dialog:
        time = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", time)))
        page.ask("Delete alarm?", page.say("The alarm at {} will be gone.", time), *buttons)


_TABS = (
    ("Alarms", ("tab", "main")), ("World", ("tab", "world")), ("Watch", ("tab", "watch")), ("Timer", ("tab", "timer")),
)  # fmt: skip


def _alarms(page: PageBuilder, clock: Clock) -> None:
    page.bar("Clock")
    for alarm in clock.alarms:
        body = Rect(0, 0, 800, ROW)
        detail = alarm.label or page.say("On" if alarm.on else "Off")
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


def _watch(page: PageBuilder, clock: Clock) -> None:
    page.bar("Clock")
    if clock.started:
        page.paragraph("The stopwatch is running")
        page.button("halt", "Stop", ("halt",))
    else:
        shown = f"{clock.elapsed // 60:02d}:{clock.elapsed % 60:02d}"
        page.place(Widget(Rect(48, 0, WIDTH - 48, 160), "readout", shown, "", "elapsed", "text"))
        page.skip(180)
        page.button("run", "Start", ("run",))
        page.button("reset", "Reset", ("reset",), "flat_wide")
    page.tabs("Watch", *_TABS)


def _world(page: PageBuilder, clock: Clock) -> None:
    if page.screen.page == "world":
        page.bar("Clock")
        for city in clock.cities:
            row, cross = Rect(0, 0, WIDTH - 168, ROW), Rect(WIDTH - 168, 0, WIDTH, ROW)
            page.place(Widget(row, "row", city, page.say("UTC{}", f"{CITIES[city]:+d}"), f"city:{city}", "item"))
            label = page.say("Remove {}", city)
            page.place(Widget(cross, "cross", label, "", f"gone:{city}", "button", ("gone", city)))
            page.skip(ROW)
        page.fab("add_city", "Add city", ("page", "cities"))
        page.tabs("World", *_TABS)
        return
    query = page.screen.args[0] if page.screen.page == "found" else ""
    page.bar(page.say("Results for {}", query) if query else "Add city")
    if not query:
        page.field("search", "Search cities")
    for city, hours in CITIES.items():
        if query.lower() in city.lower():
            page.row(f"take:{city}", city, ("take", city), page.say("UTC{}", f"{hours:+d}"))


def _react(state: PhoneState, event: Event) -> PhoneState:
    clock: Clock = state.apps["Clock"]
    match event:
        case ("save",) | ("enter", "time" | "label"):
            found = _TIME.fullmatch(state.top.draft("time").strip())
            if not found:
                return replace(state, toast=say(state.style, "Enter a time such as 07:30"))
            alarm = Alarm(f"{int(found[1]):02d}:{found[2]}", label=state.top.draft("label").strip())
            return state.with_app("Clock", clock.with_alarm(alarm)).pop()
        case ("toggle", time):
            alarm = next(alarm for alarm in clock.alarms if alarm.time == time)
            return state.with_app("Clock", clock.with_alarm(replace(alarm, on=not alarm.on)))
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
            return _react_beside(state, event)


def _react_beside(state: PhoneState, event: Event) -> PhoneState:
    """To what the world clock and the stopwatch mean."""
    clock: Clock = state.apps["Clock"]
    match event:
        case ("run",):
            return state.with_app("Clock", replace(clock, started=state.tick))
        case ("halt",):
            elapsed = clock.elapsed + state.tick - clock.started
            return state.with_app("Clock", replace(clock, started=0, elapsed=elapsed))
        case ("reset",):
            return state.with_app("Clock", replace(clock, elapsed=0))
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen("Clock", "found", (query,))) if query else state
        case ("take", city):
            taken = state.with_app("Clock", replace(clock, cities=tuple(sorted({*clock.cities, city}))))
            return taken.pop(2 if state.top.page == "found" else 1)
        case ("gone", city):
            return state.with_app("Clock", replace(clock, cities=tuple(one for one in clock.cities if one != city)))
        case _:
            return state


def _facts(clock: Clock) -> Mapping[str, Json]:
    return {
        "clock.alarms": [{"time": alarm.time, "on": alarm.on, "label": alarm.label} for alarm in clock.alarms],
        "clock.timer": clock.timer,
        "clock.cities": list(clock.cities),
        "clock.stopwatch": {"running": bool(clock.started), "elapsed": clock.elapsed},
    }


APP = App("Clock", "Clock", ("Clock",), _layout, _react, _start, _facts, {"new": "time", "cities": "search"})
