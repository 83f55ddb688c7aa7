"""The write-ahead folder: nothing lost, nothing numbered twice, one process at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from distrl_sdk.errors import StorageError
from distrl_sdk.worker.outbox import Outbox, Record


def put(outbox: Outbox, text: str) -> int:
    return outbox.put("run", f"a{text}", lambda seq: [f"{seq}:{text}".encode(), b"arrays"], lambda record: None)


def left(outbox: Outbox) -> list[tuple[int, int, bytes]]:
    """What an earlier process left; each as it was put."""
    records = list(outbox.left())
    assert all(record.run == "run" and bytes(record.frames[1]) == b"arrays" for record in records)
    assert all(bytes(record.frames[0]).decode() == f"{record.seq}:{record.assignment[1:]}" for record in records)
    return [(record.incarnation, record.seq, bytes(record.frames[0])) for record in records]


def test_what_was_not_acknowledged_is_left_for_the_next_process_in_order(tmp_path: Path) -> None:
    first = Outbox(tmp_path)
    for text in ("a", "b", "c"):
        put(first, text)
    first.drop(first.incarnation, 2)
    first.close()

    second = Outbox(tmp_path)
    put(second, "d")

    assert second.incarnation > first.incarnation
    assert left(second) == [(first.incarnation, 1, b"1:a"), (first.incarnation, 3, b"3:c")]
    assert len(second) == 3
    second.close()


def test_a_record_is_on_disk_before_it_is_sent(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    found: list[bool] = []

    def send(record: Record) -> None:
        found.append((tmp_path / f"{record.incarnation}-{record.seq}").exists())

    outbox.put("run", "a", lambda seq: [b"x"], send)

    assert found == [True]
    outbox.close()


def test_two_processes_never_share_a_folder(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)

    with pytest.raises(StorageError, match=r"outbox .* is in use by another process"):
        Outbox(tmp_path)
    outbox.close()
    Outbox(tmp_path).close()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, time\n"
        "from distrl_sdk.worker.outbox import Outbox\n"
        f"box = Outbox(pathlib.Path({str(tmp_path)!r}))\n"
        "box.put('run', 'akept', lambda seq: [b'1:kept', b'arrays'], lambda record: None)\n"
        "print('ready', flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()

    outbox = Outbox(tmp_path)
    assert [each[1:] for each in left(outbox)] == [(1, b"1:kept")]
    outbox.close()


def test_a_worker_whose_folder_was_lost_does_not_count_from_one_again(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)

    assert abs(outbox.incarnation - time.time()) < 5.0
    outbox.close()


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "incarnation").write_text("birds")

    with pytest.raises(StorageError, match="incarnation holds no number"):
        Outbox(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_a_storage_error_and_the_number_is_used_again(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    (tmp_path / f"{outbox.incarnation}-1.part").symlink_to("/dev/full")
    sent: list[int] = []

    with pytest.raises(StorageError, match="cannot take an episode: No space left on device"):
        outbox.put("run", "a", lambda seq: [b"x"], lambda record: sent.append(record.seq))

    assert sent == []
    assert put(outbox, "x") == 1
    outbox.close()


def test_refused_records_are_kept_apart_with_their_reason_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox = Outbox(tmp_path, refused=3)
    for _ in range(5):
        outbox.refuse(outbox.incarnation, put(outbox, "x"), "unknown task")

    assert len(outbox) == 0
    assert len(list((tmp_path / "refused").glob("*-?"))) == 3
    assert (tmp_path / "refused" / f"{outbox.incarnation}-5.reason").read_text() == "unknown task\n"
    assert (tmp_path / "refused" / f"{outbox.incarnation}-5").exists()
    outbox.close()


@settings(max_examples=25, deadline=None)
@given(cut=st.integers(0, 80), flip=st.integers(0, 79))
def test_a_torn_record_is_set_apart_and_the_others_are_replayed(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("outbox")
    first = Outbox(folder)
    put(first, "0123456789abcd")
    put(first, "whole")
    first.close()
    torn = f"{first.incarnation}-1"
    raw = bytearray((folder / torn).read_bytes())
    assert len(raw) == 80
    raw[flip] ^= 1
    (folder / torn).write_bytes(raw[:cut])

    second = Outbox(folder)

    assert left(second) == [(first.incarnation, 2, b"2:whole")]
    assert (folder / "refused" / f"{torn}.reason").read_text() == "torn: its checksum is wrong\n"
    second.close()


def test_the_outbox_is_a_map_that_survives_its_processes(tmp_path_factory: pytest.TempPathFactory) -> None:
    class Model(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.folder = tmp_path_factory.mktemp("outbox")
            self.outbox = Outbox(self.folder)
            self.held: dict[tuple[int, int], bytes] = {}
            self.used: set[tuple[int, int]] = set()

        @rule(text=st.text(max_size=5))
        def finish(self, text: str) -> None:
            number = (self.outbox.incarnation, put(self.outbox, text))
            assert number not in self.used
            self.used.add(number)
            self.held[number] = f"{number[1]}:{text}".encode()

        @rule(pick=st.randoms(use_true_random=False), refuse=st.booleans())
        def answer(self, pick: object, refuse: bool) -> None:
            if self.used:
                number = pick.choice(sorted(self.used))  # type: ignore[attr-defined]
                self.outbox.refuse(*number, "no") if refuse else self.outbox.drop(*number)
                self.held.pop(number, None)

        @rule()
        def restart(self) -> None:
            self.outbox.close()
            self.outbox = Outbox(self.folder)
            assert {(incarnation, seq): blob for incarnation, seq, blob in left(self.outbox)} == self.held

        @invariant()
        def holds_as_many(self) -> None:
            assert len(self.outbox) == len(self.held)

        def teardown(self) -> None:
            self.outbox.close()

    run_state_machine_as_test(Model, settings=settings(max_examples=15, stateful_step_count=20, deadline=None))
