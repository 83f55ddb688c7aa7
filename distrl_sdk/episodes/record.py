"""Recorded episodes: a folder each, with what was done in episode.json and one picture file an observation.

    episodes/00000017-w1-1-42/  episode.json  000.png  001.png ...  [moments.json]  [pinned]

A folder appears under its name when it is whole. The store is bounded: the oldest that are not pinned go first. One
process writes, any may read. Arrays for learning are not here: those live in the journal. moments.json is described in
demonstrations.py.
"""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from distrl_sdk.errors import StorageError, WireError, blame
from distrl_sdk.types import Action, End, Task, Trajectory, Verdict, Version
from distrl_sdk.wire.plain import from_plain, to_plain

KINDS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg"}
"""How the files begin that are taken for pictures."""

_KEY = re.compile(r"\d{8,}-[A-Za-z0-9._-]*")
_PICTURE = re.compile(r"(\d{3,})\.(?:png|jpg)")


@dataclass(frozen=True, slots=True)
class Episode:
    """What is remembered of an episode for people to look at. T actions."""

    id: str
    """The trajectory's."""
    task: Task
    lane: str
    phase: str
    """What it was recorded for: 'before' and 'after' training, or ''."""
    temperature: float
    actions: tuple[Action, ...]
    versions: tuple[Version, ...]
    """[T]"""
    invalid: tuple[bool, ...]
    """[T]"""
    repeats: tuple[int, ...]
    """[T]"""
    seconds: tuple[float, ...]
    """[T + 1]"""
    end: End
    verdict: Verdict | None
    slot: str
    saved: int
    """Seconds since 1970."""
    pictures: tuple[str, ...]
    """File names, NNN.png or NNN.jpg for observation NNN; not every observation need have one."""

    @property
    def observations(self) -> dict[int, str]:
        """The number of each observation that has a picture (0 = the start, T = the end state) -> its file."""
        return {int(Path(name).stem): name for name in self.pictures}


