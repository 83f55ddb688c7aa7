"""The adb server: the one that runs already is used and never ended; it is started only where none listens.

Only one server can own the phones on USB, so a second one on another port would see none of them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from distrl_android_adb.connection import Connection, UnreachedError
from distrl_sdk.errors import DeviceError, UsageError, blame

PORT = 5037
LOOPBACK = ("127.0.0.1", "localhost", "::1")
QUICK = 5.0
"""Seconds for a question that the server answers from memory."""


@dataclass(frozen=True, slots=True)
class AdbServer:
    """Where an adb server listens. Holds nothing open."""

    host: str = "127.0.0.1"
    port: int = PORT

    @classmethod
    def named(cls, spec: str = "", environ: Mapping[str, str] = os.environ) -> AdbServer:
        """From 'PORT' or 'HOST:PORT'; of '' the one that adb itself would use. Raises UsageError for anything else."""
        host, _, port = spec.rpartition(":")
        host = host or environ.get("ANDROID_ADB_SERVER_ADDRESS") or "127.0.0.1"
        port = port or environ.get("ANDROID_ADB_SERVER_PORT") or str(PORT)
        if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
            raise UsageError(f"{port!r} is no port of an adb server: write server=5037 or ANDROID_ADB_SERVER_PORT=5037")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    def ask(self, service: str, seconds: float = QUICK) -> str:
        """The server's answer to a question such as 'host:version'. Raises DeviceError."""
        with Connection((self.host, self.port), seconds) as connection:
            connection.request(service)
            return connection.text()

    def reach(self, serial: str, service: str, seconds: float) -> Connection:
        """A service of a device, accepted and not yet read. Raises UnreachedError, or UncertainError."""
        connection = Connection((self.host, self.port), seconds)
        try:
            connection.request(f"host:transport:{serial}")
            connection.request(service)
        except BaseException:
            connection.close()
            raise
        return connection

    def version(self) -> int:
        """The number by which clients and servers compare themselves; 41 since Android 10."""
        answer = self.ask("host:version")
        with blame(DeviceError, f"the adb server at {self} says {answer!r} as its version"):
            return int(answer, 16)

    def listens(self) -> bool:
        """Whether an adb server answers there."""
        try:
            self.version()
        except DeviceError:
            return False
        return True

    def ensure(self) -> None:
        """Start a server if none listens. Raises DeviceError when it does not come up or is another machine's."""
        if self.listens():
            return
        if self.host not in LOOPBACK:
            raise UnreachedError(f"no adb server answers at {self}: start it on that machine")
        program = adb_program()
        # adb's own -P: with the variable alone some versions start the server on 5037
        with blame(DeviceError, f"starting {program}"):
            started = subprocess.run(
                [program, "-P", str(self.port), "start-server"],
                env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(self.port)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=30,
                start_new_session=True,
                check=False,
            )
        if not self.listens():
            said = " ".join((started.stdout + started.stderr).decode(errors="replace").split())
            raise UnreachedError(f"{program} could not start a server at {self}: {said or 'it said nothing'}")


def adb_program() -> str:
    """The adb that adbutils would take: $ADBUTILS_ADB_PATH, `adb` in the PATH, or the one in its wheel."""
    import adbutils  # type: ignore[import-untyped]

    return str(adbutils.adb_path())
