"""Asynchronous against lock-step collection on the same tasks, and collection with more phones.

    python benchmarks/collection.py

What is measured is the real path: `Trainer.fit`, worker processes, sockets, journal, the default policy's inference and
its weights, new ones once a round. Only the gradient steps are none (`Idle`): a learner that takes its time would
measure the learner. The phones are simulated ones that sleep; they write a diary (paced.py), and all figures are
computed from the diaries alone.

**The law of latency.** Every episode has 4 actions. A task's seconds an action are log-uniform over a factor of 100, by
a hash of its id (`sim:` option `tail`), the mean is given. The tasks are drawn by the curriculum from one seed: both
schedules get the same tasks in the same order, with the same seconds; sync gets whole rounds of one task a phone.

**async_over_sync** is trajectories a second over trajectories a second, of the same tasks. sync: their number over the
time from the first reset to the end of the last round (without the pause behind it, in sync's favour). async: a task
costs its phone the time from its reset to the reset of the next task, idle time included; phones over the mean of that.
For this async plays on after the last of the tasks was handed out, so that every phone has a next task: a run that
stops with the last task would count the phones that run out of work, which says how long the run was, not how fast.

**The ceiling** is what no schedule can pass: with rounds of as many tasks as phones, the mean of the rounds' slowest
tasks over the mean of all tasks, from the seconds that the very tasks of this run have by the law.

**busy_share** is the time in which phones were inside their own calls, over phones x wall clock, from the first reset
to the moment at which the last of the tasks was handed out.

**scaling_32**: all tasks alike, so that only sleep limits; trajectories a second of 32 phones over 32 times those of
one.

Ends with one line of flat JSON.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from paced import HERE, LOOKS, Episode, read

from distrl_sdk import ARide, Trainer
from distrl_sdk.config import CollectConfig, LearnerConfig
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.role import StepOutput
from distrl_sdk.simphone.phone import pace
from distrl_sdk.types import Task

TAIL = 100.0
"""Between the slowest and the fastest task."""
EXTRA = 8
"""Rounds that async plays on, so that every phone has a next task: more than the slowest task lasts."""
ALIKE = 8
"""Episodes a phone that are measured where all tasks are alike."""


class Idle(ARide):
    """Takes no gradient steps to speak of; everything else is a learner's."""

    def training_step(self, batch: Batch | None, batch_idx: int) -> StepOutput | None:  # noqa: ARG002
        """Priorities of 1, a loss of 0."""
        if batch is None:
            return None
        size = len(batch.key)
        assert isinstance(self.policy, torch.nn.Module)
        nothing = 0.0 * sum((each.sum() for each in self.policy.parameters()), torch.zeros(()))
        return {"loss": nothing, "priority": torch.ones(size, 3), "surprise": torch.zeros(size), "terms": {}}


@dataclass(frozen=True)
class Bench:
    """How a run of this benchmark is set up."""

    phones: int
    seconds: float
    """Mean of an episode."""
    seed: int

    def play(self, schedule: Literal["async", "sync"], count: int, tail: float = 1.0) -> list[Episode]:
        """Collect so many trajectories; returns all whole episodes that the phones played."""
        learner = Idle(
            f"{HERE}:Tireless", LearnerConfig(updates_per_trajectory=1 / self.phones, batch=4, elite_batch=0)
        )
        collect = CollectConfig(schedule=schedule, curriculum_floor=1.0, publish_every=1)
        latency = self.seconds / LOOKS
        with tempfile.TemporaryDirectory() as folder:
            diaries = Path(folder) / "diaries"
            diaries.mkdir()
            Trainer(
                collect=collect, run_dir=Path(folder) / "run", tasks=f"{HERE}:even/train", eval_tasks="none",
                demos_per_family=0,
                max_trajectories=count, seed=self.seed, checkpoint_minutes=60.0,
            ).fit(learner, f"{HERE}:Diary?folder={diaries}&latency={latency}&tail={tail}*{self.phones}")  # fmt: skip
            return read(diaries)


