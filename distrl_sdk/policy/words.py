"""Words as numbers: splitting, hashing into buckets, and an instruction whose spans can be typed again exactly."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

BUCKETS = 4096
"""Hash buckets of the word embedding; bucket 0 is padding."""
GOAL_WORDS = 24
"""Words of an instruction that the policy reads and can type."""
GOAL_BYTES = 256
"""UTF-8 bytes of an instruction that travel with the features."""
ELEMENT_WORDS = 12
"""Words of an element that the policy reads."""

_WORD = re.compile(r"[^\s\"“”„«»,;!?()]+")
_TRIM = ".:'’"


@lru_cache(maxsize=65536)
def bucket(word: str) -> int:
    """The bucket of a word, the same in every process: 1..BUCKETS - 1."""
    return 1 + zlib.crc32(word.lower().encode()) % (BUCKETS - 1)


def spans(text: str) -> list[tuple[int, int]]:
    """Start and end, in characters, of each word without the punctuation around it."""
    found = []
    for match in _WORD.finditer(text):
        word = match.group()
        start = match.start() + len(word) - len(word.lstrip(_TRIM))
        end = match.start() + len(word.rstrip(_TRIM))
        if start < end:
            found.append((start, end))
    return found


@lru_cache(maxsize=65536)
def split(text: str) -> tuple[str, ...]:
    """The words of a text, lower case."""
    return tuple(text[start:end].lower() for start, end in spans(text))


@dataclass(frozen=True, eq=False)
class Goal:
    """An instruction, read once."""

    words: tuple[str, ...]
    """At most GOAL_WORDS, lower case."""
    ids: npt.NDArray[np.uint16]
    """[GOAL_WORDS] buckets, 0 beyond the last word."""
    shape: npt.NDArray[np.uint8]
    """[GOAL_WORDS, 4]: capitalised, has a digit, has a point or colon inside, stands in quotes."""
    span: npt.NDArray[np.int16]
    """[GOAL_WORDS, 2]: start and end of each word in `raw`, bytes."""
    raw: npt.NDArray[np.uint8]
    """[GOAL_BYTES]: the instruction in UTF-8, zeros behind it."""


@lru_cache(maxsize=4096)
def read_goal(instruction: str) -> Goal:
    """Read an instruction; what is beyond GOAL_WORDS words or GOAL_BYTES bytes is not seen."""
    ids = np.zeros(GOAL_WORDS, np.uint16)
    shape = np.zeros((GOAL_WORDS, 4), np.uint8)
    span = np.zeros((GOAL_WORDS, 2), np.int16)
    words: list[str] = []
    for start, end in spans(instruction):
        from_byte, to_byte = len(instruction[:start].encode()), len(instruction[:end].encode())
        if len(words) == GOAL_WORDS or to_byte > GOAL_BYTES:
            break
        word, at = instruction[start:end], len(words)
        ids[at] = bucket(word)
        quoted = instruction[:start].count('"') % 2 == 1
        shape[at] = word[0].isupper(), any(c.isdigit() for c in word), any(c in ".:@" for c in word), quoted
        span[at] = from_byte, to_byte
        words.append(word.lower())
    raw = np.zeros(GOAL_BYTES, np.uint8)
    encoded = instruction.encode()[:GOAL_BYTES]
    raw[: len(encoded)] = np.frombuffer(encoded, np.uint8)
    return Goal(tuple(words), ids, shape, span, raw)


def typed_text(raw: npt.NDArray[np.uint8], span: npt.NDArray[np.int16], first: int, count: int) -> str:
    """The text of `count` words from word `first` on, as it stands in the instruction."""
    start, end = int(span[first, 0]), int(span[first + count - 1, 1])
    return raw[start:end].tobytes().decode(errors="replace")
