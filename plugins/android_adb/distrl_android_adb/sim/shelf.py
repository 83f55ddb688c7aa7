"""Several simulated Androids on ports of this machine, served by one thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.connection import Connection
from distrl_android_adb.sim.options import AndroidOptions
from distrl_android_adb.sim.services import serve
from distrl_sdk.errors import DeviceError, blame

HOST = "127.0.0.1"


class Shelf:
    """Phones that an adb server reaches by `adb connect`, from `start` to `close`.

    `ports` are theirs, 0 = any that is free. Raises DeviceError when one is taken.
    """

    def __init__(self, options: Sequence[AndroidOptions], ports: Sequence[int] = ()) -> None:
        self.phones = tuple(Android(each) for each in options)
        self.ports: tuple[int, ...] = ()
        self._asked = tuple(ports) or (0,) * len(self.phones)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sim adb shelf", daemon=True)
        self._servers: list[asyncio.Server] = []

    @property
    def serials(self) -> tuple[str, ...]:
        """What an adb server calls them."""
        return tuple(f"{HOST}:{port}" for port in self.ports)

    def start(self) -> Shelf:
        """Open the ports."""
        self._thread.start()
        try:
            with blame(DeviceError, "opening a port for a simulated Android"):
                self.ports = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        except DeviceError:
            self.close()
            raise
        return self

    def call(self, change: Callable[[], object]) -> None:
        """Run something in the phones' own thread, such as `android.drop_links`, and wait for it."""
        asyncio.run_coroutine_threadsafe(_called(change), self._loop).result()

    def close(self) -> None:
        """Switch all phones off. Safe to call twice."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Shelf:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _open(self) -> tuple[int, ...]:
        loop = asyncio.get_running_loop()
        for android, port in zip(self.phones, self._asked, strict=True):
            self._servers.append(await loop.create_server(partial(Connection, android, serve), HOST, port))
        return tuple(int(server.sockets[0].getsockname()[1]) for server in self._servers)

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
