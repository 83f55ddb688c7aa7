"""The service `sync:`, with which files are pushed, pulled and listed."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.disk import canonical
from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.stream import Stream

_HEAD = struct.Struct("<4sI")
_CHUNK = 64 * 1024
_ENOENT = 2
_FOLDER, _FILE = 0o040771, 0o100660


async def serve(android: Android, stream: Stream) -> None:
    """Answer requests until QUIT. Raises StreamClosedError."""
    while True:
        tag, size = _HEAD.unpack(await stream.read(8))
        if tag == b"QUIT":
            return
        path = (await stream.read(size)).decode(errors="surrogateescape")
        match tag:
            case b"STAT":
                mode, length, changed = _status(android, path)
                await stream.write(struct.pack("<4sIII", tag, mode, length & 0xFFFFFFFF, changed))
            case b"STA2" | b"LST2":
                await stream.write(tag + _status_2(android, path))
            case b"LIST":
                await stream.write(b"".join(_listing(android, path)))
            case b"RECV":
                await _receive(android, stream, path)
            case b"SEND":
                await _send(android, stream, path)
            case _:
                await _fail(stream, f"unknown sync command {tag!r}")
                return


def _status(android: Android, path: str) -> tuple[int, int, int]:
    """(mode, size, time); all 0 when there is no such file."""
    disk = android.disk
    if path in disk:
        own = android.guest.files.get(canonical(path))
        return (own.mode, len(own.content), own.changed) if own is not None else (_FILE, disk.size(path), 0)
    return (_FOLDER, 4096, 0) if disk.is_folder(path) else (0, 0, 0)


def _status_2(android: Android, path: str) -> bytes:
    mode, size, changed = _status(android, path)
    fields = (0, 1, 1, mode, 1, 2000, 2000, size, changed, changed, changed)
    return struct.pack("<IQQIIIIQqqq", *(fields if mode else (_ENOENT, *[0] * 10)))


def _listing(android: Android, path: str) -> Iterator[bytes]:
    for name in android.disk.names_in(path):
        mode, size, changed = _status(android, f"{path}/{name}")
        encoded = name.encode(errors="surrogateescape")
        yield struct.pack("<4sIIII", b"DENT", mode, size & 0xFFFFFFFF, changed, len(encoded)) + encoded
    yield struct.pack("<4sIIII", b"DONE", 0, 0, 0, 0)


async def _receive(android: Android, stream: Stream, path: str) -> None:
    file = android.disk.get(path)
    if file is None:
        await _fail(stream, "open failed: No such file or directory")
        return
    content = file.content
    chunks = (content[start : start + _CHUNK] for start in range(0, len(content), _CHUNK))
    packets = [_HEAD.pack(b"DATA", len(chunk)) + chunk for chunk in chunks]
    await stream.write(b"".join((*packets, _HEAD.pack(b"DONE", 0))))


async def _send(android: Android, stream: Stream, target: str) -> None:
    """`target` is PATH,MODE."""
    path, _, mode = target.rpartition(",")
    content = bytearray()
    while True:
        tag, size = _HEAD.unpack(await stream.read(8))
        if tag == b"DONE":  # here `size` is the time of the last change
            break
        content += await stream.read(size)
    android.disk[path] = File(bytes(content), int(mode or "33188") | 0o100000, size)
    await stream.write(_HEAD.pack(b"OKAY", 0))


async def _fail(stream: Stream, text: str) -> None:
    await stream.write(_HEAD.pack(b"FAIL", len(text)) + text.encode())
