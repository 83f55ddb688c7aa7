"""The phone app: numbers that are dialled, calls that are remembered, the page of a call."""

from __future__ import annotations

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.calls import Call, Calls
from distrl_sdk.simphone.apps.contacts import Contacts, Person
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json, Key, Press, TypeText

ADA = Person("Ada Reed", "512345678")
START = (
    phone()
    .with_app("Contacts", Contacts((ADA, Person("Otto Hill", "587654321"))))
    .with_app("Phone", Calls((Call("587654321", "Otto Hill", "missed"), Call("500000001", "", "incoming"))))
)


def calls(state: PhoneState) -> Json:
    return facts_of(state, START)["phone.calls"]


def test_a_number_is_typed_or_dialled_key_by_key() -> None:
    keys = through(START, "app:Phone", *(f"digit:{digit}" for digit in "512345679"), "erase", "digit:8")
    typed = engine.act(tap(tap(START, "app:Phone"), "number"), TypeText("512 345 678"))

    for called in (tap(keys, "call"), engine.act(typed, Press(Key.ENTER))):
        assert calls(called)[0] == {"number": "512345678", "name": "Ada Reed", "kind": "outgoing"}
        assert called.top.place == ("Phone", "call", "Ada Reed")
        assert scene_of(tap(called, "end")).find("digit:5") is not None
        assert tap(called, "end").top.drafts == ()


def test_what_is_no_number_is_not_called() -> None:
    empty = through(START, "app:Phone", "call")
    words = engine.act(tap(tap(START, "app:Phone"), "number"), TypeText("ada reed"))

    assert empty.toast
    assert calls(empty) == calls(engine.act(words, Press(Key.ENTER))) == calls(START)


def test_a_missed_call_is_returned_and_then_stands_first_once() -> None:
    recents = through(START, "app:Phone", "tab:Recents")
    called = tap(recents, "recent:Otto Hill")
    after = scene_of(tap(called, "end"))

    assert [(call["name"], call["kind"]) for call in calls(called)] == [
        ("Otto Hill", "outgoing"), ("Otto Hill", "missed"), ("", "incoming"),
    ]  # fmt: skip
    assert [name for name in after.names if name.startswith("recent:")] == ["recent:Otto Hill", "recent:500000001"]


def test_the_people_tab_and_the_contacts_place_the_same_call() -> None:
    here = through(START, "app:Phone", "tab:People", "dial:Ada Reed")
    there = through(START, "app:Contacts", "person:Ada Reed", "call")

    assert calls(here) == calls(there)
    assert here.top.place == there.top.place


def test_mute_and_speaker_last_as_long_as_the_call() -> None:
    call = through(START, "app:Phone", "tab:Recents", "recent:500000001", "mute", "speaker")
    ended = tap(call, "end")

    assert facts_of(call, START)["phone.muted"] is facts_of(call, START)["phone.speaker"] is True
    assert facts_of(ended, START)["changed"] == ["phone.calls"]
