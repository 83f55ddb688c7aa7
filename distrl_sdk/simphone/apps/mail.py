"""Mail: folders of mails from people; they are read, starred, archived, answered, passed on and written."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone import popups
from distrl_sdk.simphone.apps.app import App, variants
from distrl_sdk.simphone.names import PHRASES, draw_person
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

FOLDERS = ("Inbox", "Starred", "Archive", "Sent", "Bin")
TOPICS = ("Invoice", "Report", "Photos", "Tickets", "Notes", "Plans", "Minutes", "Offer", "Booking", "Questions")
_ENDS = (
    "for March",
    "for April",
    "for May",
    "for the team",
    "for the trip",
    "for the flat",
    "for the car",
    "for Friday",
)
SUBJECTS = tuple(f"{topic} {end}" for topic in TOPICS for end in _ENDS)
"""Neighbours differ in their last word."""
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[a-zA-Z]+")
_ROW = 190
_UNREAD, _STARRED = 1, 2
"""Bits of a row's level, for its painter."""


@record
@dataclass(frozen=True, slots=True)
class Mail:
    """One mail."""

    key: str
    who: str
    """Its sender, or in `Sent` whom it went to."""
    subject: str
    text: str = ""
    folder: str = "Inbox"
    unread: bool = False
    starred: bool = False


@record
@dataclass(frozen=True, slots=True)
class Mailbox:
    """Mails, the latest first."""

    mails: tuple[Mail, ...] = ()
    sent: int = 0
    """How many were ever sent: the number of the next one."""

    def get(self, key: str) -> Mail:
        """The mail of a key. Raises StopIteration if there is none."""
        return next(mail for mail in self.mails if mail.key == key)

    def folder(self, name: str) -> tuple[Mail, ...]:
        """The mails of a folder; `Starred` has those of all folders but the bin."""
        if name == "Starred":
            return tuple(mail for mail in self.mails if mail.starred and mail.folder != "Bin")
        return tuple(mail for mail in self.mails if mail.folder == name)

    def with_mail(self, mail: Mail, place: int = 0) -> Mailbox:
        """One mail more, or the one of its key replaced where it was."""
        at = next((at for at, old in enumerate(self.mails) if old.key == mail.key), None)
        if at is not None:
            return replace(self, mails=(*self.mails[:at], mail, *self.mails[at + 1 :]))
        return replace(self, mails=(*self.mails[:place], mail, *self.mails[place:]))

    def without(self, key: str) -> Mailbox:
        """One mail less."""
        return replace(self, mails=tuple(mail for mail in self.mails if mail.key != key))


def received(who: str, subject: str, text: str, unread: bool = False) -> Mail:
    """A mail from somebody."""
    return Mail(f"{who}: {subject}", who, subject, text, unread=unread)


def draw_address(chance: random.Random) -> str:
    """Somebody's address."""
    first, last = draw_person(chance).lower().split()
    return f"{first}.{last}@{chance.choice(('post.net', 'inbox.org', 'letters.com'))}"


def _start(chance: random.Random) -> Mailbox:
    box = Mailbox()
    senders = [draw_person(chance) for _ in range(5)]
    for _ in range(chance.randint(10, 15)):
        mail = received(chance.choice(senders), chance.choice(SUBJECTS), chance.choice(PHRASES), chance.random() < 0.4)
        folder = chance.choice(("Inbox",) * 6 + ("Archive", "Bin"))
        box = box.with_mail(replace(mail, folder=folder, starred=chance.random() < 0.15))
    return box


def _layout(page: PageBuilder, box: Mailbox) -> None:
    screen = page.screen
    match screen.page:
        case "folders":
            page.bar("Folders")
            for name in FOLDERS:
                detail = page.say("Mails: {}", len(box.folder(name)))
                page.row(f"folder:{name}", page.say(name), ("folder", name), detail, icon=name)
        case "folder":
            page.bar(screen.args[0])
            _list(page, box.folder(screen.args[0]))
        case "found":
            page.bar(page.say("Results for {}", screen.args[0]))
            _list(page, _search(box, screen.args[0]))
        case "mail":
            _mail(page, box.get(screen.args[0]))
        case "compose":
            page.bar("New mail", ("send", "Send", ("send",)))
            page.field("to", "To")
            page.field("subject", "Subject")
            page.field("text", "Text")
        case "reply" | "forward":
            _answer(page, box.get(screen.args[0]))
        case _:
            page.bar("Inbox", ("folders", "Folders", ("page", "folders")))
            page.field("search", "Search mail")
            _list(page, box.folder("Inbox"))
            page.fab("compose", "Write", ("page", "compose"))


def _list(page: PageBuilder, mails: tuple[Mail, ...]) -> None:
    for mail in mails:
        line = f"{mail.subject} - {mail.text}" if mail.text else mail.subject
        level = _UNREAD * mail.unread + _STARRED * mail.starred
        box = Rect(0, 0, WIDTH, _ROW)
        event = ("read", mail.key)
        page.place(Widget(box, "letter", mail.who, line, f"mail:{mail.key}", "item", event, icon=mail.who, level=level))
        page.skip(_ROW)
    if not mails:
        page.paragraph("Nothing here.")


def _search(box: Mailbox, query: str) -> tuple[Mail, ...]:
    words = query.lower().split()
    return tuple(
        mail
        for mail in box.mails
        if mail.folder != "Bin" and all(word in f"{mail.who} {mail.subject} {mail.text}".lower() for word in words)
    )


