import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.evaluate.intervals import Pairs, bootstrap, paired, pass_at, sign_test, wilson

tables = st.builds(Pairs, *[st.integers(0, 60)] * 4).filter(any)
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
    ("pairs", "low", "high"),
    [
        # Newcombe 1998 (paired data), table II, method 10: 36 both, 12 won, 2 lost, none neither.
        (Pairs(36, 2, 12, 0), 0.0569, 0.3404),
        # By hand for 1 pair that was won: rates 0 and 1, both intervals as for 0 and 1 of 1, phi 0, so
        # 1 - sqrt(2) * 0.79346 = -0.1221 at the lower end.
        (Pairs(0, 0, 1, 0), -0.1221, 1.0),
    ],
)
def test_the_paired_difference_gives_the_published_numbers(pairs: Pairs, low: float, high: float) -> None:
    assert paired(pairs) == pytest.approx((low, high), abs=5e-5)


@settings(deadline=None)
@given(tables)
def test_the_paired_difference_contains_the_estimate_and_turns_around(pairs: Pairs) -> None:
    estimate = (pairs.won - pairs.lost) / sum(pairs)

    low, high = paired(pairs)

    assert -1 <= low <= estimate + 1e-12
    assert estimate - 1e-12 <= high <= 1
    turned = Pairs(pairs.both, pairs.won, pairs.lost, pairs.neither)
    assert paired(turned) == pytest.approx((-high, -low), abs=1e-12)


def test_outcomes_that_agree_make_the_paired_interval_narrower() -> None:
    # 50 and 60 of 100 both times; in the first case what one solves the other solves too.
    together, apart = paired(Pairs(50, 0, 10, 40)), paired(Pairs(30, 20, 30, 20))

    assert together.high - together.low < 0.6 * (apart.high - apart.low)


def test_of_no_pair_nothing_is_known() -> None:
    assert paired(Pairs(0, 0, 0, 0)) == (-1.0, 1.0)


# --- the bootstrap --------------------------------------------------------------------------------------------------


clusters = st.lists(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.integers(0, n).map(float), st.just(n))), min_size=1, max_size=12
)


@settings(deadline=None, max_examples=30)
@given(clusters, st.integers(0, 5))
def test_a_bootstrap_is_the_same_for_the_same_seed_and_stays_among_the_clusters(
    drawn: list[tuple[float, int]], seed: int
) -> None:
    rates = [total / count for total, count in drawn]

    low, high = bootstrap(drawn, seed)

    assert bootstrap(drawn, seed) == (low, high)
    assert min(rates) - 1e-12 <= low <= high <= max(rates) + 1e-12


def test_a_bootstrap_of_single_outcomes_agrees_with_the_normal_interval() -> None:
    # 60 of 100: 0.6 +- 1.96 * sqrt(0.6 * 0.4 / 100) = 0.6 +- 0.096
    low, high = bootstrap([(1.0, 1)] * 60 + [(0.0, 1)] * 40)

    assert (low, high) == pytest.approx((0.504, 0.696), abs=0.012)


def test_clusters_that_are_all_or_nothing_count_as_one_outcome_each() -> None:
    # 6 of 10 families, 10 tasks each: as uncertain as 6 of 10, not as 60 of 100.
    whole = bootstrap([(10.0, 10)] * 6 + [(0.0, 10)] * 4)

    assert whole == bootstrap([(1.0, 1)] * 6 + [(0.0, 1)] * 4)
    assert whole == pytest.approx((0.3, 0.9), abs=0.01)


def test_a_bootstrap_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a cluster"):
        bootstrap([])


# --- single numbers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [
        (0, 0, 1.0),
        (3, 3, 1.0),
        (1, 0, 1.0),
        # 2 (1 + 6) / 2^6
        (5, 1, 0.21875),
        (1, 5, 0.21875),
        # 2 / 2^10
        (10, 0, 0.001953125),
        # 2 (1 + 14 + 91) / 2^14
        (12, 2, 0.012939453125),
    ],
)
def test_the_sign_test_is_exact(won: int, lost: int, p: float) -> None:
    assert sign_test(won, lost) == p


@pytest.mark.parametrize(
    ("k", "n", "successes", "expected"),
    [
        (1, 4, 1, 0.25),
        # One of two draws out of four of which one is good: 1 - C(3, 2) / C(4, 2)
        (2, 4, 1, 0.5),
        (4, 4, 1, 1.0),
        (3, 5, 0, 0.0),
        # 1 - C(2, 3) / C(5, 3): more draws than failures
        (3, 5, 3, 1.0),
        # 1 - C(7, 2) / C(10, 2) = 1 - 21 / 45
        (2, 10, 3, 24 / 45),
    ],
)
def test_pass_at_k_is_the_unbiased_estimate(k: int, n: int, successes: int, expected: float) -> None:
    assert pass_at(k, n, successes) == pytest.approx(expected)


@settings(deadline=None)
@given(st.integers(1, 8), st.integers(0, 8), st.integers(1, 8))
def test_pass_at_k_is_the_share_of_draws_with_a_success(n: int, successes: int, k: int) -> None:
    if successes > n or k > n:
        with pytest.raises(ValueError, match="cannot be told"):
            pass_at(k, n, successes)
        return
    outcomes = [True] * successes + [False] * (n - successes)
    draws = [any(draw) for draw in itertools.combinations(outcomes, k)]

    assert pass_at(k, n, successes) == pytest.approx(sum(draws) / len(draws))
