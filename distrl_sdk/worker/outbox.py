"""Finished episodes that the learner has not acknowledged yet, in files: a killed worker loses none of them.

A folder belongs to one worker id. `<incarnation>-<seq>` is one record: the CRC32 of what follows, then the names of
the run and of the assignment and the trajectory, as joined frames. A record is written under another name and
renamed, so that a killed process leaves whole records only. Nothing is fsynced: after a power cut the last few seconds
may be missing or torn (torn ones are set apart with their reason); what the learner acknowledged is in its journal.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import re
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from distrl_sdk.errors import StorageError, WireError
from distrl_sdk.wire.codec import Frame, join_frames, split_frames

log = logging.getLogger(__name__)

_RECORD = re.compile(r"(\d+)-(\d+)$")
_CHECK = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Record:
    """One finished episode that is not acknowledged. (incarnation, seq) is never given twice."""

    incarnation: int
    seq: int
    run: str
    """The run whose learner handed the task out; no other learner gets the episode."""
    assignment: str
    frames: Sequence[Frame]


Sender: TypeAlias = Callable[[Record], None]


class Outbox:
    """The write-ahead folder of one worker. Opening it counts up the worker's incarnation."""

    def __init__(self, folder: Path, refused: int = 100) -> None:
        """At most `refused` refused records are kept; the oldest go.

        Raises StorageError if another process holds the folder or it cannot be written.
        """
        self._folder = folder
        self._refused = folder / "refused"
        self._keep = refused
        self._order = threading.Lock()
        self._next = 1
        with contextlib.ExitStack() as opened:
            try:
                self._refused.mkdir(parents=True, exist_ok=True)
                self._lock = opened.enter_context(_locked(folder / "lock"))
                for unfinished in folder.glob("*.part"):
                    unfinished.unlink()
                self.incarnation = _count_up(folder / "incarnation")
            except OSError as error:
                raise StorageError(f"the outbox {folder} cannot be used: {error.strerror}") from error
            opened.pop_all()

    def put(self, run: str, assignment: str, build: Callable[[int], Sequence[Frame]], send: Sender) -> int:
        """Give the next number, write the frames of `build(number)` to disk, then `send` them; in order of the numbers.

        Raises StorageError if they cannot be written; then nothing was sent and the number is used again.
        """
        with self._order:
            record = Record(self.incarnation, self._next, run, assignment, build(self._next))
            self._write(record)
            self._next += 1
            send(record)
        return record.seq

    def drop(self, incarnation: int, seq: int) -> None:
        """The learner has it. Unknown numbers are fine: acknowledgements may come twice."""
        (self._folder / f"{incarnation}-{seq}").unlink(missing_ok=True)

    def refuse(self, incarnation: int, seq: int, reason: str) -> None:
        """The learner will not take it: keep it apart, with the reason beside it."""
        name = f"{incarnation}-{seq}"
        if (self._folder / name).exists():
            self._set_apart(name, reason)

    def left(self) -> Iterator[Record]:
        """What earlier processes of this worker left, oldest first. Torn records are set apart on the way."""
        for incarnation, seq in self._numbers():
            if incarnation == self.incarnation:
                continue
            raw = memoryview((self._folder / f"{incarnation}-{seq}").read_bytes())
            try:
                if len(raw) < _CHECK.size or _CHECK.unpack_from(raw)[0] != zlib.crc32(raw[_CHECK.size :]):
                    raise WireError("torn: its checksum is wrong")
                run, assignment, *frames = split_frames(raw[_CHECK.size :])
            except WireError as error:
                self._set_apart(f"{incarnation}-{seq}", str(error))
            else:
                yield Record(incarnation, seq, str(run, "utf-8"), str(assignment, "utf-8"), frames)

    def __len__(self) -> int:
        return len(self._numbers())

    def close(self) -> None:
        """Let another process have the folder. Safe to call twice."""
        self._lock.close()

    def _numbers(self) -> list[tuple[int, int]]:
        found = (_RECORD.match(path.name) for path in self._folder.iterdir())
        return sorted((int(match[1]), int(match[2])) for match in found if match)

    def _write(self, record: Record) -> None:
        name = f"{record.incarnation}-{record.seq}"
        blob = join_frames([record.run.encode(), record.assignment.encode(), *record.frames])
        unfinished = self._folder / f"{name}.part"
        try:
            with unfinished.open("wb") as file:
                file.write(_CHECK.pack(zlib.crc32(blob)))
                file.write(blob)
            unfinished.rename(self._folder / name)
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise StorageError(f"the outbox {self._folder} cannot take an episode: {error.strerror}") from error

    def _set_apart(self, name: str, reason: str) -> None:
        log.warning("episode %s was refused: %s (kept in %s)", name, reason, self._refused)
        try:
            (self._folder / name).rename(self._refused / name)
            (self._refused / f"{name}.reason").write_text(reason + "\n", encoding="utf-8")
            kept = sorted(self._refused.glob("*.reason"), key=lambda path: path.stat().st_mtime)
            for old in kept[: -self._keep]:
                old.with_suffix("").unlink(missing_ok=True)
                old.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s could not be set apart with its reason: %s", name, error.strerror)


def _locked(path: Path) -> BinaryIO:
    """The file, held by this process alone for as long as it is open; the kernel lets go when the process dies."""
    file = path.open("ab")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StorageError(
            f"the outbox {path.parent} is in use by another process; give each worker its own --id"
        ) from None
    return file


def _count_up(path: Path) -> int:
    """The next incarnation, durable before it is used: numbers must never be given twice.

    At least the time in seconds, so that a worker whose folder was lost (a new container) does not start again at 1.
    """
    text = path.read_text(encoding="ascii", errors="replace") if path.exists() else "0"
    if not text.isdecimal():
        raise StorageError(f"{path} holds no number: it is not the outbox of a worker, or it is damaged")
    incarnation = max(int(text) + 1, int(time.time()))
    unfinished = path.with_suffix(".part")
    with unfinished.open("w", encoding="ascii") as file:
        file.write(str(incarnation))
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    return incarnation
