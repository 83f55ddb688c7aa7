"""The demo, run as `make demo` runs it, once for each seed: success before and after training, and minutes.

    python benchmarks/demo.py --seeds 1 2 3

Ends with one line of JSON: medians over the seeds of success on the 128 held-out tasks, of the families that end at 0
there (16 families, 8 tasks each; null where a family has fewer than 8), and of the minutes of a run, process start to
exit, installation left out.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LEAST = 8
"""Held-out tasks of a family, below which 0 successes say little."""


def main() -> None:
    """Run the seeds one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument(
        "--config", default="examples/demo.yaml", help="what make demo gives; QUICK=1: examples/quick.yaml"
    )
    arguments = parser.parse_args()
    starts, finals, zeros, minutes = [], [], [], []
    for seed in arguments.seeds:
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / "demo"
            began = time.monotonic()
            train(run, seed, arguments.config)
            minutes.append((time.monotonic() - began) / 60)
            result = json.loads((run / "result.json").read_text())
        starts.append(result["before"]["success"])
        finals.append(result["after"]["success"])
        zeros.append(at_zero(result["after"]))
        print(f"seed {seed}: {starts[-1]:.3f} -> {finals[-1]:.3f} in {minutes[-1]:.1f} minutes,", end=" ")
        print(f"{result['trajectories']} trajectories, {result['updates']} updates")
        for row in families(result["before"]), families(result["after"]):
            print("   " + "  ".join(f"{name} {share:.2f}" for name, share in row.items()))
    medians = {
        "start_success": statistics.median(starts),
        "final_success": statistics.median(finals),
        "families_at_zero": None if None in zeros else statistics.median(zeros),
        "minutes": statistics.median(minutes),
    }
    print(json.dumps({name: value if value is None else round(value, 4) for name, value in medians.items()}))


def train(run: Path, seed: int, config: str) -> None:
    """One run, with its progress on this terminal."""
    command = [
        str(Path(sys.executable).with_name("distrl")),
        "train",
        "--config",
        config,
        "--run-dir",
        str(run),
        f"--seed={seed}",
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def families(evaluation: dict[str, dict[str, dict[str, int]]]) -> dict[str, float]:
    """Success of each family."""
    rows = evaluation["families"]
    return {name: row["successes"] / row["n"] for name, row in sorted(rows.items()) if row["n"]}


def at_zero(evaluation: dict[str, dict[str, dict[str, int]]]) -> int | None:
    """Families without a success; None when there is one with too few judged tasks to say so."""
    rows = evaluation["families"].values()
    return sum(not row["successes"] for row in rows) if all(row["n"] >= LEAST for row in rows) else None


if __name__ == "__main__":
    main()
