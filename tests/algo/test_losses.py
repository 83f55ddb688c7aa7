"""Every loss term against numbers worked out by hand, its gradient against finite differences."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from distrl_sdk.algo import losses
from distrl_sdk.config import LossConfig

CONFIG = LossConfig(clip=0.2, max_weight=4.0, invalid_penalty=0.2, repeat_penalty=0.08)


def row(*numbers: float) -> Tensor:
    return torch.tensor([numbers], dtype=torch.float64)


def logs(*probabilities: float) -> Tensor:
    return row(*probabilities).log()


def whole(each: Tensor) -> Tensor:
    return torch.ones(each.shape[:2], dtype=torch.bool)


def policy_loss(pi: Tensor, old: Tensor, mu: Tensor, advantage: Tensor) -> Tensor:
    return losses.decoupled_policy_loss(pi, old, mu, advantage, whole(pi), CONFIG)


# --- the policy term ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pi", "old", "mu", "advantage", "expected"),
    [
        pytest.param(0.55, 0.5, 0.25, 2.0, -2 * 1.1 * 2, id="inside the clip"),
        pytest.param(0.90, 0.5, 0.50, 1.0, -1.2, id="above it, good: clipped"),
        pytest.param(0.90, 0.5, 0.50, -1.0, 1.8, id="above it, bad: not clipped"),
        pytest.param(0.10, 0.5, 0.50, 1.0, -0.2, id="below it, good: not clipped"),
        pytest.param(0.10, 0.5, 0.50, -1.0, 0.8, id="below it, bad: clipped"),
        pytest.param(0.50, 0.5, 0.05, 1.0, -4.0, id="a weight of 10 counts as 4"),
        pytest.param(0.50, 0.5, 1.00, 1.0, -0.5, id="a weight below 1 counts as it is"),
    ],
)
def test_the_policy_term_of_one_step(pi: float, old: float, mu: float, advantage: float, expected: float) -> None:
    assert float(policy_loss(logs(pi), logs(old), logs(mu), row(advantage))) == pytest.approx(expected, abs=1e-12)


def test_the_policy_term_is_the_mean_over_valid_steps() -> None:
    mask = torch.tensor([[True, True, False]])

    loss = losses.decoupled_policy_loss(
        logs(0.5, 0.5, 0.5), logs(0.5, 0.5, 0.5), logs(0.5, 0.5, 0.5), row(1.0, 2.0, 50.0), mask, CONFIG
    )

    assert loss.item() == pytest.approx(-1.5)


def test_a_hot_slots_action_has_a_gradient_although_mu_is_far_from_pi() -> None:
    log_pi = logs(0.9).requires_grad_()

    policy_loss(log_pi, logs(0.9), logs(0.3), row(1.0)).backward()

    assert float(log_pi.grad) == pytest.approx(-3.0)  # type: ignore[arg-type]


def test_negative_advantages_push_an_action_down_in_proportion() -> None:
    """Fault 2 of the reference code: advantages clamped to 0..1, then turned into 0 or 1."""
    log_pi = logs(0.5, 0.5, 0.5).requires_grad_()

    policy_loss(log_pi, logs(0.5, 0.5, 0.5), logs(0.5, 0.5, 0.5), row(-2.0, -0.5, 3.0)).backward()

    torch.testing.assert_close(log_pi.grad, row(2.0, 0.5, -3.0) / 3)


@pytest.mark.parametrize("level", [-40.0, -12.0, -1e-4, 0.0])
def test_log_probabilities_of_rare_and_of_certain_actions_are_not_clamped(level: float) -> None:
    """Fault 4 of the reference code: each token's log-probability clamped to [log .001, log .99]."""
    log_pi = row(level - 0.1).requires_grad_()

    loss = policy_loss(log_pi, row(level), row(level - 0.5), row(1.0))
    loss.backward()

    assert loss.item() == pytest.approx(-math.exp(0.5) * math.exp(-0.1), rel=1e-12)
    assert float(log_pi.grad) == pytest.approx(loss.item())  # type: ignore[arg-type]


def test_the_truncated_surrogate_weighs_by_pi_over_mu_and_clips_nothing() -> None:
    log_pi = logs(0.9, 0.5, 0.1, 0.3).requires_grad_()
    mask = torch.tensor([[True, True, True, False]])

    loss = losses.truncated_policy_loss(log_pi, logs(0.3, 0.5, 0.5, 0.3), row(1.0, -2.0, 4.0, 9.0), mask, 2.0)
    loss.backward()

    # pi / mu = 3, 1, .2, of which the first counts as 2
    assert loss.item() == pytest.approx(-(2.0 * 1.0 + 1.0 * -2.0 + 0.2 * 4.0) / 3)
    torch.testing.assert_close(log_pi.grad, row(-2.0, 2.0, -0.8, 0.0) / 3)


