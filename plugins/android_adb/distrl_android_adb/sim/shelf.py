"""Several simulated Androids on ports of this machine, served by one thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.connection import Connection
from distrl_android_adb.sim.console import Console
from distrl_android_adb.sim.options import AndroidOptions
from distrl_android_adb.sim.services import serve
from distrl_sdk.errors import DeviceError, blame

HOST = "127.0.0.1"
_EVERY = 0.05
"""Seconds between two looks at whether an emulator must tell a server that it is there again."""
_TRIES = 200

_T = TypeVar("_T")


class Shelf:
    """Phones that an adb server reaches by `adb connect`, from `start` to `close`.

    `ports` are theirs, 0 = any that is free. A phone with the name of an AVD is an emulator: it has a console on the
    port below its own, which asks for `token` unless that is empty, and it tells the adb servers of `announce` that it
    is there. Raises DeviceError when a port is taken.
    """

    def __init__(self, options: Sequence[AndroidOptions], ports: Sequence[int] = (), token: str = "") -> None:
        self.phones = tuple(Android(each) for each in options)
        self.ports: tuple[int, ...] = ()
        self._asked = tuple(ports) or (0,) * len(self.phones)
        self._token = token
        self._told: list[int] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sim adb shelf", daemon=True)
        self._servers: list[asyncio.Server] = []

    @property
    def serials(self) -> tuple[str, ...]:
        """What an adb server calls them after `adb connect`."""
        return tuple(f"{HOST}:{port}" for port in self.ports)

    @property
    def emulators(self) -> tuple[str, ...]:
        """What an adb server calls those of them that are emulators."""
        pairs = zip(self.phones, self.ports, strict=True)
        return tuple(f"emulator-{port - 1}" for phone, port in pairs if phone.options.avd)

    def start(self) -> Shelf:
        """Open the ports."""
        self._thread.start()
        try:
            with blame(DeviceError, "opening a port for a simulated Android"):
                self.ports = self._run(self._open())
        except DeviceError:
            self.close()
            raise
        return self

    def announce(self, server_port: int) -> None:
        """Have the emulators tell an adb server that they are there, now and whenever their link was lost."""
        self._told.append(server_port)

    def call(self, change: Callable[[], object]) -> None:
        """Run something in the phones' own thread, such as `android.drop_links`, and wait for it."""
        self._run(_called(change))

    def close(self) -> None:
        """Switch all phones off. Safe to call twice."""
        if self._loop.is_closed():
            return
        self._run(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Shelf:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    async def _open(self) -> tuple[int, ...]:
        found = []
        for android, port in zip(self.phones, self._asked, strict=True):
            found.append(
                await self._open_pair(android, port) if android.options.avd else await self._adbd(android, port)
            )
        if any(android.options.avd for android in self.phones):
            self._announcing = asyncio.create_task(self._announce())
        return tuple(found)

    async def _adbd(self, android: Android, port: int) -> int:
        server = await asyncio.get_running_loop().create_server(partial(Connection, android, serve), HOST, port)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _open_pair(self, android: Android, port: int) -> int:
        """adbd on an odd port, and a console on the even one below."""
        for _ in range(_TRIES):
            found = await self._adbd(android, port)
            try:
                if found % 2 or port:
                    console = await asyncio.start_server(Console(android, self._token).serve, HOST, found - 1)
                    self._servers.append(console)
                    return found
            except OSError:
                if port:
                    raise
            self._servers.pop().close()
        raise OSError("no two free ports that follow one another, the first one even")

    async def _announce(self) -> None:
        """An emulator that no server is linked to tells those it knows; they look at it then."""
        while True:
            await asyncio.sleep(_EVERY)
            for android, port in zip(self.phones, self.ports, strict=False):
                if android.options.avd and android.is_reachable() and not android.links:
                    for server_port in self._told:
                        await _tell(server_port, port)

    async def _shut(self) -> None:
        for server in self._servers:
            server.close()
        for android in self.phones:
            android.drop_links()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.get_running_loop().shutdown_default_executor()


async def _called(change: Callable[[], object]) -> None:
    change()


async def _tell(server_port: int, port: int) -> None:
    """As emulators do: `host:emulator:PORT`, without an answer. A server that is not there is told later."""
    try:
        _, writer = await asyncio.open_connection(HOST, server_port)
        request = f"host:emulator:{port}".encode()
        writer.write(b"%04x" % len(request) + request)
        await writer.drain()
        await asyncio.sleep(_EVERY)
        writer.close()
    except OSError:
        return
