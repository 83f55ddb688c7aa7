"""Returns of whole episodes: what a critic is to learn and how much better an action was than the state it left.

Everything is [B, T], one padded episode a row, and carries no gradient. `mask` is True on the valid steps, which come
first in their row; the last of them is terminal, so nothing is ever bootstrapped from beyond it. What stands in the
padding is never looked at, and every result is 0 there.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from distrl_sdk.config import TraceConfig


class Trace(NamedTuple):
    """What off-policy returns say of every step, each [B, T]."""

    target: Tensor
    """What the state critic is to say of s_t, within the bounds of a success rate."""
    advantage: Tensor
    """How much better a_t was than the policy's mean in s_t. Any sign, not clamped."""
    delta: Tensor
    """r_t + gamma V(s_{t+1}) - V(s_t), the one-step error."""


@torch.no_grad()
def retrace(
    reward: Tensor,
    mask: Tensor,
    value: Tensor,
    ratio: Tensor,
    config: TraceConfig,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Trace:
    """Retrace(lambda) (Munos et al. 2016; DistRL section 5) of a state critic.

    With gamma = `config.discount`, lambda = `config.decay`, rho = `ratio` = pi / mu and c_t = lambda min(1, rho_t):

        delta_t = r_t + gamma V(s_{t+1}) - V(s_t)
        G_t     = delta_t + gamma c_{t+1} G_{t+1}            an estimate of Q^pi(s_t, a_t) - V(s_t)

        corrected:  target_t = V(s_t) + min(1, rho_t) G_t    advantage_t = G_t
        paper:      target_t = V(s_t) + G_t                  advantage_t = r_t + gamma target_{t+1} - V(s_t)

    The 1 in min(1, rho) is `config.truncation`. The paper's form, as printed, teaches V the value of the policy that
    collected the data. `bounds` clip the targets.
    """
    _check(reward, mask, value, ratio)
    reward, value, ratio = (each.masked_fill(~mask, 0.0) for each in (reward, value, ratio))
    delta = reward + config.discount * _next(value) - value
    trust = ratio.clamp(max=config.truncation)
    gain = _scan(delta, config.discount * config.decay * _next(trust))
    if config.critic_target == "corrected":
        target = _clip(value + trust * gain, mask, bounds)
        return Trace(target, gain, delta)
    target = _clip(value + gain, mask, bounds)
    return Trace(target, reward + config.discount * _next(target) - value, delta)


@torch.no_grad()
def vtrace(
    reward: Tensor,
    mask: Tensor,
    value: Tensor,
    ratio: Tensor,
    config: TraceConfig,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Trace:
    """V-trace (Espeholt et al. 2018, c times lambda), to compare with `retrace`. The 1 is `config.truncation`.

        E_t      = min(1, rho_t) delta_t + gamma lambda min(1, rho_t) E_{t+1}
        target_t = V(s_t) + E_t        advantage_t = r_t + gamma target_{t+1} - V(s_t)

    The importance weight of the policy gradient is left to the loss.
    """
    _check(reward, mask, value, ratio)
    reward, value, ratio = (each.masked_fill(~mask, 0.0) for each in (reward, value, ratio))
    delta = reward + config.discount * _next(value) - value
    trust = ratio.clamp(max=config.truncation)
    error = _scan(trust * delta, config.discount * config.decay * trust)
    target = _clip(value + error, mask, bounds)
    return Trace(target, reward + config.discount * _next(target) - value, delta)


@torch.no_grad()
def monte_carlo(
    reward: Tensor,
    mask: Tensor,
    value: Tensor,
    ratio: Tensor,
    config: TraceConfig,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Trace:
    """The return as it was: target_t = sum_k gamma^k r_{t+k}, advantage_t = that - V(s_t). `ratio` has no part in it.

    Right for the policy that collected the data, and for no other.
    """
    _check(reward, mask, value, ratio)
    reward, value = (each.masked_fill(~mask, 0.0) for each in (reward, value))
    whole = discounted_return(reward, mask, config.discount)
    delta = reward + config.discount * _next(value) - value
    return Trace(_clip(whole, mask, bounds), whole - value, delta)


def trace(reward: Tensor, mask: Tensor, value: Tensor, ratio: Tensor, config: TraceConfig) -> Trace:
    """The trace that `config.kind` names, with targets in [0, 1]. All arguments [B, T]."""
    kinds = {"retrace": retrace, "vtrace": vtrace, "monte-carlo": monte_carlo}
    return kinds[config.kind](reward, mask, value, ratio, config)


@torch.no_grad()
def doubly_robust(reward: Tensor, mask: Tensor, value: Tensor, config: TraceConfig) -> Tensor:
    """[B, T]: DigiRL's step advantage (Bai et al. 2024, section 4.2), with r_T the reward of the last step T:

        A_t = lambda^(T - t) r_T + (1 - lambda^(T - t)) (r_t + gamma V(s_{t+1}) - V(s_t))

    Near the end what happened counts, far from it what the critic says.
    """
    _check(reward, mask, value)
    reward, value = (each.masked_fill(~mask, 0.0) for each in (reward, value))
    delta = reward + config.discount * _next(value) - value
    steps = mask.sum(1, keepdim=True)
    left = (steps - 1 - torch.arange(mask.shape[1], device=mask.device)).clamp(min=0)
    trust = torch.full_like(reward, config.decay) ** left
    last = reward.gather(1, (steps - 1).clamp(min=0))
    return (trust * last + (1 - trust) * delta).masked_fill(~mask, 0.0)


@torch.no_grad()
def group_advantage(success: Tensor, group: Tensor, spread: float = 1e-4) -> Tensor:
    """[B]: (R - mean) / (std + spread) of the episodes with the same number in `group` (GRPO, Shao et al. 2024).

    success [B], group [B] int. 0 where all of a group had the same outcome.
    """
    assert success.shape == group.shape, f"shapes differ: {tuple(success.shape)} and {tuple(group.shape)}"
    same = (group[:, None] == group[None, :]).to(success.dtype)
    mean = (same @ success) / same.sum(1)
    variance = (same * (success[None, :] - mean[:, None]).square()).sum(1) / same.sum(1)
    return (success - mean) / (variance.sqrt() + spread)


@torch.no_grad()
def novelty_advantage(rarity: Tensor, mask: Tensor, value: Tensor, discount: float) -> Tensor:
    """[B, T]: (1 - V(s_t)) (n_t - the mean of all valid n), with n_t = sum_k discount^k rarity_{t+k}.

    rarity [B, T] in [0, 1]: of the screen that an action led to. The critics never see it.
    """
    _check(rarity, mask, value)
    ahead = discounted_return(rarity, mask, discount)
    mean = ahead[mask].mean() if mask.any() else 0.0
    return ((1 - value) * (ahead - mean)).masked_fill(~mask, 0.0)


@torch.no_grad()
def discounted_return(reward: Tensor, mask: Tensor, discount: float) -> Tensor:
    """[B, T]: the rewards from each step to the end of its episode, sum_k discount^k r_{t+k}."""
    _check(reward, mask)
    return _scan(reward.masked_fill(~mask, 0.0), torch.full_like(reward, discount))


def _scan(gain: Tensor, carry: Tensor) -> Tensor:
    """x_t = gain_t + carry_t x_{t+1} with x_T = 0, over the second dimension."""
    out = torch.empty_like(gain)
    later = torch.zeros_like(gain[:, 0])
    for step in reversed(range(gain.shape[1])):
        later = gain[:, step] + carry[:, step] * later
        out[:, step] = later
    return out


def _next(each: Tensor) -> Tensor:
    """x_{t+1} at t, and 0 at the end."""
    return torch.cat([each[:, 1:], torch.zeros_like(each[:, :1])], dim=1)


def _clip(target: Tensor, mask: Tensor, bounds: tuple[float, float]) -> Tensor:
    return target.clamp(*bounds).masked_fill(~mask, 0.0)


def _check(first: Tensor, mask: Tensor, *others: Tensor) -> None:
    assert first.ndim == 2, f"wants [B, T], not {tuple(first.shape)}"
    assert first.shape[1] > 0, "wants at least one step"
    assert mask.dtype == torch.bool, f"wants a mask of bool, not {mask.dtype}"
    for each in (mask, *others):
        assert each.shape == first.shape, f"shapes differ: {tuple(each.shape)} and {tuple(first.shape)}"
