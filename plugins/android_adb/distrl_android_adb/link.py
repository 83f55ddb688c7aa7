"""The commands of one device, in the step loop: short, each under a deadline, words that never become shell.

`act` runs a command once and never again; `ask` and `fetch` only read, so they are tried a second time.
"""

from __future__ import annotations

import re
import secrets
import shlex
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from distrl_android_adb.connection import LONGEST_SERVICE, Connection, UncertainError, UnreachedError
from distrl_android_adb.server import QUICK, AdbServer
from distrl_sdk.errors import DeviceError, UsageError

T = TypeVar("T")

SECONDS = 15.0
"""For a command that should take a moment; a phone that is busy takes its time."""
LONGEST = LONGEST_SERVICE - 100
"""Bytes of one command: the service's own words come on top."""
_LARGEST_PACKET = 1 << 26
_STDOUT, _STDERR, _EXIT = 1, 2, 3


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command said."""

    out: bytes
    err: bytes
    code: int

    @property
    def text(self) -> str:
        """Both streams as text, one after the other, with plain line ends: some commands err on either."""
        return (self.out + self.err).decode(errors="replace").replace("\r\n", "\n")


class Link:
    """One device behind an adb server. Holds no connection: each call makes its own, which takes 0.3 ms."""

    def __init__(self, server: AdbServer, serial: str) -> None:
        self.server = server
        self.serial = serial
        self._exit_codes: bool | None = None

    def act(self, *words: str, seconds: float = SECONDS) -> Reply:
        """Run a command once. Raises UnreachedError if it surely did not run, UncertainError if it may have."""
        return self._run(command(words), seconds)

    def script(self, text: str, seconds: float = SECONDS) -> Reply:
        """Run a line of the device's shell once: only for lines that hold nothing but constants of ours."""
        return self._run(text, seconds)

    def ask(self, *words: str, seconds: float = SECONDS) -> Reply:
        """Run a command that only reads; a second time when the first try fails. Raises DeviceError."""
        return _twice(lambda: self._run(command(words), seconds))

    def fetch(self, *words: str, seconds: float = SECONDS) -> bytes:
        """The raw output of a command that only reads, which may be cut short without any sign of it."""
        return _twice(lambda: self._read(command(words), seconds))

    def forget(self) -> None:
        """Ask anew what the device can do: after a restart another system may answer."""
        self._exit_codes = None

    def _read(self, text: str, seconds: float) -> bytes:
        with self.server.reach(self.serial, f"exec:{text}", seconds) as connection:
            return connection.rest()

    def _run(self, text: str, seconds: float) -> Reply:
        if self._exit_codes is None:
            features = self.server.ask(f"host-serial:{self.serial}:features", QUICK)
            self._exit_codes = "shell_v2" in features.split(",")
        if self._exit_codes:
            with self.server.reach(self.serial, f"shell,v2,raw:{text}", seconds) as connection:
                return _packets(connection)
        mark = f"<{secrets.token_hex(4)}>"
        with self.server.reach(self.serial, f"shell:{text}; echo '{mark}'$?", seconds) as connection:
            return _marked(connection.rest(), mark)


def command(words: tuple[str, ...]) -> str:
    """One command line in which every word reaches the program unchanged. Raises UsageError for what cannot."""
    text = shlex.join(words)
    if "\0" in text:
        raise UsageError("a command for a phone cannot hold a zero byte")
    if len(text.encode()) > LONGEST:
        raise UsageError(f"a command of {len(text.encode())} bytes is too long for a phone: at most {LONGEST}")
    return text


def _packets(connection: Connection) -> Reply:
    """Read the packets of shell v2: a kind, a length, and so many bytes. The exit code comes last."""
    streams = {_STDOUT: bytearray(), _STDERR: bytearray()}
    while True:
        kind, length = struct.unpack("<BI", connection.take(5))
        if length > _LARGEST_PACKET:
            raise UncertainError(f"the device announces a packet of {length} bytes")
        octets = connection.take(length)
        if kind == _EXIT:
            return Reply(bytes(streams[_STDOUT]), bytes(streams[_STDERR]), octets[0] if octets else 0)
        if kind in streams:
            streams[kind] += octets


def _marked(octets: bytes, mark: str) -> Reply:
    """Before shell v2 there is one stream, with line ends of a terminal, and no exit code but the one that we print."""
    plain = octets.replace(b"\r\n", b"\n")
    match = re.search(re.escape(mark).encode() + rb"(\d+)\n?$", plain)
    if match is None:
        raise UncertainError("the answer was cut short")
    return Reply(plain[: match.start()], b"", int(match[1]))


def _twice(read: Callable[[], T]) -> T:
    try:
        return read()
    except UnreachedError as error:
        if _hopeless(error):
            raise
        return read()
    except UncertainError:
        return read()


def _hopeless(error: DeviceError) -> bool:
    """Whether the server says that there is no device to ask again."""
    return any(word in str(error) for word in ("not found", "offline", "unauthorized", "bytes is not sent"))
