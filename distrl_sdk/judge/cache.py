"""Answers of models, kept: by all that can change one, and by the model that really answered.

The key is the hash of the endpoint's address and of the request in its canonical form, in which a picture is the hash
of the bytes that were sent. Nothing is matched by likeness. When a server says that another model answers now under the
same name, what the one before it said is no answer any more.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Generic, TypeVar

from distrl_sdk.errors import StorageError, blame
from distrl_sdk.judge.call import ModelReply, ModelRequest
from distrl_sdk.types import Usage

KEPT = 30 * 24 * 3600.0
"""Seconds for which an answer is one."""

_TABLES = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS answers (
        key TEXT PRIMARY KEY, request TEXT NOT NULL, asked TEXT NOT NULL, served TEXT NOT NULL, text TEXT NOT NULL,
        usage TEXT NOT NULL, created REAL NOT NULL
    );
    CREATE INDEX IF NOT EXISTS by_request ON answers (request);
    CREATE TABLE IF NOT EXISTS models (asked TEXT PRIMARY KEY, served TEXT NOT NULL);
"""

Value = TypeVar("Value")


def key_of(address: str, request: ModelRequest) -> str:
    """Names an answer: SHA-256, in hex."""
    return hashlib.sha256(f"{address}\n{request.sha256()}".encode(errors="surrogatepass")).hexdigest()


class AnswerCache:
    """A file of answers. Used from several threads, and by several processes. Every method may raise StorageError."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        with blame(StorageError, f"opening the cache {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path, timeout=30, check_same_thread=False)
            self._file.executescript(_TABLES)

    def get(self, address: str, request: ModelRequest) -> ModelReply | None:
        """What the model that answers now said before; None when it was not asked, or too long ago."""
        with self._lock, blame(StorageError, f"reading the cache {self._path}"):
            row = self._file.execute(
                "SELECT text, answers.served, usage FROM answers JOIN models USING (asked) "
                "WHERE key = ? AND answers.served = models.served AND created > ?",
                (key_of(address, request), self._clock() - KEPT),
            ).fetchone()
        if row is None:
            return None
        usage = json.loads(row[2])
        return ModelReply(row[0], row[1], Usage(**usage) if usage else None, cached=True, cost=0.0)

    def put(self, address: str, request: ModelRequest, reply: ModelReply) -> None:
        """Keep an answer."""
        asked = f"{address} {request.model}"
        usage = json.dumps(asdict(reply.usage) if reply.usage else None)
        key, name = key_of(address, request), request.sha256()
        row = (key, name, asked, reply.served, reply.text, usage, self._clock())
        with self._lock, blame(StorageError, f"writing the cache {self._path}"), self._file:
            self._file.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            self._file.execute("INSERT OR REPLACE INTO models VALUES (?, ?)", (asked, reply.served))

    def forget(self, requests: Iterable[str]) -> None:
        """Drop the answers to these requests, by their `sha256`: what they led to was no verdict."""
        with self._lock, blame(StorageError, f"writing the cache {self._path}"), self._file:
            self._file.executemany("DELETE FROM answers WHERE request = ?", [(name,) for name in requests])

    def close(self) -> None:
        """Let go of the file. Safe to call twice."""
        with self._lock, closing(self._file):
            pass


class Flights(Generic[Value]):
    """Of several threads that want the same at the same time one works, and all get what comes of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Future[Value]] = {}

    def join(self, key: str, work: Callable[[], Value], seconds: float) -> tuple[Value, bool]:
        """What `work` returns or raises, and whether it was done here. Raises TimeoutError after so long a wait."""
        with self._lock:
            flight = self._open.get(key)
            if leads := flight is None:
                flight = self._open[key] = Future()
        assert flight is not None
        if leads:
            try:
                flight.set_result(work())
            except BaseException as error:
                flight.set_exception(error)
            finally:
                with self._lock:
                    del self._open[key]
        return flight.result(timeout=seconds), leads
