"""Where this machine keeps what it must remember of phones: journals, locks, ports. One file a thing."""

from __future__ import annotations

import fcntl
import os
import re
from pathlib import Path

from distrl_sdk.errors import DeviceError


def state_folder() -> Path:
    """The folder; it is made when it is first written to."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "distrl-sdk" / "android"


def file_name(serial: str) -> str:
    """A serial as part of a file's name: what a file system may dislike is spelled in hexadecimal."""
    return re.sub(r"[^\w.-]", lambda match: f"%{ord(match[0]):02x}", serial)


def write_safely(path: Path, text: str) -> None:
    """Replace a file so that a crash or a power cut leaves the old or the new text, never half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


class Claim:
    """A phone that is used by this process alone, until `release` or the end of the process, however it ends."""

    def __init__(self, identity: str) -> None:
        """Raises DeviceError when another device of this or another process has it."""
        path = state_folder() / f"{file_name(identity)}.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            owner = self._file.read().strip() or "?"
            self._file.close()
            raise DeviceError(f"the phone {identity} is in use by process {owner}") from None
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        """Let others have it. Safe to call twice."""
        self._file.close()
