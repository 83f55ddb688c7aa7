"""The paper's comparison on simulated phones: which learner ends where, at equal time and at equal trajectories.

    python benchmarks/paper.py                       the core: four learners, three paired seeds, six minutes each
    python benchmarks/paper.py --cells all           with V-trace, GRPO, the synchronous A-RIDE and every ablation
    python benchmarks/paper.py --report              read what is there and write the tables anew

A cell is one learner with one seed: `distrl train` with its file of examples/baselines or examples/ablations, on
phones whose tasks differ by a factor of 100 in their seconds (--fleet), for --minutes of training. Its checkpoints are
kept as they appear and each plays --episodes held-out tasks afterwards, greedily, on phones without latency. A cell
that has its cell.json is not run again, so the benchmark can be stopped at any time. With --parallel 2 two learners
train side by side, with the same seed: a cell needs three quarters of a core, since its phones are slow.

Written to --out: cells/NAME-SEED/ with the evaluations' cards, README.md with tables and the command, figure.png,
results.json. Ends with one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from paper_report import Point, Runs, figures, write_report

from distrl_sdk import Trainer, checkpoint
from distrl_sdk.evaluate.stored import read_evaluation, write_evaluation
from distrl_sdk.plugins import make_learner
from distrl_sdk.rundir import RunDirectory

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CORE = ("a-ride", "digirl-async", "digirl-sync-multi", "filtered-bc")
BASELINES = {"a-ride": None, **{file.stem: file for file in sorted((EXAMPLES / "baselines").glob("*.yaml"))}}
ABLATIONS = {file.stem: file for file in sorted((EXAMPLES / "ablations").glob("*.yaml"))}
FILES = {**BASELINES, **ABLATIONS}


@dataclass(frozen=True)
class Plan:
    """What every cell shares."""

    fleet: str
    policy: str
    tasks: str
    minutes: float
    episodes: int


def main() -> None:
    """Run what is missing, then report."""
    arguments = _arguments()
    plan = Plan(arguments.fleet, arguments.policy, arguments.tasks, arguments.minutes, arguments.episodes)
    out = Path(arguments.out)
    names = _names(arguments.cells)
    for seed in arguments.seeds if not arguments.report else ():
        for at in range(0, len(names), arguments.parallel):
            run_cells(out / "cells", names[at : at + arguments.parallel], seed, plan)
    runs = read_runs(out / "cells", plan)
    write_report(out, runs, asdict(plan), " ".join(["python", "benchmarks/paper.py", *sys.argv[1:]]))
    print(json.dumps(figures(runs)))


def run_cells(cells: Path, names: Sequence[str], seed: int, plan: Plan) -> None:
    """Train some cells at once, then evaluate them, unless they are done. A half-done one is begun again."""
    folders = {name: cells / f"{name}-{seed}" for name in names}
    wanted = [name for name in names if not (folders[name] / "cell.json").exists()]
    with tempfile.TemporaryDirectory(prefix="distrl-paper-") as place, ThreadPoolExecutor(max(1, len(wanted))) as pool:
        places = {name: Path(place) / name for name in wanted}
        for _ in pool.map(lambda name: _train(places[name], name, seed, plan), wanted):
            pass
        for name in wanted:
            _evaluate(places[name], folders[name], seed, plan)


def _evaluate(place: Path, folder: Path, seed: int, plan: Plan) -> None:
    """The cell of a trained run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    points = [_play(place / "run", each, folder, seed, plan) for each in _by_updates(place / "kept")]
    (folder / "cell.json").write_text(json.dumps({"plan": asdict(plan), "points": points}, indent=1) + "\n")


