"""A-RIDE (DistRL, section 5): off-policy actor-critic on Retrace targets, as a LightningModule.

It knows tensors; not phones, sockets or files. The maths stands in algo/; here it is put together.
"""

from __future__ import annotations

from torch import Tensor

from distrl_sdk.algo import losses
from distrl_sdk.algo.returns import novelty_advantage
from distrl_sdk.learner.actor_critic import ActorCritic, Seen, Terms


class ARide(ActorCritic):
    """The policy learns from every episode by its advantage, and imitates the elite by how much it surprised."""

    algorithm = "a-ride"

    def terms(self, seen: Seen) -> Terms:
        """One loss that touches every head."""
        config, batch, log_pi = self.config.loss, seen.batch, seen.score.log_pi
        advantage = seen.trace.advantage - losses.step_penalty(batch.invalid, batch.repeats, config)
        if config.novelty:
            found = novelty_advantage(batch.rarity, seen.own, seen.value, self.config.trace.discount)
            advantage = advantage + config.novelty * found
        gap = (batch.success[:, None] - seen.value).clamp(min=0)
        invalid = losses.invalid_action_loss(log_pi, batch.log_mu, batch.invalid, seen.own, config.max_weight)
        return {
            "policy": (1.0, self._surrogate(seen, advantage)),
            "entropy": (-config.entropy, losses.entropy_mean(seen.score.entropy, seen.own)),
            "invalid": (config.invalid, invalid),
            "elite": (config.elite, losses.elite_loss(log_pi, gap, batch.mask & batch.elite[:, None])),
            **self.critic_terms(seen),
        }

    def _surrogate(self, seen: Seen, advantage: Tensor) -> Tensor:
        config, batch, log_pi = self.config.loss, seen.batch, seen.score.log_pi
        if config.surrogate == "truncated":
            return losses.truncated_policy_loss(log_pi, batch.log_mu, advantage, seen.own, config.max_weight)
        return losses.decoupled_policy_loss(log_pi, batch.log_pi, batch.log_mu, advantage, seen.own, config)
