"""Calendar: the months of one year as grids, days as lists of hours, events.

The year is 2031 on every phone, and which day is today belongs to the record: no clock is asked.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from distrl_sdk.simphone.apps.app import App, variants
from distrl_sdk.simphone.names import draw_person
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

YEAR = 2031
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEK = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOURS = tuple(f"{hour:02d}:00" for hour in range(8, 21))
_KINDS = (
    "Breakfast", "Call", "Chess", "Coffee", "Dinner", "Interview", "Lesson", "Lunch", "Meeting", "Rehearsal",
    "Tennis", "Walk",
)  # fmt: skip
_SLOT = 118
_COLUMN = (WIDTH - 48) // 7


@record
@dataclass(frozen=True, slots=True)
class Appointment:
    """One event. Two may share everything but one of title, day and time."""

    title: str
    day: str
    """As in '14 May'."""
    time: str
    """HH:00"""
    reminder: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from all others."""
        return self.day, self.time, self.title


@record
@dataclass(frozen=True, slots=True)
class Calendar:
    """Events by day and time, and which day is today."""

    today: str
    events: tuple[Appointment, ...] = ()

    def of(self, day: str) -> tuple[Appointment, ...]:
        """The events of a day."""
        return tuple(event for event in self.events if event.day == day)

    def get(self, key: tuple[str, ...]) -> Appointment:
        """The event of a key. Raises StopIteration if there is none."""
        return next(event for event in self.events if event.key == key)

    def with_event(self, event: Appointment) -> Calendar:
        """One event more, or the one of its key replaced."""
        kept = self.without(event.key).events
        return replace(self, events=tuple(sorted((*kept, event), key=lambda one: (_order(one.day), one.key))))

    def without(self, key: tuple[str, ...]) -> Calendar:
        """One event less."""
        return replace(self, events=tuple(event for event in self.events if event.key != key))


def _order(day: str) -> tuple[int, int]:
    number, _, month = day.partition(" ")
    return MONTHS.index(month), int(number)


def days_in(month: int) -> int:
    """How many days a month of the year has; January is 0."""
    return (date(YEAR + (month == 11), (month + 1) % 12 + 1, 1) - date(YEAR, month + 1, 1)).days


def draw_title(chance: random.Random) -> str:
    """What an event is called: three words."""
    return f"{chance.choice(_KINDS)} with {draw_person(chance).split()[0]}"


def _start(chance: random.Random) -> Calendar:
    month = chance.randrange(12)
    events = {}
    for shift in (-1, 0, 0, 1):
        near = (month + shift) % 12
        for _ in range(4):
            event = Appointment(
                draw_title(chance), _draw_day(chance, near), chance.choice(HOURS), chance.random() < 0.3
            )
            events[event.key] = event
    found = tuple(sorted(events.values(), key=lambda one: (_order(one.day), one.key)))
    return Calendar(_draw_day(chance, month), found)


def _draw_day(chance: random.Random, month: int) -> str:
    return f"{chance.randint(1, days_in(month))} {MONTHS[month]}"


def _layout(page: PageBuilder, calendar: Calendar) -> None:
    screen = page.screen
    match screen.page:
        case "day":
            _day(page, calendar, screen.args[0])
        case "event":
            _event(page, calendar.get(screen.args))
        case "new":
            page.bar("New event", ("save", "Save", ("save",)))
            page.field("heading", "Title")
            if screen.args:
                page.row("day", _said(page, screen.args[0]), (), "Day")
                page.row("time", screen.args[1], (), "Time")
            else:
                page.field("day", "Day")
                page.field("time", "Time")
        case _:
            _month(page, calendar, _shown(screen, calendar))


def _said(page: PageBuilder, day: str) -> str:
    """A day in the phone's language."""
    number, _, month = day.partition(" ")
    return page.say("{} " + month, number)


def _shown(screen: Screen, calendar: Calendar) -> int:
    """The month that a grid shows."""
    return int(screen.args[0]) if screen.args else _order(calendar.today)[0]


def _month(page: PageBuilder, calendar: Calendar, month: int) -> None:
    page.bar(page.say(MONTHS[month]) + f" {YEAR}")
    page.chips(
        ("previous", "Previous month", False, ("turn", "right")), ("next", "Next month", False, ("turn", "left"))
    )
    for column, weekday in enumerate(_WEEK):
        page.place(Widget(_cell(column, 90), "weekday", page.say(weekday)))
    page.skip(90)
    _days(page, calendar, month)
    page.header(page.say("Today, {}", _said(page, calendar.today)))
    _events(page, calendar.of(calendar.today))
    page.fab("new", "New event", ("page", "new"))


