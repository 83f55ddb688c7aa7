"""Worker processes on this machine, as children that end when their parent does.

Each is `python -m distrl_sdk.worker` in a session of its own (so that Ctrl-C reaches the learner only), with a pipe
for its stdin: the pipe closes when the learner closes it or dies in any way, and the worker then ends by itself.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from distrl_sdk.errors import UsageError
from distrl_sdk.fleet import DeviceAddress

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """When a worker that ends unasked is started again. Seconds."""

    quick: float = 20.0
    """A life shorter than this is a quick crash."""
    crashes: int = 5
    """After so many quick crashes in a row the worker is given up."""
    pause: float = 0.5
    """Before the first restart; doubled at each quick crash in a row."""


class LocalWorkers:
    """Starts, restarts and stops the workers that play a fleet's devices here."""

    def __init__(
        self,
        addresses: Sequence[DeviceAddress],
        connect: str,
        folder: Path,
        count: int = 1,
        patience: Patience = Patience(),
        deadline: float = 120.0,
    ) -> None:
        """`count` processes share the devices evenly; their output goes to `folder`/worker-N.log.

        `deadline`: seconds that one call of a device may take.

        Raises UsageError when there are more processes than devices.
        """
        if not 1 <= count <= len(addresses):
            raise UsageError(f"{count} workers cannot share {len(addresses)} devices: at least 1, at most one a device")
        folder.mkdir(parents=True, exist_ok=True)
        self.count = count
        self._children = [_Child(n, addresses[n::count], connect, folder, patience, deadline) for n in range(count)]

    def start(self) -> None:
        """Start every worker. Returns at once."""
        for child in self._children:
            child.start()

    @property
    def pids(self) -> tuple[int, ...]:
        """Of the processes that are alive now."""
        return tuple(pid for child in self._children if (pid := child.pid) is not None)

    def alive(self) -> int:
        """How many processes are alive now."""
        return len(self.pids)

    @property
    def restarts(self) -> int:
        """How often a worker was started again."""
        return sum(child.restarts for child in self._children)

    def given_up(self) -> dict[str, str]:
        """Workers that will not be started again -> why, as their log's last line says."""
        return {child.id: child.verdict for child in self._children if child.verdict}

    def stop(self, deadline: float = 15.0) -> None:
        """Ask every worker to end, and end those that do not: by SIGTERM after `deadline` s, by SIGKILL 3 s later.

        Safe to call twice; touches no process but its own children.
        """
        for child in self._children:
            child.ask()
        until = time.monotonic() + deadline
        for child in self._children:
            child.join(until - time.monotonic())
        for child in self._children:
            child.end()


class _Child:
    """One worker and the thread that waits for its end."""

    def __init__(
        self, n: int, devices: Sequence[DeviceAddress], connect: str, folder: Path, patience: Patience, deadline: float
    ) -> None:
        self.id = f"local-{n}"
        self.restarts = 0
        self.verdict = ""
        self.log = folder / f"worker-{n}.log"
        self._command = [sys.executable, "-m", "distrl_sdk.worker", "--connect", connect]
        self._command += ["--id", self.id, "--outbox", str(folder / f"outbox-{n}"), "--with-parent"]
        self._command += [f"--deadline={deadline:g}", *(f"--device={device}" for device in devices)]
        self._patience = patience
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep_alive, name=self.id, daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self) -> None:
        with self._lock:
            self._stopping.set()
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()

    def join(self, seconds: float) -> None:
        if self._thread.is_alive():
            self._thread.join(max(0.0, seconds))

    def end(self) -> None:
        """Terminate it, then kill it, if it is still there."""
        process = self._process
        if process is None:
            return
        for signal_it, seconds in ((process.terminate, 3.0), (process.kill, 10.0)):
            if process.poll() is None:
                log.warning("worker %s (pid %d) did not end when asked", self.id, process.pid)
                signal_it()
                self.join(seconds)

    def _keep_alive(self) -> None:
        crashes = 0
        while (process := self._spawn()) is not None:
            started = time.monotonic()
            code = process.wait()
            if self._stopping.is_set() or code == 0:
                return
            quick = time.monotonic() - started < self._patience.quick
            crashes = crashes + 1 if quick else 1
            if crashes >= self._patience.crashes or code == 2:
                self.verdict = f"ended {crashes} times with {_ending(code)}: {self._last_line()}"
                log.error("worker %s is given up: %s (see %s)", self.id, self.verdict, self.log)
                return
            log.warning("worker %s ended with %s and is started again: %s", self.id, _ending(code), self._last_line())
            self._stopping.wait(self._patience.pause * 2.0 ** (crashes - 1))
            self.restarts += 1

    def _spawn(self) -> subprocess.Popen[bytes] | None:
        """A new process, or None when it is time to stop."""
        with self._lock, self.log.open("ab") as output:
            if self._stopping.is_set():
                return None
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(),
                start_new_session=True,
            )
            return self._process

    def _last_line(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def _environment() -> dict[str, str]:
    """Ours, with what a script imports from its own folder importable in the worker as well."""
    paths = [path for path in (sys.path[0], os.environ.get("PYTHONPATH", "")) if path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
