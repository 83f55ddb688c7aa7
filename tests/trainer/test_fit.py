"""fit and evaluate, with worker processes and sockets: what goes in, what comes out, what is refused."""

from __future__ import annotations

from pathlib import Path

import lightning
import pytest
import torch

from distrl_sdk import ARide, Fleet, Trainer, UsageError
from distrl_sdk.config import CollectConfig, LearnerConfig
from distrl_sdk.errors import ConfigError, DistrlError
from distrl_sdk.evaluate.result import RunResult
from tests.trainer.runs import (
    assert_counted_once,
    journaled,
    learner,
    named,
    pocket,
    result,
    trained,
    trainer,
    workers_of,
)


class Norms(lightning.Callback):
    """Notices what Lightning was told."""

    def __init__(self) -> None:
        self.clip: object = None
        self.steps = 0

    def on_train_start(self, trainer: lightning.Trainer, pl_module: lightning.LightningModule) -> None:
        self.clip = trainer.gradient_clip_val

    def on_train_batch_end(self, *_: object) -> None:
        self.steps += 1


def test_one_trainer_evaluates_fits_twice_and_evaluates_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # runs/ comes here
    norms = Norms()
    made = trainer(
        None, name="twice", callbacks=[norms], gradient_clip_val=0.125, eval_tasks="auto", demos_per_family=1
    )
    model, fleet = learner(), pocket()

    start = made.evaluate(named("counting/test"), model, fleet)
    first = made.fit(model, fleet)
    second = made.fit(model, fleet)
    end = made.evaluate()

    assert (start.n, end.n) == (6, 6)
    runs = sorted((tmp_path / "runs").iterdir())
    assert [run.name[-2:] for run in runs] == ["-1", "-2"]
    for run, outcome in zip(runs, (first, second), strict=True):
        assert_counted_once(run)
        assert 12 <= outcome.trajectories <= 13, "hardly more than was asked for"
        assert outcome.before is not None
        assert outcome.after is not None
        assert [e.task for e in outcome.before.episodes] == [e.task for e in outcome.after.episodes]
        assert outcome == result(run)
        assert (run / "report.html").exists()
    assert (norms.clip, norms.steps) == (0.125, first.updates + second.updates + 2)  # the last one says that it is over
    assert workers_of(tmp_path) == {}
    told = capsys.readouterr().err
    assert told.count("local-0 joined with 2 phones") == 4
    assert len([line for line in told.splitlines() if "trajectories 12/12" in line or "13/12" in line]) == 2


def test_a_time_limit_ends_a_run_and_its_stragglers_are_counted_as_late(tmp_path: Path) -> None:
    outcome = trainer(tmp_path / "r", max_trajectories=0, max_minutes=0.02).fit(learner(), pocket(pause=0.05))

    assert 0.02 <= outcome.minutes < 0.1
    assert outcome.trajectories > 0
    assert_counted_once(tmp_path / "r")