# --- the invalid-action term and the penalties ----------------------------------------------------------------------


def test_the_invalid_action_term_is_the_weighted_share_of_invalid_actions() -> None:
    """Fault 5 of the reference code: the term is dead code, and its parser takes invalid for valid."""
    invalid = torch.tensor([[True, False, True, False]])
    log_pi = logs(0.2, 0.9, 0.5, 0.1).requires_grad_()

    loss = losses.invalid_action_loss(log_pi, logs(0.4, 0.1, 0.05, 0.1), invalid, whole(invalid), 4.0)
    loss.backward()

    assert loss.item() == pytest.approx((0.5 + 4.0) / 4)
    torch.testing.assert_close(log_pi.grad, row(0.5, 0.0, 4.0, 0.0) / 4)


def test_an_action_is_charged_for_having_no_effect_and_for_each_repetition() -> None:
    penalty = losses.step_penalty(torch.tensor([[True, False, True]]), torch.tensor([[0, 2, 1]]), CONFIG)

    torch.testing.assert_close(penalty, torch.tensor([[0.2, 0.16, 0.28]]))


# --- entropy, critics, elite ----------------------------------------------------------------------------------------


def test_the_entropy_term_is_the_mean_over_valid_steps() -> None:
    entropy = torch.tensor([[1.0, 3.0], [5.0, 100.0]])

    assert float(losses.entropy_mean(entropy, torch.tensor([[True, True], [True, False]]))) == 3.0


def test_the_critic_term_is_the_cross_entropy_of_both_heads() -> None:
    logits = torch.tensor([[[math.log(3.0), 0.0]]], dtype=torch.float64)  # .75 and .5

    loss = losses.critic_loss(logits, row(0.25), torch.tensor([[True]]), torch.ones(1, dtype=torch.float64))

    first = -0.25 * math.log(0.75) - 0.75 * math.log(0.25)
    assert loss.item() == pytest.approx((first + math.log(2)) / 2)


