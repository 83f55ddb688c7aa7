"""Where a run can go on from: the learner's weights and optimiser, the replay, and how far the journal was read.

checkpoints/step-N/  replay.npz  state.json  learner.ckpt      N: gradient steps; the folder appears when it is whole
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from distrl_sdk.errors import StorageError, blame
from distrl_sdk.replay.archive import sync_folder
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.rundir import write_whole

KEEP = 2
"""Checkpoints that stay; older ones go."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run stood."""

    trajectories: int = 0
    unjudged: int = 0
    updates: int = 0
    version: int = 0
    """n of the newest published weights."""
    journal: int = 0
    """Every train episode before this offset is in the replay, or was dropped from it."""
    ahead: Sequence[str] = ()
    """Ids of episodes behind that offset that are in the replay too."""
    inserts: int = 0
    """Of the rate limiter."""
    rates: Mapping[str, float] = field(default_factory=dict)
    """The fresh success rate of each family."""
    minutes: float = 0.0
    """Training time so far."""


def save(folder: Path, write_learner: Callable[[Path], None], replay: Replay, position: Position) -> Path:
    """Write checkpoints/step-N, or leave the folder as it was. Raises StorageError.

    `write_learner` writes learner.ckpt under the path that it is given.
    """
    place = folder / f"step-{position.updates}"
    draft, old = folder / ".part", folder / ".old"
    with blame(StorageError, f"saving {place}"):
        for left in (draft, old):
            shutil.rmtree(left, ignore_errors=True)
        draft.mkdir(parents=True)
        replay.save(draft / "replay.npz")
        write_learner(draft / "learner.ckpt")
        _sync(draft / "learner.ckpt")
        write_whole(draft / "state.json", json.dumps(asdict(position)) + "\n")
        if place.exists():
            place.rename(old)
        draft.rename(place)
        sync_folder(folder)
        shutil.rmtree(old, ignore_errors=True)
        for each in _found(folder)[:-KEEP]:
            shutil.rmtree(each)
    return place


def newest(folder: Path) -> Path | None:
    """The last checkpoint, None when there is none."""
    found = _found(folder)
    return found[-1] if found else None


def weights(place: Path) -> Mapping[str, Tensor]:
    """The learner's state_dict. Raises StorageError."""
    with blame(StorageError, f"reading {place / 'learner.ckpt'}"):
        saved = torch.load(place / "learner.ckpt", map_location="cpu", weights_only=True)
        state: Mapping[str, Tensor] = saved["state_dict"]
        return state


def position_of(place: Path) -> Position:
    """Raises StorageError when it cannot be read."""
    with blame(StorageError, f"reading {place / 'state.json'}"):
        return Position(**json.loads((place / "state.json").read_text()))


def _found(folder: Path) -> list[Path]:
    return sorted(folder.glob("step-*"), key=lambda path: int(path.name.removeprefix("step-")))


def _sync(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
