"""What a user may get wrong before anything starts: each is one line that names the thing and the remedy."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from refusals import refused

from distrl_sdk import ConfigError, RunConfig, cli
from distrl_sdk.evaluate.card import Card
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.result import EvalResult
from distrl_sdk.rundir import RunDirectory


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max_trajectorie=3"], "unknown option --max_trajectorie: did you mean max_trajectories?"),
        (["--learner.replay.half_lif=3"], "unknown option --learner.replay.half_lif: did you mean half_life?"),
        (["--config", "--name=x"], "--config: expected one argument"),
        (["--seed=-1"], "RunConfig: seed must be at least 0, not -1"),
        (["--learner.trace.discount=1.5"], "TraceConfig: discount must be at least 0 and at most 1, not 1.5"),
        (["--collect.cold_share=2"], "CollectConfig: cold_share must be at least 0 and at most 1, not 2"),
        (["--policy_options.widht=3"], "policy 'compact' has no option 'widht': did you mean width?"),
        (["--judge_options.strict=1"], "judge 'programmatic' has no option 'strict'"),
        (["--judge=gemini"], "the judge gemini is not available"),
        (["--fleet=sim:99999999"], "sim:99999999: more than 10000 phones are surely a mistake"),
        (["--fleet=os:getcwd*99999999"], "asks for 99999999 devices: at least 1, at most 10000"),
        (["--network.insecure=true", "--network.listen=5555"], "--network.listen 5555: it must be tcp://HOST:PORT"),
        (
            ["--network.keys=nowhere", "--network.listen=tcp://127.0.0.1:5555"],
            "no key in nowhere/server.key: No such file or directory; make keys with `distrl keys`",
        ),
    ],
)
def test_a_slip_in_an_option_is_told_before_anything_starts(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, "train", "--dry-run", *arguments)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the configuration run.yaml holds no settings"),
        ("- fleet\n", "the configuration run.yaml holds no settings"),
        ("learner: 3\n", "learner in run.yaml is a section, not 3"),
        ("learner:\n  replay:\n", "learner.replay in run.yaml is a section, not None"),
        ("tasks:\n", "tasks in run.yaml has no value: leave it out for the usual 'general/train'"),
        ("max_trajectories: null\n", "max_trajectories in run.yaml has no value"),
    ],
)
def test_a_file_without_values_is_not_taken_for_the_defaults(
    content: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.yaml").write_text(content)
    assert message in refused(capsys, "train", "--dry-run", "--config", "run.yaml")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--episodes=0"], "an evaluation of 0 episodes measures nothing: give --episodes N"),
        (["--episodes=-1"], "RunConfig: eval_episodes must be at least 0, not -1"),
        (["--tasks=none"], "run names no held-out tasks: give --tasks, such as general/test"),
    ],
)
def test_an_evaluation_that_would_measure_nothing_is_refused(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    RunDirectory.create(tmp_path / "run", {"fleet": "sim:1"})

    assert message in refused(capsys, "eval", str(tmp_path / "run"), *options)


CARD = Card(
    "general/test", "", 1, 1, 0.0, 1, "compact", {}, "", "", "programmatic", {}, "sim:1", "run",
    Machine("", 1, 1, "", "", "", ""), "",
)  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "distrl eval needs a run: give its folder, such as runs/NAME"),
        (["run", "--attempts=0"], "0 attempts measure nothing: at least 1"),
        (["run", "--temperature=-1"], "temperature -1.0: it must be at least 0"),
        (["--rerun=card.json", "--episodes=3"], "--episodes stands on the card that --rerun plays again: leave it out"),
        (["--rerun=card.json", "--tasks=x/y"], "--tasks stands on the card that --rerun plays again: leave it out"),
        (
            ["--rerun=none.json"],
            "none.json is no result of an evaluation (No such file or directory): give a file that",
        ),
        (
            ["--rerun=old.json"],
            "old.json is a result of format 1, this distrl-sdk reads 2: read it with the distrl-sdk",
        ),
    ],
)
def test_an_evaluation_that_cannot_be_is_refused_before_anything_starts(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    RunDirectory.create(tmp_path / "run", {"fleet": "sim:1"})
    Path("card.json").write_text(json.dumps(EvalResult((), card=CARD).to_json()))
    Path("old.json").write_text('{"format": 1, "episodes": []}')

    assert message in refused(capsys, "eval", *arguments)


def test_a_setting_of_another_type_is_refused_from_python_too() -> None:
    with pytest.raises(ConfigError, match="RunConfig: max_trajectories must be at least 0, not 'many'"):
        RunConfig(max_trajectories=cast(Any, "many"))


def test_a_run_cannot_be_named_like_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert cli.main(["train", "--fleet=sim:1", "--name=a/b"]) == 2

    assert "'a/b' cannot name a run" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--connect=here", "--devices=sim:1"],
            "--connect here: it must be where the learner listens, tcp://HOST:PORT",
        ),
        (["--connect=tcp://a:1", "--devices=sim:1", "--deadline=-1"], "--deadline -1: it must be more than 0 seconds"),
        (["--connect=tcp://a:1", "--device-s=sim:1"], "unrecognized arguments: --device-s=sim:1"),
    ],
)
def test_a_worker_does_not_start_with_what_cannot_be(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, "worker", *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--judge=lab.py:Thing"], "judge 'lab.py:Thing' is a Thing without needs_device, judge, close"),
        (["--policy=lab.py:Thing"], "policy 'lab.py:Thing' is a Thing without state_size, featurize"),
        (
            ["--tasks=lab.py:Thing/train"],
            "task set 'lab.py:Thing/train' is a Thing without name, tasks, demonstrations",
        ),
        (["--fleet=lab:Thing"], "no module 'lab' is installed or on PYTHONPATH (for the file here write lab.py:NAME)"),
    ],
)
def test_what_cannot_play_its_role_is_refused_at_the_door(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])  # as of the command `distrl`
    Path("lab.py").write_text("class Thing:\n    def __init__(self, split=''):\n        pass\n")
    assert message in refused(capsys, "train", "--dry-run", *arguments)
