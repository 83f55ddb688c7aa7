"""All that was asked of models and all that was judged: a file of JSON lines that only grows.

    {"kind": "call", "number": N, "at": T, "model": ..., "address": ..., "request": sha256, "frames": [sha256, ...],
     "reserved": {...}}
    {"kind": "answer", "number": N, "at": T, "served": ..., "usage": ..., "spent": {...}, "raw": ..., "failed": ...}
    {"kind": "verdict", "at": T, ...}                                  what the desk says of an episode

`at` is seconds since 1970. A call without its answer was under way when the process ended; it counts as reserved.
Keys and headers never come here; what could hold one goes through `Redaction`.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from distrl_sdk.errors import StorageError, blame
from distrl_sdk.judge.budget import Spend
from distrl_sdk.judge.call import CallError, ModelReply, ModelRequest, Picture
from distrl_sdk.judge.redaction import Redaction
from distrl_sdk.types import Json

RAW = 8_000
"""Characters of an answer that are kept."""


class Audit:
    """Appends to one file. Used from several threads. Every method may raise StorageError."""

    def __init__(self, path: Path, redaction: Redaction) -> None:
        self._path = path
        self._redaction = redaction
        self._lock = threading.Lock()
        with blame(StorageError, f"opening {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            # One write a line to the end of the file: a killed process tears no line but its last.
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if _torn(path):
                os.write(self._file, b"\n")
        # Unlike those of every other process that wrote this file.
        self._numbers = itertools.count(time.time_ns())

    def call(self, address: str, request: ModelRequest, reserved: Spend) -> int:
        """Note a call before it is made; returns its number."""
        number = next(self._numbers)
        frames = [part.sha256 for part in request.parts if isinstance(part, Picture)]
        self._write(
            "call", number=number, model=request.model, address=address, request=request.sha256(), frames=frames,
            reserved=asdict(reserved),
        )  # fmt: skip
        return number

    def answer(self, number: int, reply: ModelReply | CallError, spent: Spend) -> None:
        """Note what came of a call."""
        usage = asdict(reply.usage) if reply.usage else None
        if isinstance(reply, CallError):
            failed = f"{reply.reason}: {reply}"
            self._write("answer", number=number, usage=usage, spent=asdict(spent), failed=failed)
        else:
            told = {"served": reply.served, "usage": usage, "spent": asdict(spent), "raw": reply.text[:RAW]}
            self._write("answer", number=number, **told)

    def verdict(self, said: Mapping[str, Json]) -> None:
        """Note what was judged."""
        self._write("verdict", **said)

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
            self._file = -1

    def _write(self, kind: str, **said: Json) -> None:
        record = self._redaction.plain({"kind": kind, "at": round(time.time(), 3), **said})
        line = json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
        with self._lock, blame(StorageError, f"writing {self._path}"):
            if self._file >= 0:
                os.write(self._file, line.encode(errors="backslashreplace"))


def read(path: Path) -> Iterator[Mapping[str, Json]]:
    """The lines of an audit, in order; none when there is no file. Lines that were torn are left out.

    Raises StorageError for a file that cannot be read.
    """
    if not path.exists():
        return
    with blame(StorageError, f"reading {path}"), path.open(encoding="utf-8") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


def spent(path: Path) -> Spend:
    """All that the calls in an audit took; what was reserved, for those without an answer."""
    calls: dict[Json, Spend] = {}
    for record in read(path):
        if record["kind"] == "call":
            calls[record["number"]] = Spend(**record["reserved"])
        elif record["kind"] == "answer":
            calls[record["number"]] = Spend(**record["spent"])
    return sum(calls.values(), Spend())


def _torn(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if not size:
            return False
        file.seek(size - 1)
        return file.read(1) != b"\n"
