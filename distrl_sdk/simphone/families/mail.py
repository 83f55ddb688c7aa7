"""Families in the mail app."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.mail import SUBJECTS, Mailbox, draw_address, received
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
from distrl_sdk.simphone.names import PHRASES, draw_person
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_INBOX, _ARCHIVE, _BIN, _STARRED = "mail.inbox", "mail.archive", "mail.bin", "mail.starred"
_UNREAD, _SENT = "mail.unread", "mail.sent"
"""A mail that is opened is not unread any more, so most checks leave `mail.unread` alone."""


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"name": draw_person(chance), "subject": chance.choice(SUBJECTS)}


def _draw_reply(chance: random.Random) -> dict[str, Json]:
    return {**_draw(chance), "text": chance.choice(PHRASES)}


def _draw_forward(chance: random.Random) -> dict[str, Json]:
    return {**_draw(chance), "address": draw_address(chance)}


def _draw_subject(chance: random.Random) -> dict[str, Json]:
    return {"address": draw_address(chance), "subject": chance.choice(PHRASES)}


def _draw_text(chance: random.Random) -> dict[str, Json]:
    return {"address": draw_address(chance), "text": chance.choice(PHRASES)}


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The mail somewhere in the inbox, with others of its sender and with others of its subject."""
    chance = random.Random(state.seed)
    box: Mailbox = state.apps["Mail"]
    name, subject = params["name"], params["subject"]
    near = SUBJECTS[(SUBJECTS.index(subject) + 1) % len(SUBJECTS)]
    other = box.mails[0].who
    pairs = ((name, near), (name, chance.choice(SUBJECTS)), (other, subject), (name, subject))
    for who, what in pairs:
        mail = received(who, what, chance.choice(PHRASES))
        box = box.without(mail.key).with_mail(mail, chance.randint(0, len(box.mails) - 1))
    return state.with_app("Mail", box)


def _with_unread(state: PhoneState, params: Params) -> PhoneState:
    box: Mailbox = _with(state, params).apps["Mail"]
    key = _key(params)
    mails = tuple(replace(mail, unread=mail.key != key and mail.unread) for mail in box.mails)
    return state.with_app("Mail", replace(box, mails=mails))


def _as_it_is(state: PhoneState, params: Params) -> PhoneState:
    del params
    return state


def _key(params: Params) -> str:
    return received(params["name"], params["subject"], "").key


def _told(params: Params) -> dict[str, Json]:
    return {"with": params["name"], "subject": params["subject"]}


def _at_mail(params: Params, *then: str, more: Route | None = None) -> Route:
    """Open the mail from the inbox, and touch something there."""
    key = _key(params)
    return from_home("Mail", {
        ("Mail", "main"): (Hit(f"mail:{key}"),),
        ("Mail", "mail", key): tuple(Hit(name) for name in then),
        **(more or {}),
    })  # fmt: skip


def _verify_moved(params: Params, target: str) -> tuple[Check, ...]:
    return (
        has(target, _told(params)), lacks(_INBOX, _told(params)), equals(f"{target}.grown", 1),
        equals(f"{_INBOX}.grown", -1), only(_INBOX, target, _UNREAD),
    )  # fmt: skip


def _verify_star(params: Params) -> tuple[Check, ...]:
    return has(_STARRED, _told(params)), equals(f"{_STARRED}.grown", 1), only(_STARRED, _UNREAD)


def _verify_unread(params: Params) -> tuple[Check, ...]:
    return has(_UNREAD, _told(params)), equals(f"{_UNREAD}.grown", 1), only(_UNREAD)


def _verify_sent(to: str, subject: str, text: str | None) -> tuple[Check, ...]:
    sent: dict[str, Json] = {"to": to, "subject": subject, **({} if text is None else {"text": text})}
    return has(_SENT, sent), equals(f"{_SENT}.grown", 1), only(_SENT, _UNREAD)


def _route_reply(params: Params) -> Route:
    page = ("Mail", "reply", _key(params))
    return _at_mail(params, "reply", more={page: (Fill("text", params["text"]), Hit("send"))})


def _route_forward(params: Params) -> Route:
    page = ("Mail", "forward", _key(params))
    return _at_mail(params, "forward", more={page: (Fill("to", params["address"]), Hit("send"))})


def _route_write(params: Params) -> Route:
    """What is not asked for stays empty: a draft in the other field is left by going back."""
    given = {"subject": params.get("subject", ""), "text": params.get("text", "")}
    fields = sorted(given, key=lambda field: given[field] != "")
    fills = tuple(Fill(field, given[field]) for field in fields)
    return from_home("Mail", {
        ("Mail", "main"): (Hit("compose"),),
        ("Mail", "compose"): (Fill("to", params["address"]), *fills, Hit("send")),
    })  # fmt: skip


