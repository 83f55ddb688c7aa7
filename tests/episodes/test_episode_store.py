import io
import json
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import StorageError
from distrl_sdk.types import End, Finish, Key, Press, Swipe, Tap, Task, Trajectory, TypeText, Verdict, Version

ACTIONS = (Tap(0.25, 0.5), TypeText('<b>"Zoë"</b>'), Swipe(0.5, 0.8, 0.5, 0.2), Press(Key.BACK), Finish(True))


def picture(shade: int, kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (27, 60), (shade, 0, 0)).save(buffer, format=kind)
    return buffer.getvalue()


def trajectory(name: str = "w1/1/7", steps: int = 5, pictures: tuple[bytes, ...] | None = None) -> Trajectory:
    return Trajectory(
        id=name,
        task=Task(id="alarm-3", family="alarm", instruction="Set an alarm for 7:30", setup={"hour": 7}),
        lane="eval",
        temperature=0.0,
        features={"words": np.zeros((steps + 1, 4), np.float32)},
        code=np.zeros((steps, 3), np.int32),
        log_mu=np.zeros(steps, np.float32),
        log_pi=np.zeros(steps, np.float32),
        version=np.tile(np.array([[1, 8]], np.int32), (steps, 1)),
        invalid=np.arange(steps) == 1,
        repeats=np.arange(steps, dtype=np.int32),
        seconds=np.full(steps + 1, 0.25, np.float32),
        screens=np.arange(steps + 1, dtype=np.uint32),
        actions=ACTIONS[:steps],
        end=End("finish"),
        verdict=Verdict(True, "the alarm is set", judge="programmatic"),
        pictures=tuple(picture(shade) for shade in range(steps + 1)) if pictures is None else pictures,
        slot="w1:2",
    )


def test_an_episode_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)
    saved = trajectory()

    key = store.save(saved, phase="before")

    assert key is not None
    episode = store.read(key)
    assert (episode.id, episode.task, episode.actions) == (saved.id, saved.task, saved.actions)
    assert (episode.end, episode.verdict, episode.slot) == (saved.end, saved.verdict, "w1:2")
    assert (episode.phase, episode.lane, episode.temperature) == ("before", "eval", 0.0)
    assert episode.versions == (Version(1, 8),) * 5
    assert episode.invalid == (False, True, False, False, False)
    assert episode.repeats == (0, 1, 2, 3, 4)
    assert episode.seconds == (0.25,) * 6
    assert [store.picture(key, name) for name in episode.pictures] == list(saved.pictures)
    assert sorted(episode.observations) == [0, 1, 2, 3, 4, 5]


def test_pictures_keep_their_own_format(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)

    key = store.save(trajectory(steps=1, pictures=(picture(1, "PNG"), picture(2, "JPEG"))))

    assert key is not None
    assert store.read(key).pictures == ("000.png", "001.jpg")


def test_a_single_picture_is_that_of_the_end_state(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)

    key = store.save(trajectory(pictures=(picture(9),)))

    assert key is not None
    assert store.read(key).observations == {5: "005.png"}


def test_what_is_no_picture_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)

    with pytest.raises(StorageError, match="picture 1 of w1/1/7 is neither PNG nor JPEG"):
        store.save(trajectory(steps=1, pictures=(picture(1), b"<svg onload=alert(1)>")))

    assert list(tmp_path.iterdir()) == []


def test_the_oldest_that_are_not_pinned_make_room(tmp_path: Path) -> None:
    one = EpisodeStore(tmp_path / "one")
    one.save(trajectory("w/1/0"))
    store = EpisodeStore(tmp_path / "many", megabytes=3.5 * one.size / 1e6)

    first = store.save(trajectory("w/1/1"), pinned=True)
    second = store.save(trajectory("w/1/2"))
    rest = [store.save(trajectory(f"w/1/{number}")) for number in (3, 4)]

    assert store.keys == [first, *rest]
    assert second not in store.keys
    assert store.pinned == [first]
    assert store.size == 3 * one.size


