"""Contacts: people and their numbers; a call to one of them is a matter of calls.py."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps import calls
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.names import draw_number, draw_person
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json


@record
@dataclass(frozen=True, slots=True)
class Person:
    """One contact."""

    name: str
    number: str
    favourite: bool = False


@record
@dataclass(frozen=True, slots=True)
class Contacts:
    """People by name."""

    people: tuple[Person, ...] = ()

    def with_person(self, person: Person) -> Contacts:
        """One person more, or the one of that name replaced."""
        kept = (old for old in self.people if old.name != person.name)
        return replace(self, people=tuple(sorted((*kept, person), key=lambda one: one.name)))

    def without(self, name: str) -> Contacts:
        """One person less."""
        return replace(self, people=tuple(person for person in self.people if person.name != name))

    def get(self, name: str) -> Person | None:
        """The person of a name."""
        return next((person for person in self.people if person.name == name), None)


def _start(chance: random.Random) -> Contacts:
    names = sorted({draw_person(chance) for _ in range(chance.randint(5, 12))})
    return Contacts(tuple(Person(name, draw_number(chance), chance.random() < 0.2) for name in names))


def _layout(page: PageBuilder, contacts: Contacts) -> None:
    screen = page.screen
    match screen.page:
        case "new":
            page.bar("New contact", ("save", "Save", ("save",)))
            page.field("name", "Name")
            page.field("number", "Phone number")
        case "person":
            _person(page, contacts.get(screen.args[0]), screen.args[0])
        case "edit":
            person = contacts.get(screen.args[0])
            page.bar("Edit contact", ("save", "Save", ("renumber",)))
            page.paragraph(page.say("Number until now: {}", person.number if person else ""))
            page.field("number", "New number")
        case "found":
            query = screen.args[0]
            page.bar(page.say("Results for {}", query))
            _people(page, [person for person in contacts.people if query.lower() in person.name.lower()])
        case _:
            page.bar("Contacts")
            page.field("search", "Search contacts")
            _people(page, contacts.people)
            page.fab("add", "Add contact", ("page", "new"))
    if screen.dialog:
        name = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", name)))
        page.ask("Delete contact?", page.say("{} will be gone.", name), *buttons)


def _people(page: PageBuilder, people: Iterable[Person]) -> None:
    for person in people:
        star = "Favourite" if person.favourite else ""
        page.row(f"person:{person.name}", person.name, ("page", "person", person.name), star, icon=person.name)


def _person(page: PageBuilder, person: Person | None, name: str) -> None:
    if person is None:
        page.bar(name)
        page.paragraph("This contact is gone.")
        return
    page.bar(name, ("edit", "Edit", ("page", "edit", name)))
    page.row("number", person.number, ("call", name), "Mobile")
    page.button("call", "Call", ("call", name))
    page.button("message", "Message", ("message", name))
    page.switch("favourite", "Favourite", person.favourite, ("favourite", name))
    page.button("delete", "Delete contact", ("dialog", "delete", name), "flat_wide")


def _react(state: PhoneState, event: Event) -> PhoneState:
    contacts: Contacts = state.apps["Contacts"]
    match event:
        case ("renumber",) | ("enter", "number") if state.top.page == "edit":
            return _renumber(state, contacts, state.top.args[0])
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen("Contacts", "found", (query,))) if query else state
        case ("save",) | ("enter", "number"):
            name, number = state.top.draft("name").strip(), state.top.draft("number").strip()
            if not name or not number:
                return replace(state, toast=say(state.style, "Name and number are needed"))
            return state.with_app("Contacts", contacts.with_person(Person(name, number))).pop()
        case ("enter", "name"):
            return state.with_top(replace(state.top, focus="number"))
        case (what, name):
            return _react_person(state, contacts, what, name)
        case _:
            return state


def _react_person(state: PhoneState, contacts: Contacts, what: str, name: str) -> PhoneState:
    """To a button of a person's page."""
    match what:
        case "call":
            person = contacts.get(name)
            return state if person is None else calls.place_call(state, person.number, name)
        case "message":
            return state.push(Screen("Messages", "thread", (name,)))
        case "favourite":
            person = contacts.get(name)
            if person is None:
                return state
            return state.with_app("Contacts", contacts.with_person(replace(person, favourite=not person.favourite)))
        case "delete":
            return state.with_app("Contacts", contacts.without(name)).pop()
        case _:
            return state


def _renumber(state: PhoneState, contacts: Contacts, name: str) -> PhoneState:
    person, number = contacts.get(name), state.top.draft("number").strip()
    if person is None or not number:
        return replace(state, toast=say(state.style, "Enter a telephone number"))
    changed = contacts.with_person(replace(person, number=number))
    return replace(state.with_app("Contacts", changed).pop(), toast=say(state.style, "Contact saved"))


def _facts(contacts: Contacts) -> Mapping[str, Json]:
    people = [{"name": one.name, "number": one.number, "favourite": one.favourite} for one in contacts.people]
    return {"contacts.people": people}


APP = App("Contacts", "Contacts", ("Contacts",), _layout, _react, _start, _facts, {"new": "name", "edit": "number"})
