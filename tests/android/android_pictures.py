"""Pictures as a phone sends them, made by hand."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 4, height: int = 3, rgb: tuple[int, int, int] = (10, 200, 30)) -> bytes:
    """A PNG of one colour."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    rows = zlib.compress((b"\0" + bytes(rgb) * width) * height)
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def terminal(octets: bytes, times: int) -> bytes:
    """What a terminal makes of it: each LF becomes CR LF."""
    for _ in range(times):
        octets = octets.replace(b"\n", b"\r\n")
    return octets
