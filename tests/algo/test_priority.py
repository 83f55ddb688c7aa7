"""DPER's priorities and the weights that undo them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from distrl_sdk.algo.priority import FLOOR, PriorityTerms, importance_weights, priorities
from distrl_sdk.config import ReplayConfig

CONFIG = ReplayConfig(td=1.0, ratio=0.5, entropy=0.2, half_life=10.0)
TERMS = PriorityTerms(np.array([0.4, 0.1, 0.0]), np.array([1.0, 0.5, 0.2]), np.array([3.0, 0.0, 1.5]))


def test_a_priority_is_the_weighted_sum_of_its_terms() -> None:
    weights = priorities(TERMS, np.zeros(3), CONFIG)

    assert_allclose(weights, np.array([1.0 + 0.5 + 0.2, 0.25 + 0.25, 0.1 + 0.1]) + FLOOR)


def test_a_priority_halves_with_each_half_life_of_age() -> None:
    young = priorities(TERMS, np.zeros(3), CONFIG)
    old = priorities(TERMS, np.array([0.0, 10.0, 25.0]), CONFIG)

    assert_allclose(old / young, [1.0, 0.5, 0.5**2.5])


def test_an_episode_that_was_not_measured_has_the_largest_priority_of_the_others() -> None:
    weights = priorities(TERMS, np.array([20.0, 0.0, 0.0]), CONFIG, np.array([False, False, True]))

    # The first one's 1.71 counts before its age does.
    assert_allclose(weights, [(1.7 + FLOOR) / 4, 0.5 + FLOOR, 1.7 + FLOOR])


def test_episodes_of_which_none_was_measured_have_the_same_priority() -> None:
    assert_allclose(priorities(TERMS, np.zeros(3), CONFIG, np.ones(3, np.bool_)), [1.0, 1.0, 1.0])


def test_an_episode_that_teaches_nothing_can_still_be_drawn() -> None:
    nothing = PriorityTerms(np.zeros(2), np.zeros(2), np.zeros(2))

    assert_allclose(priorities(nothing, np.zeros(2), CONFIG), [FLOOR, FLOOR])


def test_the_terms_themselves_are_left_alone() -> None:
    before = [term.copy() for term in TERMS]

    priorities(TERMS, np.zeros(3), CONFIG, np.array([True, False, False]))

    for term, copy in zip(TERMS, before, strict=True):
        assert_allclose(term, copy)


@given(st.lists(st.just(0.0) | st.floats(1e-9, 1e6), min_size=1, max_size=8), st.floats(1e-3, 1e3))
def test_the_scale_of_the_errors_does_not_matter(errors: list[float], scale: float) -> None:
    size = len(errors)
    other = np.linspace(0.1, 0.9, size)

    plain = priorities(PriorityTerms(np.array(errors), other, other), np.zeros(size), CONFIG)
    scaled = priorities(PriorityTerms(np.array(errors) * scale, other, other), np.zeros(size), CONFIG)

    assert_allclose(plain, scaled, rtol=1e-9)


@pytest.mark.parametrize(("exponent", "expected"), [(1.0, [0.5, 1.25]), (0.5, [0.5**0.5, 1.25**0.5]), (0.0, [1, 1])])
def test_an_importance_weight_is_one_over_size_times_probability(exponent: float, expected: list[float]) -> None:
    assert_allclose(importance_weights(np.array([0.5, 0.2]), 4, exponent), expected)


def test_a_bound_cuts_the_weights_of_what_is_rarely_drawn() -> None:
    assert_allclose(importance_weights(np.array([0.5, 0.001]), 4, most=10.0), [0.5, 10.0])
    assert_allclose(importance_weights(np.array([0.5, 0.001]), 4), [0.5, 250.0])
