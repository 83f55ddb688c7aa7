"""A private adb server, and shelves of simulated Androids that it is connected to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import pytest
from distrl_android_adb.sim.adb_server import AdbServer
from distrl_android_adb.sim.options import AndroidOptions
from distrl_android_adb.sim.shelf import Shelf

MakeShelf = Callable[..., Shelf]


@pytest.fixture(scope="session")
def adb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServer]:
    """One for all tests of a process: its phones come and go."""
    with AdbServer(tmp_path_factory.mktemp("adb")) as server:
        yield server


@pytest.fixture
def make_shelf(adb_server: AdbServer) -> Iterator[MakeShelf]:
    """make_shelf(AndroidOptions(...), ...) -> a Shelf whose phones are connected to `adb_server`."""
    with ExitStack() as stack:

        def make(*options: AndroidOptions, ports: Sequence[int] = (), connect: bool = True) -> Shelf:
            shelf = stack.enter_context(Shelf(options or (AndroidOptions(pace=0.0),), ports))
            for serial in shelf.serials if connect else ():
                adb_server.connect(serial)
                stack.callback(adb_server.run, "disconnect", serial)
            return shelf

        yield make
