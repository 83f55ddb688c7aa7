"""Figures of health against numbers worked out by hand."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.algo.diagnosis import BINS, EDGES, calibration_error, effective_share, reliability, shares


def test_weights_that_are_alike_are_all_effective_whatever_their_scale() -> None:
    assert effective_share(np.zeros(7)) == pytest.approx(1.0)
    assert effective_share(np.full(7, 800.0)) == pytest.approx(1.0), "exp(800) has no float"


def test_the_effective_share_of_three_weights() -> None:
    # weights 1, 1, 4: (1 + 1 + 4)^2 / (3 (1 + 1 + 16)) = 36 / 54
    assert effective_share(np.log([1.0, 1.0, 4.0])) == pytest.approx(36 / 54)
    # one rules: 1 / n
    assert effective_share(np.array([0.0, -800.0, -800.0, -800.0])) == pytest.approx(1 / 4)
    assert isnan(effective_share(np.array([])))


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=40))
def test_the_effective_share_lies_between_one_sample_and_all(logs: list[float]) -> None:
    share = effective_share(np.array(logs))

    assert 1 / len(logs) - 1e-9 <= share <= 1 + 1e-9


def test_ratios_are_counted_by_bins_that_are_symmetric_about_one() -> None:
    ratios = np.array([0.01, 0.3, 0.9, 1.0, 1.1, 1.25, 100.0, 7.9])

    assert shares(ratios).tolist() == [1 / 8, 0, 1 / 8, 0, 3 / 8, 1 / 8, 0, 1 / 8, 1 / 8]
    assert shares(np.array([])).tolist() == [0.0] * (len(EDGES) - 1)
    middle = np.log(EDGES[1:-1])
    np.testing.assert_allclose(middle, -middle[::-1], atol=1e-12)


def test_a_reliability_table_and_its_error_by_hand() -> None:
    predicted = np.array([0.10, 0.14, 0.62, 0.68, 1.0])
    outcome = np.array([0.0, 1.0, 1.0, 1.0, 0.5])

    table = reliability(predicted, outcome)

    assert len(table) == BINS
    assert table[1] == pytest.approx((2, 0.12, 0.5))
    assert table[6] == pytest.approx((2, 0.65, 1.0))
    assert table[9] == pytest.approx((1, 1.0, 0.5)), "a prediction of 1 stands in the last bin"
    assert sum(row.n for row in table) == 5
    # 2/5 of .38, 2/5 of .35, 1/5 of .5
    assert calibration_error(table) == pytest.approx(0.4 * 0.38 + 0.4 * 0.35 + 0.2 * 0.5)
    assert isnan(calibration_error(reliability(np.array([]), np.array([]))))


def test_an_honest_forecaster_has_a_small_error() -> None:
    random = np.random.default_rng(0)
    predicted = random.random(20_000)

    honest = calibration_error(reliability(predicted, random.random(20_000) < predicted))
    boastful = calibration_error(reliability(predicted, random.random(20_000) < predicted / 2))

    assert honest < 0.02
    assert boastful == pytest.approx(0.25, abs=0.02)