def test_the_critic_term_weighs_episodes_and_not_their_scale() -> None:
    logits = torch.tensor([[[0.0], [0.0]], [[math.log(3.0)], [9.0]]], dtype=torch.float64)
    target = torch.tensor([[1.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
    mask = torch.tensor([[True, True], [True, False]])

    light = losses.critic_loss(logits, target, mask, torch.tensor([1.0, 4.0], dtype=torch.float64))
    heavy = losses.critic_loss(logits, target, mask, torch.tensor([10.0, 40.0], dtype=torch.float64))

    assert float(light) == pytest.approx((2 * math.log(2) + 4 * math.log(4 / 3)) / 6)
    assert float(heavy) == pytest.approx(float(light))


def test_importance_weights_undo_the_priorities_in_the_critics_mean() -> None:
    """Drawn in proportion to (3, 1), a success and a failure teach a critic .5 and not .75."""
    logit = torch.zeros(4, 1, 1, dtype=torch.float64, requires_grad=True)
    target = torch.tensor([[1.0], [1.0], [1.0], [0.0]], dtype=torch.float64)
    weight = 1 / (2 * torch.tensor([0.75, 0.75, 0.75, 0.25], dtype=torch.float64))

    losses.critic_loss(logit, target, torch.ones(4, 1, dtype=torch.bool), weight).backward()

    assert logit.grad is not None
    assert float(logit.grad.sum()) == pytest.approx(0.0, abs=1e-12)


def test_the_elite_term_imitates_by_how_much_a_success_surprised() -> None:
    log_pi = torch.tensor([[-2.0, -1.0], [-3.0, -5.0]], dtype=torch.float64, requires_grad=True)

    loss = losses.elite_loss(log_pi, torch.tensor([0.5, -0.1], dtype=torch.float64), whole(log_pi))
    loss.backward()

    assert loss.item() == pytest.approx((0.5 * 2 + 0.5 * 1) / 4)
    torch.testing.assert_close(log_pi.grad, torch.tensor([[-0.5, -0.5], [0.0, 0.0]], dtype=torch.float64) / 4)


def test_the_elite_term_takes_a_gap_for_each_step() -> None:
    loss = losses.elite_loss(row(-2.0, -1.0), row(0.5, 1.0), torch.tensor([[True, True]]))

    assert loss.item() == pytest.approx((1.0 + 1.0) / 2)


# --- what holds for all ---------------------------------------------------------------------------------------------

OLD, MU, ADVANTAGE = logs(0.5, 0.4, 0.3), logs(0.2, 0.8, 0.3), row(1.0, -0.5, 0.3)
INVALID = torch.tensor([[True, False, True]])
SHORT = torch.tensor([[True, True, False]])
TERMS: dict[str, Callable[[Tensor], Tensor]] = {
    "policy": lambda log_pi: losses.decoupled_policy_loss(log_pi, OLD, MU, ADVANTAGE, SHORT, CONFIG),
    "entropy": lambda entropy: losses.entropy_mean(entropy, SHORT),
    "critic": lambda logits: losses.critic_loss(
        torch.stack([logits, 2 * logits], -1), row(0.3, 0.9, 0.5), SHORT, torch.tensor([0.7], dtype=torch.float64)
    ),
    "elite": lambda log_pi: losses.elite_loss(log_pi, row(0.4, 0.0, 0.9), SHORT),
}
RATIOS: dict[str, Callable[[Tensor], Tensor]] = {
    "invalid": lambda log_pi: losses.invalid_action_loss(log_pi, MU, INVALID, SHORT, 4.0),
    "truncated": lambda log_pi: losses.truncated_policy_loss(log_pi, MU, ADVANTAGE, SHORT, 4.0),
}
"""Weighted by a ratio that gets no gradient: below the bound their gradient is that of the ratio itself."""

POINT = logs(0.55, 0.42, 0.31)


@pytest.mark.parametrize("term", TERMS)
def test_the_gradient_of_each_term_is_that_of_finite_differences(term: str) -> None:
    assert torch.autograd.gradcheck(TERMS[term], (POINT.clone().requires_grad_(),))


@pytest.mark.parametrize("term", RATIOS)
def test_the_gradient_of_a_term_weighted_by_a_ratio_is_that_of_the_ratio(term: str) -> None:
    log_pi = POINT.clone().requires_grad_()
    ratio = torch.exp(log_pi - MU)
    each = torch.where(INVALID, ratio, 0.0) if term == "invalid" else -ratio * ADVANTAGE
    (expected,) = torch.autograd.grad(each[SHORT].sum() / 2, log_pi)

    (found,) = torch.autograd.grad(RATIOS[term](log_pi), log_pi)

    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("term", [*TERMS, *RATIOS])
@pytest.mark.parametrize("rubbish", [float("inf"), -float("inf"), float("nan"), 700.0])
def test_padding_reaches_neither_a_value_nor_a_gradient(term: str, rubbish: float) -> None:
    one = {**TERMS, **RATIOS}[term]
    clean = POINT.clone().requires_grad_()
    dirty = POINT.masked_fill(~SHORT, rubbish).requires_grad_()

    one(clean).backward()
    one(dirty).backward()

    assert one(clean).item() == one(dirty).item()
    assert clean.grad is not None
    assert dirty.grad is not None
    assert torch.equal(clean.grad, dirty.grad)
    assert dirty.grad[0, 2] == 0.0


def test_a_batch_without_a_valid_step_costs_nothing() -> None:
    nothing = torch.zeros(1, 3, dtype=torch.bool)

    assert float(losses.decoupled_policy_loss(POINT, OLD, MU, ADVANTAGE, nothing, CONFIG)) == 0.0
    assert float(losses.critic_loss(POINT[..., None], row(1, 1, 1), nothing, torch.ones(1).double())) == 0.0


@given(st.permutations(range(4)), st.floats(0.05, 0.95), st.floats(-2.0, 2.0))
def test_the_order_of_the_episodes_changes_no_term(order: list[int], first: float, advantage: float) -> None:
    pi = torch.tensor([[first], [0.2], [0.5], [0.7]], dtype=torch.float64).log()
    other = torch.tensor([[0.3], [0.4], [0.5], [0.1]], dtype=torch.float64).log()
    gain = torch.tensor([[advantage], [1.0], [-1.0], [0.2]], dtype=torch.float64)

    before = policy_loss(pi, other, other, gain)
    after = policy_loss(pi[order], other[order], other[order], gain[order])

    torch.testing.assert_close(before, after)
