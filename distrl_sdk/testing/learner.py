"""What every Learner promises: one loss from whole episodes, and what the replay needs to know of each."""

from __future__ import annotations

from dataclasses import replace

import lightning
import numpy as np
import pytest
import torch

from distrl_sdk.config import ReplayConfig
from distrl_sdk.learner.batches import Batch, ReplayData, collate
from distrl_sdk.learner.role import Learner, StepOutput
from distrl_sdk.plugins import make_policy
from distrl_sdk.replay.buffer import Replay
from distrl_sdk.testing.samples import sample_moments
from distrl_sdk.types import End, Trajectory, Verdict


class LearnerContract:
    """Inherit it in a class whose name starts with Test, and give the fixture `learner`."""

    @pytest.fixture
    def learner(self) -> Learner:
        """The learner under test, untrained."""
        raise NotImplementedError("give a fixture `learner`")

    @pytest.fixture
    def replay(self, learner: Learner) -> Replay:
        """Episodes of the learner's own policy on made-up moments, half of them successes."""
        store = Replay(ReplayConfig(capacity=16), seed=1)
        for at in range(12):
            store.add(_episode(learner, at), success=at % 2 == 0, now=1)
        return store

    @pytest.fixture
    def batch(self, replay: Replay) -> Batch:
        """Six episodes and, behind them, three of the elite."""
        return collate(replay.sample(6, 1), replay.elite.sample(3, 1))

    def test_it_plays_the_role(self, learner: Learner) -> None:
        """A LightningModule with the members of the role; its policy can be made again by its name."""
        assert isinstance(learner, lightning.LightningModule)
        assert isinstance(learner, Learner)
        again = make_policy(learner.policy_name, learner.policy_options)
        assert isinstance(again, torch.nn.Module)
        assert again.state_dict().keys() == _module(learner.policy).state_dict().keys()

    def test_a_step_says_what_the_replay_needs(self, learner: Learner, batch: Batch) -> None:
        """A finite scalar loss; priority terms [B, 3] and surprise [B], finite and detached."""
        output = _step(learner, batch)
        assert output["loss"].shape == ()
        assert output["loss"].isfinite()
        assert output["loss"].requires_grad
        assert output["priority"].shape == (9, 3)
        assert (output["priority"] >= 0).all()
        assert output["surprise"].shape == (9,)
        assert not output["priority"].requires_grad
        assert not output["surprise"].requires_grad
        assert all(np.isfinite(term) for term in output["terms"].values())

    def test_the_loss_reaches_the_policy(self, learner: Learner, batch: Batch) -> None:
        """Some parameter of the policy gets a gradient, and every gradient is finite."""
        _step(learner, batch)["loss"].backward()  # type: ignore[no-untyped-call]
        gradients = [p.grad for p in _module(learner.policy).parameters() if p.grad is not None]
        assert any(gradient.abs().sum() > 0 for gradient in gradients)
        assert all(gradient.isfinite().all() for gradient in gradients)

    def test_padding_changes_nothing(self, learner: Learner, batch: Batch) -> None:
        """What stands in steps that were not taken has no influence on the loss."""
        torch.manual_seed(0)
        before = _step(learner, batch)["loss"].detach()
        scrambled = torch.where(batch.mask, batch.log_mu, torch.full_like(batch.log_mu, -3.0))
        torch.manual_seed(0)
        changed = replace(batch, log_mu=scrambled, repeats=torch.where(batch.mask, batch.repeats, 9))
        alone = replace(changed, elite=torch.zeros_like(batch.elite))
        same = replace(batch, elite=torch.zeros_like(batch.elite))
        torch.testing.assert_close(_step(learner, alone)["loss"], _step(learner, same)["loss"])
        assert before.isfinite()

    def test_no_batch_means_that_training_is_over(self, learner: Learner) -> None:
        """training_step(None) takes no step."""
        assert learner.training_step(None, 0) is None

    def test_it_trains_under_lightning(self, learner: Learner, batch: Batch) -> None:
        """A few automatic steps through Lightning change the policy's weights."""
        assert isinstance(learner, lightning.LightningModule)
        before = {name: each.clone() for name, each in _module(learner.policy).state_dict().items()}
        trainer = lightning.Trainer(
            max_steps=3,
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            accelerator="cpu",
        )
        trainer.fit(learner, ReplayData(lambda: batch))
        after = _module(learner.policy).state_dict()
        assert any(not torch.equal(after[name], each) for name, each in before.items())
        assert all(each.isfinite().all() for each in after.values() if each.is_floating_point())


def _module(policy: object) -> torch.nn.Module:
    assert isinstance(policy, torch.nn.Module)
    return policy


def _step(learner: Learner, batch: Batch) -> StepOutput:
    output = learner.training_step(batch, 0)
    assert output is not None
    return output


def _episode(learner: Learner, at: int) -> Trajectory:
    """One to four moments, in each of which the policy acts."""
    moments = sample_moments()
    chosen = [moments[(at + step) % len(moments)] for step in range(2 + at % 4)]
    rows = [learner.policy.featurize(moment) for moment in chosen]
    decisions = learner.policy.act(rows[:-1], [1.5] * (len(rows) - 1), torch.Generator().manual_seed(at))
    count = len(decisions)
    return Trajectory(
        id=f"contract/1/{at}",
        task=chosen[0].task,
        lane="train",
        temperature=1.5,
        features={name: np.stack([row[name] for row in rows]) for name in rows[0]},
        code=np.stack([decision.code for decision in decisions]),
        log_mu=np.array([decision.log_mu for decision in decisions], np.float32),
        log_pi=np.array([decision.log_pi for decision in decisions], np.float32),
        version=np.tile(np.array([1, 1], np.int32), (count, 1)),
        invalid=np.zeros(count, np.bool_),
        repeats=np.arange(count, dtype=np.int32),
        seconds=np.zeros(count + 1, np.float32),
        screens=np.arange(count + 1, dtype=np.uint32),
        actions=tuple(decision.action for decision in decisions),
        end=End("step_limit"),
        verdict=Verdict(at % 2 == 0),
    )
