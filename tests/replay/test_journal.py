"""The journal: what it said it has, it has; what is torn or damaged is never taken for a record."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import StorageError
from distrl_sdk.replay.journal import FILE_MAGIC, Journal, Kind, Record, Sync, replay

HEAD = 16
"""Bytes of a record before its payload."""
DEADLINE = 20.0
"""Seconds in which a thing that must happen has happened."""
FOLDERS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

entries = st.lists(st.tuples(st.sampled_from(Kind), st.binary(max_size=40)), max_size=6)


def write(path: Path, written: list[tuple[Kind, bytes]]) -> list[Record]:
    path.unlink(missing_ok=True)
    with Journal(path, "never") as journal:
        return [Record(journal.append(kind, payload), kind, payload) for kind, payload in written]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal" / "records"


# --- writing and reading --------------------------------------------------------------------------------------------


@FOLDERS
@given(written=entries, data=st.data())
def test_records_come_back_as_they_were_appended(
    path: Path, written: list[tuple[Kind, bytes]], data: st.DataObject
) -> None:
    records = write(path, written)

    assert list(replay(path)) == records
    start = data.draw(st.integers(0, len(records)))
    offset = records[start].offset if start < len(records) else path.stat().st_size
    assert list(replay(path, offset)) == records[start:]


def test_a_record_is_laid_out_as_the_format_says(path: Path) -> None:
    write(path, [(Kind.VERDICT, b"yes")])

    # The CRC-32 is gzip's of what stands before it and behind it.
    assert path.read_bytes() == b"distrlJ1" + b"dRec\x02\x00\x00\x00\x03\x00\x00\x00" + b"\x05\xb4\xc6\x76" + b"yes"


def test_a_memoryview_of_numbers_is_written_whole(path: Path) -> None:
    with Journal(path, "never") as journal:
        journal.append(Kind.TRAJECTORY, memoryview(bytes(range(8))).cast("I"))

    assert [record.payload for record in replay(path)] == [bytes(range(8))]


def test_a_journal_that_is_opened_again_goes_on_at_its_end(path: Path) -> None:
    first = write(path, [(Kind.TRAJECTORY, b"one"), (Kind.DROP, b"")])
    with Journal(path, "never") as journal:
        assert journal.torn_bytes == 0
        assert journal.end == first[-1].end

        offset = journal.append(Kind.VERSION, b"two")

    assert list(replay(path)) == [*first, Record(offset, Kind.VERSION, b"two")]
    assert list(replay(path, first[-1].end)) == [Record(offset, Kind.VERSION, b"two")]


def test_a_reader_sees_the_records_of_a_journal_that_is_still_open(path: Path) -> None:
    with Journal(path, "never") as journal:
        journal.append(Kind.TRAJECTORY, b"one")

        assert [record.payload for record in replay(path)] == [b"one"]


def test_appends_of_several_threads_are_all_there_and_none_is_mixed(path: Path) -> None:
    with Journal(path, "always") as journal:

        def append(writer: int) -> None:
            for number in range(20):
                journal.append(Kind.TRAJECTORY, f"{writer}:{number}:".encode() + bytes([writer]) * 3000)

        threads = [threading.Thread(target=append, args=(writer,)) for writer in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(DEADLINE)

    found = [record.payload for record in replay(path)]
    assert len(found) == 80
    for writer in range(4):
        own = [payload for payload in found if payload.startswith(f"{writer}:".encode())]
        assert own == [f"{writer}:{number}:".encode() + bytes([writer]) * 3000 for number in range(20)]


# --- the disk -------------------------------------------------------------------------------------------------------


def test_always_means_durable_when_append_returns(path: Path) -> None:
    with Journal(path, "always") as journal:
        for _ in range(3):
            journal.append(Kind.TRAJECTORY, b"x" * 100)
            assert journal.durable == journal.end


def test_every_so_often_means_durable_soon_after_without_another_call(path: Path) -> None:
    with Journal(path, 0.01) as journal:
        journal.append(Kind.TRAJECTORY, b"x" * 100)

        deadline = time.monotonic() + DEADLINE
        while journal.durable < journal.end:
            assert time.monotonic() < deadline
            threading.Event().wait(0.005)


@pytest.mark.parametrize("policy", ["always", "never", 1000.0])
def test_sync_brings_everything_to_the_disk_whatever_the_policy(path: Path, policy: Sync) -> None:
    with Journal(path, policy) as journal:
        journal.append(Kind.TRAJECTORY, b"x" * 100)

        journal.sync()

        assert journal.durable == journal.end


@pytest.mark.parametrize(("policy", "everything"), [("never", False), (1000.0, True)])
def test_closing_does_not_wait_for_the_next_turn(path: Path, policy: Sync, everything: bool) -> None:
    journal = Journal(path, policy)
    journal.append(Kind.TRAJECTORY, b"x" * 100)

    started = time.monotonic()
    journal.close()
    journal.close()

    assert time.monotonic() - started < DEADLINE
    assert (journal.durable == journal.end) is everything
    with pytest.raises(StorageError, match=r"records is closed"):
        journal.append(Kind.TRAJECTORY, b"late")


def test_a_full_disk_leaves_nothing_torn_and_the_journal_usable(path: Path) -> None:
    """The limit of a file's size stands in for the end of the disk: a write is cut short, then fails."""
    program = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from distrl_sdk.errors import StorageError\n"
        "from distrl_sdk.replay.journal import Journal, Kind\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "with Journal(Path(sys.argv[1]), 'always') as journal:\n"
        "    journal.append(Kind.TRAJECTORY, b'a' * 6000)\n"
        "    try:\n"
        "        journal.append(Kind.TRAJECTORY, b'b' * 6000)\n"
        "    except StorageError as error:\n"
        "        print(error)\n"
        "    journal.append(Kind.TRAJECTORY, b'c' * 3000)\n"
    )

    told = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True, timeout=60)

    assert told.stdout == f"cannot append to journal {path}: File too large\n"
    assert [record.payload[:1] for record in replay(path)] == [b"a", b"c"]
    assert path.stat().st_size == len(FILE_MAGIC) + 2 * HEAD + 9000


