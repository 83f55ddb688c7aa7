"""One stream of a link: what an adb client opened, such as a shell command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from distrl_android_adb.sim.packets import OKAY, WRTE, Packet

Send = Callable[[Packet], None]


class StreamClosedError(ConnectionError):
    """The client closed the stream, or the link is gone."""


class Stream:
    """Bytes both ways. After a packet of ours nothing more is sent until the client has acknowledged it."""

    def __init__(self, local: int, remote: int, send: Send, most: int) -> None:
        self.local = local
        self.remote = remote
        self.closed = False
        self._send = send
        self._most = most
        self._buffer = bytearray()
        self._arrived = asyncio.Event()
        self._acknowledged = asyncio.Event()

    def accept(self) -> None:
        """Tell the client that its service is there."""
        self._send(Packet(OKAY, self.local, self.remote))

    async def write(self, content: bytes) -> None:
        """Returns when the client has got it all. Raises StreamClosedError."""
        for start in range(0, len(content), self._most):
            if self.closed:
                raise StreamClosedError("the client closed the stream")
            self._acknowledged.clear()
            part = content if len(content) <= self._most else content[start : start + self._most]
            self._send(Packet(WRTE, self.local, self.remote, part))
            await self._acknowledged.wait()
        if self.closed:
            raise StreamClosedError("the client closed the stream")

    async def read(self, count: int) -> bytes:
        """Exactly so many bytes. Raises StreamClosedError when they cannot come any more."""
        while len(self._buffer) < count:
            if self.closed:
                raise StreamClosedError("the client closed the stream")
            self._arrived.clear()
            await self._arrived.wait()
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    async def read_some(self) -> bytes:
        """What has come, at least one byte; b'' at the end."""
        while not self._buffer and not self.closed:
            self._arrived.clear()
            await self._arrived.wait()
        taken = bytes(self._buffer)
        self._buffer.clear()
        return taken

    def receive(self, payload: bytes) -> None:
        """Bytes from the client; acknowledged at once."""
        self._buffer += payload
        self._arrived.set()
        self._send(Packet(OKAY, self.local, self.remote))

    def acknowledge(self) -> None:
        """The client has got our last packet."""
        self._acknowledged.set()

    def close(self) -> None:
        """Wake whoever waits."""
        self.closed = True
        self._arrived.set()
        self._acknowledged.set()
