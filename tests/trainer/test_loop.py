"""The training thread: when a step is due, how much may be under way, and where a restart reads on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.config import CollectConfig, LearnerConfig
from distrl_sdk.learner import backlog
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.desk import Desk
from distrl_sdk.learner.intake import Intake
from distrl_sdk.learner.loop import Limits, Loop, Parts
from distrl_sdk.learner.publisher import Publisher
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.replay.journal import Journal, Kind
from distrl_sdk.tasks.curriculum import Curriculum
from distrl_sdk.types import End, JudgeRequest, SlotAbout, Trajectory, Verdict, Version
from distrl_sdk.wire.codec import Frame, join_frames, pack_trajectory
from distrl_sdk.wire.limits import pack_header
from distrl_sdk.wire.plain import to_plain
from tests.trainer.episodes import episode, slot, task
from tests.trainer.waiting import wait_until

LEARNER = LearnerConfig(batch=4, elite_batch=2, updates_per_trajectory=0.5)


class Outlet:
    def __init__(self) -> None:
        self.versions: list[Version] = []

    def publish(self, version: Version, blob: bytes) -> None:
        self.versions.append(version)


class Gated:
    """A judge that answers for a task once it is let through: True for even numbers."""

    needs_device = False

    def __init__(self) -> None:
        self.gates: dict[str, threading.Event] = {}
        self._lock = threading.Lock()

    def gate(self, name: str) -> threading.Event:
        with self._lock:
            return self.gates.setdefault(name, threading.Event())

    def judge(self, request: JudgeRequest) -> Verdict:
        self.gate(request.task.id).wait(30)
        return Verdict(int(request.task.id[1:]) % 2 == 0)

    def close(self) -> None:
        for gate in self.gates.values():
            gate.set()


class Noticing(Replay):
    """Notices which episodes are taken in."""

    def add(self, trajectory: Trajectory, success: bool, now: int) -> int:
        self.names = [*getattr(self, "names", []), trajectory.id]
        return super().add(trajectory, success, now)


class Bench:
    """A loop with all its parts but Lightning and sockets."""

    def __init__(
        self,
        limits: Limits | None = None,
        judge: Any = None,
        journal: Journal | None = None,
        working: Callable[[], Sequence[SlotAbout]] | None = None,
        group: int = 1,
    ) -> None:
        config = replace(LEARNER, replay=replace(LEARNER.replay, group=group))
        self.journal = journal
        self.desk = Desk(judge, threads=16, note=self._note) if judge is not None else None
        curriculum = Curriculum([task(n) for n in range(50)], 0.25, 1)
        self.intake = Intake(curriculum, CollectConfig(schedule="sync" if working else "async"), self._store, 1)
        self.outlet = Outlet()
        publisher = Publisher(torch.nn.Linear(1, 1), self.outlet, 1)
        self.replay = Noticing(config.replay, 1)
        parts = Parts(self.intake, self.desk, publisher, publish_every=3, working=working)
        self.loop = Loop(config, self.replay, parts, limits or Limits(0, 0.0), lambda: None)
        self._end = 0

    def _store(self, frames: Sequence[Frame]) -> int:
        if self.journal is None:
            self._end += 100
            return self._end
        self.journal.append(Kind.TRAJECTORY, join_frames(frames))
        return self.journal.end

    def _note(self, name: str, verdict: Verdict) -> None:
        if self.journal is not None:
            self.journal.append(Kind.VERDICT, pack_header([name, to_plain(verdict)]))

    def arrive(self, *episodes: Trajectory) -> None:
        for each in episodes:
            self.intake.receive("", each, pack_trajectory(each))

    @property
    def added(self) -> list[str]:
        return list(getattr(self.replay, "names", []))

    def room(self) -> int:
        """How many slots are handed something now."""
        self.loop.take_in()
        made = [each for n in range(200) if (each := self.intake.assign(slot(n))) is not None]
        for each in made:
            self.intake.lost(each, "asked for fun")
        return len(made)

    def step(self) -> Batch | None:
        """What Lightning does: fetch a batch, take a step, tell."""
        batch = self.loop.next_batch()
        trainer: Any = SimpleNamespace(should_stop=False)
        outputs: Any = None
        if batch is not None:
            size = len(batch.key)
            outputs = {"terms": {"policy": 1.0}, "priority": torch.ones(size, 3), "surprise": torch.zeros(size)}
        module: Any = None
        self.loop.on_train_batch_end(trainer, module, outputs, batch, 0)
        assert trainer.should_stop == (batch is None)
        return batch

    def close(self) -> None:
        if self.desk is not None:
            self.desk.close()


def test_steps_are_taken_at_the_set_rate_and_weights_go_up_every_third() -> None:
    bench = Bench(Limits(40, 0.0))
    bench.arrive(*(episode(n, n % 2 == 0) for n in range(40)))

    batches = 0
    while bench.step() is not None:
        batches += 1

    # half a step for each episode after the warm-up of 2 batches = 8 episodes
    assert batches == bench.loop.tally.updates == 16
    assert bench.outlet.versions == [Version(1, n) for n in range(1, 6)]
    assert bench.loop.tally.trajectories == len(bench.replay) == 40


def test_a_batch_holds_draws_of_the_replay_and_behind_them_elite_ones() -> None:
    bench = Bench(Limits(40, 0.0))
    bench.arrive(*(episode(n, n % 2 == 0) for n in range(40)))

    batch = bench.step()

    assert batch is not None
    assert batch.elite.tolist() == [False] * 4 + [True] * 2
    assert batch.success[4:].tolist() == [1.0, 1.0]
    assert batch.weight[4:].tolist() == [0.0, 0.0], "the critics never see elite episodes"


def test_collection_waits_for_a_slow_learner() -> None:
    bench = Bench()
    # slack: 8 updates = 16 episodes beyond the warm-up of 8
    assert bench.room() == 24
    bench.arrive(*(episode(n) for n in range(24)))
    assert bench.room() == 0

    bench.step()

    assert bench.room() == 2, "one gradient step makes room for two episodes"


def test_collection_goes_on_until_the_first_group_is_whole() -> None:
    bench = Bench(group=40)
    bench.arrive(*(episode(n, of=task(1)) for n in range(39)))
    assert bench.room() == 16, "as much as the slack allows, since no step can be taken"

    bench.arrive(episode(39, of=task(1)))

    assert bench.room() == 0
    batch = bench.step()
    assert batch is not None
    assert batch.group.tolist() == [0] * 40 + [-1] * 2, "behind the group two successes to be imitated"


def test_a_slow_judge_slows_collection_instead_of_filling_memory() -> None:
    judge = Gated()
    bench = Bench(judge=judge)
    bench.arrive(*(episode(n, None) for n in range(20)))

    assert (bench.room(), bench.loop.at_desk) == (4, 20)
    for n in range(20):
        judge.gate(f"t{n}").set()
    wait_until(lambda: bench.loop.take_in() or not bench.loop.at_desk)
    bench.close()

    assert bench.loop.tally.trajectories == 20


def test_near_the_end_hardly_more_is_handed_out_than_is_wanted() -> None:
    bench = Bench(Limits(10, 0.0))
    bench.arrive(*(episode(n) for n in range(6)))

    # 4 are left, and one slot in eight may be slow; none has asked before
    assert bench.room() == 5
    bench.arrive(*(episode(n) for n in range(6, 10)))

    assert bench.room() == 0


def test_what_waits_for_its_verdict_counts_towards_the_end_as_well() -> None:
    judge = Gated()
    bench = Bench(Limits(4, 0.0), judge)
    bench.arrive(*(episode(n, None) for n in range(4)))
    assert bench.room() == 0
    assert not bench.loop.over

    for n in range(4):
        judge.gate(f"t{n}").set()
    wait_until(lambda: bench.loop.take_in() or not bench.loop.at_desk)
    bench.close()

    assert bench.loop.tally.trajectories == 4


def test_an_episode_without_a_verdict_is_counted_and_trains_nothing() -> None:
    bench = Bench(Limits(10, 0.0))
    nothing = Verdict(None, "ConnectionError")

    bench.arrive(episode(1), episode(2, verdict=nothing), episode(3, False))
    bench.loop.take_in()

    assert (bench.loop.tally.trajectories, bench.loop.tally.unjudged, len(bench.replay)) == (2, 1, 2)
    assert list(bench.loop.tally.recent) == [True, False]
    assert bench.intake.success_rates() == {"count": pytest.approx(0.95 * (0.95 * 0.5 + 0.05))}


def test_stopping_ends_training_at_the_next_batch_and_hands_out_nothing_more() -> None:
    bench = Bench()
    bench.arrive(*(episode(n) for n in range(20)))
    bench.loop.stopped = True

    assert bench.step() is None
    assert bench.room() == 0


def test_the_time_limit_counts_the_minutes_of_earlier_processes() -> None:
    bench = Bench(Limits(0, 5.0))
    bench.arrive(*(episode(n) for n in range(20)))
    bench.loop.tally.minutes = 4.9
    assert not bench.loop.over

    bench.loop.tally.minutes = 5.0

    assert bench.step() is None


# --- exactly once ---------------------------------------------------------------------------------------------------


def journaled(path: Path, bench: Bench) -> list[str]:
    """The ids that a restart from the present position takes in, in order."""
    offset, ahead = bench.loop.position()
    return list(backlog.read(path, offset, set(ahead)).episodes)


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(8)), st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_wherever_a_run_is_cut_every_episode_is_taken_in_exactly_once(
    tmp_path_factory: pytest.TempPathFactory, order: Sequence[int], judged: int, late: int, taken: int
) -> None:
    """8 episodes come; the judge has answered for some, in any order; some have not been taken from the intake yet."""
    path = tmp_path_factory.mktemp("cut") / "journal"
    judge = Gated()
    with Journal(path, "never") as journal:
        bench = Bench(judge=judge, journal=journal)
        bench.arrive(*(episode(n, None) for n in range(taken)))
        bench.arrive(episode(100, end=End("aborted", "device", "x")), episode(101, None, lane="eval"))
        bench.loop.take_in()
        for n in [n for n in order if n < taken][:judged]:
            judge.gate(f"t{n}").set()
        wait_until(lambda: len(bench.added) == min(judged, taken) or bench.loop.take_in())
        position = bench.loop.position()
        already = list(bench.added)
        # after the checkpoint: more verdicts, more episodes; then the process dies
        bench.arrive(*(episode(n, None) for n in range(taken, 8)))
        for n in order[:late]:
            judge.gate(f"t{n}").set()
        answered = {*[n for n in order if n < taken][:judged], *order[:late]}
        wait_until(lambda: len(bench.added) == len(answered) or bench.loop.take_in())
        bench.close()
        after = list(bench.added)

    left = backlog.read(path, position[0], set(position[1]))

    assert sorted(already + list(left.episodes)) == [f"w/1/{n}" for n in range(8)]
    with_verdict = {name for name, (each, _) in left.episodes.items() if each.verdict is not None}
    assert with_verdict >= set(after) - set(already)
    assert left.counts == {"received": 10, "aborted_device": 1}
    assert left.version == bool(left.episodes)


def test_a_restart_takes_in_what_was_judged_and_has_the_rest_judged_again(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    judge = Gated()
    with Journal(path) as journal:
        bench = Bench(judge=judge, journal=journal)
        bench.arrive(*(episode(n, None) for n in range(5)))
        bench.loop.take_in()
        for n in (1, 4):
            judge.gate(f"t{n}").set()
        wait_until(lambda: bench.loop.take_in() or len(bench.added) == 2)
        bench.close()

    with Journal(path) as journal:
        second = Gated()
        again = Bench(judge=second, journal=journal)
        again.loop.restore(backlog.read(path).episodes.values(), journal.end)
        assert again.added == ["w/1/1", "w/1/4"]
        assert again.loop.at_desk == 3
        for n in (0, 2, 3):
            second.gate(f"t{n}").set()
        wait_until(lambda: again.loop.take_in() or len(again.added) == 5)
        again.close()

        assert sorted(again.added) == [f"w/1/{n}" for n in range(5)]
        assert journaled(path, again) == []
        assert again.loop.tally.trajectories == 5


def test_a_position_does_not_grow_with_the_run() -> None:
    bench = Bench()
    for n in range(100):
        bench.arrive(episode(n))
        bench.loop.take_in()

    assert bench.loop.position() == (10_000, [])


def test_one_verdict_that_does_not_come_keeps_the_position_and_the_others_are_ahead() -> None:
    judge = Gated()
    bench = Bench(judge=judge)
    bench.arrive(*(episode(n, None) for n in range(6)))
    bench.loop.take_in()
    for n in (0, 1, 3, 5):
        judge.gate(f"t{n}").set()
    wait_until(lambda: bench.loop.take_in() or bench.loop.at_desk == 2)

    offset, ahead = bench.loop.position()
    bench.close()

    assert offset == 200, "behind episodes 0 and 1"
    assert sorted(ahead) == ["w/1/3", "w/1/5"]
