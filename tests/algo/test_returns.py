"""Retrace, V-trace and plain returns, against numbers worked out by hand and identities that hold for all episodes."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from distrl_sdk.algo.returns import (
    Trace,
    discounted_return,
    doubly_robust,
    group_advantage,
    monte_carlo,
    novelty_advantage,
    retrace,
    trace,
    vtrace,
)
from distrl_sdk.config import TraceConfig

FREE = (-float("inf"), float("inf"))
EXACT = {"rtol": 0.0, "atol": 1e-12}


def row(*numbers: float) -> Tensor:
    return torch.tensor([numbers], dtype=torch.float64)


# --- the two-step chain of two actions each, reward 1 only for good-good ------------------------------------------


def settle(config: TraceConfig) -> tuple[float, float]:
    """(V(s1), V(s0)) at which the targets, averaged exactly over the four trajectories of mu, stay what they are."""
    pi, mu = {"good": 0.9, "bad": 0.1}, {"good": 0.5, "bad": 0.5}
    trajectories = list(product(pi, pi))
    ratio = torch.tensor([[pi[a] / mu[a], pi[b] / mu[b]] for a, b in trajectories], dtype=torch.float64)
    chance = torch.tensor([mu[a] * mu[b] for a, b in trajectories], dtype=torch.float64)
    first_good = torch.tensor([a == "good" for a, _ in trajectories])
    reward = torch.tensor([[0.0, float(a == b == "good")] for a, b in trajectories], dtype=torch.float64)
    value = torch.tensor([0.0, 0.0, 0.0], dtype=torch.float64)  # of s0, of s1 after good, of s1 after bad
    for _ in range(400):
        states = torch.stack([value[0].expand(4), torch.where(first_good, value[1], value[2])], dim=1)
        target = retrace(reward, torch.ones(4, 2, dtype=torch.bool), states, ratio, config).target
        after_good, after_bad = (chance * first_good), (chance * ~first_good)
        value = torch.stack(
            [
                (chance * target[:, 0]).sum(),
                (after_good * target[:, 1]).sum() / after_good.sum(),
                (after_bad * target[:, 1]).sum() / after_bad.sum(),
            ]
        )
    return float(value[1]), float(value[0])


def test_the_corrected_target_settles_near_the_true_value_of_the_two_step_chain() -> None:
    second, first = settle(TraceConfig(discount=1.0, decay=1.0, critic_target="corrected"))

    # The truth is .90 and .81; truncation at 1 leaves .5 / (.5 + .1) of it at each step.
    assert second == pytest.approx(5 / 6, abs=1e-9)
    assert first == pytest.approx(25 / 36, abs=1e-9)


def test_the_target_as_printed_settles_at_the_behaviours_value() -> None:
    second, first = settle(TraceConfig(discount=1.0, decay=1.0, critic_target="paper"))

    assert second == pytest.approx(0.50, abs=1e-9)
    assert first == pytest.approx(0.35, abs=1e-9)


# --- by hand --------------------------------------------------------------------------------------------------------


def by_hand(config: TraceConfig) -> Trace:
    """Three steps: r = 0, 0, 1; V = .2, .4, .5; rho = 2, .5, .8."""
    return retrace(row(0, 0, 1), torch.ones(1, 3, dtype=torch.bool), row(0.2, 0.4, 0.5), row(2.0, 0.5, 0.8), config)


def test_retrace_of_three_steps_is_what_the_hand_computes() -> None:
    trace = by_hand(TraceConfig(discount=0.9, decay=0.8))

    # delta: .9 x .4 - .2 = .16, .9 x .5 - .4 = .05, 1 - .5 = .5; c_2 = .8 x .5 = .4, c_3 = .8 x .8 = .64
    # G: .5, .05 + .9 x .64 x .5 = .338, .16 + .9 x .4 x .338 = .28168
    torch.testing.assert_close(trace.delta, row(0.16, 0.05, 0.5), **EXACT)
    torch.testing.assert_close(trace.advantage, row(0.28168, 0.338, 0.5), **EXACT)
    torch.testing.assert_close(trace.target, row(0.48168, 0.569, 0.9), **EXACT)


def test_the_papers_form_of_three_steps_is_what_the_hand_computes() -> None:
    trace = by_hand(TraceConfig(discount=0.9, decay=0.8, critic_target="paper"))

    # target = V + G = .48168, .738, 1; advantage = .9 x .738 - .2, .9 x 1 - .4, 1 - .5
    torch.testing.assert_close(trace.target, row(0.48168, 0.738, 1.0), **EXACT)
    torch.testing.assert_close(trace.advantage, row(0.4642, 0.5, 0.5), **EXACT)


def test_vtrace_of_three_steps_is_what_the_hand_computes() -> None:
    trace = vtrace(
        row(0, 0, 1),
        torch.ones(1, 3, dtype=torch.bool),
        row(0.2, 0.4, 0.5),
        row(2.0, 0.5, 0.8),
        TraceConfig(discount=0.9, decay=0.8),
    )

    # E: .8 x .5 = .4, .5 x .05 + .9 x .8 x .5 x .4 = .169, .16 + .9 x .8 x 1 x .169 = .28168
    torch.testing.assert_close(trace.target, row(0.48168, 0.569, 0.9), **EXACT)
    torch.testing.assert_close(trace.advantage, row(0.9 * 0.569 - 0.2, 0.9 * 0.9 - 0.4, 0.5), **EXACT)


def test_a_smaller_truncation_trusts_less() -> None:
    trace = by_hand(TraceConfig(discount=0.9, decay=0.8, truncation=0.5))

    # min(.5, rho) = .5 throughout: c = .4; G: .5, .05 + .9 x .4 x .5 = .23, .16 + .9 x .4 x .23 = .2428
    torch.testing.assert_close(trace.advantage, row(0.2428, 0.23, 0.5), **EXACT)
    torch.testing.assert_close(trace.target, row(0.2 + 0.1214, 0.4 + 0.115, 0.75), **EXACT)


def test_a_monte_carlo_trace_is_the_return_and_what_it_has_over_the_value() -> None:
    mask = torch.tensor([[True, True, False]])

    found = monte_carlo(row(0, 1, 9), mask, row(0.2, 0.4, 7.0), row(9.0, 0.1, 1.0), TraceConfig(discount=0.5))

    torch.testing.assert_close(found.target, row(0.5, 1.0, 0.0), **EXACT)
    torch.testing.assert_close(found.advantage, row(0.3, 0.6, 0.0), **EXACT)
    torch.testing.assert_close(found.delta, row(0.0, 0.6, 0.0), **EXACT)


def test_the_kind_of_a_trace_is_a_setting() -> None:
    arguments = row(0, 0, 1), torch.ones(1, 3, dtype=torch.bool), row(0.2, 0.4, 0.5), row(2.0, 0.5, 0.8)

    for kind, function in (("retrace", retrace), ("vtrace", vtrace), ("monte-carlo", monte_carlo)):
        config = TraceConfig(kind=kind)  # type: ignore[arg-type]
        assert all(map(torch.equal, trace(*arguments, config), function(*arguments, config)))


def test_digirls_step_advantage_of_three_steps_is_what_the_hand_computes() -> None:
    mask = torch.tensor([[True, True, True, False]])
    config = TraceConfig(discount=1.0, decay=0.5)

    found = doubly_robust(row(0, 0, 1, 5), mask, row(0.2, 0.4, 0.5, 8.0), config)

    # lambda^2 = .25 of 1 and .75 of .2; .5 of 1 and .5 of .1; the last step is its reward
    torch.testing.assert_close(found, row(0.25 + 0.75 * 0.2, 0.5 + 0.5 * 0.1, 1.0, 0.0), **EXACT)


def test_a_failures_step_advantage_is_what_its_critic_says() -> None:
    mask = torch.ones(1, 2, dtype=torch.bool)

    found = doubly_robust(row(0, 0), mask, row(0.8, 0.4), TraceConfig(discount=1.0, decay=0.5))

    torch.testing.assert_close(found, row(0.5 * -0.4, 0.0), **EXACT)


def test_a_group_advantage_is_the_outcome_in_standard_deviations_of_its_group() -> None:
    success = torch.tensor([1.0, 0.0, 1.0, 0.0, 0.0, 0.0], dtype=torch.float64)
    group = torch.tensor([7, 3, 3, 7, 7, 7])

    found = group_advantage(success, group, spread=0.0)

    # group 7: 1, 0, 0, 0: mean .25, deviation sqrt(3) / 4; group 3: 0, 1
    root = 3**0.5
    torch.testing.assert_close(found, torch.tensor([root, -1, 1, *[-1 / root] * 3], dtype=torch.float64), **EXACT)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=9))
def test_a_group_of_one_outcome_teaches_nothing_and_every_group_sums_to_nothing(outcomes: list[float]) -> None:
    success = torch.tensor(outcomes + [1.0] * 3, dtype=torch.float64)
    group = torch.tensor([0] * len(outcomes) + [1] * 3)

    found = group_advantage(success, group)

    assert found[-3:].tolist() == [0.0] * 3
    assert float(found.sum()) == pytest.approx(0.0, abs=1e-9)


def test_novelty_counts_what_follows_against_the_mean_and_only_where_v_is_small() -> None:
    mask = torch.tensor([[True, True], [True, False]])
    rarity = torch.tensor([[0.2, 1.0], [0.3, 9.0]], dtype=torch.float64)
    value = torch.tensor([[0.0, 0.5], [1.0, 0.0]], dtype=torch.float64)

    found = novelty_advantage(rarity, mask, value, 0.5)

    # ahead: .2 + .5 x 1 = .7, 1, .3; their mean is 2/3
    expected = torch.tensor([[0.7 - 2 / 3, 0.5 * (1 - 2 / 3)], [0.0, 0.0]], dtype=torch.float64)
    torch.testing.assert_close(found, expected, **EXACT)


def test_a_target_stays_within_its_bounds_and_an_advantage_does_not() -> None:
    trace = retrace(row(0, -3.0), torch.ones(1, 2, dtype=torch.bool), row(0.5, 0.5), row(1, 1), TraceConfig())

    torch.testing.assert_close(trace.target, row(0.0, 0.0), **EXACT)
    assert trace.advantage[0, 1] == -3.5


def test_the_last_valid_step_is_terminal_whatever_stands_behind_it() -> None:
    mask = torch.tensor([[True, True, False]])

    trace = retrace(row(0, 1, 9), mask, row(0.3, 0.6, 0.9), row(1, 1, 1), TraceConfig(discount=1.0, decay=0.5))

    torch.testing.assert_close(trace.delta, row(0.3, 0.4, 0.0), **EXACT)
    torch.testing.assert_close(trace.target, row(0.3 + 0.3 + 0.5 * 0.4, 1.0, 0.0), **EXACT)


def test_a_step_of_an_unlikely_action_cuts_the_trace_before_it_and_not_at_it() -> None:
    """Fault 3 of the reference code: it has no lambda and multiplies delta_t by min(1, rho_t), which is V-trace."""
    mask = torch.ones(1, 2, dtype=torch.bool)

    trace = retrace(row(0, 1), mask, row(0.5, 0.5), row(1.0, 0.0), TraceConfig(discount=1.0, decay=0.5), FREE)
    other = retrace(row(0, 1), mask, row(0.5, 0.5), row(0.0, 1.0), TraceConfig(discount=1.0, decay=0.5), FREE)

    torch.testing.assert_close(trace.advantage, row(0.0, 0.5), **EXACT)
    torch.testing.assert_close(other.advantage, row(0.0 + 0.5 * 1.0 * 0.5, 0.5), **EXACT)


def test_advantages_keep_their_sign_and_size() -> None:
    """Fault 2 of the reference code: advantages clamped to 0..1 and turned into 0/1."""
    mask = torch.ones(1, 3, dtype=torch.bool)

    trace = retrace(row(0, 0, 0), mask, row(0.9, 0.2, 0.6), row(1, 1, 1), TraceConfig(discount=1.0, decay=0.0))

    torch.testing.assert_close(trace.advantage, row(-0.7, 0.4, -0.6), **EXACT)


def test_no_gradient_flows_into_a_trace() -> None:
    value = row(0.2, 0.4).requires_grad_()

    trace = retrace(row(0, 1), torch.ones(1, 2, dtype=torch.bool), value, row(1, 1), TraceConfig())

    assert not any(each.requires_grad for each in trace)


@pytest.mark.parametrize("shape", [(3,), (1, 3, 1), (1, 2)])
def test_a_value_of_another_shape_than_the_reward_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError, match="shapes differ"):
        retrace(row(0, 0, 1), torch.ones(1, 3, dtype=torch.bool), torch.zeros(shape), row(1, 1, 1), TraceConfig())


# --- identities -----------------------------------------------------------------------------------------------------

unit = st.floats(0.0, 1.0)


@st.composite
def batches(draw: st.DrawFn) -> dict[str, Tensor]:
    """1 to 4 episodes of 1 to 6 steps, padded; success at the end or not, any values and ratios, rubbish as padding."""
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    longest = max(lengths)
    count = len(lengths)
    numbers = st.lists(unit, min_size=count * longest, max_size=count * longest)
    mask = torch.arange(longest) < torch.tensor(lengths)[:, None]
    value = torch.tensor(draw(numbers), dtype=torch.float64).reshape(count, longest)
    ratio = torch.tensor(draw(numbers), dtype=torch.float64).reshape(count, longest) * 3.0
    reward = torch.zeros(count, longest, dtype=torch.float64)
    for episode, length in enumerate(lengths):
        reward[episode, length - 1] = draw(st.sampled_from([0.0, 1.0]))
    return {"reward": reward, "mask": mask, "value": value, "ratio": ratio}


configs = st.builds(TraceConfig, discount=unit, decay=unit, critic_target=st.sampled_from(["corrected", "paper"]))


@given(batches(), unit, st.sampled_from(["corrected", "paper"]))
def test_on_policy_retrace_with_lambda_one_is_the_discounted_return(
    batch: dict[str, Tensor], discount: float, form: str
) -> None:
    batch["ratio"] = torch.ones_like(batch["reward"])

    trace = retrace(**batch, config=TraceConfig(discount=discount, decay=1.0, critic_target=form))  # type: ignore[arg-type]

    expected = discounted_return(batch["reward"], batch["mask"], discount)
    torch.testing.assert_close(trace.target, expected, rtol=0.0, atol=1e-9)
    gap = (expected - batch["value"]).masked_fill(~batch["mask"], 0.0)
    torch.testing.assert_close(trace.advantage, gap, rtol=0.0, atol=1e-9)


@given(batches(), unit)
def test_retrace_with_lambda_zero_looks_one_step_ahead(batch: dict[str, Tensor], discount: float) -> None:
    trace = retrace(**batch, config=TraceConfig(discount=discount, decay=0.0), bounds=FREE)

    torch.testing.assert_close(trace.advantage, trace.delta, **EXACT)
    expected = (batch["value"] + batch["ratio"].clamp(max=1.0) * trace.delta).masked_fill(~batch["mask"], 0.0)
    torch.testing.assert_close(trace.target, expected, **EXACT)


@given(batches())
def test_on_policy_vtrace_is_on_policy_retrace(batch: dict[str, Tensor]) -> None:
    batch["ratio"] = torch.ones_like(batch["reward"])
    config = TraceConfig(discount=0.9, decay=0.7)

    torch.testing.assert_close(vtrace(**batch, config=config).target, retrace(**batch, config=config).target, **EXACT)


@given(batches(), configs, st.sampled_from([float("nan"), float("inf"), -7.0]))
def test_what_stands_in_the_padding_changes_nothing(
    batch: dict[str, Tensor], config: TraceConfig, rubbish: float
) -> None:
    spoilt = {
        name: each if name == "mask" else each.masked_fill(~batch["mask"], rubbish) for name, each in batch.items()
    }

    for clean, dirty in zip(retrace(**batch, config=config), retrace(**spoilt, config=config), strict=True):
        assert torch.equal(clean, dirty)
        assert not clean[~batch["mask"]].any()


@given(batches(), configs)
def test_each_episode_of_a_batch_is_what_it_is_alone(batch: dict[str, Tensor], config: TraceConfig) -> None:
    together = retrace(**batch, config=config)

    for episode, length in enumerate(batch["mask"].sum(1).tolist()):
        alone = retrace(**{name: each[episode : episode + 1, :length] for name, each in batch.items()}, config=config)
        for whole, part in zip(together, alone, strict=True):
            assert torch.equal(whole[episode, :length], part[0])


@given(batches(), configs)
def test_a_target_is_a_success_rate(batch: dict[str, Tensor], config: TraceConfig) -> None:
    target = retrace(**batch, config=config).target

    assert ((target >= 0.0) & (target <= 1.0)).all()