def test_what_lightning_does_not_take_is_told_before_anything_is_started(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown argument 'max_trajectorys': did you mean max_trajectories"):
        Trainer(max_trajectorys=3)
    with pytest.raises(ConfigError, match="unknown argument 'gradient_clip_value': did you mean gradient_clip_val"):
        Trainer(gradient_clip_value=3)
    with pytest.raises(ConfigError, match=r"lightning\.Trainer: .*accelerator"):
        trainer(tmp_path / "r", accelerator="quantum").fit(learner(), pocket())

    assert not (tmp_path / "r" / "workers" / "worker-0.log").exists()


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ("empty", "has no tasks"),
        ("twice", r"has more than one task 'test/0': ids must differ"),
        ("short", r"task 'test/0' of .* allows no step: max_steps must be at least 1"),
    ],
)
def test_task_sets_that_cannot_be_played_are_told_before_anything_is_started(
    tmp_path: Path, tasks: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        trainer(tmp_path / "r", tasks=named(f"wrong/{tasks}")).fit(learner(), pocket())

    assert not (tmp_path / "r").exists()


def test_evaluate_needs_something_to_evaluate() -> None:
    with pytest.raises(UsageError, match="needs a learner and a fleet, or a fit before it"):
        Trainer().evaluate()


# --- judges beside the learner --------------------------------------------------------------------------------------


def test_a_judge_beside_the_learner_sees_the_end_states_picture_in_training_and_evaluation(tmp_path: Path) -> None:
    made = trainer(tmp_path / "r", judge=named("SeesGrey"), eval_tasks="auto")

    outcome = made.fit(learner(), pocket())

    assert_counted_once(tmp_path / "r")
    assert outcome.before is not None
    assert outcome.before.n == 6
    right = {
        each.id: sum(type(action).__name__ == "Tap" for action in each.actions) == int(each.task.family)
        for each in journaled(tmp_path / "r")
    }
    assert {each.trajectory: each.success for each in outcome.before.episodes}.items() <= right.items()
    assert outcome.trajectories >= 12


def test_a_judge_that_is_never_to_be_had_ends_the_run_and_nothing_was_trained(tmp_path: Path) -> None:
    model = learner()
    before = {name: each.clone() for name, each in model.state_dict().items()}

    with pytest.raises(DistrlError, match="came to a verdict; the last: no verdict: ConnectionError: no route"):
        trainer(tmp_path / "r", CollectConfig(patience=0.5), judge=named("Raises")).fit(model, pocket(pause=0.02))

    said = result(tmp_path / "r")
    assert (said.trajectories, said.updates) == (0, 0)
    assert said.counts["unjudged"] >= 3
    assert_counted_once(tmp_path / "r")
    for name, each in model.state_dict().items():
        torch.testing.assert_close(each, before[name], rtol=0, atol=0)
    assert (tmp_path / "r" / "report.html").exists()


# --- fleets ---------------------------------------------------------------------------------------------------------


def test_a_mixed_fleet_trains_the_compact_policy_with_and_without_ui_elements(tmp_path: Path) -> None:
    fleet = Fleet(f"sim:1,sim:1?elements=0,{named('Pocket')}?elements=0&pause=0.02")
    model = ARide("compact", LearnerConfig(batch=4, elite_batch=2, warm_start_epochs=1), {"width": 32})
    made = trainer(tmp_path / "r", tasks=named("mixed/train"), demos_per_family=1, eval_tasks=named("elsewhere/test"))

    outcome = made.fit(model, fleet)

    assert_counted_once(tmp_path / "r")
    seen = {(each.slot, each.task.platform) for each in trained(tmp_path / "r")}
    assert seen == {("local-0:0", "sim"), ("local-0:1", "sim"), ("local-0:2", "pocket")}
    for each in trained(tmp_path / "r"):
        assert each.features["picture"].any() == (each.slot != "local-0:0"), "looked at where elements are missing"
        if each.task.platform == "pocket":
            assert {type(action).__name__ for action in each.actions} <= {"Tap", "Finish"}
    assert outcome.updates > 0
    assert outcome.after is not None
    assert len(outcome.after.episodes) == 6, "the tasks of a platform that nobody has are left out"


def test_tasks_that_no_phone_can_play_are_refused_with_the_sets_that_fit(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        trainer(tmp_path / "r", tasks="general/train").fit(learner(), pocket())
    assert str(refused.value) == (
        "no task of 'general/train' can be played on this fleet (platform pocket): "
        "task sets that fit: none that is installed"
    )

    with pytest.raises(
        UsageError, match=r"no task of 'counting/test' .*platform sim.*: demo/train, demo/test, general/train"
    ):
        trainer(None, eval_tasks=named("counting/test")).evaluate(learner=ARide(), fleet="sim:1")


@pytest.mark.long
def test_held_out_tasks_that_no_phone_can_play_are_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no task of 'general/test-instances' can be played on this fleet"):
        trainer(tmp_path / "r", eval_tasks="general/test").fit(learner(), pocket())

    assert trained(tmp_path / "r") == []


@pytest.mark.long
def test_phones_that_break_and_cannot_be_opened_again_end_the_run_with_their_reason(tmp_path: Path) -> None:
    with pytest.raises(DistrlError, match=r"no phone has worked for 2 s: all 1 are broken, one by .*the cable is out"):
        trainer(tmp_path / "r", CollectConfig(patience=2.0)).fit(learner(), pocket(1, fail=2, log=tmp_path / "log"))

    assert result(tmp_path / "r").counts["aborted_device"] == 1


def test_phones_that_always_break_end_the_run_with_their_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DistrlError, match=r"came to a verdict; the last: aborted, blame device: .*the cable fell out"):
        trainer(tmp_path / "r", CollectConfig(patience=2.0)).fit(learner(), pocket(fail=1))

    said: RunResult = result(tmp_path / "r")
    assert said.counts["aborted_device"] >= 3
    assert (said.trajectories, said.counts["received"]) == (0, said.counts["aborted_device"])
    told = capsys.readouterr().err
    for slot in ("local-0:0", "local-0:1"):
        assert 1 <= told.count(f"{slot} is broken") <= 2, told  # once for its taps, once for its finishes
    assert workers_of(tmp_path) == {}
