"""One run's folder: its places, its configuration, its lock, its result.

    runs/NAME/  format.json  config.yaml  incarnation  metrics.csv  result.json  report.html
                checkpoints/  journal/  episodes/  workers/  tensorboard/

What stands in metrics.csv is the business of evaluate/metrics.py. A learner holds the lock from `start` to `release`;
readers such as the report take none.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import IO

import yaml

from distrl_sdk.errors import RunError, StorageError, blame
from distrl_sdk.types import Json

FORMAT = 3
"""The version of a run directory's layout. Raised when an older reader would go wrong."""

FOLDERS = ("checkpoints", "journal", "episodes", "workers", "tensorboard")


class RunDirectory:
    """The folder of one run. `create` makes one, `open` reads one that stands, `start` claims it for a learner."""

    def __init__(self, path: Path, config: Mapping[str, Json]) -> None:
        self.path = path
        self.config = config
        """As it was given to `create`."""
        self._lock: IO[str] | None = None

    @classmethod
    def create(
        cls, path: str | Path | None, config: Mapping[str, Json], name: str = "run", parent: str | Path = "runs"
    ) -> RunDirectory:
        """A new run at `path`; None takes the next free PARENT/NAME-DATE-COUNTER.

        Raises RunError when something already stands at `path`, StorageError when the disk refuses.
        """
        with blame(StorageError, f"creating the run directory {path or parent}"):
            folder = _next_free(Path(parent), name) if path is None else _claim(Path(path))
            for place in FOLDERS:
                (folder / place).mkdir()
            write_whole(folder / "config.yaml", yaml.safe_dump(dict(config), sort_keys=False, allow_unicode=True))
            # Last: a folder without it is no run, so one that was half made is never taken for whole.
            write_whole(folder / "format.json", json.dumps({"format": FORMAT}) + "\n")
        return cls(folder, config)

    @classmethod
    def open(cls, path: str | Path) -> RunDirectory:
        """The run that stands at `path`. Raises RunError when there is none, or one of another format."""
        folder = Path(path)
        try:
            found = json.loads((folder / "format.json").read_text())["format"]
            config = yaml.safe_load((folder / "config.yaml").read_text())
        except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
            raise RunError(
                f"{folder} is not a run directory ({type(error).__name__}: {_one_line(error)}): "
                "give the folder that `distrl train` made, such as runs/NAME"
            ) from error
        if found != FORMAT:
            raise RunError(
                f"{folder} has run format {found}, this distrl-sdk reads {FORMAT}: "
                f"use the distrl-sdk that wrote it, or start a new run with its {folder / 'config.yaml'}"
            )
        return cls(folder, config if isinstance(config, dict) else {})

    # --- places -----------------------------------------------------------------------------------------------------

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def journal(self) -> Path:
        """The folder of the journal."""
        return self.path / "journal"

    @property
    def episodes(self) -> Path:
        """The folder of recorded episodes."""
        return self.path / "episodes"

    @property
    def workers(self) -> Path:
        """The folder of what local workers leave: output, outboxes."""
        return self.path / "workers"

    @property
    def tensorboard(self) -> Path:
        """The folder that `tensorboard --logdir` reads."""
        return self.path / "tensorboard"

    @property
    def metrics(self) -> Path:
        """The file of metrics, a CSV."""
        return self.path / "metrics.csv"

    @property
    def result(self) -> Path:
        """The file of the result."""
        return self.path / "result.json"

    @property
    def report(self) -> Path:
        """The file of the report, a page."""
        return self.path / "report.html"

    # --- one learner at a time --------------------------------------------------------------------------------------

    def start(self) -> int:
        """Claim the run for this process until `release`; returns the incarnation: 1, 2, ... one more each start.

        Raises RunError while another process holds it. The number is on disk before this returns.
        """
        if self._lock is not None:
            raise RunError(f"{self.path} is already started in this process")
        with blame(StorageError, f"locking {self.path}"):
            self._lock = _locked(self.path / "lock", self.path)
        try:
            with blame(StorageError, f"counting the starts of {self.path}"):
                counted = self.path / "incarnation"
                incarnation = int(counted.read_text()) + 1 if counted.exists() else 1
                write_whole(counted, f"{incarnation}\n")
        except StorageError:
            self.release()
            raise
        return incarnation

    def release(self) -> None:
        """Let go of the run. Safe to call twice. A killed process lets go by itself."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # --- the result -------------------------------------------------------------------------------------------------

    def write_result(self, plain: Mapping[str, Json]) -> None:
        """Replace result.json as a whole. Raises StorageError."""
        with blame(StorageError, f"writing {self.result}"):
            write_whole(self.result, json.dumps(dict(plain), indent=1, allow_nan=False) + "\n")

    def read_result(self) -> Mapping[str, Json] | None:
        """What `write_result` wrote, None when the run has no result yet. Raises StorageError for a broken file."""
        if not self.result.exists():
            return None
        with blame(StorageError, f"reading {self.result}"):
            plain: Mapping[str, Json] = json.loads(self.result.read_text())
        return plain


def write_whole(path: Path, content: str | bytes) -> None:
    """Put a file in place so that a reader, or a crash at any moment, sees the old content or all of the new."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with beside.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _locked(file: Path, run: Path) -> IO[str]:
    lock = file.open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "unknown"
        lock.close()
        raise RunError(
            f"{run} is in use by the learner with pid {holder}: stop it, or choose another run directory"
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock


def _claim(folder: Path) -> Path:
    if (folder / "format.json").exists():
        raise RunError(f"{folder} is already a run: continue it with --resume {folder}, or choose another name")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise RunError(f"{folder} is not empty and not a run: choose a new or an empty folder")
    return folder


def _next_free(parent: Path, name: str) -> Path:
    if not name or Path(name).name != name:
        raise RunError(f"{name!r} cannot name a run: its folder stands in {parent}, so it is one name without slashes")
    parent.mkdir(parents=True, exist_ok=True)
    counter = 1
    while True:
        folder = parent / f"{name}-{date.today():%Y-%m-%d}-{counter}"
        try:
            folder.mkdir()
        except FileExistsError:
            counter += 1
        else:
            return folder


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