class EpisodeStore:
    """The recorded episodes of one folder. `save` may be called from several threads."""

    def __init__(self, folder: Path, megabytes: float = 500) -> None:
        """Raises StorageError when the folder cannot be used."""
        self.folder = folder
        self._bytes = int(megabytes * 1e6)
        self._lock = threading.Lock()
        self._swept = False
        with blame(StorageError, f"opening the episodes in {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
            self._sizes = {key: _size(folder / key) for key in self.keys}
        self._next = 1 + max((int(key.split("-")[0]) for key in self._sizes), default=0)

    @property
    def size(self) -> int:
        """Bytes of all episodes."""
        return sum(self._sizes.values())

    @property
    def keys(self) -> list[str]:
        """The names of the episodes, oldest first."""
        return sorted(path.name for path in self.folder.iterdir() if _KEY.fullmatch(path.name))

    @property
    def pinned(self) -> list[str]:
        """Those of `keys` that are kept whatever the size."""
        return [key for key in self.keys if (self.folder / key / "pinned").exists()]

    def save(
        self, trajectory: Trajectory, *, phase: str = "", pinned: bool = False, beside: Mapping[str, str] | None = None
    ) -> str | None:
        """Record an episode and make room for it; returns its key, or None when the pinned ones leave no room.

        `beside`: the names and texts of more files in its folder.

        Raises StorageError when the disk refuses or a picture is neither PNG nor JPEG.
        """
        with self._lock, blame(StorageError, f"recording {trajectory.id} in {self.folder}"):
            key = f"{self._next:08}-{re.sub(r'[^A-Za-z0-9._-]+', '-', trajectory.id)[:60]}"
            half = self.folder / f".{key}"
            self._sweep()
            half.mkdir()
            try:
                _write(half, trajectory, phase, pinned)
                for name, text in (beside or {}).items():
                    (half / name).write_text(text, encoding="utf-8")
                half.rename(self.folder / key)
            except BaseException:
                shutil.rmtree(half, ignore_errors=True)
                raise
            self._next += 1
            self._sizes[key] = _size(self.folder / key)
            self._make_room()
            return key if key in self._sizes else None

    def remove(self, key: str) -> None:
        """Forget an episode, pinned or not. Raises StorageError when there is none of that key."""
        with self._lock, blame(StorageError, f"removing {self._place(key)}"):
            self._drop(key)

    def read(self, key: str) -> Episode:
        """One episode. Raises StorageError when there is none of that key, or it is not whole."""
        path = self._place(key) / "episode.json"
        with blame(StorageError, f"reading {path}"):
            try:
                episode = from_plain(Episode, json.loads(path.read_bytes()))
            except WireError as error:
                raise StorageError(f"{path} is not a recorded episode: {error}") from error
            strange = [name for name in episode.pictures if not _PICTURE.fullmatch(name)]
            if strange:
                raise StorageError(f"{path} names the picture {strange[0]!r}")
        return episode

    def picture(self, key: str, name: str) -> bytes:
        """The PNG or JPEG of one of the episode's `pictures`. Raises StorageError when it is not there."""
        path = self._place(key) / name
        if not _PICTURE.fullmatch(name):
            raise StorageError(f"{name!r} is no picture of an episode")
        with blame(StorageError, f"reading {path}"):
            return path.read_bytes()

    def text(self, key: str, name: str) -> str:
        """A file that was saved beside an episode. Raises StorageError when it is not there."""
        path = self._place(key) / name
        with blame(StorageError, f"reading {path}"):
            return path.read_text(encoding="utf-8")

    def has(self, key: str, name: str) -> bool:
        """Whether a file was saved beside an episode."""
        return (self._place(key) / name).is_file()

    def _place(self, key: str) -> Path:
        if not _KEY.fullmatch(key):
            raise StorageError(f"{key!r} is no episode's key")
        return self.folder / key

    def _sweep(self) -> None:
        """Once, before the first write: remove what a killed process left half done. Readers never do."""
        if not self._swept:
            for left in self.folder.glob(".*"):
                shutil.rmtree(left)
            self._swept = True

    def _make_room(self) -> None:
        """Delete the oldest that are not pinned until the rest fits."""
        kept = set(self.pinned) if self.size > self._bytes else set()
        oldest = deque(key for key in sorted(self._sizes) if key not in kept)
        while oldest and self.size > self._bytes:
            self._drop(oldest.popleft())

    def _drop(self, key: str) -> None:
        # First out of sight, so that a reader never meets half an episode under its name.
        gone = (self.folder / key).rename(self.folder / f".{key}")
        shutil.rmtree(gone)
        self._sizes.pop(key, None)


def _write(folder: Path, trajectory: Trajectory, phase: str, pinned: bool) -> None:
    names = []
    for number, picture in zip(_numbers(trajectory), trajectory.pictures, strict=True):
        kind = next((kind for start, kind in KINDS.items() if picture.startswith(start)), None)
        if kind is None:
            raise StorageError(f"picture {number} of {trajectory.id} is neither PNG nor JPEG")
        names.append(f"{number:03}.{kind}")
        (folder / names[-1]).write_bytes(picture)
    episode = Episode(
        id=trajectory.id,
        task=trajectory.task,
        lane=trajectory.lane,
        phase=phase,
        temperature=trajectory.temperature,
        actions=trajectory.actions,
        versions=tuple(Version(*map(int, version)) for version in trajectory.version),
        invalid=tuple(map(bool, trajectory.invalid)),
        repeats=tuple(map(int, trajectory.repeats)),
        seconds=tuple(round(float(seconds), 4) for seconds in trajectory.seconds),
        end=trajectory.end,
        verdict=trajectory.verdict,
        slot=trajectory.slot,
        saved=int(time.time()),
        pictures=tuple(names),
    )
    (folder / "episode.json").write_text(json.dumps(to_plain(episode), ensure_ascii=False, indent=1))
    if pinned:
        (folder / "pinned").touch()


def _numbers(trajectory: Trajectory) -> range:
    """Which observations the pictures show: all, all but the end state, or the end state alone."""
    count = len(trajectory.pictures)
    return range(len(trajectory), len(trajectory) + 1) if count == 1 else range(count)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
