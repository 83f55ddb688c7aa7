"""Checkpoints are there as a whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from distrl_sdk import checkpoint
from distrl_sdk.checkpoint import Position
from distrl_sdk.config import ReplayConfig
from distrl_sdk.errors import StorageError
from distrl_sdk.replay.buffer import Replay
from tests.trainer.episodes import episode


def learner(value: float) -> Callable[[Path], None]:
    return lambda file: torch.save({"state_dict": {"weight": torch.tensor([value])}}, file)


def replay(count: int) -> Replay:
    made = Replay(ReplayConfig(capacity=20, elite=5), 1)
    for n in range(count):
        made.add(episode(n), True, 1)
    return made


def held(place: Path | None) -> tuple[Position, float, int]:
    assert place is not None
    loaded = replay(0)
    loaded.load(place / "replay.npz")
    return checkpoint.position_of(place), float(checkpoint.weights(place)["weight"][0]), len(loaded)


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    position = Position(12, 1, 7, 3, 4096, ("w/1/9",), 12, {"count": 0.5}, 1.25)
    assert checkpoint.newest(tmp_path / "checkpoints") is None

    place = checkpoint.save(tmp_path / "checkpoints", learner(0.25), replay(3), position)

    assert checkpoint.newest(tmp_path / "checkpoints") == place
    found, weight, size = held(place)
    assert (found, weight, size) == (Position(12, 1, 7, 3, 4096, ["w/1/9"], 12, {"count": 0.5}, 1.25), 0.25, 3)


def test_the_last_two_stay_in_the_order_of_their_steps(tmp_path: Path) -> None:
    for updates in (5, 9, 10, 100):
        checkpoint.save(tmp_path, learner(updates), replay(1), Position(updates=updates))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-10", "step-100"]
    assert held(checkpoint.newest(tmp_path))[1] == 100


def test_saving_twice_at_one_step_replaces_all_of_it(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, learner(1), replay(1), Position(updates=5, trajectories=1))
    checkpoint.save(tmp_path, learner(2), replay(4), Position(updates=5, trajectories=4))

    assert [path.name for path in tmp_path.iterdir()] == ["step-5"]
    assert held(checkpoint.newest(tmp_path)) == (Position(updates=5, trajectories=4, ahead=[]), 2.0, 4)


def test_a_failure_on_the_way_leaves_the_one_before(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, learner(1), replay(1), Position(updates=5, trajectories=1))

    def failing(file: Path) -> None:
        file.write_bytes(b"half of it")
        raise OSError(28, "No space left on device")

    for updates in (5, 6):
        with pytest.raises(StorageError, match=r"saving .*step-\d: OSError: \[Errno 28\] No space left"):
            checkpoint.save(tmp_path, failing, replay(9), Position(updates=updates, trajectories=9))

    assert held(checkpoint.newest(tmp_path)) == (Position(updates=5, trajectories=1, ahead=[]), 1.0, 1)
    checkpoint.save(tmp_path, learner(3), replay(2), Position(updates=6))
    assert held(checkpoint.newest(tmp_path))[1] == 3.0


def test_what_a_killed_process_left_half_done_is_no_checkpoint(tmp_path: Path) -> None:
    checkpoint.save(tmp_path, learner(1), replay(1), Position(updates=5))
    shutil.copytree(tmp_path / "step-5", tmp_path / ".part")
    (tmp_path / ".part" / "learner.ckpt").unlink()

    assert checkpoint.newest(tmp_path) == tmp_path / "step-5"


def test_a_damaged_one_is_named(tmp_path: Path) -> None:
    place = checkpoint.save(tmp_path, learner(1), replay(1), Position(updates=5))
    (place / "learner.ckpt").write_bytes(b"nothing")
    (place / "state.json").write_text("{}{")

    with pytest.raises(StorageError, match=r"learner\.ckpt"):
        checkpoint.weights(place)
    with pytest.raises(StorageError, match=r"state\.json"):
        checkpoint.position_of(place)
