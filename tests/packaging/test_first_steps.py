"""What a newcomer does first, as the README says it: the demo on a fresh clone; and the benchmarks, each by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(1500)
def test_the_quick_demo_on_a_fresh_clone_ends_with_a_report(tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(tmp_path / "clone")], check=True)
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}

    ran = subprocess.run(
        ["make", "demo", "QUICK=1"],
        cwd=tmp_path / "clone",
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1400,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout
    (run,) = (tmp_path / "clone" / "runs").glob("demo-*")
    result = json.loads((run / "result.json").read_text())
    assert result["trajectories"] >= 300
    assert result["before"]["n"] == result["after"]["n"] == 48
    page = (run / "report.html").read_text()
    assert page.count("data:image/") >= 6, "three tasks, before and after"
    assert f"report: runs/{run.name}/report.html" in ran.stdout
    assert "Traceback" not in ran.stdout
    assert "Warning" not in ran.stdout


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("simphone.py", {"state_steps_per_s", "picture_steps_per_s"}),
        ("replay.py", {"share_of_step"}),
        (
            "collection.py --phones 4 --rounds 2 --seconds 0.5",
            {"async_over_sync", "ceiling", "ratio_of_ceiling", "busy_share", "scaling_32"},
        ),
    ],
)
def test_a_benchmark_runs_alone_and_ends_with_one_line_of_numbers(command: str, keys: set[str], tmp_path: Path) -> None:
    script, *options = command.split()
    ran = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / script), *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    figures = json.loads(ran.stdout.splitlines()[-1])
    assert keys <= figures.keys()
    assert all(isinstance(value, int | float) and value > 0 for value in figures.values())
