"""One link from an adb server: the handshake and the streams in it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

from distrl_android_adb.sim import packets
from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.packets import MAX_PAYLOAD, VERSION, VERSION_CHECKED, Decoder, Packet
from distrl_android_adb.sim.stream import Stream, StreamClosedError
from distrl_sdk.errors import WireError

Serve = Callable[[Android, Stream, str], Awaitable[bool]]
"""Serves one stream: (phone, stream, what was opened) -> False when there is no such service."""

_TOKEN = 1


class Connection(asyncio.Protocol):
    """What an adb server is connected to. All phones of a shelf live in one event loop."""

    def __init__(self, android: Android, serve: Serve) -> None:
        self._android = android
        self._serve = serve
        self._decoder = Decoder()
        self._streams: dict[int, Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._next = 1
        self._most = 4096
        self._checked = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """An adb server has come."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if not self._android.is_reachable():
            self.drop()
            return
        self._android.links.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        """It is gone, and so is whatever it had opened."""
        self._android.links.discard(self)
        for stream in self._streams.values():
            stream.close()
        for task in self._tasks:
            task.cancel()

    def data_received(self, data: bytes) -> None:
        """Packets, or parts of them. What is no packet ends the link."""
        if self._android.faults.mute:
            return
        try:
            for packet in self._decoder.feed(data):
                self._take(packet)
        except WireError as error:
            self._android.log("adbd", str(error))
            self.drop()

    def drop(self) -> None:
        """Cut the link at once."""
        if self._transport is not None:
            self._transport.abort()

    def _send(self, packet: Packet) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        header = packet.header(self._checked or packet.command == packets.CNXN)
        self._transport.writelines((header, packet.payload) if packet.payload else (header,))

    def _take(self, packet: Packet) -> None:
        match packet.command:
            case packets.CNXN:
                self._greet(packet)
            case packets.OPEN:
                self._open(packet)
            case packets.WRTE if packet.arg1 in self._streams:
                self._streams[packet.arg1].receive(packet.payload)
            case packets.OKAY if packet.arg1 in self._streams:
                self._streams[packet.arg1].acknowledge()
            case packets.CLSE if packet.arg1 in self._streams:
                self._streams.pop(packet.arg1).close()
            case packets.AUTH:
                self._send(Packet(packets.AUTH, _TOKEN, 0, os.urandom(20)))

    def _greet(self, packet: Packet) -> None:
        faults = self._android.faults
        if faults.unauthorized:
            self._send(Packet(packets.AUTH, _TOKEN, 0, os.urandom(20)))
            return
        self._checked = packet.arg0 == VERSION_CHECKED
        self._most = min(faults.max_payload or MAX_PAYLOAD, packet.arg1)
        self._send(Packet(packets.CNXN, VERSION, faults.max_payload or MAX_PAYLOAD, self._android.banner().encode()))

    def _open(self, packet: Packet) -> None:
        stream = Stream(self._next, packet.arg0, self._send, self._most)
        self._next += 1
        self._streams[stream.local] = stream
        task = asyncio.get_running_loop().create_task(self._run(stream, packet.payload))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, stream: Stream, payload: bytes) -> None:
        name = payload.rstrip(b"\0").decode(errors="surrogateescape")
        try:
            if not await self._serve(self._android, stream, name):
                self._streams.pop(stream.local, None)
                self._send(Packet(packets.CLSE, 0, stream.remote))
                return
        except StreamClosedError:
            return
        finally:
            if self._streams.pop(stream.local, None) is not None:
                self._send(Packet(packets.CLSE, stream.local, stream.remote))
