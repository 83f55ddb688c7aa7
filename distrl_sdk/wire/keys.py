"""CURVE key pairs in files that only their owner can read.

A folder of keys belongs to a learner: `server.key` (its pair), `allowed/NAME.pub` (the workers that are let in) and
`NAME.key` for each worker: that one file is all that the worker's machine needs.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

import zmq

from distrl_sdk.errors import UsageError

NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""Of workers and of their keys."""
KEY_LENGTH = 40
"""Characters of a key in z85."""


@dataclass(frozen=True, slots=True)
class WorkerKey:
    """What a worker shows and whom it believes; z85 text."""

    public: str
    secret: str = field(repr=False)
    server: str
    """The learner's public key."""


@dataclass(frozen=True, slots=True)
class ServerKey:
    """The learner's own pair; z85 text."""

    public: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ServerKeys:
    """The learner's pair and the folder of the public keys that are let in. The folder is read at every connection."""

    own: ServerKey
    allowed: Path

    def allows(self, public: str) -> bool:
        """Whether a worker with this public key is let in."""
        return public in {path.read_text(encoding="ascii").strip() for path in self.allowed.glob("*.pub")}


def make_keys(folder: Path, workers: Iterable[str] = ("worker",)) -> list[Path]:
    """Make the learner's pair, if it has none, and a key for each named worker; returns the workers' files.

    Raises UsageError when a name is unfit or taken.
    """
    allowed = folder / "allowed"
    allowed.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (folder / "server.key").exists():
        public, secret = _pair()
        _write(folder / "server.key", json.dumps(asdict(ServerKey(public, secret))))
    server = _read(folder / "server.key", ServerKey)
    made = []
    for name in workers:
        if not NAME.fullmatch(name) or name == "server":
            raise UsageError(f"{name!r} is no name of a worker's key: letters, digits, '.', '_' and '-', not 'server'")
        public, secret = _pair()
        _write(folder / f"{name}.key", json.dumps(asdict(WorkerKey(public, secret, server.public))))
        _write(allowed / f"{name}.pub", public)
        made.append(folder / f"{name}.key")
    return made


def load_server_keys(folder: Path) -> ServerKeys:
    """The learner's keys. Raises UsageError when the folder holds none or others can read them."""
    return ServerKeys(_read(folder / "server.key", ServerKey), folder / "allowed")


def load_worker_key(path: Path) -> WorkerKey:
    """A worker's key. Raises UsageError when the file is none or others can read it."""
    return _read(path, WorkerKey)


Key = TypeVar("Key", ServerKey, WorkerKey)


def _read(path: Path, kind: type[Key]) -> Key:
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise UsageError(f"no key in {path}: {reason}; make keys with `distrl keys`") from error
    if stat.S_IMODE(mode) & 0o077:
        raise UsageError(f"others can read the key {path}: chmod 600 {path}")
    try:
        key = kind(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise UsageError(f"{path} is not a {kind.__name__} file; make keys with `distrl keys`") from error
    if any(not isinstance(value, str) or len(value) != KEY_LENGTH for value in asdict(key).values()):
        raise UsageError(f"{path} holds a damaged key; make keys with `distrl keys`")
    return key


def _pair() -> tuple[str, str]:
    public, secret = zmq.curve_keypair()
    return public.decode("ascii"), secret.decode("ascii")


def _write(path: Path, text: str) -> None:
    """Write a new file that only its owner can read."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise UsageError(f"there is a key already in {path}: choose another name or remove it") from error
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text + "\n")
