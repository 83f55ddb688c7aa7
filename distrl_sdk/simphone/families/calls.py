"""Families in the dialer: numbers that are dialled, missed calls that are returned."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.calls import MISSED, PLACED, Call
from distrl_sdk.simphone.apps.contacts import Person
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
    only,
)
from distrl_sdk.simphone.names import draw_number, draw_person
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_CALLS = "phone.calls"


def _draw_number(chance: random.Random) -> dict[str, Json]:
    return {"number": draw_number(chance)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Phone", state.apps["Phone"].without(params["number"]))


def _verify(params: Params) -> tuple[Check, ...]:
    placed = {"number": params["number"], "kind": PLACED}
    return has(_CALLS, placed), equals(f"{_CALLS}.grown", 1), only(_CALLS)


def _route_dial(params: Params) -> Route:
    return from_home("Phone", {
        ("Phone", "main"): (Fill("number", params["number"]), Enter("number")),
        ("Phone", "recents"): (Hit("tab:Keypad"),),
        ("Phone", "people"): (Hit("tab:Keypad"),),
    })  # fmt: skip


def _draw_missed(chance: random.Random) -> dict[str, Json]:
    number, known = draw_number(chance), chance.random() < 0.75
    name = draw_person(chance) if known else ""
    return {"number": number, "name": name, "who": name or number}


def _with_missed(state: PhoneState, params: Params) -> PhoneState:
    number, name = params["number"], params["name"]
    contacts = state.apps["Contacts"]
    if name:
        contacts = contacts.with_person(Person(name, number))
    phone = state.apps["Phone"]
    calls = [call for call in phone.calls if call.number != number and call.who != params["who"]]
    calls.insert(state.seed % (len(calls) + 1), Call(number, name, MISSED))
    return state.with_app("Contacts", contacts).with_app("Phone", replace(phone, calls=tuple(calls)))


def _route_back(params: Params) -> Route:
    return from_home("Phone", {
        ("Phone", "main"): (Hit("tab:Recents"),),
        ("Phone", "people"): (Hit("tab:Recents"),),
        ("Phone", "recents"): (Hit(f"recent:{params['who']}"),),
    })  # fmt: skip


DIAL_NUMBER = Family(
    "dial_number", ("Phone",),
    ("Dial {number}", "Call the number {number}", "Ring {number} with the phone app",
     "Type {number} on the keypad and call it", "Please phone {number} for me"),
    _draw_number, _without, _verify, _route_dial,
    ("I have to talk to {number} now", "Start a call to the number {number} from the dialer"),
)  # fmt: skip
CALL_BACK = Family(
    "call_back", ("Phone",),
    ("Call back {who} whose call I missed", "Return the missed call from {who}",
     "I missed a call from {who}, call back", "Look at the recent calls and call {who} again"),
    _draw_missed, _with_missed, _verify, _route_back,
    ("{who} tried to reach me, ring back please", "Answer the call that I missed from {who} by calling back"),
)  # fmt: skip
