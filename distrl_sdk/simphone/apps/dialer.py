"""Phone: a keypad, the recent calls, the people to call, and the page of a call."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from distrl_sdk.simphone.apps import calls
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.calls import MISSED, PLACED, TAKEN, Call, Calls
from distrl_sdk.simphone.apps.contacts import Contacts
from distrl_sdk.simphone.names import draw_number
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen
from distrl_sdk.simphone.widgets import NOWHERE, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_KEYS = "123456789*0#"
_LONGEST = 20
_TABS = (("Keypad", ("tab", "main")), ("Recents", ("tab", "recents")), ("People", ("tab", "people")))


def remembered(contacts: Contacts, chance: random.Random) -> Calls:
    """What a fresh phone has: calls with some of the people and with strangers."""
    people = chance.sample(contacts.people, k=min(4, len(contacts.people)))
    pairs = [(one.number, one.name) for one in people] + [(draw_number(chance), "") for _ in range(2)]
    chance.shuffle(pairs)
    return Calls(tuple(Call(number, name, chance.choice((MISSED, TAKEN, PLACED))) for number, name in pairs))


def _layout(page: PageBuilder, phone: Calls, contacts: Contacts) -> None:
    match page.screen.page:
        case "recents":
            page.bar("Phone")
            for call in phone.latest():
                kind = {MISSED: "Missed call", TAKEN: "Incoming call", PLACED: "Outgoing call"}[call.kind]
                tap = ("call", call.number)
                page.row(f"recent:{call.who}", call.who, tap, page.say(kind), call.name or "#")
            page.tabs("Recents", *_TABS)
        case "people":
            page.bar("Phone")
            for person in contacts.people:
                page.row(f"dial:{person.name}", person.name, ("call", person.number), person.number, person.name)
            page.tabs("People", *_TABS)
        case "call":
            _call(page, phone, page.screen.args[0])
        case _:
            page.bar("Phone")
            page.field("number", "Number")
            keys = (Widget(NOWHERE, "square", key, "", f"digit:{key}", "button", ("digit", key)) for key in _KEYS)
            page.grid(3, 200, *keys)
            page.button("call", "Call", ("dial",))
            page.button("erase", "Erase", ("erase",), "flat_wide")
            page.tabs("Keypad", *_TABS)


def _call(page: PageBuilder, phone: Calls, who: str) -> None:
    page.bar("Call")
    page.paragraph(page.say("Calling {} ...", who))
    page.switch("mute", "Mute", phone.muted, ("mute",))
    page.switch("speaker", "Speaker", phone.speaker, ("speaker",))
    page.button("end", "End call", ("end",))


def _react(state: PhoneState, event: Event) -> PhoneState:
    phone: Calls = state.apps[calls.APP]
    top = state.top
    match event:
        case ("tab", page):
            return state.with_top(Screen(calls.APP, page))
        case ("digit", key):
            return state.with_top(top.with_draft("number", (top.draft("number") + key)[:_LONGEST]))
        case ("erase",):
            return state.with_top(top.with_draft("number", top.draft("number")[:-1]))
        case ("dial",) | ("enter", "number"):
            return _dial(state, top.draft("number").replace(" ", ""))
        case ("call", number):
            return _dial(state, number)
        case ("mute",):
            return state.with_app(calls.APP, replace(phone, muted=not phone.muted))
        case ("speaker",):
            return state.with_app(calls.APP, replace(phone, speaker=not phone.speaker))
        case ("end",):
            return replace(state.with_app(calls.APP, Calls(phone.calls)).pop(), toast=say(state.style, "Call ended"))
        case _:
            return state


def _dial(state: PhoneState, number: str) -> PhoneState:
    if not number or not set(number) <= set(_KEYS) | {"+"}:
        return replace(state, toast=say(state.style, "Enter a telephone number"))
    contacts: Contacts = state.apps["Contacts"]
    name = next((person.name for person in contacts.people if person.number == number), "")
    if state.top.page == "main":
        state = state.with_top(Screen(calls.APP))
    return calls.place_call(state, number, name)


def _facts(phone: Calls) -> Mapping[str, Json]:
    return {
        "phone.calls": [{"number": call.number, "name": call.name, "kind": call.kind} for call in phone.calls],
        "phone.muted": phone.muted,
        "phone.speaker": phone.speaker,
    }


APP = App(calls.APP, "Phone", (calls.APP, "Contacts"), _layout, _react, lambda _: Calls(), _facts)
