"""A real adb server of one's own, on a port of its own: whatever happens to it happens to nobody else's phones."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from types import TracebackType

from distrl_sdk.errors import DeviceError

_DEADLINE = 20.0


def bundled_adb() -> Path:
    """The adb program that adbutils carries. Raises DeviceError where it carries none."""
    found = Path(str(files("adbutils") / "binaries" / "adb"))
    if not found.is_file():
        raise DeviceError(f"adbutils carries no adb program for this system: {found} is not there")
    return found


class AdbServer:
    """A server process from `start` to `close`. Its home is a folder of the caller's: keys and logs stay in there."""

    def __init__(self, home: Path, port: int = 0, adb: Path | None = None) -> None:
        self.home = home
        self.port = port or free_port()
        self.adb = adb or bundled_adb()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def environment(self) -> dict[str, str]:
        """For adb programs that shall use this server."""
        return {
            **os.environ,
            "HOME": str(self.home),
            "ANDROID_ADB_SERVER_PORT": str(self.port),
            "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553",  # it shall not look for emulators by itself
            "ADB_MDNS_AUTO_CONNECT": "0",
            "ADB_MDNS": "0",
        }

    def start(self) -> AdbServer:
        """Returns when it answers. Raises DeviceError when it does not within 20 s."""
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / "adb.log").open("wb") as log:
            self._process = subprocess.Popen(
                [str(self.adb), "server", "nodaemon"],
                env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        self._wait(lambda: self._answers() or None)
        return self

    def run(self, *arguments: str, seconds: float = 60.0) -> subprocess.CompletedProcess[bytes]:
        """Run the adb program against this server."""
        return subprocess.run(
            [str(self.adb), *arguments], env=self.environment, capture_output=True, timeout=seconds, check=False
        )

    def connect(self, serial: str) -> None:
        """`adb connect`. Raises DeviceError unless the phone is there afterwards."""
        said = self.run("connect", serial).stdout.decode(errors="replace").strip()
        if "connected to" not in said:
            raise DeviceError(f"adb connect {serial}: {said}")

    def close(self) -> None:
        """End the server. Safe to call twice."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __enter__(self) -> AdbServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1):
                return True
        except OSError:
            return False

    def _wait(self, condition: Callable[[], object]) -> None:
        until = time.monotonic() + _DEADLINE
        while condition() is None:
            ended = self._process is None or self._process.poll() is not None
            if ended or time.monotonic() > until:
                self.close()
                tail = (self.home / "adb.log").read_text(errors="replace")[-500:]
                raise DeviceError(f"the adb server on port {self.port} did not start: {tail}")
            time.sleep(0.02)


def free_port() -> int:
    """A port that nobody listens on now; somebody else may take it before it is used."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
