"""Families with people: contacts, calls, messages."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.calls import PLACED
from distrl_sdk.simphone.apps.contacts import Person
from distrl_sdk.simphone.apps.messages import Text
from distrl_sdk.simphone.families.family import Check, Family, Fill, Hit, Params, Route, equals, from_home, has, only
from distrl_sdk.simphone.names import PHRASES, draw_number, draw_person
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json


def _draw_person(chance: random.Random) -> dict[str, Json]:
    return {"name": draw_person(chance), "number": draw_number(chance)}


def _draw_text(chance: random.Random) -> dict[str, Json]:
    return {**_draw_person(chance), "text": chance.choice(PHRASES)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Contacts", state.apps["Contacts"].without(params["name"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    contacts = state.apps["Contacts"].with_person(Person(params["name"], params["number"]))
    messages = state.apps["Messages"].without(params["name"])
    calls = state.apps["Phone"].without(params["number"])
    return state.with_app("Contacts", contacts).with_app("Messages", messages).with_app("Phone", calls)


def _with_thread(state: PhoneState, params: Params) -> PhoneState:
    state = _with(state, params)
    greeting = Text("hello there", mine=False)
    messages = state.apps["Messages"].with_text(params["name"], greeting)
    threads = list(messages.threads)
    # Not always the first: its place in the list follows from the seed.
    threads.insert(state.seed % len(threads), threads.pop(0))
    return state.with_app("Messages", replace(messages, threads=tuple(threads)))


def _verify_add(params: Params) -> tuple[Check, ...]:
    person = {"name": params["name"], "number": params["number"]}
    return has("contacts.people", person), equals("contacts.people.grown", 1), only("contacts.people")


def _route_add(params: Params) -> Route:
    new = (Fill("name", params["name"]), Fill("number", params["number"]), Hit("save"))
    return from_home("Contacts", {("Contacts", "main"): (Hit("add"),), ("Contacts", "new"): new})


def _verify_call(params: Params) -> tuple[Check, ...]:
    placed = {"number": params["number"], "kind": PLACED}
    return has("phone.calls", placed), equals("phone.calls.grown", 1), only("phone.calls")


def _route_call(params: Params) -> Route:
    name = params["name"]
    return from_home("Contacts", {
        ("Contacts", "main"): (Hit(f"person:{name}"),),
        ("Contacts", "person", name): (Hit("call"),),
    })  # fmt: skip


def _verify_send(params: Params) -> tuple[Check, ...]:
    sent = {"with": params["name"], "text": params["text"], "mine": True}
    return (
        has("messages.texts", sent),
        equals("messages.texts.grown", 1),
        only("messages.texts", "messages.threads"),
    )


def _route_send(params: Params) -> Route:
    name = params["name"]
    return from_home("Messages", {
        ("Messages", "main"): (Hit("new"),),
        ("Messages", "new"): (Hit(f"to:{name}"),),
        ("Messages", "thread", name): (Fill("text", params["text"]), Hit("send")),
    })  # fmt: skip


def _route_reply(params: Params) -> Route:
    name = params["name"]
    return from_home("Messages", {
        ("Messages", "main"): (Hit(f"thread:{name}"),),
        ("Messages", "thread", name): (Fill("text", params["text"]), Hit("send")),
    })  # fmt: skip


ADD_CONTACT = Family(
    "add_contact", ("Contacts",),
    ("Add {name} with number {number} to the contacts", "Create a contact {name} with phone number {number}",
     "Save the number {number} as {name} in contacts", "New contact: {name} , phone {number}"),
    _draw_person, _without, _verify_add, _route_add,
)  # fmt: skip
CALL_CONTACT = Family(
    "call_contact", ("Contacts",),
    ("Call {name}", "Give {name} a call", "Call {name} from the contacts", "Phone {name} now",
     "I want to talk to {name} on the phone"),
    _draw_person, _with, _verify_call, _route_call,
)  # fmt: skip
SEND_MESSAGE = Family(
    "send_message", ("Messages", "Contacts"),
    ("Start a new message to {name} saying {text}", "Write a new message to {name} : {text}",
     "Text my contact {name} the new message {text}", "Compose a new message for {name} that says {text}"),
    _draw_text, _with, _verify_send, _route_send,
)  # fmt: skip
REPLY_MESSAGE = Family(
    "reply_message", ("Messages", "Contacts"),
    ("Reply to {name} with {text}", "Answer the message from {name} with {text}",
     "In messages reply {text} to {name}", "{name} wrote to me, answer {text}"),
    _draw_text, _with_thread, _verify_send, _route_reply,
)  # fmt: skip
