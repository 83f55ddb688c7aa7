"""The program of the README, word for word, as a script without a main guard."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trainer.runs import assert_counted_once, workers_of

README = Path(__file__).parents[2] / "README.md"


def snippet() -> str:
    """The README's first program."""
    found = re.search(r"```python\n(from distrl_sdk import ARide.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_the_readme_shows_the_promised_program() -> None:
    assert snippet().splitlines() == [
        "from distrl_sdk import ARide, Fleet, Trainer",
        "",
        "trainer = Trainer(max_trajectories=200)",
        'result = trainer.fit(ARide(policy="compact"), Fleet("sim:16"), tasks="general/train")',
        'print(trainer.evaluate(tasks="general/test"))',
    ]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_it_runs_as_it_stands(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(snippet())

    command = [sys.executable, "-W", "error::UserWarning", str(script)]
    few = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=few, capture_output=True, text=True, timeout=580, check=False)

    assert done.returncode == 0, done.stderr
    printed = re.fullmatch(r"success (0\.\d\d|1\.00) \[\d\.\d\d, \d\.\d\d\], n = 128\n", done.stdout)
    assert printed is not None, done.stdout
    (run,) = (tmp_path / "runs").iterdir()
    assert_counted_once(run)
    assert (run / "report.html").exists()
    assert workers_of(tmp_path) == {}
