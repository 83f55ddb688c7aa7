"""Servers and links on one address, over real sockets."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path

from distrl_sdk.config import NetworkConfig
from distrl_sdk.wire.client import Link
from distrl_sdk.wire.host import Host
from distrl_sdk.wire.keys import WorkerKey, load_server_keys, load_worker_key
from distrl_sdk.wire.server import Server
from tests.wire.samples import BEAT, Hand

SHORT = 0.8
"""Seconds of silence, in tests that wait for it; the others must not take a busy machine for a dead peer."""
SILENCE = 10.0


def free_port() -> int:
    """A port that is free, and the next one too."""
    while True:
        with socket.socket() as one, socket.socket() as two:
            one.bind(("127.0.0.1", 0))
            port = int(one.getsockname()[1])
            try:
                two.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


class Net:
    """Makes servers and links on one address; ends them in the order of their making, the last first."""

    def __init__(self, address: str, folder: Path, stack: ExitStack) -> None:
        self.address = address
        self.folder = folder
        self._stack = stack
        self.keys = load_server_keys(folder / "keys")
        self.key = load_worker_key(folder / "keys" / "worker.key")

    def server(self, host: Host, *, incarnation: int = 1, run: str = "run", silence: float = SILENCE) -> Server:
        """A server that is not started."""
        made = Server(
            [self.address],
            host,
            {"policy": {"name": "compact"}},
            network=NetworkConfig(silence=silence),
            keys=self.keys,
            run=run,
            incarnation=incarnation,
            beat=BEAT,
        )
        self._stack.callback(made.close)
        return made

    def started(self, host: Host, *, run: str = "run", silence: float = SILENCE) -> Server:
        """A server that runs."""
        made = self.server(host, run=run, silence=silence)
        made.start()
        return made

    def link(self, hand: Hand, *, key: WorkerKey | None = None) -> Link:
        """A link that is not connected."""
        tcp = self.address.startswith("tcp://")
        made = Link(self.address, hand.worker, [hand.slot], hand, (key or self.key) if tcp else None, BEAT)
        hand.link = made
        self._stack.callback(made.close)
        return made

    def joined(self, hand: Hand) -> Link:
        """A link that was let in and whose slot asks for tasks."""
        made = self.link(hand)
        made.connect(5.0)
        made.ready(hand.slot.id)
        return made
