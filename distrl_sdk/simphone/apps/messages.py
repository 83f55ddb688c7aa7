"""Messages: threads with people."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.contacts import Contacts
from distrl_sdk.simphone.names import PHRASES
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json


@record
@dataclass(frozen=True, slots=True)
class Text:
    """One message."""

    text: str
    mine: bool


@record
@dataclass(frozen=True, slots=True)
class Thread:
    """What was written between the user and one person, the latest last."""

    name: str
    texts: tuple[Text, ...]


@record
@dataclass(frozen=True, slots=True)
class Messages:
    """Threads, the latest first."""

    threads: tuple[Thread, ...] = ()

    def get(self, name: str) -> Thread:
        """The thread with a person; an empty one if there is none."""
        return next((thread for thread in self.threads if thread.name == name), Thread(name, ()))

    def with_text(self, name: str, text: Text) -> Messages:
        """One message more, its thread first."""
        thread = self.get(name)
        return Messages((Thread(name, (*thread.texts, text)), *self.without(name).threads))

    def without(self, name: str) -> Messages:
        """One thread less."""
        return Messages(tuple(thread for thread in self.threads if thread.name != name))


def between(contacts: Contacts, chance: random.Random) -> Messages:
    """What a fresh phone has: threads with about half of the people."""
    messages = Messages()
    people = chance.sample(contacts.people, k=len(contacts.people) // 2)
    for person in people:
        for phrase in chance.sample(PHRASES, k=chance.randint(1, 3)):
            messages = messages.with_text(person.name, Text(phrase, chance.random() < 0.5))
    return messages


def _layout(page: PageBuilder, messages: Messages, contacts: Contacts) -> None:
    screen = page.screen
    match screen.page:
        case "new":
            page.bar("New message")
            page.header("To")
            for person in contacts.people:
                page.row(f"to:{person.name}", person.name, ("to", person.name), icon=person.name)
        case "thread":
            _thread(page, messages.get(screen.args[0]))
        case _:
            page.bar("Messages")
            for thread in messages.threads:
                event = ("page", "thread", thread.name)
                page.row(f"thread:{thread.name}", thread.name, event, thread.texts[-1].text, icon=thread.name)
            page.fab("new", "New message", ("page", "new"))
    if screen.dialog:
        name = screen.dialog[1]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", name)))
        page.ask("Delete conversation?", page.say("Everything from {} will be gone.", name), *buttons)


def _thread(page: PageBuilder, thread: Thread) -> None:
    page.bar(thread.name, ("delete", "Delete", ("dialog", "delete", thread.name)))
    for text in thread.texts[-8:]:
        width = min(980, 90 + 23 * len(text.text))
        left = WIDTH - 36 - width if text.mine else 36
        look = "bubble_mine" if text.mine else "bubble"
        page.place(Widget(Rect(left, 0, left + width, 120), look, text.text, role="text"))
        page.skip(144)
    page.input_bar("text", "Message", "Send", ("send", thread.name))


def _react(state: PhoneState, event: Event) -> PhoneState:
    messages: Messages = state.apps["Messages"]
    match event:
        case ("to", name):
            return state.pop().push(Screen("Messages", "thread", (name,), focus="text"))
        case ("send", name):
            return _send(state, messages, name)
        case ("enter", "text"):
            return _send(state, messages, state.top.args[0])
        case ("delete", name):
            return state.with_app("Messages", messages.without(name)).pop()
        case _:
            return state


def _send(state: PhoneState, messages: Messages, name: str) -> PhoneState:
    text = state.top.draft("text").strip()
    if not text:
        return replace(state, toast=say(state.style, "Nothing to send"))
    sent = state.with_app("Messages", messages.with_text(name, Text(text, True)))
    return sent.with_top(state.top.with_draft("text", ""))


def _facts(messages: Messages) -> Mapping[str, Json]:
    texts = [
        {"with": thread.name, "text": text.text, "mine": text.mine}
        for thread in messages.threads
        for text in thread.texts
    ]
    return {"messages.texts": texts, "messages.threads": [thread.name for thread in messages.threads]}


APP = App("Messages", "Messages", ("Messages", "Contacts"), _layout, _react, lambda _: Messages(), _facts)
