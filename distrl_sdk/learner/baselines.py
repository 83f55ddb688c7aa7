"""The learners that A-RIDE is compared with, each with its own default settings; one role, one command line.

What they have in common with A-RIDE (warm start, replay, rate, critics) is the same code, so that a comparison compares
algorithms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor

from distrl_sdk.algo import losses
from distrl_sdk.algo.returns import doubly_robust, group_advantage
from distrl_sdk.config import LearnerConfig, LossConfig, ReplayConfig, TraceConfig
from distrl_sdk.learner.actor_critic import ActorCritic, Seen, Terms
from distrl_sdk.learner.aride import ARide

_USUAL = LearnerConfig()


class DigiRL(ActorCritic):
    """Two hard filters, then imitation (Bai et al. 2024).

    Episodes in the top share of the whole replay by success - V_traj, of these the steps whose doubly robust advantage
    is above `loss.filter`. The critics learn the plain outcome, by cross-entropy, on uniform draws.
    """

    algorithm = "digirl"
    defaults: ClassVar[LearnerConfig] = replace(
        _USUAL,
        elite_batch=24,
        trace=TraceConfig(kind="monte-carlo", discount=1.0, decay=0.5),
        replay=ReplayConfig(prioritised=False, imitate="surprising", elite=0, sweep=64, sweep_every=16),
    )

    def terms(self, seen: Seen) -> Terms:
        """Imitation of what passes both filters, and the critics."""
        advantage = doubly_robust(seen.reward, seen.batch.mask, seen.value, self.config.trace)
        kept = advantage.gt(self.config.loss.filter).float()
        return {"policy": (1.0, _imitated(seen, kept)), **self.critic_terms(seen)}


class FilteredCloning(ActorCritic):
    """Imitates the top share of the replay by reward, and does nothing else. Its critics stay untrained."""

    algorithm = "filtered-bc"
    defaults: ClassVar[LearnerConfig] = replace(
        _USUAL,
        batch=1,
        elite_batch=36,
        replay=ReplayConfig(prioritised=False, imitate="successes", elite=0),
    )

    def terms(self, seen: Seen) -> Terms:
        """Cross-entropy with the actions that were taken."""
        return {"policy": (1.0, _imitated(seen, torch.ones_like(seen.value)))}


class VTrace(ARide):
    """A-RIDE's parts with V-trace targets and a truncated policy gradient (Espeholt et al. 2018), uniform draws."""

    algorithm = "v-trace"
    defaults: ClassVar[LearnerConfig] = replace(
        _USUAL,
        batch=36,
        elite_batch=0,
        trace=TraceConfig(kind="vtrace"),
        loss=LossConfig(surrogate="truncated", max_weight=1.0),
        replay=ReplayConfig(prioritised=False, elite=0),
    )


class Grpo(ActorCritic):
    """Groups of episodes of one task, the outcome against its group's as the advantage (Shao et al. 2024).

    The surrogate is A-RIDE's: clipped against pi_old, weighed for the slot's own temperature. There is no critic; an
    episode's surprise is how far its outcome lies from its group's mean.
    """

    algorithm = "grpo"
    defaults: ClassVar[LearnerConfig] = replace(
        _USUAL,
        batch=32,
        elite_batch=0,
        replay=ReplayConfig(capacity=256, prioritised=False, elite=0, group=8),
    )

    def terms(self, seen: Seen) -> Terms:
        """The clipped surrogate and the entropy."""
        config, batch, score = self.config.loss, seen.batch, seen.score
        gain = group_advantage(batch.success, batch.group)[:, None]
        advantage = gain - losses.step_penalty(batch.invalid, batch.repeats, config)
        policy = losses.decoupled_policy_loss(score.log_pi, batch.log_pi, batch.log_mu, advantage, seen.own, config)
        return {
            "policy": (1.0, policy),
            "entropy": (-config.entropy, losses.entropy_mean(score.entropy, seen.own)),
        }

    def surprise(self, seen: Seen) -> Tensor:
        """[B]: success - the mean of its group."""
        same = seen.batch.group[:, None].eq(seen.batch.group).float()
        return seen.batch.success - same @ seen.batch.success / same.sum(1)


def _imitated(seen: Seen, weight: Tensor) -> Tensor:
    """Cross-entropy with the actions of the episodes to be imitated; `weight` [B, T]."""
    return losses.elite_loss(seen.score.log_pi, weight, seen.batch.mask & seen.batch.elite[:, None])
