"""The packets of the ADB transport: six little-endian uint32, then the payload. Knows no sockets."""

from __future__ import annotations

import struct
from typing import NamedTuple

from distrl_sdk.errors import WireError


def _code(name: bytes) -> int:
    return int.from_bytes(name, "little")


CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS = map(_code, (b"CNXN", b"AUTH", b"OPEN", b"OKAY", b"CLSE", b"WRTE", b"STLS"))
COMMANDS = frozenset((CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS))

VERSION_CHECKED = 0x01000000
"""Payloads carry the sum of their bytes."""
VERSION = 0x01000001
"""From Android 9 on: nobody looks at checksums."""
MAX_PAYLOAD = 1024 * 1024
HEADER = struct.Struct("<6I")
_MASK = 0xFFFFFFFF


class Packet(NamedTuple):
    """One message; `arg0` is the sender's stream, `arg1` the receiver's, where streams are meant."""

    command: int
    arg0: int
    arg1: int
    payload: bytes = b""

    def header(self, checked: bool = False) -> bytes:
        """The 24 bytes that go before the payload."""
        total = sum(self.payload) & _MASK if checked else 0
        return HEADER.pack(self.command, self.arg0, self.arg1, len(self.payload), total, self.command ^ _MASK)


class Decoder:
    """Bytes as they come -> packets. One that is not a packet raises WireError, and nothing after it is read."""

    def __init__(self, limit: int = MAX_PAYLOAD) -> None:
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, received: bytes) -> list[Packet]:
        """The packets that are whole now."""
        self._buffer += received
        found = []
        start = 0
        while len(self._buffer) - start >= HEADER.size:
            command, arg0, arg1, size, _, magic = HEADER.unpack_from(self._buffer, start)
            if command ^ magic != _MASK or command not in COMMANDS:
                raise WireError(f"not an adb packet: command {command:#010x}, magic {magic:#010x}")
            if size > self._limit:
                raise WireError(f"an adb packet of {size} bytes; at most {self._limit} were agreed")
            end = start + HEADER.size + size
            if len(self._buffer) < end:
                break
            found.append(Packet(command, arg0, arg1, bytes(self._buffer[start + HEADER.size : end])))
            start = end
        del self._buffer[:start]
        return found
