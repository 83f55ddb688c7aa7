"""Saving and loading a replay: exact, whole or not at all, and never a wrong one from a damaged file."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from replay_trajectories import assert_holds, trajectory

from distrl_sdk.algo.priority import PriorityTerms
from distrl_sdk.config import ReplayConfig
from distrl_sdk.errors import StorageError
from distrl_sdk.replay import archive
from distrl_sdk.replay.buffer import Replay

CONFIG = ReplayConfig(capacity=6, megabytes=10, elite=3)


def filled(count: int = 9, picture: tuple[int, ...] = (3, 2, 3)) -> Replay:
    replay = Replay(CONFIG, seed=5)
    for number in range(count):
        family = f"family{number % 2}"
        replay.add(trajectory(number, 1 + number % 4, number, family, picture=picture), number % 3 == 0, now=number)
    replay.update([4, 5, 8], PriorityTerms(np.array([0.5, 0.1, 1.0]), np.full(3, 0.9), np.full(3, 0.3)))
    replay.elite.update([3, 6], np.array([0.2, 0.7]))
    return replay


def test_a_loaded_replay_goes_on_as_the_saved_one_would_have(tmp_path: Path) -> None:
    saved = filled()
    saved.save(tmp_path / "replay.npz")
    loaded = Replay(CONFIG, seed=99)

    loaded.load(tmp_path / "replay.npz")

    assert loaded.stats(9) == saved.stats(9)
    for number in range(9, 30):
        for each in (saved, loaded):
            each.add(trajectory(number, 1 + number % 5, number, picture=(3, 2, 3)), number % 4 == 0, now=number)
        one, two = saved.sample(6, now=number), loaded.sample(6, now=number)
        assert np.array_equal(one.keys, two.keys)
        assert np.array_equal(one.probability, two.probability)
        assert np.array_equal(one.features["picture"], two.features["picture"])
        assert one.family == two.family
        assert np.array_equal(saved.elite.sample(3, number).keys, loaded.elite.sample(3, number).keys)


def test_an_empty_replay_is_saved_and_loaded(tmp_path: Path) -> None:
    Replay(CONFIG, seed=1).save(tmp_path / "replay.npz")
    loaded = filled()

    loaded.load(tmp_path / "replay.npz")

    assert len(loaded) == len(loaded.elite) == 0
    loaded.add(trajectory(0, picture=(9, 9, 3)), success=True, now=0)
    assert_holds(loaded.sample(1, now=0), 0, trajectory(0, picture=(9, 9, 3)))


def test_smaller_bounds_than_it_was_saved_with_are_kept(tmp_path: Path) -> None:
    filled().save(tmp_path / "replay.npz")
    smaller = Replay(replace(CONFIG, capacity=2, elite=1), seed=1)

    smaller.load(tmp_path / "replay.npz")

    assert set(smaller.sample(50, now=8).keys.tolist()) == {7, 8}
    assert smaller.elite.sample(1, now=8).keys.tolist() == [0]


def test_nothing_but_the_file_is_left_in_the_folder(tmp_path: Path) -> None:
    filled().save(tmp_path / "replay.npz")
    filled().save(tmp_path / "replay.npz")

    assert [path.name for path in tmp_path.iterdir()] == ["replay.npz"]


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^cannot write .*replay\.npz: No such file or directory$"):
        filled().save(tmp_path / "nowhere" / "replay.npz")


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """The limit of a file's size stands in for the end of the disk: a write is cut short, then fails."""
    path = tmp_path / "replay.npz"
    archive.write(path, {"a": np.arange(3)})
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from distrl_sdk.errors import StorageError\n"
        "from distrl_sdk.replay import archive\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "try:\n"
        "    archive.write(Path(sys.argv[1]), {'a': np.zeros(1_000_000)})\n"
        "except StorageError as error:\n"
        "    print(error)\n"
    )

    told = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True, timeout=60)

    assert told.stdout.startswith(f"cannot write {path}: ")
    assert archive.read(path)["a"].tolist() == [0, 1, 2]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04", b"a text\n" * 99, b"\x93NUMPY\x01\x00v\x00", b"\x80\x04N."],
    ids=["empty", "start of a zip", "text", "start of an npy", "pickle"],
)
def test_a_foreign_file_is_one_line_and_changes_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "replay.npz"
    path.write_bytes(content)
    replay = filled()
    before = replay.stats(8)

    with pytest.raises(StorageError) as caught:
        replay.load(path)

    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert replay.stats(8) == before


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^cannot read .*replay\.npz: No such file or directory$"):
        filled().load(tmp_path / "replay.npz")


def test_a_file_of_other_arrays_is_refused(tmp_path: Path) -> None:
    archive.write(tmp_path / "other.npz", {"weights": np.zeros(3)})

    with pytest.raises(StorageError, match=r"other\.npz is not a saved replay"):
        filled().load(tmp_path / "other.npz")


def test_another_format_is_refused_by_number(tmp_path: Path) -> None:
    archive.write(tmp_path / "replay.npz", {"about": archive.pack({"format": 99})})

    with pytest.raises(StorageError, match="is a replay of format 99; this version reads 2"):
        filled().load(tmp_path / "replay.npz")


def test_a_pickle_inside_is_never_opened(tmp_path: Path) -> None:
    np.savez(tmp_path / "replay.npz", about=np.array([{"a": 1}], object))

    with pytest.raises(StorageError, match="torn, or not a file of named arrays"):
        filled().load(tmp_path / "replay.npz")


SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "replay.npz"
    filled(4, picture=(1, 1, 3)).save(path)
    return path.read_bytes()


@SETTINGS
@given(share=st.floats(0.0, 1.0, exclude_max=True))
def test_a_torn_file_is_refused(tmp_path: Path, whole: bytes, share: float) -> None:
    path = tmp_path / "replay.npz"
    path.write_bytes(whole[: int(share * len(whole))])

    with pytest.raises(StorageError):
        Replay(CONFIG, seed=0).load(path)


@SETTINGS
@given(share=st.floats(0.0, 1.0, exclude_max=True), flip=st.integers(1, 255))
def test_a_damaged_byte_is_refused_or_does_not_matter(tmp_path: Path, whole: bytes, share: float, flip: int) -> None:
    path = tmp_path / "replay.npz"
    place = int(share * len(whole))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
    replay = Replay(CONFIG, seed=0)

    try:
        replay.load(path)
    except StorageError:
        return

    expected = filled(4, picture=(1, 1, 3))
    one, two = replay.sample(20, now=4), expected.sample(20, now=4)
    assert np.array_equal(one.keys, two.keys)
    assert np.array_equal(one.features["picture"], two.features["picture"])
    assert np.array_equal(one.log_mu, two.log_mu)