_MAIL = ("Mail",)
SEND_MAIL = Family(
    "send_mail", _MAIL,
    ("Send a mail to {address} with the subject {subject}", "Write to {address} , subject {subject} , nothing else",
     "Mail {address} an empty mail whose subject is {subject}",
     "New mail for {address} with only the subject {subject}"),
    _draw_subject, _as_it_is, lambda p: _verify_sent(p["address"], p["subject"], ""), _route_write,
    ("{address} shall get a mail that just has {subject} in its subject line",
     "Put {subject} into the subject of a mail and send it to {address}"),
)  # fmt: skip
WRITE_MAIL = Family(
    "write_mail", _MAIL,
    ("Send {address} a mail without a subject that says {text}", "Mail the text {text} to {address}",
     "Write a mail to {address} with the text {text} and leave the subject empty",
     "New mail to {address} , no subject, just the text {text}"),
    _draw_text, _as_it_is, lambda p: _verify_sent(p["address"], "", p["text"]), _route_write,
    ("Let {address} know by mail, in the text and not in the subject: {text}",
     "I want to mail {address} this text: {text} , no subject needed"),
)  # fmt: skip
REPLY_MAIL = Family(
    "reply_mail", _MAIL,
    ("Reply {text} to the mail {subject} from {name}", "Answer the mail {subject} by {name} with {text}",
     "{name} sent a mail about {subject} , reply with {text}", "In the mail app answer {name} on {subject} : {text}"),
    _draw_reply, _with, lambda p: _verify_sent(p["name"], f"Re: {p['subject']}", p["text"]), _route_reply,
    ("There is a mail {subject} from {name} , write back {text}",
     "Tell {name} {text} as a reply to the mail {subject}"),
)  # fmt: skip
FORWARD_MAIL = Family(
    "forward_mail", _MAIL,
    ("Forward the mail {subject} from {name} to {address}", "Send the mail {subject} by {name} on to {address}",
     "Pass the mail {subject} that {name} wrote on to {address}", "Let {address} have the mail {subject} from {name}"),
    _draw_forward, _with, lambda p: _verify_sent(p["address"], f"Fwd: {p['subject']}", None), _route_forward,
    ("{address} should see the mail {subject} from {name} , forward it",
     "{name} mailed me {subject} and {address} needs a copy of it"),
)  # fmt: skip
ARCHIVE_MAIL = Family(
    "archive_mail", _MAIL,
    ("Archive the mail {subject} from {name}", "Move the mail {subject} by {name} to the archive",
     "Put {subject} from {name} into the mail archive", "I am done with the mail {subject} from {name} , archive it"),
    _draw, _with, lambda p: _verify_moved(p, _ARCHIVE), lambda p: _at_mail(p, "archive"),
    ("Keep the mail {subject} that {name} sent, but out of the inbox, in the archive",
     "The mail from {name} about {subject} belongs in the archive"),
)  # fmt: skip
STAR_MAIL = Family(
    "star_mail", _MAIL,
    ("Star the mail {subject} from {name}", "Mark the mail {subject} by {name} with a star",
     "Give the mail {subject} from {name} a star", "Add the mail {subject} of {name} to the starred ones"),
    _draw, _with, _verify_star, lambda p: _at_mail(p, "star"),
    ("The mail {subject} by {name} matters, put a star on it", "I want {subject} from {name} among my starred mails"),
)  # fmt: skip
DELETE_MAIL = Family(
    "delete_mail", _MAIL,
    ("Delete the mail {subject} from {name}", "Throw the mail {subject} by {name} into the bin",
     "Get rid of the mail {subject} that {name} sent", "Remove the mail {subject} of {name} from the inbox"),
    _draw, _with, lambda p: _verify_moved(p, _BIN), lambda p: _at_mail(p, "delete"),
    ("{name} wrote {subject} and that mail can go to the bin", "I do not need the mail {subject} from {name} any more"),
)  # fmt: skip
UNREAD_MAIL = Family(
    "unread_mail", _MAIL,
    ("Mark the mail {subject} from {name} as unread", "Set the mail {subject} by {name} back to unread",
     "Make the mail {subject} from {name} unread again", "Show the mail {subject} of {name} as not read"),
    _draw, _with_unread, _verify_unread, lambda p: _at_mail(p, "unread"),
    ("I have to look at {subject} from {name} later, mark that mail as unread",
     "Let the mail {subject} by {name} look new again"),
)  # fmt: skip