def test_a_killed_process_loses_no_record_that_append_returned_for(path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from distrl_sdk.replay.journal import Journal, Kind\n"
        "journal = Journal(Path(sys.argv[1]), 0.001)\n"
        "number = 0\n"
        "while True:\n"
        "    journal.append(Kind.TRAJECTORY, number.to_bytes(4, 'little') + b'x' * 50_000)\n"
        "    number += 1\n"
        "    print(number, flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        while int(writer.stdout.readline()) < 50:
            pass
        os.kill(writer.pid, signal.SIGKILL)
        told = [int(line) for line in writer.stdout if line.endswith("\n")]

    with Journal(path, "never"):
        pass

    numbers = [int.from_bytes(record.payload[:4], "little") for record in replay(path)]
    assert len(numbers) >= max([50, *told])
    assert numbers == list(range(len(numbers)))


# --- torn, damaged, foreign -----------------------------------------------------------------------------------------


@FOLDERS
@given(written=entries, share=st.floats(0.0, 1.0))
def test_any_truncation_leaves_the_records_before_it(
    path: Path, written: list[tuple[Kind, bytes]], share: float
) -> None:
    records = write(path, written)
    size = int(share * path.stat().st_size)
    os.truncate(path, size)
    whole = [record for record in records if record.end <= size]

    assert list(replay(path)) == whole
    with Journal(path, "never") as journal:
        end = whole[-1].end if whole else len(FILE_MAGIC)
        assert journal.end == end
        assert journal.torn_bytes == max(0, size - end)
        new = journal.append(Kind.DROP, b"after")
    assert list(replay(path)) == [*whole, Record(new, Kind.DROP, b"after")]


@FOLDERS
@given(
    written=entries.filter(bool),
    share=st.floats(0.0, 1.0, exclude_max=True),
    flip=st.integers(1, 255),
    tail=st.binary(),
)
def test_a_damaged_byte_never_makes_a_wrong_record(
    path: Path, written: list[tuple[Kind, bytes]], share: float, flip: int, tail: bytes
) -> None:
    records = write(path, written)
    content = bytearray(path.read_bytes())
    place = int(share * len(content))
    content[place] ^= flip
    path.write_bytes(content + tail)

    if place < len(FILE_MAGIC):
        with pytest.raises(StorageError, match=r"records is not a journal that this version can read"):
            list(replay(path))
    else:
        assert list(replay(path)) == [record for record in records if record.end <= place]


@FOLDERS
@given(written=entries, tail=st.binary(min_size=1))
def test_rubbish_at_the_end_is_cut_off_and_counted(path: Path, written: list[tuple[Kind, bytes]], tail: bytes) -> None:
    records = write(path, written)
    with path.open("ab") as file:
        file.write(tail)

    with Journal(path, "never") as journal:
        assert journal.torn_bytes == len(tail)

    assert list(replay(path)) == records


def test_a_length_beyond_the_file_is_torn_and_not_allocated(path: Path) -> None:
    records = write(path, [(Kind.DROP, b"one")])
    with path.open("ab") as file:
        file.write(b"dRec\x01\x00\x00\x00" + b"\xff" * 8 + b"x" * 100)

    assert list(replay(path)) == records


@pytest.mark.parametrize("content", [b"a letter to grandmother", b"\0" * 64, b"distrlJ2 of a later version"])
def test_a_foreign_file_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    for use in (lambda: Journal(path), lambda: list(replay(path))):
        with pytest.raises(StorageError, match=r"records is not a journal that this version can read"):
            use()

    assert path.read_bytes() == content


def test_a_kind_of_a_later_version_is_refused_by_number(path: Path) -> None:
    write(path, [(9, b"?")])  # type: ignore[list-item]

    with pytest.raises(StorageError, match=r"records has a record of unknown kind 9 at 8"):
        list(replay(path))


def test_an_offset_beyond_the_end_is_refused(path: Path) -> None:
    write(path, [(Kind.DROP, b"one")])

    with pytest.raises(StorageError, match=r"records ends at 27, before offset 28"):
        list(replay(path, 28))


def test_a_missing_journal_is_one_line(path: Path) -> None:
    with pytest.raises(StorageError, match=r"^cannot read journal .*records: No such file or directory$"):
        list(replay(path))


def test_a_journal_cannot_be_opened_twice(path: Path) -> None:
    with Journal(path), pytest.raises(StorageError, match=r"records is in use by another process"):
        Journal(path)

    Journal(path).close()


def test_a_journal_in_place_of_a_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^cannot open journal .*: Is a directory$"):
        Journal(tmp_path)