def main() -> None:
    """Both schedules, then two sizes of a fleet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=11, help="of the sync schedule; both play as many tasks")
    parser.add_argument("--seconds", type=float, default=3.0, help="mean of an episode")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    bench = Bench(arguments.phones, arguments.seconds, arguments.seed)
    figures = schedules(bench, arguments.rounds) | scaling(arguments.seconds, arguments.seed)
    print(json.dumps({name: round(value, 4) for name, value in figures.items()}))


def schedules(bench: Bench, rounds: int) -> dict[str, float]:
    """Both schedules on the same tasks."""
    count = bench.phones * rounds
    sync = bench.play("sync", count, TAIL)
    free = bench.play("async", count + bench.phones * EXTRA, TAIL)
    same = matching(free, sync)
    seconds = [[bench.seconds * pace(Task(task, "", ""), TAIL) for task in row] for row in in_rounds(sync)]
    mean = statistics.mean(each for row in seconds for each in row)
    ceiling = statistics.mean(max(row) for row in seconds) / mean
    per_second = {
        "sync": count / (max(each.ended for each in sync) - sync[0].began),
        "async": bench.phones / statistics.mean(each.after - each.began for each in same),
    }
    ratio = per_second["async"] / per_second["sync"]
    print(f"{count} tasks of {mean:.2f} s on {bench.phones} phones, rounds of {mean * ceiling:.2f} s by the law")
    for name, value in per_second.items():
        print(f"  {name:<6} {value:.3f} trajectories a second")
    print(f"  async over sync {ratio:.3f}, ceiling of this law {ceiling:.3f}")
    return {
        "async_over_sync": ratio,
        "ceiling": ceiling,
        "ratio_of_ceiling": ratio / ceiling,
        "busy_share": busy_share(free, bench.phones, max(each.began for each in same)),
        "busy_share_sync": busy_share(sync, bench.phones, max(each.ended for each in sync)),
        "idle_ms_between_episodes": 1000 * statistics.mean(each.after - each.ended for each in same),
    }


def scaling(seconds: float, seed: int) -> dict[str, float]:
    """One phone and 32, all tasks alike."""
    per_second = {}
    for phones in (1, 32):
        played = Bench(phones, seconds, seed).play("async", phones * (ALIKE + 2))
        measured = [each for name in phones_of(played) for each in of_phone(played, name)[1 : ALIKE + 1]]
        measured = [each for each in measured if each.after < float("inf")]
        per_second[phones] = phones / statistics.mean(each.after - each.began for each in measured)
        print(f"{phones} phones, all tasks alike: {per_second[phones]:.3f} trajectories a second")
    return {"scaling_32": per_second[32] / (32 * per_second[1])}


def matching(played: Sequence[Episode], tasks: Sequence[Episode]) -> list[Episode]:
    """The first episodes of these very tasks, each as often as it is there. Raises ValueError when one is missing."""
    wanted = Counter(each.task for each in tasks)
    found = []
    for each in played:
        if wanted[each.task] > 0 and each.after < float("inf"):
            wanted[each.task] -= 1
            found.append(each)
    if missing := +wanted:
        raise ValueError(f"the schedules did not play the same tasks: async lacks {missing}")
    return found


def in_rounds(played: Sequence[Episode]) -> Iterator[list[str]]:
    """The tasks of each round: the first of every phone, the second of every phone, ..."""
    rows = [of_phone(played, name) for name in phones_of(played)]
    for episodes in zip(*rows, strict=True):
        yield [each.task for each in episodes]


def phones_of(played: Sequence[Episode]) -> list[str]:
    """Their names."""
    return sorted({each.phone for each in played})


def of_phone(played: Sequence[Episode], name: str) -> list[Episode]:
    """What one phone played, in order."""
    return [each for each in played if each.phone == name]


def busy_share(played: Sequence[Episode], phones: int, until: float) -> float:
    """Seconds inside the phones' own calls over phones x wall clock, from the first reset on."""
    first = played[0].began
    calls = [call for each in played for call in each.calls]
    return sum(max(0.0, min(ended, until) - began) for began, ended in calls) / (phones * (until - first))


if __name__ == "__main__":
    main()