def _mail(page: PageBuilder, mail: Mail) -> None:
    key = mail.key
    delete: Event = ("dialog", "erase", key) if mail.folder == "Bin" else ("bin", key)
    actions = [("delete", "Delete", delete)]
    if mail.folder == "Inbox":
        actions.append(("archive", "Archive", ("archive", key)))
    elif mail.folder != "Sent":
        actions.append(("restore", "To inbox", ("restore", key)))
    page.bar("Mail", *actions)
    page.header(mail.subject)
    page.row("who", mail.who, (), page.say("To") if mail.folder == "Sent" else page.say("From"), icon=mail.who)
    page.paragraph(mail.text or page.say("No text"))
    page.chips(
        ("reply", "Reply", False, ("page", "reply", key)),
        ("forward", "Forward", False, ("page", "forward", key)),
        ("star", "Starred" if mail.starred else "Star", mail.starred, ("star", key)),
        ("unread", "Mark unread", False, ("unread", key)),
    )
    if page.screen.dialog:
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("erase", key)))
        page.ask("Delete for ever?", page.say("{} will be gone.", mail.subject), *buttons)


def _answer(page: PageBuilder, mail: Mail) -> None:
    if page.screen.page == "reply":
        page.bar("Reply", ("send", "Send", ("send",)))
        page.row("who", mail.who, (), page.say("To"), icon=mail.who)
        page.field("text", "Text")
    else:
        page.bar("Forward", ("send", "Send", ("send",)))
        page.field("to", "To")
    page.header(mail.subject)
    page.paragraph(mail.text)


def _react(state: PhoneState, event: Event) -> PhoneState:
    box: Mailbox = state.apps["Mail"]
    match event:
        case ("folder", "Inbox"):
            return state.pop()
        case ("folder", name):
            return state.push(Screen("Mail", "folder", (name,), ready=popups.spinner(state)))
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen("Mail", "found", (query,), ready=popups.spinner(state))) if query else state
        case ("read", key):
            read = box.with_mail(replace(box.get(key), unread=False))
            return state.with_app("Mail", read).push(Screen("Mail", "mail", (key,)))
        case ("star", key):
            mail = box.get(key)
            return state.with_app("Mail", box.with_mail(replace(mail, starred=not mail.starred)))
        case ("erase", key):
            return replace(state.with_app("Mail", box.without(key)).pop(), toast=say(state.style, "Deleted"))
        case ("send",) | ("enter", "to" | "subject"):
            return _forth(state, box, event)
        case (verb, key) if verb in _MOVES:
            text, change = _MOVES[verb]
            moved = state.with_app("Mail", box.with_mail(change(box.get(key)))).pop()
            return replace(moved, toast=say(state.style, text))
        case _:
            return state


_MOVES: Mapping[str, tuple[str, Callable[[Mail], Mail]]] = {
    "archive": ("Archived", lambda mail: replace(mail, folder="Archive")),
    "bin": ("Moved to the bin", lambda mail: replace(mail, folder="Bin")),
    "restore": ("Moved to the inbox", lambda mail: replace(mail, folder="Inbox")),
    "unread": ("Marked as unread", lambda mail: replace(mail, unread=True)),
}
"""Verb -> what is said, and what becomes of the mail; then its page is left."""


def _forth(state: PhoneState, box: Mailbox, event: Event) -> PhoneState:
    """ENTER leads from field to field of a new mail; from the last one, or by the button, it is sent."""
    top = state.top
    following = {"to": "subject", "subject": "text"}.get(event[-1])
    if following and top.page == "compose":
        return state.with_top(replace(top, focus=following))
    to, subject, text = (top.draft(field).strip() for field in ("to", "subject", "text"))
    if top.page != "compose":
        mail = box.get(top.args[0])
        mark, to, text = ("Re", mail.who, text) if top.page == "reply" else ("Fwd", to, mail.text)
        subject = f"{mark}: {mail.subject}"
    if not to:
        return replace(state, toast=say(state.style, "Add a recipient"))
    if top.page != "reply" and not _ADDRESS.fullmatch(to):
        return replace(state, toast=say(state.style, "Enter an address such as ada@post.net"))
    if not (subject or text) or (top.page == "reply" and not text):
        return replace(state, toast=say(state.style, "The mail is empty"))
    sent = replace(box, sent=box.sent + 1).with_mail(Mail(f"sent {box.sent}", to, subject, text, "Sent"))
    return replace(state.with_app("Mail", sent).pop(), toast=say(state.style, "Sent"))


def _facts(box: Mailbox) -> Mapping[str, Json]:
    def told(mails: tuple[Mail, ...]) -> list[Json]:
        return [{"with": mail.who, "subject": mail.subject} for mail in mails]

    sent = [{"to": mail.who, "subject": mail.subject, "text": mail.text} for mail in box.folder("Sent")]
    return {
        "mail.inbox": told(box.folder("Inbox")),
        "mail.archive": told(box.folder("Archive")),
        "mail.bin": told(box.folder("Bin")),
        "mail.starred": told(tuple(mail for mail in box.mails if mail.starred)),
        "mail.unread": told(tuple(mail for mail in box.mails if mail.unread)),
        "mail.sent": sent,
    }


APP = App(
    "Mail",
    "Mail",
    ("Mail",),
    _layout,
    _react,
    variants(_start),
    _facts,
    {"compose": "to", "reply": "text", "forward": "to"},
)
