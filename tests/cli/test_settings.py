"""`distrl train` before it trains: settings from options and YAML, and every mistake as one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from refusals import refused

from distrl_sdk import cli
from distrl_sdk.cli_run import read
from distrl_sdk.config import CollectConfig, LearnerConfig, NetworkConfig, ReplayConfig, RunConfig, TraceConfig
from distrl_sdk.learner.baselines import DigiRL


def test_without_options_the_settings_are_the_defaults() -> None:
    settings = read([])

    assert settings.run == RunConfig()
    assert settings.learner == LearnerConfig()
    assert settings.collect == CollectConfig()
    assert settings.network == NetworkConfig()


def test_options_win_over_the_file_and_the_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("fleet: sim:3\nlearner:\n  batch: 7\n  trace:\n    decay: 0.5\npolicy_options:\n  width: 32\n")

    settings = read(["--config", str(file), "--learner.batch=9", "--learner.replay.half-life", "3"])

    assert settings.run.fleet == "sim:3"
    assert settings.run.policy_options == {"width": 32}
    assert settings.learner.batch == 9
    assert settings.learner.trace == TraceConfig(decay=0.5)
    assert settings.learner.replay == ReplayConfig(half_life=3.0)


def test_an_algorithm_brings_its_own_defaults_and_options_win_over_them(tmp_path: Path) -> None:
    file = tmp_path / "run.yaml"
    file.write_text("algorithm: digirl\nlearner:\n  replay:\n    share: 0.3\n")

    settings = read(["--config", str(file), "--learner.trace.decay=0.7"])

    assert settings.run.algorithm == "digirl"
    assert settings.learner.trace == TraceConfig(kind="monte-carlo", discount=1.0, decay=0.7)
    assert settings.learner.replay == replace(DigiRL.defaults.replay, share=0.3)
    assert read(["--algorithm", "grpo", "--algorithm=a-ride"]).learner == LearnerConfig()


def test_what_print_config_prints_can_be_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "--learner.batch", "5", "--print_config"])
    printed = capsys.readouterr().out
    file = tmp_path / "run.yaml"
    file.write_text(printed)

    assert yaml.safe_load(printed)["learner"]["batch"] == 5
    assert read(["--config", str(file)]).learner == LearnerConfig(batch=5)


def test_the_help_of_a_key_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "Worked solutions of each family of the training tasks to start from" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fleet", "simm:3"], "unknown device 'simm': did you mean sim?"),
        (["--fleet", "sim:many"], "sim:many"),
        (["--algorithm", "digrl"], "unknown learner 'digrl': did you mean digirl?"),
        (["--policy", "compcat"], "unknown policy 'compcat': did you mean compact?"),
        (["--tasks", "genral/train"], "unknown task set 'genral': did you mean general?"),
        (["--tasks", "general/trian"], "did you mean train?"),
        (["--eval_tasks", "general/tset"], "did you mean test?"),
        (["--judge", "programatic"], "unknown judge 'programatic': did you mean programmatic?"),
        (["--flet", "sim:3"], "unknown option --flet: did you mean fleet?"),
        (["--learner.trace.discont", "0.9"], "unknown option --learner.trace.discont: did you mean discount? known: "),
        (["--learner.batch", "many"], "learner.batch: expected int, got many"),
        (["--learner.trace.critic_target", "papr"], "expected one of 'corrected', 'paper', got papr"),
        (["--config", "nowhere.yaml"], "the configuration nowhere.yaml cannot be read: No such file or directory"),
        (["--launcher", "none"], "workers need a place to come to: --network.listen tcp://HOST:PORT"),
        (["--network.listen", "tcp://127.0.0.1:5555"], "--network.listen needs keys: make them with `distrl keys`"),
        (["--resume", "nowhere"], "nowhere is not a run directory"),
        (["sim:3"], "unrecognized arguments: sim:3"),
        (["--fleet"], "--fleet: expected one argument"),
    ],
)
def test_a_mistake_in_an_option_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refused(capsys, "train", "--dry-run", *arguments)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("lerner:\n  batch: 3\n", "unknown key in run.yaml: lerner: did you mean learner? known: "),
        ("learner:\n  trace:\n    discont: 1\n", "learner.trace.discont: did you mean discount? known: critic_target,"),
        ("learner:\n  batch: many\n", "learner.batch: expected int, got many"),
        ("learner: [\n", "the configuration run.yaml is not YAML: "),
    ],
)
def test_a_mistake_in_a_file_is_one_line(
    content: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.yaml").write_text(content)
    assert message in refused(capsys, "train", "--dry-run", "--config", "run.yaml")


def test_a_dry_run_checks_every_name_and_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert cli.main(["train", "--dry-run", "--fleet", "sim:5"]) == 0

    assert capsys.readouterr().out == "would train compact on sim:5, tasks general/train\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--learner.batch=0", "LearnerConfig: batch must be at least 1, not 0"),
        ("--demos_per_family=-1", "RunConfig: demos_per_family must be at least 0, not -1"),
        ("--max-trajectories=-1", "RunConfig: max_trajectories must be at least 0, not -1"),
        ("--learner.updates_per_trajectory=0", "LearnerConfig: updates_per_trajectory must be more than 0, not 0.0"),
        ("--learner.replay.half_life=0", "ReplayConfig: half_life must be more than 0, not 0.0"),
        ("--collect.workers=0", "CollectConfig: workers must be at least 1, not 0"),
        ("--network.silence=-3", "NetworkConfig: silence must be more than 0, not -3.0"),
    ],
)
def test_a_value_out_of_range_is_told_with_its_bound(
    option: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["train", "--dry-run", option]) == 2

    assert capsys.readouterr().err == f"distrl: {said}\n"
