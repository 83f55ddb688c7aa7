"""The same effort for every learner: eight settings each, equal trajectories, chosen by tasks that are never tested.

    python benchmarks/sweep.py                              the learners of the paper's core
    python benchmarks/sweep.py --learners v-trace grpo      others
    python benchmarks/sweep.py --report                     read what is there and write the table anew

The first setting of a learner are its defaults; each other one changes what is named. A setting is `distrl train` on
general/train for --trajectories episodes of 16 phones without latency, then `distrl eval` on general/validation, both
with a seed that benchmarks/paper.py does not use. A setting that has its file is not run again.

Written to --out: LEARNER-N.json, README.md. Ends with one line of JSON: the best setting of each learner.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SETTINGS: Mapping[str, Sequence[Mapping[str, float]]] = {
    "a-ride": (
        {},
        {"learner.updates_per_trajectory": 0.25},
        {"learner.learning_rate": 1e-3},
        {"learner.learning_rate": 2.5e-4},
        {"learner.replay.elite": 2000},
        {"learner.loss.novelty": 0.3},
        {"learner.loss.entropy": 0.01},
        {"collect.max_temperature": 2.0},
    ),
    "digirl": (
        {},
        {"learner.updates_per_trajectory": 0.25},
        {"learner.updates_per_trajectory": 0.5},
        {"learner.learning_rate": 1e-3},
        {"learner.learning_rate": 2.5e-4},
        {"learner.loss.filter": 0.0},
        {"learner.replay.share": 0.3},
        {"collect.max_temperature": 1.0},
    ),
    "filtered-bc": (
        {},
        {"learner.updates_per_trajectory": 0.25},
        {"learner.updates_per_trajectory": 0.5},
        {"learner.learning_rate": 1e-3},
        {"learner.learning_rate": 2.5e-4},
        {"learner.replay.share": 0.3},
        {"learner.replay.share": 0.5},
        {"collect.max_temperature": 1.0},
    ),
    "v-trace": (
        {},
        {"learner.updates_per_trajectory": 0.25},
        {"learner.learning_rate": 1e-3},
        {"learner.learning_rate": 2.5e-4},
        {"learner.loss.entropy": 0.01},
        {"learner.replay.capacity": 400},
        {"learner.trace.decay": 1.0},
        {"collect.max_temperature": 1.0},
    ),
    "grpo": (
        {},
        {"learner.updates_per_trajectory": 0.25},
        {"learner.learning_rate": 1e-3},
        {"learner.learning_rate": 2.5e-4},
        {"learner.loss.entropy": 0.01},
        {"learner.replay.capacity": 128},
        {"learner.replay.capacity": 512},
        {"collect.max_temperature": 1.0},
    ),
}
CORE = ("a-ride", "digirl", "filtered-bc")


@dataclass(frozen=True)
class Plan:
    """What every setting shares."""

    trajectories: int
    episodes: int
    seed: int


@dataclass(frozen=True)
class Row:
    """One setting of a learner and what it came to."""

    learner: str
    setting: Mapping[str, float]
    successes: int
    n: int
    plan: Mapping[str, int]

    @property
    def success(self) -> float:
        """Share of the validation tasks that it solves."""
        return self.successes / self.n


def main() -> None:
    """Run what is missing, then report."""
    arguments = _arguments()
    out, plan = Path(arguments.out), Plan(arguments.trajectories, arguments.episodes, arguments.seed)
    out.mkdir(parents=True, exist_ok=True)
    wanted = [(name, number) for number in range(len(SETTINGS[CORE[0]])) for name in arguments.learners]
    if not arguments.report:
        with ThreadPoolExecutor(arguments.parallel) as pool:
            for _ in pool.map(lambda one: run(out, *one, plan), wanted):
                pass
    rows = read(out)
    (out / "README.md").write_text(table(rows))
    print(
        json.dumps({name: dict(best(rows, name).setting) for name in SETTINGS if any(r.learner == name for r in rows)})
    )


def run(out: Path, learner: str, number: int, plan: Plan) -> None:
    """Train and evaluate one setting, unless that is done."""
    file, setting = out / f"{learner}-{number}.json", SETTINGS[learner][number]
    if file.exists():
        return
    distrl = str(Path(sys.executable).with_name("distrl"))
    with tempfile.TemporaryDirectory(prefix="distrl-sweep-") as place:
        folder, seed = Path(place) / "run", f"--seed={plan.seed}"
        options = [f"--{name}={value}" for name, value in setting.items()]
        train = [distrl, "train", f"--algorithm={learner}", "--tasks=general/train", "--eval_tasks=none", *options]
        train += [f"--run_dir={folder}", f"--max_trajectories={plan.trajectories}", seed]
        subprocess.run(train, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        card = Path(place) / "card.json"
        tasks = ["--tasks=general/validation", f"--episodes={plan.episodes}", f"--output={card}"]
        subprocess.run([distrl, "eval", str(folder), *tasks, seed], check=True, stdout=subprocess.DEVNULL)
        families = json.loads(card.read_text())["families"].values()
    row = Row(learner, setting, sum(f["successes"] for f in families), sum(f["n"] for f in families), asdict(plan))
    file.write_text(json.dumps(asdict(row)) + "\n")
    print(f"{learner} {named(setting)}: {row.success:.3f}", flush=True)


def read(out: Path) -> list[Row]:
    """Every setting that was run."""
    contents: list[dict[str, Any]] = [json.loads(file.read_text()) for file in sorted(out.glob("*-[0-9].json"))]
    return [Row(**content) for content in contents]


def best(rows: Sequence[Row], learner: str) -> Row:
    """The setting that solves most; among equals the first."""
    return max((row for row in rows if row.learner == learner), key=lambda row: row.success)


def named(setting: Mapping[str, float]) -> str:
    """A setting in words."""
    return ", ".join(f"{name.rpartition('.')[2]} {value:g}" for name, value in setting.items()) or "the defaults"


def table(rows: Sequence[Row]) -> str:
    """Every setting beside its success, the best one in bold."""
    lines = [
        "# The sweep behind the learners' defaults\n",
        "Eight settings for each learner; success on validation tasks after equal trajectories, one seed that the",
        "comparison itself does not use. Written by `python benchmarks/sweep.py`; how it was run: its docstring.\n",
    ]
    if rows:
        plan = rows[0].plan
        lines.append(
            f"{plan['trajectories']} trajectories, {plan['episodes']} validation tasks, seed {plan['seed']}.\n"
        )
    for learner in SETTINGS:
        own = [row for row in rows if row.learner == learner]
        if not own:
            continue
        lines += [f"## {learner}\n", "| setting | solved | success |", "|---|---|---|"]
        for row in own:
            mark = "**" if row == best(rows, learner) else ""
            lines.append(f"| {named(row.setting)} | {row.successes} of {row.n} | {mark}{row.success:.3f}{mark} |")
        lines.append("")
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", nargs="+", default=CORE, choices=tuple(SETTINGS))
    parser.add_argument("--trajectories", type=int, default=2000)
    parser.add_argument("--episodes", type=int, default=256)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--parallel", type=int, default=2, help="settings that run at once; time is not measured")
    parser.add_argument("--out", default="docs/results/sweep")
    parser.add_argument("--report", action="store_true", help="run nothing, write the table of what is there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
