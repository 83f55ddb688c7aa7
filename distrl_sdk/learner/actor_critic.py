"""What the learners share: a policy, its critics, one look at a batch, one summed loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import lightning
import torch
from torch import Tensor

from distrl_sdk.algo import losses
from distrl_sdk.algo.returns import Trace, trace
from distrl_sdk.config import LearnerConfig
from distrl_sdk.interfaces import Policy, Score, Varies
from distrl_sdk.learner.batches import Batch
from distrl_sdk.learner.role import Measured, StepOutput
from distrl_sdk.plugins import make_policy
from distrl_sdk.policy.critic import Critics
from distrl_sdk.types import Json

Terms: TypeAlias = Mapping[str, tuple[float, Tensor]]
"""The parts of a loss: name -> weight and scalar."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A batch and what policy and critics say of it now."""

    batch: Batch
    score: Score
    heads: Tensor
    """[B, T, 2]: logits of the state critic's heads."""
    value: Tensor
    """[B, T]: the smaller of the two, as P(success); no gradient."""
    start: Tensor
    """[B]: logits of V_traj."""
    reward: Tensor
    """[B, T]: the verdict, at the last step."""
    trace: Trace
    rho: Tensor
    """[B, T]: pi / mu; no gradient."""
    own: Tensor
    """[B, T] bool: valid steps of episodes that are not only imitated."""


class ActorCritic(lightning.LightningModule):
    """Trains a policy and its critics from batches of whole episodes; what it learns by is `terms`.

    `policy` is the name of a policy, so that every worker can make the same one; `policy_options` are its keywords.
    `training_step` returns the loss and, for each episode, what DPER makes its priority of.
    """

    algorithm = ""
    defaults: ClassVar[LearnerConfig] = LearnerConfig()

    def __init__(
        self,
        policy: str = "compact",
        config: LearnerConfig | None = None,
        policy_options: Mapping[str, Json] | None = None,
    ) -> None:
        super().__init__()
        self.policy_name = policy
        self.policy_options = dict(policy_options or {})
        self.config = config or self.defaults
        self.policy: Policy = make_policy(policy, self.policy_options)
        self.critics = Critics(self.policy.state_size)
        self._generator = torch.Generator().manual_seed(0)

    def terms(self, seen: Seen) -> Terms:
        """The parts of the loss."""
        raise NotImplementedError

    def configure_optimizers(self) -> torch.optim.Optimizer:
        """One AdamW; the critics have their own rate."""
        assert isinstance(self.policy, torch.nn.Module)
        groups = [
            {"params": [p for p in self.policy.parameters() if p.requires_grad], "lr": self.config.learning_rate},
            {"params": list(self.critics.parameters()), "lr": self.config.critic_learning_rate},
        ]
        return torch.optim.AdamW(groups, weight_decay=0.0)

    def training_step(self, batch: Batch | None, batch_idx: int) -> StepOutput | None:  # noqa: ARG002
        """One summed loss; None (skip) when the batch says that training is to stop."""
        if batch is None:
            return None
        seen = self.look(batch)
        terms = self.terms(seen)
        figures = torch.stack([*(term.detach() for _, term in terms.values()), _outside(seen, self.config.loss.clip)])
        return {
            "loss": torch.stack([weight * term for weight, term in terms.values()]).sum(),
            "terms": dict(zip((*terms, "clipped"), figures.tolist(), strict=True)),  # one wait for the device, not ten
            "priority": self.priority(seen),
            "surprise": self.surprise(seen),
            "measured": _measured(seen, terms),
        }

    def look(self, batch: Batch) -> Seen:
        """Score the batch and trace its returns."""
        score = self.policy.score(self._varied(batch), batch.code, batch.mask)
        if not self.config.off_policy:
            batch = replace(batch, log_mu=score.log_pi.detach(), log_pi=score.log_pi.detach())
        heads = torch.stack(self.critics.state(score.state), -1)
        value = heads.min(-1).values.sigmoid().detach()
        rho = torch.exp(score.log_pi - batch.log_mu).detach()
        reward = _final_step(batch.mask) * batch.success[:, None]
        return Seen(
            batch=batch,
            score=score,
            heads=heads,
            value=value,
            start=self.critics.trajectory(score.state[:, 0]),
            reward=reward,
            trace=trace(reward, batch.mask, value, rho, self.config.trace),
            rho=rho,
            own=batch.mask & ~batch.elite[:, None],
        )

    def critic_terms(self, seen: Seen) -> Terms:
        """Cross-entropy of the state critic with the trace's targets, and of V_traj with the verdicts."""
        batch, weight = seen.batch, self.config.loss.critic
        state = losses.critic_loss(seen.heads, seen.trace.target, seen.own, batch.weight)
        start = losses.critic_loss(seen.start[:, None, None], batch.success[:, None], seen.own[:, :1], batch.weight)
        return {"critic": (weight, state), "trajectory_critic": (weight, start)}

    def priority(self, seen: Seen) -> Tensor:
        """[B, 3]: mean |delta|, mean min(1, rho), mean entropy of each episode (DistRL eq. for p(tau))."""
        each = torch.stack([seen.trace.delta.abs(), seen.rho.clamp(max=1), seen.score.entropy.detach()], -1)
        steps = seen.batch.mask.sum(1).clamp(min=1)
        return (each * seen.batch.mask[..., None]).sum(1) / steps[:, None]

    def surprise(self, seen: Seen) -> Tensor:
        """[B]: success - V_traj."""
        return seen.batch.success - seen.start.detach().sigmoid()

    def _varied(self, batch: Batch) -> Mapping[str, Tensor]:
        """The features; those of episodes that are only imitated as variants, if the policy can make such."""
        if not isinstance(self.policy, Varies) or not batch.elite.any():
            return batch.features
        own = int((~batch.elite).sum())  # episodes to be imitated stand behind the others
        flat = {name: each[own:].flatten(0, 1) for name, each in batch.features.items()}
        varied = self.policy.vary(flat, self._generator)
        return {
            name: each if varied[name] is flat[name] else torch.cat([each[:own], varied[name].view(each[own:].shape)])
            for name, each in batch.features.items()
        }


def _measured(seen: Seen, terms: Terms) -> Measured:
    """Nothing is copied. Critics that no term trains have nothing to say."""
    state, start = (terms.get(name, (0.0,))[0] > 0 for name in ("critic", "trajectory_critic"))
    return Measured(
        log_pi=seen.score.log_pi.detach(),
        entropy=seen.score.entropy.detach(),
        value=seen.value if state else None,
        start=seen.start.detach().sigmoid() if start else None,
    )


def _final_step(mask: Tensor) -> Tensor:
    """[B, T] -> 1.0 at the last step that was taken."""
    after = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], 1)
    return (mask & ~after).float()


def _outside(seen: Seen, clip: float) -> Tensor:
    """Share of steps whose pi / pi_old has left the clip."""
    mask = seen.batch.mask
    ratio = torch.exp(seen.score.log_pi.detach() - seen.batch.log_pi)
    return ((ratio - 1).abs().gt(clip) & mask).sum() / mask.sum().clamp(min=1)
