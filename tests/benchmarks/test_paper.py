"""benchmarks/paper.py as it is run: cells are trained and evaluated once, and reported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "paper.py"
SMALL = ["--tasks=demo", "--minutes=0.15", "--episodes=16", "--seeds", "1", "--cells", "a-ride", "digirl-sync-multi"]


def paper(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *SMALL, "--fleet=sim:4", f"--out={folder}", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=540, check=False)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_cells_are_run_once_and_compared(tmp_path: Path) -> None:
    first = paper(tmp_path)
    assert first.returncode == 0, first.stderr[-2000:]
    cells = sorted((tmp_path / "cells").glob("*/cell.json"))
    again = paper(tmp_path)

    figures = json.loads(first.stdout.splitlines()[-1])
    assert [cell.parent.name for cell in cells] == ["a-ride-1", "digirl-sync-multi-1"]
    assert set(figures) == {
        "over_digirl_multi", "over_digirl_multi_low", "over_digirl_multi_high", "over_digirl_multi_equal_trajectories",
        "time_share",
    }  # fmt: skip
    assert again.stdout.splitlines()[-1] == first.stdout.splitlines()[-1]
    assert "seed 1" not in again.stdout, "a finished cell is not run again"
    points = json.loads(cells[0].read_text())["points"]
    assert [point["minutes"] for point in points] == sorted(point["minutes"] for point in points)
    assert points[-1]["trajectories"] > 0
    assert json.loads((tmp_path / "cells" / "a-ride-1" / "last.json").read_text())["card"]["count"] == 16


@pytest.mark.long
def test_an_unknown_cell_is_named(tmp_path: Path) -> None:
    done = paper(tmp_path, "--cells", "a-rid")

    assert done.returncode == 1
    assert "unknown cell 'a-rid'; known: core, baselines" in done.stderr
