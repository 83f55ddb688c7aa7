"""Training under the sync schedule: rounds, the steps that are due, one new version, the next round."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from distrl_sdk.config import CollectConfig
from distrl_sdk.errors import ConfigError
from distrl_sdk.learner.loop import Limits
from distrl_sdk.types import Assignment, Version
from distrl_sdk.wire.codec import pack_trajectory
from tests.trainer.episodes import episode, slot
from tests.trainer.runs import Running, assert_counted_once, learner, named, pocket, trained, trainer, workers_of
from tests.trainer.test_loop import Bench, Gated
from tests.trainer.waiting import wait_until

SYNC = CollectConfig(schedule="sync")


class Phones(Bench):
    """Phones that play in rounds. Nothing is due before 8 episodes came, then half a step for each."""

    def __init__(self, phones: int, limits: Limits, judge: Gated | None = None) -> None:
        self.slots = [slot(n) for n in range(phones)]
        self.here = list(self.slots)
        super().__init__(limits, judge, working=lambda: self.here)
        self.number = 0

    def handed(self) -> list[Assignment]:
        """What the slots get, asked from the last to the first."""
        return [made for each in reversed(self.here) if (made := self.intake.assign(each))]

    def round(self, size: int) -> list[Assignment]:
        """The assignments of a round, once it has begun, in the order of the slots."""
        made: list[Assignment] = []
        wait_until(lambda: made.extend(self.handed()) or len(made) >= size)
        assert len(made) == size
        return made[::-1]

    def come(self, assignments: Sequence[Assignment], success: bool | None = True) -> list[str]:
        """They come to their end, in this order; returns the ids of the episodes."""
        names = []
        for each in assignments:
            self.number += 1
            done = episode(self.number, success, of=each.task, n=each.version.n)
            self.intake.receive(each.id, done, pack_trajectory(done))
            names.append(done.id)
        return names


@contextmanager
def training(bench: Bench) -> Iterator[None]:
    """The training thread at its work."""

    def steps() -> None:
        while bench.step() is not None:
            pass

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        yield
    finally:
        bench.loop.stopped = True
        thread.join(30)
        bench.close()
    assert not thread.is_alive()


def test_a_round_is_played_by_one_version_and_ends_in_all_steps_that_are_due_and_one_new_version() -> None:
    bench = Phones(6, Limits(0, 0.0))
    played = []
    with training(bench):
        for _ in range(4):
            made = bench.round(6)
            played.append((bench.loop.tally.updates, {each.version for each in made}))
            bench.come(made[:5])
            assert bench.handed() == []
            bench.come(made[5:])

    # 6 episodes: too few to begin; 12, 18: half a step for each beyond 8
    assert played == [(0, {Version(1, 0)}), (0, {Version(1, 0)}), (2, {Version(1, 1)}), (5, {Version(1, 2)})]
    assert bench.outlet.versions[:2] == [Version(1, 1), Version(1, 2)]


def test_episodes_are_learned_from_in_the_order_of_the_slots_whatever_order_they_came_in() -> None:
    bench = Phones(4, Limits(0, 0.0))
    with training(bench):
        made = bench.round(4)
        first = bench.come([made[n] for n in (2, 0, 3, 1)])
        bench.round(4)

    assert bench.added == [first[at] for at in (1, 3, 0, 2)]


def test_verdicts_of_the_desk_end_a_round_and_their_order_does_not_matter() -> None:
    judge = Gated()
    bench = Phones(3, Limits(0, 0.0), judge)
    with training(bench):
        made = bench.round(3)
        names = bench.come(made, success=None)
        for each in made[:0:-1]:
            judge.gate(each.task.id).set()
        wait_until(lambda: (bench.loop.pending, bench.loop.at_desk) == (3, 1))  # all have come, two are judged
        assert (bench.added, bench.handed()) == ([], [])
        judge.gate(made[0].task.id).set()
        bench.round(3)

    assert bench.added == names


def test_the_last_round_is_as_small_as_what_is_left() -> None:
    bench = Phones(4, Limits(6, 0.0))
    with training(bench):
        bench.come(bench.round(4))
        bench.come(bench.round(2))
        wait_until(lambda: bench.loop.tally.trajectories == 6)

    assert bench.handed() == []


def test_a_round_goes_on_without_a_phone_that_died() -> None:
    bench = Phones(3, Limits(0, 0.0))
    with training(bench):
        wait_until(lambda: bench.intake.owed == 3)
        bench.here = bench.slots[:2]
        bench.come(bench.round(2))
        bench.come(bench.round(1))

        assert len(bench.round(2)) == 2


def test_a_checkpoint_in_the_middle_of_a_round_leaves_its_episodes_to_the_journal() -> None:
    bench = Phones(3, Limits(0, 0.0))
    with training(bench):
        first = bench.round(3)
        bench.come(first)
        second = bench.round(3)
        middle = bench.come(second[:2])
        wait_until(lambda: bench.loop.pending == 2)
        assert bench.loop.position() == (300, []), "behind the first round, each episode of 100 bytes"
        last = bench.come(second[2:])
        bench.round(3)

    assert bench.loop.position() == (600, [])
    assert bench.added[3:] == middle + last


def test_what_an_earlier_process_left_is_learned_from_before_the_first_round() -> None:
    bench = Phones(2, Limits(0, 0.0))
    bench.loop.restore([(episode(n), 100 * n) for n in range(10)], 1000)
    with training(bench):
        made = bench.round(2)

    assert bench.loop.tally.updates == 1, "half a step for each of 10 beyond 8"
    assert {each.version for each in made} == {Version(1, 1)}


def test_a_schedule_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="schedule must be 'async' or 'sync', not 'batch'"):
        CollectConfig(schedule="batch")  # type: ignore[arg-type]


@pytest.mark.parametrize("judge", ["programmatic", named("SeesGrey")])
def test_a_sync_run_trains_and_evaluates_with_real_workers(
    tmp_path: Path, judge: str, capsys: pytest.CaptureFixture[str]
) -> None:
    collect = CollectConfig(schedule="sync", workers=2)
    made = trainer(tmp_path / "r", collect, eval_tasks="auto", max_trajectories=18, judge=judge)

    outcome = made.fit(learner(), pocket(4, pause=0.01))

    assert outcome.trajectories == 18, "not one more than was asked for"
    assert outcome.after is not None
    assert len(outcome.after.episodes) == 6
    assert_counted_once(tmp_path / "r")
    episodes = trained(tmp_path / "r")
    assert {len(set(map(tuple, each.version.tolist()))) for each in episodes} == {1}
    rounds = [{tuple(each.version[0]) for each in episodes[at : at + 4]} for at in range(0, 18, 4)]
    assert {len(versions) for versions in rounds} == {1}
    assert outcome.counts.get("aborted_worker", 0) == 0
    assert "schedule sync" in capsys.readouterr().err
    assert "schedule sync" in (tmp_path / "r" / "report.html").read_text()


@pytest.mark.long
def test_a_worker_that_is_killed_in_a_round_does_not_end_the_run(tmp_path: Path) -> None:
    run = tmp_path / "r"
    made = trainer(run, CollectConfig(schedule="sync", workers=2), max_trajectories=24)
    running = Running(lambda: made.fit(learner(), pocket(4, pause=0.2)))
    wait_until(lambda: running.over or len(trained(run)) >= 5, every=0.2)

    os.kill(min(workers_of(run)), signal.SIGKILL)
    outcome = running.join()

    assert outcome.counts["lost"] >= 1
    assert outcome.trajectories >= 24
    assert_counted_once(run)


def test_a_phone_that_breaks_in_every_round_does_not_stop_a_sync_run(tmp_path: Path) -> None:
    fleet = f"{pocket(2).spec},{pocket(1, fail=1).spec}"

    outcome = trainer(tmp_path / "r", SYNC, max_trajectories=9).fit(learner(), fleet)

    assert outcome.trajectories == 9
    assert outcome.counts["aborted_device"] >= 1
    assert_counted_once(tmp_path / "r")
