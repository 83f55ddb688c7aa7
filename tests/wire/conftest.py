"""Servers and links over real sockets, closed after each test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from distrl_sdk.wire.keys import make_keys
from tests.wire.net import Net, free_port


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path, and keys in it."""
    made = Path(tempfile.mkdtemp(prefix="wire-"))
    make_keys(made / "keys")
    yield made
    shutil.rmtree(made)


def _net(address: Callable[[Path], str], folder: Path) -> Iterator[Net]:
    with ExitStack() as stack:
        yield Net(address(folder), folder, stack)


@pytest.fixture(params=["ipc", "tcp"])
def net(request: pytest.FixtureRequest, folder: Path) -> Iterator[Net]:
    """Once over ipc, once over tcp with CURVE."""
    yield from _net(_ipc if request.param == "ipc" else _tcp, folder)


@pytest.fixture
def ipc(folder: Path) -> Iterator[Net]:
    """Over ipc."""
    yield from _net(_ipc, folder)


@pytest.fixture
def tcp(folder: Path) -> Iterator[Net]:
    """Over tcp with CURVE."""
    yield from _net(_tcp, folder)


def _ipc(folder: Path) -> str:
    return f"ipc://{folder}/s"


def _tcp(_: Path) -> str:
    return f"tcp://127.0.0.1:{free_port()}"
