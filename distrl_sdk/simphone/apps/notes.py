"""Notes: texts and checklists, the pinned ones first."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App, variants
from distrl_sdk.simphone.names import PHRASES
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_THEMES = (
    "Balcony", "Bicycle", "Birthday", "Camping", "Choir", "Festival", "Garden", "Holiday", "Kitchen", "Moving",
    "Office", "Packing", "Party", "Picnic", "School", "Studio", "Wedding", "Weekend",
)  # fmt: skip
_SORTS = (
    "addresses", "advice", "budget", "dates", "diary", "drafts", "goals", "ideas", "names", "numbers", "plan", "quotes",
    "recipes", "rules", "sizes", "speech",
)  # fmt: skip
_LISTS = ("list", "shopping", "tasks", "presents")
TITLES = tuple(f"{theme} {sort}" for theme in _THEMES for sort in _SORTS)
LIST_TITLES = tuple(f"{theme} {sort}" for theme in _THEMES for sort in _LISTS)
ITEMS = (
    "apples", "bread", "butter", "candles", "carrots", "cheese", "coffee", "cups", "eggs", "flour", "gloves",
    "honey", "ink", "jam", "knives", "ladder", "lemons", "matches", "milk", "nails", "onions", "paint", "paper",
    "pears", "pens", "plates", "potatoes", "rice", "rope", "salt", "seeds", "soap", "socks", "spoons", "stamps",
    "string", "sugar", "tape", "tea", "tent", "thread", "tomatoes", "torch", "towels", "vinegar", "yoghurt",
)  # fmt: skip


@record
@dataclass(frozen=True, slots=True)
class Item:
    """One line of a checklist."""

    text: str
    done: bool = False


@record
@dataclass(frozen=True, slots=True)
class Note:
    """One note; no two have the same title."""

    title: str
    text: str = ""
    items: tuple[Item, ...] = ()
    checklist: bool = False
    pinned: bool = False


@record
@dataclass(frozen=True, slots=True)
class Notes:
    """Notes, the latest first."""

    notes: tuple[Note, ...] = ()

    def get(self, title: str) -> Note:
        """The note of a title. Raises StopIteration if there is none."""
        return next(note for note in self.notes if note.title == title)

    def with_note(self, note: Note, place: int = 0) -> Notes:
        """One note more, or the one of its title replaced where it was."""
        at = next((at for at, old in enumerate(self.notes) if old.title == note.title), None)
        if at is not None:
            return Notes((*self.notes[:at], note, *self.notes[at + 1 :]))
        return Notes((*self.notes[:place], note, *self.notes[place:]))

    def without(self, title: str) -> Notes:
        """One note less."""
        return Notes(tuple(note for note in self.notes if note.title != title))


def draw_list(chance: random.Random, title: str, *more: str) -> Note:
    """A checklist with some items ticked, and `more` ones among them that are not."""
    items = [Item(text, chance.random() < 0.4) for text in chance.sample(ITEMS, k=5) if text not in more]
    for text in more:
        items.insert(chance.randint(0, len(items)), Item(text))
    return Note(title, items=tuple(items), checklist=True)


def _start(chance: random.Random) -> Notes:
    notes = Notes()
    for title in chance.sample(TITLES, k=chance.randint(5, 8)):
        notes = notes.with_note(Note(title, chance.choice(PHRASES), pinned=chance.random() < 0.2))
    for title in chance.sample(LIST_TITLES, k=3):
        notes = notes.with_note(draw_list(chance, title), chance.randint(0, len(notes.notes)))
    return notes


def _layout(page: PageBuilder, notes: Notes) -> None:
    screen = page.screen
    match screen.page:
        case "new" | "new_list":
            page.bar("New note" if screen.page == "new" else "New checklist", ("save", "Save", ("save",)))
            page.field("heading", "Title")
            page.field("text", "Text" if screen.page == "new" else "First item")
        case "note":
            _note(page, notes.get(screen.args[0]))
        case "found":
            page.bar(page.say("Results for {}", screen.args[0]))
            word = screen.args[0].lower()
            _list(page, tuple(note for note in notes.notes if word in f"{note.title} {_preview(page, note)}".lower()))
        case _:
            _main(page, notes)


def _main(page: PageBuilder, notes: Notes) -> None:
    page.bar("Notes", ("new_list", "New checklist", ("page", "new_list")))
    page.field("search", "Search notes")
    pinned = tuple(note for note in notes.notes if note.pinned)
    if pinned:
        page.header("Pinned")
        _list(page, pinned)
        page.header("Others")
    _list(page, tuple(note for note in notes.notes if not note.pinned))
    page.fab("new", "New note", ("page", "new"))


def _list(page: PageBuilder, notes: tuple[Note, ...]) -> None:
    for note in notes:
        page.row(f"note:{note.title}", note.title, ("page", "note", note.title), _preview(page, note))


def _preview(page: PageBuilder, note: Note) -> str:
    if note.checklist:
        return page.say("{} of {} done", sum(item.done for item in note.items), len(note.items))
    return note.text.partition("\n")[0]


def _note(page: PageBuilder, note: Note) -> None:
    title = note.title
    page.bar("Note", ("delete", "Delete", ("dialog", "delete", title)))
    page.header(title)
    page.chips(("pin", "Pinned" if note.pinned else "Pin", note.pinned, ("pin", title)))
    for item in note.items:
        page.check(f"item:{item.text}", item.text, item.done, ("tick", title, item.text))
    for line in note.text.splitlines():
        page.paragraph(line)
    page.input_bar("line", "Add an item" if note.checklist else "Add a line", "Add", ("add", title))
    if page.screen.dialog:
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", title)))
        page.ask("Delete note?", page.say("{} will be gone.", title), *buttons)


def _react(state: PhoneState, event: Event) -> PhoneState:
    notes: Notes = state.apps["Notes"]
    match event:
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen("Notes", "found", (query,))) if query else state
        case ("enter", "heading"):
            return state.with_top(replace(state.top, focus="text"))
        case ("save",) | ("enter", "text"):
            return _save(state, notes)
        case ("add", title):
            return _add(state, notes, title)
        case ("enter", "line"):
            return _add(state, notes, state.top.args[0])
        case ("delete", title):
            return replace(state.with_app("Notes", notes.without(title)).pop(), toast=say(state.style, "Deleted"))
        case ("pin" | "tick", title, *which):
            return state.with_app("Notes", notes.with_note(_changed(notes.get(title), which)))
        case _:
            return state


def _changed(note: Note, which: list[str]) -> Note:
    """The note pinned or not, or one of its items ticked or not."""
    if not which:
        return replace(note, pinned=not note.pinned)
    items = tuple(replace(item, done=not item.done) if item.text == which[0] else item for item in note.items)
    return replace(note, items=items)


def _save(state: PhoneState, notes: Notes) -> PhoneState:
    title, text = state.top.draft("heading").strip(), state.top.draft("text").strip()
    if not title:
        return replace(state, toast=say(state.style, "Give the note a title"))
    if any(note.title == title for note in notes.notes):
        return replace(state, toast=say(state.style, "There is such a note already"))
    note = Note(title, text)
    if state.top.page == "new_list":
        note = Note(title, items=(Item(text),) if text else (), checklist=True)
    return replace(state.with_app("Notes", notes.with_note(note)).pop(), toast=say(state.style, "Saved"))


def _add(state: PhoneState, notes: Notes, title: str) -> PhoneState:
    line, note = state.top.draft("line").strip(), notes.get(title)
    if not line:
        return replace(state, toast=say(state.style, "Nothing to add"))
    if any(item.text == line for item in note.items):
        return replace(state, toast=say(state.style, "It is on the list already"))
    if note.checklist:
        note = replace(note, items=(*note.items, Item(line)))
    else:
        note = replace(note, text=f"{note.text}\n{line}".strip())
    return state.with_app("Notes", notes.with_note(note)).with_top(state.top.with_draft("line", ""))


def _facts(notes: Notes) -> Mapping[str, Json]:
    items = [(note.title, item) for note in notes.notes for item in note.items]
    return {
        "notes.notes": [{"title": note.title, "text": note.text, "checklist": note.checklist} for note in notes.notes],
        "notes.pinned": [note.title for note in notes.notes if note.pinned],
        "notes.items": [{"note": title, "text": item.text} for title, item in items],
        "notes.done": [{"note": title, "text": item.text} for title, item in items if item.done],
    }


APP = App(
    "Notes", "Notes", ("Notes",), _layout, _react, variants(_start), _facts, {"new": "heading", "new_list": "heading"}
)
