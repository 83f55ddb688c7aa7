"""A text as what has to be sent for it: words for `input text`, keys, and text for an input method.

`input text` turns %s into a blank and knows no way to write %s itself; it knows ASCII only; it types no line ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

ENTER, TAB = 66, 61
CHUNK = 80
"""Characters of one `input text`: longer ones come out of order on slow phones."""
METHOD_CHUNK = 1000
"""Characters of one text for an input method: with base64 a command stays below its limit."""


@dataclass(frozen=True, slots=True)
class Words:
    """An argument of `input text`."""

    argument: str


@dataclass(frozen=True, slots=True)
class KeyPress:
    """A key by its number."""

    code: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """Text that only an input method can enter."""

    text: str


Stroke: TypeAlias = Words | KeyPress | Foreign

_LINES = re.compile(r"\r\n|[\r\n\t]")


def strokes(text: str) -> tuple[Stroke, ...]:
    """What to send, in order; nothing for an empty text. Control characters that no key types are left out."""
    plan: list[Stroke] = []
    at = 0
    for match in _LINES.finditer(text):
        plan += _line(text[at : match.start()])
        plan.append(KeyPress(TAB if match[0] == "\t" else ENTER))
        at = match.end()
    return (*plan, *_line(text[at:]))


def _line(text: str) -> Iterator[Stroke]:
    """Of a text without line ends: a text that is not ASCII goes to the input method as a whole."""
    typed = "".join(letter for letter in text if letter.isprintable() or not letter.isascii())
    if not typed.isascii():
        yield from (Foreign(typed[at : at + METHOD_CHUNK]) for at in range(0, len(typed), METHOD_CHUNK))
        return
    for piece in _pieces(typed):
        yield Words(piece.replace(" ", "%s"))


def _pieces(text: str) -> Iterator[str]:
    """At most CHUNK characters each, and never '%s' in one of them; a piece ends behind a blank where it can."""
    while text:
        end = min(CHUNK, len(text))
        if end < len(text) and (blank := text.rfind(" ", 0, end)) > 0:
            end = blank + 1
        literal = text.find("%s", 0, end + 1)
        if literal >= 0:
            end = literal + 1
        yield text[:end]
        text = text[end:]
