"""Ctrl-C at any time: everything is put away, and the run can go on. (Exit status 130 is tests/cli's business.)"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from distrl_sdk import checkpoint
from distrl_sdk.learner.imitation import as_episodes
from distrl_sdk.plugins import task_set
from tests.trainer.runs import assert_counted_once, learner, named, pocket, result, trained, trainer, workers_of


def interrupted(run: Path, model: Any, ends: type[BaseException] = KeyboardInterrupt, **options: Any) -> None:
    """A run that ends by Ctrl-C, and what holds of every such run."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    with pytest.raises(ends):
        trainer(run, **options).fit(model, pocket(pause=0.01))

    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    assert workers_of(run) == {}
    assert_counted_once(run)
    assert (run / "report.html").exists()


def test_during_the_warm_start_it_ends_at_once(tmp_path: Path) -> None:
    model: Any = learner(interrupt=1)
    table = model.policy.table.weight.clone()

    interrupted(tmp_path / "r", model, demos_per_family=1)

    assert (model.policy.table.weight == table).all(), "not one pass was made"
    assert trained(tmp_path / "r") == []
    assert checkpoint.newest(tmp_path / "r" / "checkpoints") is None


def test_during_an_evaluation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted(tmp_path / "r", learner(), eval_tasks="auto", judge=named("Interrupts"))

    assert "interrupted: ending in order" in capsys.readouterr().err
    assert result(tmp_path / "r").before is None
    assert trained(tmp_path / "r") == []


@pytest.mark.parametrize("times", [1, pytest.param(2, marks=pytest.mark.long)])
def test_during_training_once_keeps_what_was_learned_and_twice_ends_at_once(tmp_path: Path, times: int) -> None:
    run, model = tmp_path / "r", learner(interrupt=times)

    interrupted(run, model, max_trajectories=0)

    kept = checkpoint.newest(run / "checkpoints")
    assert result(run).updates == 2 - times
    assert (kept is not None) == (times == 1)
    if kept is not None:
        trainer(None, max_trajectories=len(trained(run)) + 5).fit(model, pocket(), resume=run)
        assert_counted_once(run)


@pytest.mark.long
def test_sigterm_ends_training_as_ctrl_c_does_with_its_own_exit_status(tmp_path: Path) -> None:
    run, model = tmp_path / "r", learner(interrupt=1, number=int(signal.SIGTERM))

    interrupted(run, model, SystemExit, max_trajectories=0)

    assert result(run).updates == 1
    assert checkpoint.newest(run / "checkpoints") is not None


def test_the_policy_of_these_tests_can_be_shown_something() -> None:
    shown = task_set(named("counting/train")).demonstrations(6, 1)

    codes = [code for episode in as_episodes(learner().policy, shown) for code in episode.code.flatten().tolist()]
    assert codes == [0, 1, 0, 0, 1, 0, 0, 0, 1] * 2