def test_an_episode_that_finds_no_room_is_not_kept(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path, megabytes=0.0001)

    assert store.save(trajectory()) is None
    pinned = store.save(trajectory(), pinned=True)

    assert store.keys == [pinned]
    assert list(tmp_path.iterdir()) == [tmp_path / str(pinned)]


def test_a_reopened_store_goes_on_counting_sizes_and_numbers(tmp_path: Path) -> None:
    first = EpisodeStore(tmp_path)
    keys = [first.save(trajectory(f"w/1/{number}")) for number in range(3)]
    one = first.size // 3

    again = EpisodeStore(tmp_path, megabytes=2.5 * one / 1e6)
    new = again.save(trajectory("w/2/0"))

    assert again.keys == [keys[2], new]
    assert new is not None
    assert new.startswith("00000004-")


def test_a_hostile_id_stays_inside_the_folder(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path / "episodes")

    key = store.save(trajectory("../../../etc/passwd\x00\n" + "x" * 500))

    assert key is not None
    assert [path.name for path in tmp_path.iterdir()] == ["episodes"]
    assert (tmp_path / "episodes" / key / "episode.json").exists()
    assert store.read(key).id.startswith("../")


@pytest.mark.parametrize("key", ["../secret", "00000001-../x", "", "/etc"])
def test_a_key_that_is_none_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(StorageError, match="no episode's key"):
        EpisodeStore(tmp_path).read(key)


def test_a_picture_outside_the_episode_is_refused(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)
    key = store.save(trajectory())
    assert key is not None
    file = tmp_path / key / "episode.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"pictures": ["../../secret.png"]}))

    with pytest.raises(StorageError, match="names the picture"):
        store.read(key)
    with pytest.raises(StorageError, match="no picture"):
        store.picture(key, "../../secret.png")


@pytest.mark.parametrize("content", ["", "{}", '{"id": 3}', "[1"])
def test_a_torn_episode_is_named(tmp_path: Path, content: str) -> None:
    store = EpisodeStore(tmp_path)
    key = store.save(trajectory())
    assert key is not None
    (tmp_path / key / "episode.json").write_text(content)

    with pytest.raises(StorageError, match=key):
        store.read(key)


def test_an_aborted_episode_without_steps_is_recorded(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)

    key = store.save(trajectory(steps=0, pictures=()))

    assert key is not None
    assert (store.read(key).actions, store.read(key).pictures) == ((), ())


def test_threads_save_side_by_side(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)

    def save(worker: int) -> None:
        for number in range(10):
            store.save(trajectory(f"w{worker}/1/{number}", steps=1))

    threads = [threading.Thread(target=save, args=(worker,)) for worker in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert {store.read(key).id for key in store.keys} == {f"w{w}/1/{n}" for w in range(4) for n in range(10)}
    assert store.size == sum(path.stat().st_size for path in tmp_path.glob("*/*"))


def test_what_a_killed_process_left_half_done_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".00000001-w1-1-7").mkdir()
    (tmp_path / ".00000001-w1-1-7" / "000.png").write_bytes(b"half")
    store = EpisodeStore(tmp_path)
    assert store.keys == []

    key = store.save(trajectory())

    assert [path.name for path in tmp_path.iterdir()] == [key]


@settings(deadline=None, max_examples=15)
@given(pins=st.lists(st.booleans(), max_size=12), room=st.integers(0, 6))
def test_the_store_stays_within_its_size_whatever_is_pinned(pins: list[bool], room: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one = EpisodeStore(Path(folder) / "one")
        one.save(trajectory("w/0", steps=0))
        store = EpisodeStore(Path(folder) / "many", megabytes=room * one.size / 1e6)
        for number, pinned in enumerate(pins):
            store.save(trajectory(f"w/{number % 10}", steps=0), pinned=pinned)

        ids = [int(key.split("-")[0]) - 1 for key in store.keys]

    free = max(0, room - sum(pins))
    loose = [number for number, pinned in enumerate(pins) if not pinned]
    assert [number for number in ids if pins[number]] == [number for number, pinned in enumerate(pins) if pinned]
    assert len([number for number in ids if not pins[number]]) <= max(free, 0)
    assert [number for number in ids if not pins[number]] == loose[len(loose) - (len(ids) - sum(pins)) :]
