import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.evaluate.intervals import difference, wilson

counts = st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe 1998 (one proportion), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By hand, z = 1.95996: 0 of 1 is z^2 / (1 + z^2) = 3.8415 / 4.8415 at its upper end.
        (0, 1, 0.0, 0.7935),
    ],
)
def test_wilson_gives_the_published_numbers(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing_is_everything() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_higher_confidence_gives_a_wider_interval() -> None:
    ninety, ninety_nine = wilson(30, 100, 0.90), wilson(30, 100, 0.99)

    assert ninety_nine.low < ninety.low < 0.3 < ninety.high < ninety_nine.high


@settings(deadline=None)
@given(counts)
def test_wilson_contains_the_estimate_and_stays_a_proportion(count: tuple[int, int]) -> None:
    successes, n = count

    low, high = wilson(successes, n)

    assert 0 <= low <= successes / n <= high <= 1
    assert low < high


@settings(deadline=None)
@given(counts)
def test_wilson_shrinks_with_n(count: tuple[int, int]) -> None:
    successes, n = count

    low, high = wilson(successes, n)
    finer_low, finer_high = wilson(4 * successes, 4 * n)

    assert finer_high - finer_low < high - low


@settings(deadline=None)
@given(counts)
def test_wilson_of_failures_mirrors_that_of_successes(count: tuple[int, int]) -> None:
    successes, n = count

    low, high = wilson(successes, n)

    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_counts_that_cannot_be_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        wilson(successes, n)


def test_a_confidence_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="confidence"):
        wilson(1, 2, 1.0)


@pytest.mark.parametrize(
    ("before", "after", "low", "high"),
    [
        # Newcombe 1998 (two proportions), table II, method 10.
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((3, 10), (9, 10), 0.1705, 0.8090),
        ((2, 7), (6, 7), 0.0582, 0.8062),
        ((0, 29), (5, 56), -0.0381, 0.1926),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((0, 10), (10, 10), 0.6075, 1.0),
    ],
)
def test_the_difference_gives_the_published_numbers(
    before: tuple[int, int], after: tuple[int, int], low: float, high: float
) -> None:
    assert difference(before, after) == pytest.approx((low, high), abs=5e-5)


@settings(deadline=None)
@given(counts, counts)
def test_the_difference_contains_the_estimate_and_turns_around(before: tuple[int, int], after: tuple[int, int]) -> None:
    estimate = after[0] / after[1] - before[0] / before[1]

    low, high = difference(before, after)

    assert -1 <= low <= estimate + 1e-12
    assert estimate - 1e-12 <= high <= 1
    assert difference(after, before) == pytest.approx((-high, -low), abs=1e-12)


def test_the_difference_to_nothing_known_spans_zero() -> None:
    low, high = difference((0, 0), (5, 10))

    assert low < 0 < high
