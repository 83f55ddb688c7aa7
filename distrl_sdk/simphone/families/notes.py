"""Families in the notes."""

from __future__ import annotations

import random

from distrl_sdk.simphone.apps.notes import ITEMS, LIST_TITLES, TITLES, Note, Notes, draw_list
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.names import PHRASES
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_NOTES, _PINNED, _ITEMS, _DONE = "notes.notes", "notes.pinned", "notes.items", "notes.done"


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"title": chance.choice(TITLES)}


def _draw_text(chance: random.Random) -> dict[str, Json]:
    return {"title": chance.choice(TITLES), "text": chance.choice(PHRASES)}


def _draw_item(chance: random.Random) -> dict[str, Json]:
    return {"title": chance.choice(LIST_TITLES), "item": chance.choice(ITEMS)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Notes", state.apps["Notes"].without(params["title"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The note, not pinned, and one whose title begins alike."""
    chance = random.Random(state.seed)
    notes: Notes = state.apps["Notes"]
    theme = params["title"].split()[0]
    for title in (chance.choice([one for one in TITLES if one.startswith(theme)]), params["title"]):
        note = Note(title, chance.choice(PHRASES))
        notes = notes.without(title).with_note(note, chance.randint(0, 7))
    return state.with_app("Notes", notes)


def _with_list(state: PhoneState, params: Params, *items: str) -> PhoneState:
    """The checklist with some items and these, and another one with the same ones."""
    chance = random.Random(state.seed)
    notes: Notes = state.apps["Notes"]
    theme = params["title"].split()[0]
    other = chance.choice([one for one in LIST_TITLES if one.startswith(theme)])
    for title in (other, params["title"]):
        note = draw_list(chance, title, *items)
        notes = notes.without(title).with_note(note, chance.randint(0, 7))
    return state.with_app("Notes", notes)


def _with_item(state: PhoneState, params: Params) -> PhoneState:
    return _with_list(state, params, params["item"])


def _without_item(state: PhoneState, params: Params) -> PhoneState:
    state = _with_list(state, params)
    notes: Notes = state.apps["Notes"]
    note = notes.get(params["title"])
    items = tuple(item for item in note.items if item.text != params["item"])
    return state.with_app("Notes", notes.with_note(Note(note.title, items=items, checklist=True)))


def _verify_create(params: Params) -> tuple[Check, ...]:
    note = {"title": params["title"], "text": params["text"], "checklist": False}
    return has(_NOTES, note), equals(f"{_NOTES}.grown", 1), only(_NOTES)


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return lacks(_NOTES, {"title": params["title"]}), equals(f"{_NOTES}.grown", -1), only(_NOTES)


def _verify_pin(params: Params) -> tuple[Check, ...]:
    return has(_PINNED, params["title"]), equals(f"{_PINNED}.grown", 1), only(_PINNED)


def _verify_item(params: Params, fact: str) -> tuple[Check, ...]:
    return has(fact, {"note": params["title"], "text": params["item"]}), equals(f"{fact}.grown", 1), only(fact)


def _route_create(params: Params) -> Route:
    new = (Fill("heading", params["title"]), Fill("text", params["text"]), Hit("save"))
    return from_home("Notes", {("Notes", "main"): (Hit("new"),), ("Notes", "new"): new})


def _at_note(params: Params, *moves: Hit | Fill) -> Route:
    title = params["title"]
    return from_home("Notes", {
        ("Notes", "main"): (Hit(f"note:{title}"),),
        ("Notes", "note", title): moves,
        ("Notes", "note", title, "!"): (Hit("confirm" if moves == (Hit("delete"),) else "cancel"),),
    })  # fmt: skip


CREATE_NOTE = Family(
    "create_note", ("Notes",),
    ("Create a note {title} with the text {text}", "Write a note titled {title} that says {text}",
     "New note {title} : {text}", "In notes save {text} under the title {title}"),
    _draw_text, _without, _verify_create, _route_create,
    ("Put {text} down in a note that is called {title}", "I want a note {title} , its text shall be {text}"),
)  # fmt: skip
DELETE_NOTE = Family(
    "delete_note", ("Notes",),
    ("Delete the note {title}", "Remove {title} from my notes", "Get rid of the note titled {title}",
     "I no longer need the note {title}"),
    _draw, _with, _verify_delete, lambda p: _at_note(p, Hit("delete")),
    ("The note {title} is of no use any more, away with it", "Throw out what I noted under {title}"),
)  # fmt: skip
PIN_NOTE = Family(
    "pin_note", ("Notes",),
    ("Pin the note {title}", "Pin {title} to the top of the notes", "Keep the note {title} above all others",
     "Make {title} one of the pinned notes"),
    _draw, _with, _verify_pin, lambda p: _at_note(p, Hit("pin")),
    ("I want to see the note {title} first from now on", "Let the note {title} always stay on top"),
)  # fmt: skip
TICK_ITEM = Family(
    "tick_item", ("Notes",),
    ("Tick {item} on the checklist {title}", "Check off {item} in the note {title}",
     "Mark {item} as done in {title}", "On my list {title} the item {item} is done, tick it"),
    _draw_item, _with_item, lambda p: _verify_item(p, _DONE), lambda p: _at_note(p, Hit(f"item:{p['item']}")),
    ("I have the {item} now, cross it off in {title}", "{item} can be ticked in the note {title}"),
)  # fmt: skip
ADD_ITEM = Family(
    "add_item", ("Notes",),
    ("Add {item} to the checklist {title}", "Put {item} on my list {title}",
     "The note {title} needs one more item: {item}",
     "Write {item} at the end of the checklist {title}"),
    _draw_item, _without_item, lambda p: _verify_item(p, _ITEMS),
    lambda p: _at_note(p, Fill("line", p["item"]), Hit("add")),
    ("I forgot {item} , add it to {title} in my notes", "Let {item} be on the list {title} as well"),
)  # fmt: skip