def _train(place: Path, name: str, seed: int, plan: Plan) -> None:
    """One run of the command line in `place`/run; every checkpoint's weights are copied as soon as it is whole."""
    file, run, kept = FILES[name], place / "run", place / "kept"
    command = [str(Path(sys.executable).with_name("distrl")), "train", *(["--config", str(file)] if file else [])]
    if name != "digirl-sync-single":  # that file brings its own, smaller fleet
        command.append(f"--fleet={plan.fleet}")
    else:
        command.append(f"--fleet={plan.fleet.replace('sim:16', 'sim:8', 1)}")
    command += [
        f"--run_dir={run}", f"--seed={seed}", f"--policy={plan.policy}", f"--tasks={plan.tasks}/train",
        "--eval_tasks=none", "--max_trajectories=0", f"--max_minutes={plan.minutes}",
        f"--checkpoint_minutes={plan.minutes / 6:g}",
    ]  # fmt: skip
    print(f"{name}, seed {seed}", flush=True)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            _keep(run / "checkpoints", kept)
            time.sleep(1.0)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    _keep(run / "checkpoints", kept)


def _keep(checkpoints: Path, kept: Path) -> None:
    for place in checkpoints.glob("step-*"):
        target = kept / place.name
        if target.exists():
            continue
        try:
            shutil.copytree(place, kept / ".part", ignore=shutil.ignore_patterns("replay.npz"))
        except (FileNotFoundError, shutil.Error):
            shutil.rmtree(kept / ".part", ignore_errors=True)  # it was replaced meanwhile: the next one counts
        else:
            (kept / ".part").rename(target)


def _by_updates(kept: Path) -> list[Path]:
    return sorted(kept.glob("step-*"), key=lambda place: int(place.name.removeprefix("step-")))


def _play(run: Path, place: Path, folder: Path, seed: int, plan: Plan) -> dict[str, float]:
    """Where a checkpoint stands on the held-out tasks; the last one's card is the cell's."""
    settings, at = RunDirectory.open(run).config, checkpoint.position_of(place)
    learner = make_learner(settings["algorithm"], settings["policy"], policy_options=settings["policy_options"])
    learner.load_state_dict(checkpoint.weights(place))
    result = Trainer(policy=plan.policy).evaluate(
        f"{plan.tasks}/test-instances", learner, "sim:16", episodes=plan.episodes, seed=seed
    )
    write_evaluation(folder / "last.json", result)
    return {"minutes": at.minutes, "trajectories": at.trajectories, "updates": at.updates, "success": result.success}


def read_runs(cells: Path, plan: Plan) -> Runs:
    """Every cell that is done under this plan, by name and seed. Others are named and left out."""
    runs: Runs = {}
    for file in sorted(cells.glob("*/cell.json")):
        content = json.loads(file.read_text())
        if content["plan"] != asdict(plan):
            print(f"{file.parent.name} was run under another plan: left out", file=sys.stderr)
            continue
        name, _, seed = file.parent.name.rpartition("-")
        points = [Point(**point) for point in content["points"]]
        runs.setdefault(name, {})[int(seed)] = (points, read_evaluation(file.parent / "last.json"))
    return runs


def _names(asked: Sequence[str]) -> list[str]:
    groups = {"core": CORE, "baselines": tuple(BASELINES), "ablations": ("a-ride", *ABLATIONS), "all": tuple(FILES)}
    names = list(dict.fromkeys(name for one in asked for name in groups.get(one, (one,))))
    if unknown := [name for name in names if name not in FILES]:
        raise SystemExit(f"unknown cell {unknown[0]!r}; known: {', '.join([*groups, *FILES])}")
    return names


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", default=["core"], help="core, baselines, ablations, all, or names")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--fleet", default="sim:16?latency=0.2&tail=100&speeds=0.3")
    parser.add_argument("--policy", default="compact")
    parser.add_argument("--tasks", default="general", help="a set with the splits train and test-instances")
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--episodes", type=int, default=512)
    parser.add_argument("--parallel", type=int, default=1, help="learners that train side by side")
    parser.add_argument("--out", default="docs/results/paper")
    parser.add_argument("--report", action="store_true", help="run nothing, write the tables of what is there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
