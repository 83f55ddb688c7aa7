"""The README's own phone, out of a file: it keeps the contracts, and `distrl train` works with all of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from distrl_sdk.imports import load
from distrl_sdk.interfaces import Device, Judge
from distrl_sdk.plugins import make_judge, task_set
from distrl_sdk.testing import DeviceContract, JudgeContract
from distrl_sdk.types import End, Finish, JudgeRequest, Task

FILE = Path(__file__).parents[2] / "examples" / "own_phone.py"


class TestLampPhone(DeviceContract):
    @pytest.fixture
    def device(self) -> Device:
        made: Device = load(f"{FILE}:LampPhone")()
        return made

    @pytest.fixture
    def task(self) -> Task:
        return task_set(f"{FILE}:lamps/train").tasks[0]


class TestLampJudge(JudgeContract):
    @pytest.fixture
    def judge(self) -> Judge:
        return make_judge(f"{FILE}:LampJudge")

    @pytest.fixture
    def clear_cases(self) -> Sequence[tuple[JudgeRequest, bool]]:
        (upper, _) = task_set(f"{FILE}:lamps/test").tasks
        return [
            (JudgeRequest(upper, (Finish(),), End("finish"), facts={"lit": ["upper"]}), True),
            (JudgeRequest(upper, (Finish(),), End("finish"), facts={"lit": ["upper", "lower"]}), False),
        ]


def test_phone_tasks_and_judge_out_of_a_file_are_all_that_a_run_needs(tmp_path: Path) -> None:
    given = ["--fleet", f"{FILE}:LampPhone*2", "--tasks", f"{FILE}:lamps/train", "--judge", f"{FILE}:LampJudge"]
    small = ["--max-trajectories=8", "--learner.batch=2", "--run-dir", str(tmp_path / "run")]
    command = [sys.executable, "-c", "import sys; from distrl_sdk.cli import main; sys.exit(main())"]

    ran = subprocess.run([*command, "train", *given, *small], capture_output=True, text=True, timeout=100, check=False)

    assert ran.returncode == 0, ran.stderr
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["trajectories"] >= 8
    assert [episode["family"] for episode in result["after"]["episodes"]] == ["upper", "lower"]
