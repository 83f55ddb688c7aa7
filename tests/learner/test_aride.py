"""A-RIDE learns from stored episodes, through the same replay, batches and Lightning trainer as a real run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from learner_games import Game, play, trajectory

from distrl_sdk.config import LearnerConfig, LossConfig, ReplayConfig
from distrl_sdk.learner.aride import ARide
from distrl_sdk.learner.batches import Batch, collate
from distrl_sdk.replay.buffer import Replay

SMALL = {"width": 24, "word_width": 12}


def learner(**loss: float) -> ARide:
    torch.manual_seed(0)
    return ARide(config=LearnerConfig(loss=replace(LossConfig(), **loss)), policy_options=SMALL)


def stored(model: ARide, episodes: int = 30) -> Replay:
    replay = Replay(ReplayConfig(capacity=episodes), seed=1)
    for at, played in enumerate(play(model.policy, Game(), episodes, temperature=2.0, seed=3)):
        replay.add(trajectory(played, f"w/1/{at}"), played.success, 0)
    return replay


def step(model: ARide, batch: Batch) -> dict[str, torch.Tensor]:
    model.zero_grad()
    output = model.training_step(batch, 0)
    assert output is not None
    output["loss"].backward()
    return output


def test_one_step_moves_every_head() -> None:
    model = learner()
    replay = stored(model)

    step(model, collate(replay.sample(16, 0), replay.elite.sample(4, 0)))

    silent = {n.split(".")[1] for n, p in model.named_parameters() if p.grad is None or not p.grad.abs().sum()}
    # nothing was pressed long or typed in these episodes, and no picture was looked at (the encoder's eye)
    assert silent <= {"press", "word", "first_word", "last_word", "encoder"}
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.critics.parameters())
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.policy.tap.parameters())


def test_critics_never_learn_from_the_elite() -> None:
    model = learner(critic=1.0, elite=0.0, entropy=0.0)
    replay = stored(model)
    draw, elite = replay.sample(8, 0), replay.elite.sample(8, 0)

    step(model, collate(draw))
    alone = [p.grad.clone() for p in model.critics.parameters() if p.grad is not None]
    step(model, collate(draw, elite))
    together = [p.grad for p in model.critics.parameters() if p.grad is not None]

    assert len(alone) == len(together) > 0
    for one, two in zip(alone, together, strict=True):
        torch.testing.assert_close(one, two, atol=1e-6, rtol=1e-4)


def test_an_unjudged_batch_is_skipped() -> None:
    assert learner().training_step(None, 0) is None


@pytest.mark.parametrize("hot", [1.0, 2.5], ids=["on-policy slots", "hot slots"])
def test_it_learns_to_tap_what_the_goal_names(hot: float) -> None:
    config = LearnerConfig(learning_rate=3e-3, critic_learning_rate=3e-3)
    torch.manual_seed(0)
    model = ARide(config=config, policy_options=SMALL)
    optimizer = model.configure_optimizers()
    replay = Replay(ReplayConfig(capacity=300), seed=1)
    game, count = Game(), 0
    start = np.mean([p.success for p in play(model.policy, game, 200, temperature=0.0, seed=99)])

    for version in range(30):
        for played in play(model.policy, game, 16, temperature=hot, seed=version):
            count += 1
            replay.add(trajectory(played, f"w/1/{count}", version), played.success, version)
        for _ in range(3):
            elite = replay.elite.sample(4, version) if len(replay.elite) else None
            output = step(model, collate(replay.sample(16, version), elite))
            assert torch.isfinite(output["loss"])
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.gradient_norm)
            optimizer.step()

    final = np.mean([p.success for p in play(model.policy, game, 200, temperature=0.0, seed=99)])
    assert start < 0.5
    assert final > 0.9
