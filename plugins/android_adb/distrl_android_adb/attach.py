"""Getting a listed device ready to take commands: connecting, waiting, and mending a link that is offline.

Nothing here touches the server itself or another device: `reconnect offline` is the widest that is done.
"""

from __future__ import annotations

from distrl_android_adb.address import is_network
from distrl_android_adb.connection import UnreachedError
from distrl_android_adb.listing import Row, find_row
from distrl_android_adb.patience import wait_for
from distrl_android_adb.server import AdbServer

CONNECT = 15.0
"""Seconds; a device that says nothing makes the server wait for 10."""
_PAUSE = 0.2
_FINAL = frozenset(("unauthorized", "no permissions"))
"""States that no waiting ends: a person must do something."""


def attach(server: AdbServer, serial: str, seconds: float) -> Row:
    """The row of a device that takes commands. Raises DeviceError that says what is wrong and what to do."""
    network = is_network(serial)
    row = find_row(server, serial)
    if network and (row is None or row.state in ("offline", "connecting")):
        if row is not None:
            disconnect(server, serial)
        connect(server, serial)
    elif row is not None and row.state == "offline":
        server.ask("host:reconnect-offline")
    found: list[Row | None] = [None]

    def settled() -> bool:
        found[0] = find_row(server, serial)
        return found[0] is not None and (found[0].ready or found[0].state in _FINAL)

    wait_for(settled, seconds, _PAUSE)
    row = found[0]
    if row is None:
        raise UnreachedError(f"adb at {server} lists no device {serial}: put in its cable or start it")
    if not row.ready:
        raise UnreachedError(row.trouble)
    return row


def connect(server: AdbServer, serial: str) -> None:
    """Connect to HOST:PORT. Raises DeviceError: the text tells, whatever the exit code of adb would be."""
    said = server.ask(f"host:connect:{serial}", CONNECT)
    if not said.startswith(("connected to", "already connected to")):
        raise UnreachedError(said.strip() or f"adb said nothing to connecting {serial}")


def disconnect(server: AdbServer, serial: str) -> None:
    """Forget HOST:PORT; it need not be known."""
    try:
        server.ask(f"host:disconnect:{serial}")
    except UnreachedError as error:
        if "no such device" not in str(error):
            raise
