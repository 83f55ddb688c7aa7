"""`python -m distrl_sdk.worker`: one worker process, started by a learner or by hand (`distrl worker`)."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn

from distrl_sdk.errors import DistrlError, UsageError
from distrl_sdk.fleet import DeviceAddress, expand
from distrl_sdk.wire.keys import NAME, load_worker_key
from distrl_sdk.worker.specs import Ends, WorkerConfig


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (`distrl worker --help` lists the options)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a worker until its learner says STOP, a signal comes, or its parent is gone; returns the exit status.

    Raises UsageError for arguments that cannot be, and whatever else `run` raises.
    """
    parsed = _parser().parse_args(arguments)
    config = _config(parsed)
    logging.basicConfig(
        level=logging.INFO, format=f"%(asctime)s {config.id} %(message)s", datefmt="%H:%M:%S", stream=sys.stderr
    )
    ends: Ends = SimpleQueue()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: ends.put(signal.Signals(number).name))
    if parsed.with_parent:
        threading.Thread(target=_watch_parent, args=(ends,), name="parent", daemon=True).start()
    from distrl_sdk.worker.run import run  # torch: not before the arguments are known to be right

    run(config, ends)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="distrl worker", description="Play episodes for a learner.", allow_abbrev=False)
    parser.add_argument("--connect", required=True, metavar="ADDR", help="where the learner listens: tcp://HOST:PORT")
    parser.add_argument("--devices", action="append", default=[], metavar="SPEC", help="a fleet spec, such as sim:4")
    parser.add_argument("--device", action="append", default=[], metavar="ADDRESS", help="one device's exact address")
    parser.add_argument("--id", default=socket.gethostname(), help="the worker's name; one a machine needs none")
    parser.add_argument("--outbox", type=Path, metavar="DIR", help="where unacknowledged episodes wait")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the key with which this worker logs in")
    parser.add_argument("--deadline", type=float, default=120.0, metavar="S", help="seconds a device may take")
    parser.add_argument("--with-parent", action="store_true", help="end when stdin closes")
    return parser


def _config(parsed: argparse.Namespace) -> WorkerConfig:
    addresses = [DeviceAddress.parse(address) for address in parsed.device]
    for spec in parsed.devices:
        addresses += expand(spec)
    if not addresses:
        raise UsageError("a worker needs devices: --devices sim:4")
    if not parsed.connect.startswith(("tcp://", "ipc://")):
        raise UsageError(f"--connect {parsed.connect}: it must be where the learner listens, tcp://HOST:PORT")
    if not parsed.deadline > 0:
        raise UsageError(f"--deadline {parsed.deadline:g}: it must be more than 0 seconds")
    if not NAME.fullmatch(parsed.id):
        raise UsageError(f"{parsed.id!r} is no worker id: 1 to 64 letters, digits, '.', '_' or '-'")
    return WorkerConfig(
        connect=parsed.connect,
        devices=tuple(addresses),
        id=parsed.id,
        outbox=parsed.outbox or _state_folder() / "outbox" / parsed.id,
        key=load_worker_key(parsed.key) if parsed.key else None,
        deadline=parsed.deadline,
    )


def _state_folder() -> Path:
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "distrl-sdk"


def _watch_parent(ends: Ends) -> None:
    """The parent holds the other end of stdin and never writes: the end of the file is the end of the parent."""
    while os.read(sys.stdin.fileno(), 1024):  # not sys.stdin.read, whose lock a process cannot exit with
        pass
    ends.put("its parent is gone")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DistrlError as problem:
        sys.stderr.write(f"distrl worker: {' '.join(str(problem).split())}\n")
        sys.exit(2 if isinstance(problem, UsageError) else 1)
