"""Another learner than A-RIDE, through the same Trainer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from distrl_sdk import Grpo, ReplayConfig
from distrl_sdk.cli_run import read
from distrl_sdk.errors import RunError
from tests.trainer.runs import LEARNER, learner, named, pocket, trainer


def test_a_run_says_what_trained_it_and_is_gone_on_with_by_nothing_else(tmp_path: Path) -> None:
    config = replace(LEARNER, elite_batch=0, replay=ReplayConfig(prioritised=False, elite=0, group=2))
    run = tmp_path / "run"
    result = trainer(run).fit(Grpo(named("Tiny"), config), pocket())

    assert result.updates >= 1
    settings = read(["--config", str(run / "config.yaml")])
    assert settings.run.algorithm == "grpo"
    assert settings.learner == config
    with pytest.raises(RunError, match="was trained with algorithm 'grpo', not 'a-ride'"):
        trainer(run).fit(learner(), pocket(), resume=run)
