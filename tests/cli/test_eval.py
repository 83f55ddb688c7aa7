"""`distrl eval`, `--rerun` and `distrl compare` as processes: a card is played again, and what differs is named."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from processes import SMALL, distrl

pytestmark = pytest.mark.timeout(300)  # a run and two evaluations come before the first test

OPTIONS = [
    "--eval-tasks=demo/test",
    "--eval-episodes=6",
    "--demos_per_family=1",
    "--tasks=demo/train",
    "--learner.warm_start_epochs=5",
]
TRAIN = [option for option in SMALL if option not in ("--demos-per-family=0", "--eval-tasks=none")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`run` is a short run, `greedy.json` and `bold.json` are cards of it."""
    folder = tmp_path_factory.mktemp("measured")
    ran(folder, "train", "--run-dir", "run", *TRAIN, *OPTIONS)
    ran(folder, "eval", "run", "--episodes", "24", "--output", "greedy.json")
    bold = ["--episodes", "8", "--attempts", "3", "--temperature", "1.5", "--seed", "7", "--output", "bold.json"]
    ran(folder, "eval", "run", *bold)
    return folder


def ran(folder: Path, *arguments: str, status: int = 0) -> list[str]:
    """The lines that a command printed."""
    done: subprocess.CompletedProcess[str] = distrl(folder, *arguments)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


def card(file: Path) -> Any:
    return json.loads(file.read_text())


def change(file: Path, **fields: Any) -> None:
    content = card(file)
    content["card"].update(fields)
    file.write_text(json.dumps(content))


def test_a_card_says_what_was_played_by_what(folder: Path) -> None:
    greedy, bold = card(folder / "greedy.json"), card(folder / "bold.json")
    end = card(folder / "run" / "result.json")["after"]

    assert greedy["card"]["run"] == str(folder / "run")
    assert (greedy["card"]["count"], greedy["card"]["attempts"], len(greedy["episodes"])) == (24, 1, 24)
    assert (bold["card"]["count"], bold["card"]["attempts"], len(bold["episodes"])) == (8, 3, 24)
    assert (bold["card"]["temperature"], bold["card"]["seed"]) == (1.5, 7)
    assert sorted(bold["pass_at"]) == ["1", "2", "3"]
    assert greedy["card"]["weights"] == bold["card"]["weights"] == end["card"]["weights"]
    assert greedy["card"]["config"] == end["card"]["config"]
    assert greedy["card"]["tasks_hash"] != end["card"]["tasks_hash"]


@pytest.mark.parametrize("what", ["bold.json", "run"])
def test_on_simulated_phones_a_card_comes_out_the_same_again(folder: Path, what: str) -> None:
    lines = ran(folder, "eval", "--rerun", what)

    assert lines[-1] == f"identical: the outcomes of all {6 if what == 'run' else 24} episodes"
    assert len(lines) == 2, "nothing differs"


def test_each_of_what_differs_is_named(folder: Path) -> None:
    changed = folder / "changed.json"
    shutil.copy(folder / "bold.json", changed)
    machine = {**card(changed)["card"]["machine"], "torch": "1.0"}
    change(changed, run=str(folder / "gone"), weights="0" * 64, tasks_hash="0" * 64, machine=machine, date="then")
    content = card(changed)
    content["episodes"][0]["outcome"] = "gave up"
    changed.write_text(json.dumps(content))

    lines = ran(folder, "eval", "run", "--rerun", "changed.json", "--fleet", "sim:1", status=1)

    named = [line.split()[1] for line in lines if line.startswith("differs: ")]
    assert named[:4] == ["weights:", "tasks:", "versions:", "fleet:"]
    assert f"differs: {content['episodes'][0]['task']} attempt 1: " in "\n".join(lines)
    assert lines[-1].startswith("not identical: ")


def test_a_run_that_is_gone_is_asked_for(folder: Path) -> None:
    moved = folder / "moved.json"
    shutil.copy(folder / "greedy.json", moved)
    change(moved, run=str(folder / "gone"))

    done = distrl(folder, "eval", "--rerun", "moved.json")

    assert done.returncode == 2
    assert done.stderr == (
        f"distrl: moved.json names the run {folder / 'gone'}, which is not there: give its folder, "
        "distrl eval RUN --rerun moved.json\n"
    )


def test_two_evaluations_are_compared_and_other_tasks_refused(folder: Path) -> None:
    lines = ran(folder, "compare", "greedy.json", "greedy.json")
    assert lines[0] == "change +0.00 [+0.00, +0.00], won 0, lost 0, tied 24, p = 1, n = 24"

    done = distrl(folder, "compare", "greedy.json", "bold.json")
    assert done.returncode == 2
    assert done.stderr.startswith("distrl: greedy.json played 24 tasks of demo/test-instances (")
    assert done.stderr.count("\n") == 1
