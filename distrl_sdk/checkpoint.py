"""Where a run can go on from: the learner's weights and optimiser, the replay, and how far the journal was read.

checkpoints/step-N/  replay.npz  state.json  learner.ckpt      (last: without it this is no checkpoint)
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import lightning
import torch
from torch import Tensor

from distrl_sdk.errors import StorageError, blame
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.rundir import write_whole

KEEP = 2
"""Checkpoints that stay; older ones go."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a run stood."""

    trajectories: int = 0
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


def save(folder: Path, trainer: lightning.Trainer, replay: Replay, position: Position) -> Path:
    """Write checkpoints/step-N whole or not at all. Raises StorageError."""
    place = folder / f"step-{position.updates}"
    with blame(StorageError, f"saving {place}"):
        place.mkdir(parents=True, exist_ok=True)
        replay.save(place / "replay.npz")
        write_whole(place / "state.json", json.dumps(asdict(position)) + "\n")
        draft = place / "learner.part"
        trainer.save_checkpoint(draft)
        draft.replace(place / "learner.ckpt")
    for old in _found(folder)[:-KEEP]:
        shutil.rmtree(old)
    return place


def newest(folder: Path) -> Path | None:
    """The last whole checkpoint, None when there is none."""
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
    whole = [path.parent for path in folder.glob("step-*/learner.ckpt")]
    return sorted(whole, key=lambda path: int(path.name.removeprefix("step-")))
