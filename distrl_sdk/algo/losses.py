"""The terms of a learner's loss: scalars to be minimised, differentiable in log_pi, entropy and logits only.

Every mean is over the valid steps of [B, T], and 0 when there are none. What stands in the padding never reaches a
value or a gradient. No log-probability is clamped.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from distrl_sdk.config import LossConfig


def decoupled_policy_loss(
    log_pi: Tensor, log_pi_old: Tensor, log_mu: Tensor, advantage: Tensor, mask: Tensor, config: LossConfig
) -> Tensor:
    """The clipped surrogate around pi_old, weighted for the slot's own temperature; all arguments [B, T].

        r_t = pi / pi_old      w_t = min(max_weight, pi_old / mu), without gradient
        L   = - mean_t w_t min(r_t A_t, clip(r_t, 1 - clip, 1 + clip) A_t)

    pi_old: the weights that acted, at temperature 1. mu: the same at the slot's temperature. Clipping against mu itself
    would leave about half of a hot slot's samples without a gradient (decoupled objective, Hilton et al. 2022).
    """
    log_pi, log_pi_old, log_mu, advantage = _valid(mask, log_pi, log_pi_old, log_mu, advantage)
    ratio = torch.exp(log_pi - log_pi_old.detach())
    weight = torch.exp(log_pi_old - log_mu).clamp(max=config.max_weight).detach()
    clipped = ratio.clamp(1.0 - config.clip, 1.0 + config.clip)
    advantage = advantage.detach()
    return -_mean(weight * torch.minimum(ratio * advantage, clipped * advantage), mask)


def truncated_policy_loss(log_pi: Tensor, log_mu: Tensor, advantage: Tensor, mask: Tensor, max_weight: float) -> Tensor:
    """- mean_t min(max_weight, pi / mu) A_t: a policy gradient with truncated importance weights (IMPALA; V-trace).

    The gradient is the weight times A_t times that of log_pi, at the bound too. All arguments [B, T].
    """
    log_pi, log_mu, advantage = _valid(mask, log_pi, log_mu, advantage)
    return -_mean(_weighted(log_pi, log_mu, max_weight) * advantage.detach(), mask)


def invalid_action_loss(log_pi: Tensor, log_mu: Tensor, invalid: Tensor, mask: Tensor, max_weight: float) -> Tensor:
    """mean_t min(max_weight, pi / mu) 1[a_t invalid]: an estimate of how often pi acts without effect (DistRL A.2.2).

    The gradient is the weight times that of log_pi, at the bound too: there the truncated ratio by itself is flat, and
    the likeliest invalid actions would be the ones never unlearned. All arguments [B, T], `invalid` bool.
    """
    assert invalid.dtype == torch.bool, f"wants invalid as bool, not {invalid.dtype}"
    log_pi, log_mu = _valid(mask & invalid, log_pi, log_mu)
    return _mean(torch.where(invalid, _weighted(log_pi, log_mu, max_weight), 0.0), mask)


def step_penalty(invalid: Tensor, repeats: Tensor, config: LossConfig) -> Tensor:
    """[B, T]: what an action's advantage is charged (DistRL A.2.2): for having no effect, and for each repetition."""
    return config.invalid_penalty * invalid + config.repeat_penalty * repeats


def entropy_mean(entropy: Tensor, mask: Tensor) -> Tensor:
    """mean_t H(pi(.|s_t)); subtracted from the loss, times its weight. Both [B, T]."""
    (entropy,) = _valid(mask, entropy)
    return _mean(entropy, mask)


def critic_loss(logits: Tensor, target: Tensor, mask: Tensor, weight: Tensor) -> Tensor:
    """Binary cross-entropy of every head with the one target, averaged with a weight an episode.

        L = sum_bt w_b mean_h BCE(logits_bth, target_bt) / sum_bt w_b

    logits [B, T, heads], target [B, T] in [0, 1], mask [B, T], weight [B] >= 0: importance weights that undo the
    priorities, of any scale.
    """
    assert logits.ndim == 3, f"wants logits [B, T, heads], not {tuple(logits.shape)}"
    assert logits.shape[:2] == target.shape, f"shapes differ: {tuple(logits.shape)} and {tuple(target.shape)}"
    assert weight.shape == target.shape[:1], f"wants one weight an episode, not {tuple(weight.shape)}"
    logits = logits.masked_fill(~mask[..., None], 0.0)
    (target,) = _valid(mask, target)
    goal = target.detach()[..., None].expand_as(logits)
    entropy = binary_cross_entropy_with_logits(logits, goal, reduction="none").mean(-1)
    share = weight.detach()[:, None] * mask
    return (share * entropy).sum() / share.sum().clamp(min=torch.finfo(share.dtype).tiny)


def elite_loss(log_pi: Tensor, value_gap: Tensor, mask: Tensor) -> Tensor:
    """- mean_t max(0, R - V(s)) log pi(a_t|s_t): imitation of retained successes by how much they surprised.

    A lower-bound argument as in self-imitation learning (Oh et al. 2018), hence no importance weights. `value_gap` is
    R - V, [B] for an episode or [B, T] for a step; it gets no gradient.
    """
    if value_gap.ndim == 1:
        value_gap = value_gap[:, None].expand_as(log_pi)
    log_pi, value_gap = _valid(mask, log_pi, value_gap)
    return -_mean(value_gap.detach().clamp(min=0.0) * log_pi, mask)


def _weighted(log_pi: Tensor, log_mu: Tensor, max_weight: float) -> Tensor:
    """w = min(max_weight, pi / mu), whose gradient is w that of log_pi, wherever it is."""
    weight = torch.exp(log_pi - log_mu).clamp(max=max_weight).detach()
    return weight * (1.0 + log_pi - log_pi.detach())


def _valid(mask: Tensor, *each: Tensor) -> tuple[Tensor, ...]:
    """The arguments with 0 in the padding, so that no infinity there becomes a NaN in a gradient."""
    assert mask.dtype == torch.bool, f"wants a mask of bool, not {mask.dtype}"
    assert mask.ndim == 2, f"wants [B, T], not {tuple(mask.shape)}"
    for one in each:
        assert one.shape == mask.shape, f"shapes differ: {tuple(one.shape)} and {tuple(mask.shape)}"
    return tuple(one.masked_fill(~mask, 0.0) for one in each)


def _mean(each: Tensor, mask: Tensor) -> Tensor:
    return each.masked_fill(~mask, 0.0).sum() / mask.sum().clamp(min=1)
