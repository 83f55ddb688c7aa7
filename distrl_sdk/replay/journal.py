"""The append-only log that every record is written to before anybody is told that it arrived.

The file: eight bytes of magic, then records. A record: four bytes of magic, kind (u8), three zero bytes, length of the
payload (u32), CRC-32 (u32) of those twelve bytes and the payload, all little-endian; then the payload. What stands in
a payload is its writer's business. Offsets are bytes from the start of the file.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import threading
import zlib
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, NamedTuple, TypeAlias

from distrl_sdk.errors import StorageError
from distrl_sdk.replay.archive import sync_folder

Sync: TypeAlias = Literal["always", "never"] | float
"""always: append returns when its record is on the disk. never: the system decides. A number: every so many seconds."""

FILE_MAGIC = b"distrlJ1"
_RECORD_MAGIC = b"dRec"
_HEAD = struct.Struct("<4sB3xII")
_CHECKED = 12
"""Bytes of a head that its CRC covers."""
MAX_PAYLOAD = 2**32 - 1


class Kind(IntEnum):
    """What a record is about."""

    TRAJECTORY = 1
    VERDICT = 2
    DROP = 3
    VERSION = 4


_KINDS = frozenset(int(kind) for kind in Kind)


class Record(NamedTuple):
    """One record, as it was appended."""

    offset: int
    kind: Kind
    payload: bytes

    @property
    def end(self) -> int:
        """The offset of what comes after it."""
        return self.offset + _HEAD.size + len(self.payload)


class Journal:
    """One journal, open for appending: by one process at a time, from any of its threads.

    A process that dies loses no record that `append` returned for. A power cut may lose those beyond `durable`: how
    many is what `sync` says. Opening cuts off a torn tail; `torn_bytes` says how much that was.
    """

    def __init__(self, path: Path, sync: Sync = 0.05) -> None:
        """Open or create. Raises StorageError when the file is not a journal, is in use, or cannot be written."""
        self._path = path
        self._policy = sync
        self._turn = threading.Condition()
        self._failure = ""
        self._closed = False
        self._file = _open(path)
        try:
            self._end, self.torn_bytes = _cut_torn_tail(self._file, path)
        except BaseException:
            os.close(self._file)
            raise
        self._durable = self._asked = self._end
        self._thread = threading.Thread(target=self._keep_synced, name=f"journal {path.name}", daemon=True)
        self._thread.start()

    @property
    def end(self) -> int:
        """The offset that the next record will have."""
        return self._end

    @property
    def durable(self) -> int:
        """Every record before this offset survives a power cut."""
        return self._durable

    def append(self, kind: Kind, payload: bytes | memoryview) -> int:
        """Write one record, whole or not at all; returns its offset. Raises StorageError."""
        record = _record(kind, payload)
        with self._turn:
            self._need_usable()
            offset = self._end
            self._write(record)
            self._turn.notify_all()
            if self._policy == "always":
                self._wait_durable()
        return offset

    def sync(self) -> None:
        """Return when every record appended so far is on the disk. Raises StorageError."""
        with self._turn:
            self._need_usable()
            self._wait_durable()

    def close(self) -> None:
        """Bring everything to the disk, unless the policy is never, and let go of the file. Safe to call twice.

        Raises StorageError when that fails.
        """
        with self._turn:
            if self._closed:
                return
            self._closed = True
            self._turn.notify_all()
        self._thread.join()
        os.close(self._file)
        if self._failure:
            raise StorageError(self._failure)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _need_usable(self) -> None:
        if self._closed:
            raise StorageError(f"journal {self._path} is closed")
        if self._failure:
            raise StorageError(self._failure)

    def _write(self, record: bytes) -> None:
        """Put a record at the end; on failure the file is as it was before."""
        written = 0
        try:
            while written < len(record):
                written += os.pwrite(self._file, record[written:] if written else record, self._end + written)
        except OSError as error:
            try:
                os.ftruncate(self._file, self._end)
            except OSError as second:
                self._failure = f"journal {self._path} cannot be repaired after a failed write: {second.strerror}"
            raise StorageError(f"cannot append to journal {self._path}: {error.strerror}") from error
        self._end += len(record)

    def _wait_durable(self) -> None:
        goal = self._asked = self._end
        self._turn.notify_all()
        self._turn.wait_for(lambda: self._durable >= goal or self._failure)
        if self._failure:
            raise StorageError(self._failure)

    def _keep_synced(self) -> None:
        """The thread that calls fsync: one call for all records since the last one."""
        while True:
            with self._turn:
                self._turn.wait_for(self._is_due)
                if isinstance(self._policy, float | int):
                    self._turn.wait_for(self._is_pressing, self._policy)
                goal = self._end
                if goal == self._durable or (self._policy == "never" and self._asked <= self._durable):
                    return
            try:
                os.fsync(self._file)
            except OSError as error:
                # What fsync failed to write may be gone from memory too: asking again would report a false success.
                with self._turn:
                    self._failure = f"cannot bring journal {self._path} to the disk: {error.strerror}"
                    self._turn.notify_all()
                return
            with self._turn:
                self._durable = goal
                self._turn.notify_all()

    def _is_due(self) -> bool:
        return self._is_pressing() or (self._policy != "never" and self._end > self._durable)

    def _is_pressing(self) -> bool:
        return self._closed or self._asked > self._durable


def replay(path: Path, from_offset: int = 0) -> Iterator[Record]:
    """The records from an offset that `Journal.append`, `Journal.end` or `Record.end` gave; 0 is the first one.

    Stops at the first record that is torn, and at what is appended after the call. Raises StorageError when the file
    cannot be read, is not a journal, ends before `from_offset`, or holds a kind of record that is not known.
    """
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            offset = max(from_offset, len(FILE_MAGIC))
            if not _is_journal(file, path):
                size = offset = 0
            if from_offset > max(size, len(FILE_MAGIC)):
                raise StorageError(f"journal {path} ends at {size}, before offset {from_offset}")
            yield from _records(file, offset, size, path)
    except OSError as error:
        raise StorageError(f"cannot read journal {path}: {error.strerror}") from error


def _records(file: BinaryIO, offset: int, size: int, path: Path) -> Iterator[Record]:
    file.seek(offset)
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        magic, kind, length, check = _HEAD.unpack(head)
        if magic != _RECORD_MAGIC or length > size - offset - _HEAD.size:
            return
        payload = file.read(length)
        if len(payload) < length or zlib.crc32(payload, zlib.crc32(head[:_CHECKED])) != check:
            return
        if kind not in _KINDS:
            raise StorageError(f"journal {path} has a record of unknown kind {kind} at {offset}: of a later version?")
        record = Record(offset, Kind(kind), payload)
        yield record
        offset = record.end


def _record(kind: Kind, payload: bytes | memoryview) -> bytes:
    length = memoryview(payload).nbytes
    if length > MAX_PAYLOAD:
        raise StorageError(f"a record of {length} bytes is too large for a journal; the limit is {MAX_PAYLOAD}")
    head = _HEAD.pack(_RECORD_MAGIC, kind, length, 0)[:_CHECKED]
    check = zlib.crc32(payload, zlib.crc32(head))
    return b"".join((head, check.to_bytes(4, "little"), payload))


def _open(path: Path) -> int:
    """The descriptor of the file, locked for this process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise StorageError(f"cannot open journal {path}: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        why = "is in use by another process" if isinstance(error, BlockingIOError) else f"cannot be locked: {error}"
        raise StorageError(f"journal {path} {why}") from error
    return file


def _is_journal(file: BinaryIO, path: Path) -> bool:
    """False for one whose creation was torn. Raises StorageError for any other file."""
    start = file.read(len(FILE_MAGIC))
    if not FILE_MAGIC.startswith(start):
        raise StorageError(f"{path} is not a journal that this version can read")
    return start == FILE_MAGIC


def _cut_torn_tail(file: int, path: Path) -> tuple[int, int]:
    """(the end of the last whole record, how many bytes stood after it); the file ends there afterwards."""
    try:
        with path.open("rb") as reader:
            size = os.fstat(reader.fileno()).st_size
            end = len(FILE_MAGIC)
            if _is_journal(reader, path):
                for record in _records(reader, end, size, path):
                    end = record.end
            elif os.pwrite(file, FILE_MAGIC, 0) < end:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.ftruncate(file, end)
        os.fsync(file)
        sync_folder(path.parent)
    except OSError as error:
        raise StorageError(f"cannot open journal {path}: {error.strerror}") from error
    return end, max(0, size - end)
