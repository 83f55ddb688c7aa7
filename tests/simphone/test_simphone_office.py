"""Mail, notes, calendar and files used by hand: what they do, say and refuse; and what their tasks look like."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phone_walks import phone, tap, through

from distrl_sdk.judge.checks import holds
from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.apps import calendar, files, mail, notes
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import FAMILIES, start_state
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, Chances, PhoneState, Screen, Style
from distrl_sdk.simphone.wording import BOOKS, LOCALES
from distrl_sdk.types import Finish, Json, Key, OpenApp, Press, Swipe, Task, TypeText

START = phone(12)
BACK, ENTER = Press(Key.BACK), Press(Key.ENTER)
TODAY = START.apps["Calendar"].today
OURS = sorted(name for name, family in FAMILIES.items() if set(family.apps) & {"Mail", "Notes", "Calendar", "Files"})


def opened(app: str, *names: str) -> PhoneState:
    return through(engine.act(START, OpenApp(app)), *names)


def typed(state: PhoneState, field: str, text: str) -> PhoneState:
    if state.top.focus != field:
        state = tap(state, field)
    return engine.act(state, TypeText(text))


def fact(state: PhoneState, name: str) -> Json:
    return facts_of(state, START)[name]


def first(state: PhoneState, prefix: str) -> str:
    return next(name for name in scene_of(state).names if name.startswith(prefix))


def texts(state: PhoneState) -> Iterable[str]:
    return {element.text for element in scene_of(state).elements}


def test_a_mail_that_is_opened_is_not_unread_any_more_unless_it_is_marked() -> None:
    inbox = opened("Mail")
    key = next(one.key for one in START.apps["Mail"].folder("Inbox")[:6] if one.unread)

    read = tap(inbox, f"mail:{key}")
    again = tap(read, "unread")

    assert fact(read, "mail.unread.grown") == -1
    assert fact(again, "changed") == []
    assert again.toast == "Marked as unread"
    assert again.top.place == ("Mail", "main")


@pytest.mark.parametrize(("button", "folder", "said"), [("archive", "Archive", "Archived"),
                                                        ("delete", "Bin", "Moved to the bin")])  # fmt: skip
def test_a_mail_leaves_the_inbox_and_comes_back_from_its_folder(button: str, folder: str, said: str) -> None:
    inbox = opened("Mail")
    name = first(inbox, "mail:")

    moved = through(inbox, name, button)
    back = through(moved, "folders", f"folder:{folder}", name, "restore")

    assert moved.toast == said
    assert scene_of(moved).find(name) is None
    assert (fact(moved, "mail.inbox.grown"), fact(moved, f"mail.{folder.lower()}.grown")) == (-1, 1)
    assert fact(back, "mail.inbox.grown") == 0


def test_in_the_bin_a_mail_is_deleted_for_ever_when_the_dialog_says_so() -> None:
    inbox = opened("Mail")
    name = first(inbox, "mail:")
    asked = through(inbox, name, "delete", "folders", "folder:Bin", name, "delete")

    assert fact(tap(asked, "cancel"), "mail.bin.grown") == 1
    assert fact(tap(asked, "confirm"), "mail.bin.grown") == 0
    assert fact(tap(asked, "confirm"), "mail.inbox.grown") == -1


def test_a_star_is_a_folder_too() -> None:
    inbox = opened("Mail")
    name = next(f"mail:{one.key}" for one in START.apps["Mail"].folder("Inbox")[:6] if not one.starred)

    starred = through(inbox, name, "star")
    folder = through(engine.act(starred, BACK), "folders", "folder:Starred")

    assert fact(starred, "mail.starred.grown") == 1
    assert scene_of(folder).find(name) is not None
    assert fact(through(folder, name, "star"), "mail.starred.grown") == 0


def test_a_mail_without_an_address_or_without_words_is_not_sent() -> None:
    page = opened("Mail", "compose")

    assert tap(page, "send").toast == "Add a recipient"
    assert tap(typed(page, "to", "ada"), "send").toast == "Enter an address such as ada@post.net"
    assert tap(typed(page, "to", "ada@post.net"), "send").toast == "The mail is empty"

    subject = engine.act(typed(page, "to", "ada@post.net"), ENTER)
    text = engine.act(typed(subject, "subject", "hello"), ENTER)
    sent = tap(typed(text, "text", "how are you"), "send")

    assert fact(sent, "mail.sent") == [{"to": "ada@post.net", "subject": "hello", "text": "how are you"}]
    assert fact(sent, "changed") == ["mail.sent"]
    assert sent.top.place == ("Mail", "main")


def test_an_answer_goes_to_the_sender_and_a_forwarded_mail_keeps_its_text() -> None:
    inbox = opened("Mail")
    name = first(inbox, "mail:")
    one = START.apps["Mail"].get(name.removeprefix("mail:"))
    page = tap(inbox, name)

    empty = through(page, "reply", "send")
    answered = tap(typed(tap(page, "reply"), "text", "thank you"), "send")
    passed = tap(typed(tap(page, "forward"), "to", "leo@post.net"), "send")

    assert empty.toast == "The mail is empty"
    assert fact(answered, "mail.sent") == [{"to": one.who, "subject": f"Re: {one.subject}", "text": "thank you"}]
    assert fact(passed, "mail.sent") == [{"to": "leo@post.net", "subject": f"Fwd: {one.subject}", "text": one.text}]


def test_a_search_finds_what_has_all_the_words_and_folders_may_take_their_time() -> None:
    one = START.apps["Mail"].folder("Inbox")[0]
    slow = apps.fresh(12, Chances(0.0, 1.0))
    inbox = engine.act(slow, OpenApp("Mail"))

    found = engine.act(typed(opened("Mail"), "search", f"{one.who} {one.subject}"), ENTER)
    none = engine.act(typed(opened("Mail"), "search", "xylophone"), ENTER)
    waiting = through(inbox, "folders", "folder:Sent")

    assert scene_of(found).find(f"mail:{one.key}") is not None
    assert "Nothing here." in texts(none)
    assert scene_of(waiting).find("spinner") is not None


def test_a_note_needs_a_title_of_its_own() -> None:
    page = opened("Notes", "new")
    taken = START.apps["Notes"].notes[0].title

    saved = tap(typed(typed(page, "heading", "Boat"), "text", "buy one"), "save")

    assert tap(page, "save").toast == "Give the note a title"
    assert tap(typed(page, "heading", taken), "save").toast == "There is such a note already"
    assert fact(saved, "notes.notes.grown") == 1
    assert fact(saved, "notes.notes")[0] == {"title": "Boat", "text": "buy one", "checklist": False}
    assert saved.toast == "Saved"


def test_a_checklist_takes_items_once_and_counts_those_that_are_ticked() -> None:
    page = opened("Notes", "new_list")
    made = through(tap(typed(typed(page, "heading", "Boat"), "text", "sail"), "save"), "note:Boat")

    more = tap(typed(made, "line", "rope"), "add")
    twice = tap(typed(more, "line", "rope"), "add")
    ticked = tap(engine.act(more, BACK), "item:sail")

    assert [one["text"] for one in fact(more, "notes.items") if one["note"] == "Boat"] == ["sail", "rope"]
    assert twice.toast == "It is on the list already"
    assert fact(ticked, "notes.done.grown") == 1
    assert any(text.endswith("1 of 2 done") for text in texts(engine.act(ticked, BACK)))
    assert fact(tap(ticked, "item:sail"), "notes.done.grown") == 0


def test_a_line_is_added_to_a_note_and_an_empty_one_is_not() -> None:
    page = opened("Notes", "new")
    note = through(tap(typed(typed(page, "heading", "Boat"), "text", "buy one"), "save"), "note:Boat")

    assert tap(note, "add").toast == "Nothing to add"
    assert fact(tap(typed(note, "line", "a red one"), "add"), "notes.notes")[0]["text"] == "buy one\na red one"


def test_a_pinned_note_stands_first_and_a_deleted_one_is_gone_after_the_dialog() -> None:
    last = [note.title for note in START.apps["Notes"].notes if not note.pinned][-1]
    state = opened("Notes")
    page = state.push(Screen("Notes", "note", (last,)))

    pinned = engine.act(tap(page, "pin"), BACK)
    asked = tap(page, "delete")

    rows = [name for name in scene_of(pinned).names if name.startswith("note:")]
    ours = [one.title for one in START.apps["Notes"].notes if one.pinned or one.title == last]
    assert rows[: len(ours)] == [f"note:{title}" for title in ours]
    assert fact(tap(asked, "cancel"), "changed") == []
    assert fact(tap(asked, "confirm"), "notes.notes.grown") == -1
    assert tap(asked, "confirm").top.place == ("Notes", "main")


@pytest.mark.parametrize("month", range(12))
def test_a_month_has_its_days_under_their_weekdays(month: int) -> None:
    page = opened("Calendar").push(Screen("Calendar", "month", (str(month),)))
    cells = {name: element.box for name, element in zip(scene_of(page).names, scene_of(page).elements, strict=True)}

    days = [name for name in cells if name.startswith("day:")]
    columns = {round((cells[f"day:{number}"].left * 1080 - 32) / 147) for number in (1, 8, 15, 22)}

    assert len(days) == calendar.days_in(month)
    assert columns == {date(2031, month + 1, 1).weekday()}


def test_swipes_and_buttons_turn_the_months_around_the_year() -> None:
    january = opened("Calendar").push(Screen("Calendar", "month", ("0",)))

    def title(state: PhoneState) -> str:
        found = scene_of(state).find("title")
        assert found is not None
        return found.text

    assert title(january) == "January 2031"
    assert title(engine.act(january, Swipe(0.8, 0.5, 0.2, 0.5))) == title(tap(january, "next")) == "February 2031"
    assert title(engine.act(january, Swipe(0.2, 0.5, 0.8, 0.5))) == title(tap(january, "previous")) == "December 2031"


def test_an_hour_of_a_day_takes_an_event_with_a_title_once() -> None:
    number = TODAY.split()[0]
    page = opened("Calendar", f"day:{number}", "slot:09:00")

    made = tap(typed(page, "heading", "Feed the fish"), "save")
    again = tap(typed(tap(made, "slot:09:00"), "heading", "Feed the fish"), "save")

    assert tap(page, "save").toast == "Give the event a title"
    assert {"title": "Feed the fish", "day": TODAY, "time": "09:00"} in fact(made, "calendar.events")
    assert fact(made, "calendar.events.grown") == 1
    assert again.toast == "There is such an event already"
    assert scene_of(made).find("event:09:00 Feed the fish") is not None


def test_an_event_can_be_given_any_day_and_full_hour() -> None:
    page = typed(opened("Calendar", "new"), "heading", "Feed the fish")

    assert tap(typed(page, "day", "30 February"), "save").toast == "Enter a day such as 14 May"
    assert tap(typed(typed(page, "day", "3 march"), "time", "9"), "save").toast == "Enter a full hour such as 15:00"

    made = tap(typed(typed(page, "day", "3 march"), "time", "09:00"), "save")
    assert {"title": "Feed the fish", "day": "3 March", "time": "09:00"} in fact(made, "calendar.events")


def test_an_event_has_a_reminder_and_is_deleted_after_the_dialog() -> None:
    event = START.apps["Calendar"].events[0]
    page = opened("Calendar").push(Screen("Calendar", "event", event.key))

    reminded, asked = tap(page, "reminder"), tap(page, "delete")

    assert fact(reminded, "calendar.reminders.grown") == (-1 if event.reminder else 1)
    assert fact(reminded, "calendar.events.grown") == 0
    assert fact(tap(asked, "cancel"), "changed") == []
    assert fact(tap(asked, "confirm"), "calendar.events.grown") == -1


@given(st.integers(0, 10**6))
def test_events_lie_on_days_and_hours_that_there_are(seed: int) -> None:
    kept = calendar.APP.start
    assert kept is not None

    for event in kept(random.Random(seed)).events:
        number, month = event.day.split()
        assert 1 <= int(number) <= calendar.days_in(calendar.MONTHS.index(month))
        assert event.time in calendar.HOURS


def file_page() -> tuple[PhoneState, files.File]:
    one = next(file for file in START.apps["Files"].files if file.folder == "Papers")
    return opened("Files", "folder:Papers", f"file:{one.name}"), one


def test_a_folder_is_made_where_one_stands_and_needs_a_plain_free_name() -> None:
    page = opened("Files", "folder:Papers", "folder:Taxes", "new")

    made = tap(typed(page, "name", "Old bills"), "save")

    assert tap(page, "save").toast == tap(typed(page, "name", "a/b"), "save").toast == "Enter a plain name"
    assert tap(typed(page, "name", "Receipts"), "save").toast == "This name is taken"
    assert fact(made, "files.folders")[-1] == "Papers/Taxes/Old bills"
    assert fact(made, "changed") == ["files.folders"]
    assert "This folder is empty." in texts(tap(made, "folder:Old bills"))


def test_a_file_gets_another_name_or_another_folder_and_its_page_is_left() -> None:
    page, one = file_page()

    renamed = tap(typed(tap(page, "rename"), "name", "boat.pdf"), "save")
    refused = tap(typed(tap(page, "rename"), "name", one.name), "save")
    moved = through(page, "move", "to:Scans/Passports")

    assert refused.toast == "This name is taken"
    for state, path in ((renamed, "Papers/boat.pdf"), (moved, f"Scans/Passports/{one.name}")):
        assert path in fact(state, "files.files")
        assert one.path not in fact(state, "files.files")
        assert fact(state, "changed") == ["files.files"]
        assert state.top.place == ("Files", "folder", "Papers")


def test_a_deleted_file_lies_in_the_bin_and_can_be_restored() -> None:
    page, one = file_page()
    asked = tap(page, "delete")
    gone = tap(asked, "confirm")
    thrown = through(engine.act(gone, BACK), "bin", f"thrown:{one.path}")

    assert fact(tap(asked, "cancel"), "changed") == []
    assert (fact(gone, "files.files.grown"), fact(gone, "files.bin.grown")) == (-1, 1)
    assert gone.toast == "Moved to the bin"
    assert sorted(fact(tap(thrown, "confirm"), "files.files")) == sorted(fact(START, "files.files"))
    assert tap(thrown, "confirm").toast == "Restored"


def test_files_are_shown_by_name_size_or_kind() -> None:
    state = opened("Files").push(Screen("Files", "folder", ("Papers",)))
    inside = [file for file in START.apps["Files"].files if file.folder == "Papers"]

    def order(sort: str) -> list[str]:
        page = through(state, "sort", f"sort:{sort}")
        return [name.removeprefix("file:") for name in scene_of(page).names if name.startswith("file:")]

    assert order("Name") == sorted(file.name for file in inside)
    assert order("Size") == [file.name for file in sorted(inside, key=lambda one: (-one.size, one.name))]
    assert order("Kind") == sorted((file.name for file in inside), key=lambda name: (name.split(".")[1], name))


def some_task(name: str, seed: int, wording: int = 0) -> Task:
    family, chance = FAMILIES[name], random.Random(seed)
    params = family.draw(chance)
    setup = {"seed": seed, "family": name, "params": params}
    every = (*family.wordings, *family.unseen)
    return Task(name, name, every[wording % len(every)].format(**params), 10, setup=setup, verify=family.verify(params))


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6))
@pytest.mark.parametrize("name", OURS)
def test_the_expert_needs_few_actions_on_every_phone_and_says_only_what_it_was_told(name: str, seed: int) -> None:
    task = some_task(name, seed, seed)
    style = Style(1 + seed % 2, LOCALES[seed % len(LOCALES)])
    start = state = start_state(task, CALM, style)
    assert not all(holds(check, facts_of(start, start)) for check in task.verify)

    taken = 0
    while not isinstance(action := next_action(state, task), Finish):
        state, taken = engine.act(state, action), taken + 1
        assert taken <= 6 + style.version, (task.instruction, state.top.place)
        if isinstance(action, TypeText):
            assert f" {action.text} " in f" {task.instruction} "

    assert all(holds(check, facts_of(state, start)) for check in task.verify)
    assert len(task.instruction.split()) <= 22


@pytest.mark.parametrize("name", OURS)
def test_a_family_has_wordings_to_test_with_and_hundreds_of_parameters(name: str) -> None:
    family, chance = FAMILIES[name], random.Random(1)

    assert len(OURS) >= 12
    assert len(family.wordings) >= 4
    assert len(family.unseen) >= 2
    assert len({repr(family.draw(chance)) for _ in range(600)}) > 200


def test_names_of_the_office_are_no_labels_so_that_no_phone_translates_them() -> None:
    names = {*mail.SUBJECTS, *notes.TITLES, *notes.LIST_TITLES, *notes.ITEMS}
    names |= {part for path in files.TREE for part in path.split("/")}

    assert names & set(BOOKS["de"]) == set()


def test_days_and_kinds_are_in_the_books() -> None:
    held = {*calendar.MONTHS, *(f"{{}} {month}" for month in calendar.MONTHS), *files.KINDS.values(), *mail.FOLDERS}

    assert held - set(BOOKS["de"]) == set()
