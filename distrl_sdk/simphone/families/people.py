"""Families with people: contacts, calls, messages."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.calls import PLACED
from distrl_sdk.simphone.apps.contacts import Person
from distrl_sdk.simphone.apps.messages import Text
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Move,
    Params,
    Route,
    Turn,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.names import PHRASES, draw_number, draw_person
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_PEOPLE = "contacts.people"


def _draw_person(chance: random.Random) -> dict[str, Json]:
    return {"name": draw_person(chance), "number": draw_number(chance)}


def _draw_favourite(chance: random.Random) -> dict[str, Json]:
    on = chance.random() < 0.7
    act, place = ("add", "to") if on else ("remove", "from")
    return {**_draw_person(chance), "on": on, "act": act, "Act": act.capitalize(), "place": place}


def _draw_renumber(chance: random.Random) -> dict[str, Json]:
    return {**_draw_person(chance), "new": draw_number(chance)}


def _draw_text(chance: random.Random) -> dict[str, Json]:
    return {**_draw_person(chance), "text": chance.choice(PHRASES)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Contacts", state.apps["Contacts"].without(params["name"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    contacts = state.apps["Contacts"].with_person(Person(params["name"], params["number"]))
    messages = state.apps["Messages"].without(params["name"])
    calls = state.apps["Phone"].without(params["number"])
    return state.with_app("Contacts", contacts).with_app("Messages", messages).with_app("Phone", calls)


def _among_namesakes(state: PhoneState, params: Params) -> PhoneState:
    """With the person, and with two who share one of the names."""
    state = _with(state, params)
    first, last = params["name"].split()
    other = draw_person(random.Random(f"namesake {state.seed}")).split()
    contacts = state.apps["Contacts"]
    for name in (f"{first} {other[1]}", f"{other[0]} {last}"):
        if contacts.get(name) is None:
            contacts = contacts.with_person(Person(name, draw_number(random.Random(name))))
    return state.with_app("Contacts", contacts)


def _not_yet_favourite(state: PhoneState, params: Params) -> PhoneState:
    state = _among_namesakes(state, params)
    person = Person(params["name"], params["number"], not params["on"])
    return state.with_app("Contacts", state.apps["Contacts"].with_person(person))


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


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return lacks(_PEOPLE, {"name": params["name"]}), equals(f"{_PEOPLE}.grown", -1), only(_PEOPLE)


def _verify_favourite(params: Params) -> tuple[Check, ...]:
    person = {"name": params["name"], "number": params["number"], "favourite": params["on"]}
    return has(_PEOPLE, person), equals(f"{_PEOPLE}.grown", 0), only(_PEOPLE)


def _verify_renumber(params: Params) -> tuple[Check, ...]:
    person = {"name": params["name"], "number": params["new"], "favourite": False}
    return has(_PEOPLE, person), equals(f"{_PEOPLE}.grown", 0), only(_PEOPLE)


def _person_route(name: str, *moves: Move, more: Route | None = None) -> Route:
    return from_home("Contacts", {
        ("Contacts", "main"): (Hit(f"person:{name}"),),
        ("Contacts", "person", name): moves,
        **(more or {}),
    })  # fmt: skip


def _route_delete(params: Params) -> Route:
    name = params["name"]
    return _person_route(name, Hit("delete"), more={("Contacts", "person", name, "!"): (Hit("confirm"),)})


def _route_favourite(params: Params) -> Route:
    return _person_route(params["name"], Turn("favourite", params["on"]))


def _route_renumber(params: Params) -> Route:
    name = params["name"]
    edit = (Fill("number", params["new"]), Hit("save"))
    return _person_route(name, Hit("edit"), more={("Contacts", "edit", name): edit})


def _verify_forget(params: Params) -> tuple[Check, ...]:
    threads, texts = "messages.threads", "messages.texts"
    return lacks(threads, params["name"]), equals(f"{threads}.grown", -1), only(threads, texts)


def _route_forget(params: Params) -> Route:
    name = params["name"]
    return from_home("Messages", {
        ("Messages", "main"): (Hit(f"thread:{name}"),),
        ("Messages", "thread", name): (Hit("delete"),),
        ("Messages", "thread", name, "!"): (Hit("confirm"),),
    })  # fmt: skip


def _verify_call(params: Params) -> tuple[Check, ...]:
    placed = {"number": params["number"], "kind": PLACED}
    return has("phone.calls", placed), equals("phone.calls.grown", 1), only("phone.calls")


def _route_call(params: Params) -> Route:
    return _person_route(params["name"], Hit("call"))


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
    ("I met {name} , keep the number {number} on this phone", "Put {name} into the address book with {number}"),
)  # fmt: skip
CALL_CONTACT = Family(
    "call_contact", ("Contacts",),
    ("Call {name}", "Give {name} a call", "Call {name} from the contacts", "Phone {name} now",
     "I want to talk to {name} on the phone"),
    _draw_person, _with, _verify_call, _route_call,
    ("Ring {name}, who is in the contacts", "Get me {name} on the line"),
)  # fmt: skip
SEND_MESSAGE = Family(
    "send_message", ("Messages", "Contacts"),
    ("Start a new message to {name} saying {text}", "Write a new message to {name} : {text}",
     "Text my contact {name} the new message {text}", "Compose a new message for {name} that says {text}"),
    _draw_text, _with, _verify_send, _route_send,
    ("Let {name} know in a new message: {text}", "Begin a conversation with {name} and send {text}"),
)  # fmt: skip
REPLY_MESSAGE = Family(
    "reply_message", ("Messages", "Contacts"),
    ("Reply to {name} with {text}", "Answer the message from {name} with {text}",
     "In messages reply {text} to {name}", "{name} wrote to me, answer {text}"),
    _draw_text, _with_thread, _verify_send, _route_reply,
    ("Go on with the conversation with {name} by sending {text}", "What {name} wrote needs an answer: {text}"),
)  # fmt: skip
DELETE_CONTACT = Family(
    "delete_contact", ("Contacts",),
    ("Delete {name} from the contacts", "Remove the contact {name}", "I no longer need the number of {name}, delete it",
     "Take {name} out of my contacts"),
    _draw_person, _among_namesakes, _verify_delete, _route_delete,
    ("{name} should not be in the address book any more", "Erase the entry of {name} among my people"),
)  # fmt: skip
FAVOURITE_CONTACT = Family(
    "favourite_contact", ("Contacts",),
    ("{Act} {name} {place} the favourites in contacts", "{Act} the contact {name} {place} my favourite people",
     "Please {act} {name} {place} my favourites", "Open the contacts and {act} {name} {place} the favourites"),
    _draw_favourite, _not_yet_favourite, _verify_favourite, _route_favourite,
    ("On the page of {name}, {act} the contact {place} the favourites", "{Act} {name} {place} the people I like most"),
)  # fmt: skip
EDIT_NUMBER = Family(
    "edit_number", ("Contacts",),
    ("Change the number of {name} to {new}", "{name} has a new number: {new} , update the contact",
     "Set the phone number of {name} to {new}", "Edit the contact {name} so that the number is {new}"),
    _draw_renumber, _among_namesakes, _verify_renumber, _route_renumber,
    ("From today {name} can be reached at {new} instead", "Correct what the contacts say for {name}: it is {new}"),
)  # fmt: skip
DELETE_CONVERSATION = Family(
    "delete_conversation", ("Messages",),
    ("Delete the conversation with {name}", "Remove all messages with {name}", "Erase what {name} and I wrote",
     "In messages, get rid of the conversation with {name}"),
    _draw_person, _with_thread, _verify_forget, _route_forget,
    ("Nothing that {name} wrote should stay in the messages", "Throw away the whole chat with {name}"),
)  # fmt: skip