def _cell(number: int, height: int) -> Rect:
    """The box of a cell in rows of seven."""
    left, top = 24 + number % 7 * _COLUMN, number // 7 * height
    return Rect(left + 8, top + 8, left + _COLUMN - 8, top + height - 8)


def _days(page: PageBuilder, calendar: Calendar, month: int) -> None:
    counts = Counter(event.day for event in calendar.events)
    first = date(YEAR, month + 1, 1).weekday()
    for number in range(1, days_in(month) + 1):
        day = f"{number} {MONTHS[month]}"
        count = counts[day]
        detail = page.say("Events: {}", count) if count else ""
        today = day == calendar.today or None
        box = _cell(first + number - 1, 170)
        page.place(
            Widget(box, "day", str(number), detail, f"day:{number}", "button", ("page", "day", day), today, level=count)
        )
    page.skip(170 * -(-(first + days_in(month)) // 7))


def _events(page: PageBuilder, events: tuple[Appointment, ...]) -> None:
    for event in events:
        box = Rect(170, 6, WIDTH - 40, _SLOT)
        key = f"event:{event.time} {event.title}"
        page.place(Widget(box, "event", event.title, event.time, key, "item", ("page", "event", *event.key)))
        page.skip(_SLOT)


def _day(page: PageBuilder, calendar: Calendar, day: str) -> None:
    page.bar(_said(page, day))
    events = calendar.of(day)
    for hour in HOURS:
        box = Rect(0, 0, WIDTH, _SLOT)
        page.place(Widget(box, "slot", hour, page.say("Add"), f"slot:{hour}", "item", ("page", "new", day, hour)))
        page.skip(_SLOT)
        _events(page, tuple(event for event in events if event.time == hour))


def _event(page: PageBuilder, event: Appointment) -> None:
    page.bar("Event", ("delete", "Delete", ("dialog", "delete")))
    page.header(event.title)
    page.row("day", _said(page, event.day), (), "Day")
    page.row("time", event.time, (), "Time")
    page.switch("reminder", "Reminder", event.reminder, ("remind",), "Ten minutes before")
    if page.screen.dialog:
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete",)))
        page.ask("Delete event?", page.say("{} will be gone.", event.title), *buttons)


def _react(state: PhoneState, event: Event) -> PhoneState:
    calendar: Calendar = state.apps["Calendar"]
    top = state.top
    match event:
        case ("turn" | "swipe", "left" | "right" as way) if top.page in ("main", "month"):
            month = (_shown(top, calendar) + (1 if way == "left" else -1)) % 12
            return state.with_top(Screen("Calendar", "month", (str(month),)))
        case ("remind",):
            old = calendar.get(top.args)
            return state.with_app("Calendar", calendar.with_event(replace(old, reminder=not old.reminder)))
        case ("delete",):
            return replace(
                state.with_app("Calendar", calendar.without(top.args)).pop(), toast=say(state.style, "Deleted")
            )
        case ("enter", "heading" | "day" as field) if not top.args:
            return state.with_top(replace(top, focus="day" if field == "heading" else "time"))
        case ("save",) | ("enter", _):
            return _save(state, calendar)
        case _:
            return state


def _save(state: PhoneState, calendar: Calendar) -> PhoneState:
    top = state.top
    title = top.draft("heading").strip()
    day, time = top.args or (top.draft("day").strip().title(), top.draft("time").strip())
    number, _, month = day.partition(" ")
    if not title:
        return replace(state, toast=say(state.style, "Give the event a title"))
    if month not in MONTHS or number not in map(str, range(1, days_in(MONTHS.index(month)) + 1)):
        return replace(state, toast=say(state.style, "Enter a day such as 14 May"))
    if time not in HOURS:
        return replace(state, toast=say(state.style, "Enter a full hour such as 15:00"))
    event = Appointment(title, day, time)
    if event in calendar.events:
        return replace(state, toast=say(state.style, "There is such an event already"))
    return replace(state.with_app("Calendar", calendar.with_event(event)).pop(), toast=say(state.style, "Saved"))


def _facts(calendar: Calendar) -> Mapping[str, Json]:
    told = [{"title": event.title, "day": event.day, "time": event.time} for event in calendar.events]
    reminders = [one for one, event in zip(told, calendar.events, strict=True) if event.reminder]
    return {"calendar.events": told, "calendar.reminders": reminders}


APP = App("Calendar", "Calendar", ("Calendar",), _layout, _react, variants(_start), _facts, {"new": "heading"})
