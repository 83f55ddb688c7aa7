"""Ctrl-C at any time: everything is put away, and the run can go on. (Exit status 130 is tests/cli's business.)"""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from distrl_sdk import checkpoint
from distrl_sdk.learner.imitation import encode
from distrl_sdk.plugins import task_set
from tests.trainer.runs import assert_counted_once, learner, named, pocket, result, trained, trainer, workers_of


def interrupted(run: Path, model: Any, **options: Any) -> None:
    """A run that ends by Ctrl-C, and what holds of every such run."""
    before = signal.getsignal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trainer(run, **options).fit(model, pocket(pause=0.01))

    assert signal.getsignal(signal.SIGINT) == before
    assert workers_of(run) == {}
    assert_counted_once(run)
    assert (run / "report.html").exists()


def test_during_the_warm_start_it_ends_at_once(tmp_path: Path) -> None:
    model: Any = learner(interrupt=1)
    table = model.policy.table.weight.clone()

    interrupted(tmp_path / "r", model, demos=6)

    assert (model.policy.table.weight == table).all(), "not one pass was made"
    assert trained(tmp_path / "r") == []
    assert checkpoint.newest(tmp_path / "r" / "checkpoints") is None


def test_during_an_evaluation(tmp_path: Path) -> None:
    interrupted(tmp_path / "r", learner(), eval_tasks="auto", judge=named("Interrupts"))

    assert result(tmp_path / "r").before is None
    assert trained(tmp_path / "r") == []


@pytest.mark.parametrize("times", [1, 2])
def test_during_training_once_keeps_what_was_learned_and_twice_ends_at_once(tmp_path: Path, times: int) -> None:
    run, model = tmp_path / "r", learner(interrupt=times)

    interrupted(run, model, max_trajectories=0)

    kept = checkpoint.newest(run / "checkpoints")
    assert result(run).updates == 2 - times
    assert (kept is not None) == (times == 1)
    if kept is not None:
        trainer(None, max_trajectories=len(trained(run)) + 5).fit(model, pocket(), resume=run)
        assert_counted_once(run)


def test_the_policy_of_these_tests_can_be_shown_something() -> None:
    shown = task_set(named("counting/train")).demonstrations(6, 1)

    assert encode(learner().policy, shown).code.flatten().tolist() == [0, 1, 0, 0, 1, 0, 0, 0, 1] * 2
