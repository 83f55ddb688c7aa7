"""What a journal tells a learner that goes on with a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from distrl_sdk.errors import StorageError
from distrl_sdk.learner import backlog
from distrl_sdk.replay.journal import Journal, Kind
from distrl_sdk.types import End, Trajectory, Verdict
from distrl_sdk.wire.codec import join_frames, pack_trajectory
from distrl_sdk.wire.limits import pack_header
from distrl_sdk.wire.plain import to_plain
from tests.trainer.episodes import episode


def write(journal: Journal, *episodes: Trajectory) -> list[int]:
    return [journal.append(Kind.TRAJECTORY, join_frames(pack_trajectory(each))) for each in episodes]


def judge(journal: Journal, number: int, verdict: Verdict) -> None:
    journal.append(Kind.VERDICT, pack_header([f"w/1/{number}", to_plain(verdict)]))


def test_a_new_runs_journal_has_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal"):
        assert backlog.read(tmp_path / "journal") == backlog.Backlog()


def test_only_whole_train_episodes_are_taken_in_and_everything_counts_as_received(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        aborted = End("aborted", "worker", "it was stopped")
        places = write(
            journal, episode(1), episode(2, end=aborted, steps=0), episode(3, lane="eval"), episode(4, False, n=9)
        )

    left = backlog.read(path)

    assert left.received == [f"w/1/{n}" for n in (1, 2, 3, 4)]
    assert left.counts == {"received": 4, "aborted_worker": 1}
    assert [(name, start) for name, (_, start) in left.episodes.items()] == [("w/1/1", places[0]), ("w/1/4", places[3])]
    assert [each.verdict.success for each, _ in left.episodes.values() if each.verdict] == [True, False]
    assert left.version == 9


def test_verdicts_of_the_desk_are_put_to_their_episodes(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        write(journal, *(episode(n, None) for n in (1, 2, 3)))
        judge(journal, 3, Verdict(None, "no route"))
        judge(journal, 1, Verdict(True, "as seen"))
        judge(journal, 77, Verdict(True, "of an evaluation"))

    verdicts = {name: each.verdict for name, (each, _) in backlog.read(path).episodes.items()}

    assert verdicts == {"w/1/1": Verdict(True, "as seen"), "w/1/2": None, "w/1/3": Verdict(None, "no route")}


def test_what_the_checkpoint_has_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        places = write(journal, *(episode(n) for n in range(5)))

    left = backlog.read(path, places[2], {"w/1/3"})

    assert list(left.episodes) == ["w/1/2", "w/1/4"]
    assert len(left.received) == 5, "all of it must not be received again"


def test_a_torn_tail_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path) as journal:
        places = write(journal, episode(1), episode(2))
    with path.open("r+b") as file:
        file.truncate(places[1] + 40)

    assert backlog.read(path).received == ["w/1/1"]
    path.write_bytes(b"something else")
    with pytest.raises(StorageError, match="is not a journal"):
        backlog.read(path)
