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

    The paper's form, as printed, teaches V the value of the policy that collected the data. `bounds` clip the targets.
    """
    _check(reward, mask, value, ratio)
    reward, value, ratio = (each.masked_fill(~mask, 0.0) for each in (reward, value, ratio))
    delta = reward + config.discount * _next(value) - value
    trust = ratio.clamp(max=1.0)
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
    """V-trace (Espeholt et al. 2018, both truncations at 1, c times lambda), to compare with `retrace`.

        E_t      = min(1, rho_t) delta_t + gamma lambda min(1, rho_t) E_{t+1}
        target_t = V(s_t) + E_t        advantage_t = r_t + gamma target_{t+1} - V(s_t)

    The importance weight of the policy gradient is left to the loss.
    """
    _check(reward, mask, value, ratio)
    reward, value, ratio = (each.masked_fill(~mask, 0.0) for each in (reward, value, ratio))
    delta = reward + config.discount * _next(value) - value
    trust = ratio.clamp(max=1.0)
    error = _scan(trust * delta, config.discount * config.decay * trust)
    target = _clip(value + error, mask, bounds)
    return Trace(target, reward + config.discount * _next(target) - value, delta)


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
