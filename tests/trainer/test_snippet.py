"""The program of the README, word for word, as a script without a main guard."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from distrl_sdk import ARide, Fleet, Trainer
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


def test_the_evaluation_of_the_readme_gives_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(r"```python\n(result = trainer\.evaluate.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    call = ast.parse(found[1])
    assert [ast.unparse(line) for line in call.body] == [
        "result = trainer.evaluate(tasks='general/test', attempts=4, temperature=1.0, seed=7)",
        "print(result.table())",
    ]
    monkeypatch.chdir(tmp_path)

    result = Trainer(eval_episodes=3).evaluate(
        "general/test", ARide(policy="compact"), Fleet("sim:2"), attempts=4, temperature=1.0, seed=7
    )

    assert result.card is not None
    assert (result.card.attempts, result.card.seed, len(result.episodes)) == (4, 7, 12)
    assert "pass@4" in result.table()


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
