"""How much room a text takes, in widths of a Latin letter: layouts know no fonts."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[⺀-\uffff][，。：；？！、）”…]*|[^ ⺀-\uffff]+ *| +")
"""What a line may be broken after: a Chinese sign with the marks that follow it, a word with its blanks."""


def cells(text: str) -> int:
    """How many Latin letters' widths a text takes; a Chinese sign takes two."""
    return sum(2 if ord(letter) > 0x2E80 else 1 for letter in text)


def pieces(text: str) -> list[str]:
    """What lines are put together from; joined they are the text."""
    return _PIECE.findall(text)


def lines(text: str, wide: int) -> int:
    """How many lines of so many letters' width a text takes."""
    count, filled = 1, 0
    for piece in pieces(text):
        if filled and filled + cells(piece.rstrip()) > wide:
            count, filled = count + 1, 0
        filled += cells(piece)
    return count
