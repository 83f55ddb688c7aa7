"""One conversation with an adb server: a request, its answer, and one deadline for all of it. Knows no commands.

A request is four hexadecimal digits of length and the text; the answer is OKAY, or FAIL, a length and a reason.
"""

from __future__ import annotations

import socket
import time
from types import TracebackType

from distrl_sdk.errors import DeviceError

PIECE = 1 << 18
"""Bytes asked for at once: adbd sends 256 KB or more in one go."""
LONGEST_SERVICE = 4000
"""Bytes of one request. A device that takes 4096 (Android 6) makes the server itself die of a longer one."""


class UnreachedError(DeviceError):
    """Nothing was done: the server or the device could not be reached, or refused."""


class UncertainError(DeviceError):
    """The command was handed over, and its end was not seen: it may have been done or not."""


class Connection:
    """One socket. Every call of it raises UncertainError once `seconds` have passed since it was made."""

    def __init__(self, address: tuple[str, int], seconds: float) -> None:
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        try:
            self._socket = socket.create_connection(address, timeout=seconds)
        except OSError as error:
            raise UnreachedError(f"no adb server answers at {address[0]}:{address[1]}: {error}") from error

    def request(self, service: str) -> None:
        """Ask for a service. Raises UnreachedError with the server's words when it refuses."""
        text = service.encode()
        if len(text) > LONGEST_SERVICE:
            raise UnreachedError(f"a request of {len(text)} bytes is not sent: at most {LONGEST_SERVICE} are safe")
        self._send(b"%04x" % len(text) + text)
        answer = self.take(4)
        if answer == b"FAIL":
            raise UnreachedError(self.text())
        if answer != b"OKAY":
            raise UncertainError(f"the adb server answered {answer!r} to {service.partition(' ')[0]}")

    def text(self) -> str:
        """A text behind its length."""
        length = self.take(4)
        try:
            count = int(length, 16)
        except ValueError:
            raise UncertainError(f"the adb server sent {length!r} where a length belongs") from None
        return self.take(count).decode(errors="replace")

    def take(self, count: int) -> bytes:
        """Exactly so many bytes. Raises UncertainError when the stream ends before."""
        parts: list[bytes] = []
        missing = count
        while missing:
            part = self._receive(min(missing, PIECE))
            if not part:
                raise UncertainError(f"the stream ended {missing} bytes early")
            parts.append(part)
            missing -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def rest(self) -> bytes:
        """All that comes until the stream is closed, which may be too early: the reader of the bytes must see to it."""
        parts: list[bytes] = []
        while part := self._receive(PIECE):
            parts.append(part)
        return b"".join(parts)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _send(self, octets: bytes) -> None:
        self._socket.settimeout(self._left())
        try:
            self._socket.sendall(octets)
        except OSError as error:
            raise UncertainError(f"the adb server hung up: {error}") from error

    def _receive(self, most: int) -> bytes:
        self._socket.settimeout(self._left())
        try:
            return self._socket.recv(most)
        except TimeoutError:
            raise UncertainError(f"no answer within {self._seconds:g} s") from None
        except OSError as error:
            raise UncertainError(f"the link broke: {error}") from error

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise UncertainError(f"no answer within {self._seconds:g} s")
        return left
