"""Contacts and clock beyond their first page: search, a changed number, labels, cities, the stopwatch."""

from __future__ import annotations

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.clock import Alarm, Clock
from distrl_sdk.simphone.apps.contacts import Contacts, Person
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json, Key, Press, TypeText, Wait

START = (
    phone()
    .with_app("Contacts", Contacts((Person("Ada Reed", "512345678"), Person("Otto Hill", "587654321"))))
    .with_app("Clock", Clock((Alarm("07:30", True, "Gym"), Alarm("09:00", False)), cities=("Oslo", "Rome")))
)
ENTER = Press(Key.ENTER)


def typed(state: PhoneState, field: str, text: str) -> PhoneState:
    return engine.act(state if state.top.focus == field else tap(state, field), TypeText(text))


def fact(state: PhoneState, name: str) -> Json:
    return facts_of(state, START)[name]


def test_the_search_field_of_the_contacts_finds_part_of_a_name() -> None:
    found = engine.act(typed(tap(START, "app:Contacts"), "search", "hill"), ENTER)
    people = [name for name in scene_of(found).names if name.startswith("person:")]

    assert people == ["person:Otto Hill"]
    assert tap(found, "person:Otto Hill").top.place == ("Contacts", "person", "Otto Hill")


def test_a_number_is_changed_but_not_to_nothing_and_calls_use_the_new_one() -> None:
    edit = through(START, "app:Contacts", "person:Ada Reed", "edit")
    changed = tap(typed(edit, "number", "500000007"), "save")

    assert tap(edit, "save").top.page == "edit"
    assert fact(tap(edit, "save"), "changed") == []
    assert fact(changed, "contacts.people")[0] == {"name": "Ada Reed", "number": "500000007", "favourite": False}
    assert fact(tap(changed, "call"), "phone.calls")[0]["number"] == "500000007"


def test_an_alarm_keeps_its_label_when_it_is_switched() -> None:
    clock = tap(START, "app:Clock")
    new = tap(typed(typed(tap(clock, "add"), "time", "6:15"), "label", "Train"), "save")

    assert {"time": "06:15", "on": True, "label": "Train"} in fact(new, "clock.alarms")
    assert fact(tap(clock, "switch:07:30"), "clock.alarms")[0] == {"time": "07:30", "on": False, "label": "Gym"}


def test_a_city_is_added_from_the_list_or_by_search_and_removed() -> None:
    world = through(START, "app:Clock", "tab:World")
    cities = tap(world, "add_city")
    found = engine.act(typed(cities, "search", "tok"), ENTER)

    assert fact(tap(engine.act(cities, Press(Key.BACK)), "take:Accra"), "clock.cities") == ["Accra", "Oslo", "Rome"]
    assert tap(found, "take:Tokyo").top.page == "world"
    assert fact(tap(found, "take:Tokyo"), "clock.cities") == ["Oslo", "Rome", "Tokyo"]
    assert fact(tap(world, "gone:Oslo"), "clock.cities") == ["Rome"]


def test_the_stopwatch_counts_a_second_an_action_and_goes_on_where_it_stood() -> None:
    running = through(START, "app:Clock", "tab:Watch", "run")
    once = tap(engine.act(running, Wait()), "halt")
    twice = through(once, "run", "halt")

    assert fact(running, "clock.stopwatch") == {"running": True, "elapsed": 0}
    assert fact(once, "clock.stopwatch") == {"running": False, "elapsed": 2}
    assert fact(twice, "clock.stopwatch") == {"running": False, "elapsed": 3}
    assert fact(tap(twice, "reset"), "clock.stopwatch") == {"running": False, "elapsed": 0}
