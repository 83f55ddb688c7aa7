"""A-RIDE (DistRL, section 5): off-policy actor-critic on Retrace targets, as a LightningModule.

It knows tensors; not phones, sockets or files. The maths stands in algo/; here it is put together.
"""

from __future__ import annotations

from collections.abc import Mapping

import lightning
import torch
from torch import Tensor

from distrl_sdk.algo import losses
from distrl_sdk.algo.returns import Trace, retrace
from distrl_sdk.config import LearnerConfig
from distrl_sdk.interfaces import Policy, Score, Varies
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.role import StepOutput
from distrl_sdk.plugins import make_policy
from distrl_sdk.policy.critic import Critics
from distrl_sdk.types import Json


class ARide(lightning.LightningModule):
    """Trains a policy and its critics from batches of whole episodes.

    `policy` is the name of a policy, so that every worker can make the same one; `policy_options` are its keywords.
    `training_step` returns the loss and, for each episode, what DPER makes its priority of.
    """

    def __init__(
        self,
        policy: str = "compact",
        config: LearnerConfig | None = None,
        policy_options: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__()
        self.policy_name = policy
        self.policy_options = dict(policy_options or {})
        self.config = config or LearnerConfig()
        self.policy: Policy = make_policy(policy, self.policy_options)
        self.critics = Critics(self.policy.state_size)
        self._generator = torch.Generator().manual_seed(0)

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """One AdamW; the critics have their own rate."""
        assert isinstance(self.policy, torch.nn.Module)
        groups = [
            {"params": [p for p in self.policy.parameters() if p.requires_grad], "lr": self.config.learning_rate},
            {"params": list(self.critics.parameters()), "lr": self.config.critic_learning_rate},
        ]
        return torch.optim.AdamW(groups, weight_decay=0.0)

    def training_step(self, batch: Batch | None, batch_idx: int) -> StepOutput | None:  # noqa: ARG002
        """One loss that touches every head; None (skip) when the batch says that training is to stop."""
        if batch is None:
            return None
        score = self.policy.score(self._varied(batch), batch.code, batch.mask)
        one, two = self.critics.state(score.state)
        value = torch.minimum(one, two).sigmoid().detach()
        rho = torch.exp(score.log_pi - batch.log_mu).detach()
        own = batch.mask & ~batch.elite[:, None]
        reward = _final_step(batch.mask) * batch.success[:, None]
        trace = retrace(reward, batch.mask, value, rho, self.config.trace)
        terms = self._terms(batch, score, trace, value, own)
        start = self.critics.trajectory(score.state[:, 0])
        critic = losses.critic_loss(torch.stack([one, two], -1), trace.target, own, batch.weight)
        terms["critic"] = critic
        terms["trajectory_critic"] = losses.critic_loss(
            start[:, None, None], batch.success[:, None], own[:, :1], batch.weight
        )
        shown = {name: float(term.detach()) for name, term in terms.items()}
        return {
            "loss": self._weighed(terms),
            "terms": {**shown, "clipped": _outside(score, batch, self.config.loss.clip)},
            "priority": _priority_terms(trace, rho, score.entropy.detach(), batch.mask),
            "surprise": batch.success - start.detach().sigmoid(),
        }

    def _varied(self, batch: Batch) -> Mapping[str, Tensor]:
        """The features; those of elite episodes, which are only imitated, as variants if the policy can make such."""
        if not isinstance(self.policy, Varies) or not batch.elite.any():
            return batch.features
        own = int((~batch.elite).sum())  # elite episodes stand behind the others
        flat = {name: each[own:].flatten(0, 1) for name, each in batch.features.items()}
        varied = self.policy.vary(flat, self._generator)
        return {
            name: each if varied[name] is flat[name] else torch.cat([each[:own], varied[name].view(each[own:].shape)])
            for name, each in batch.features.items()
        }

    def _terms(self, batch: Batch, score: Score, trace: Trace, value: Tensor, own: Tensor) -> dict[str, Tensor]:
        config = self.config.loss
        advantage = trace.advantage - losses.step_penalty(batch.invalid, batch.repeats, config)
        policy = losses.decoupled_policy_loss(score.log_pi, batch.log_pi, batch.log_mu, advantage, own, config)
        gap = (batch.success[:, None] - value).clamp(min=0)
        return {
            "policy": policy,
            "entropy": losses.entropy_mean(score.entropy, own),
            "invalid": losses.invalid_action_loss(score.log_pi, batch.log_mu, batch.invalid, own, config.max_weight),
            "elite": losses.elite_loss(score.log_pi, gap, batch.mask & batch.elite[:, None]),
        }

    def _weighed(self, terms: Mapping[str, Tensor]) -> Tensor:
        config = self.config.loss
        return (
            terms["policy"]
            - config.entropy * terms["entropy"]
            + config.invalid * terms["invalid"]
            + config.elite * terms["elite"]
            + config.critic * (terms["critic"] + terms["trajectory_critic"])
        )


def _final_step(mask: Tensor) -> Tensor:
    """[B, T] -> 1.0 at the last step that was taken."""
    after = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], 1)
    return (mask & ~after).float()


def _priority_terms(trace: Trace, rho: Tensor, entropy: Tensor, mask: Tensor) -> Tensor:
    """[B, 3]: mean |delta|, mean min(1, rho), mean entropy of each episode (DistRL eq. for p(tau))."""
    steps = mask.sum(1).clamp(min=1)
    each = torch.stack([trace.delta.abs(), rho.clamp(max=1), entropy], -1)
    return (each * mask[..., None]).sum(1) / steps[:, None]


def _outside(score: Score, batch: Batch, clip: float) -> float:
    """Share of steps whose pi / pi_old has left the clip."""
    ratio = torch.exp(score.log_pi.detach() - batch.log_pi)
    return float(((ratio - 1).abs().gt(clip) & batch.mask).sum() / batch.mask.sum().clamp(min=1))
