"""The rate limiter holds its ratio in both directions and never lets both sides wait."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.replay.limiter import RateLimiter


def test_no_update_comes_before_the_warm_up_is_over() -> None:
    limiter = RateLimiter(updates_per_trajectory=0.5, warmup=3, slack=2.0)

    limiter.inserted(2)
    assert not limiter.may_update()
    limiter.inserted()
    assert limiter.may_update()


def test_a_fast_learner_waits_for_episodes() -> None:
    limiter = RateLimiter(updates_per_trajectory=0.5, warmup=4, slack=2.0)
    limiter.inserted(4)

    made = 0
    while limiter.may_update():
        limiter.updated()
        made += 1

    assert made == 2  # the slack; the warm-up is owed nothing
    limiter.inserted()
    assert not limiter.may_update()
    limiter.inserted()
    assert limiter.may_update()


def test_a_slow_learner_holds_back_episodes() -> None:
    limiter = RateLimiter(updates_per_trajectory=0.5, warmup=4, slack=2.0)

    taken = 0
    while limiter.may_insert():
        limiter.inserted()
        taken += 1

    assert taken == 4 + 4  # the warm-up, and what makes the slack of two updates
    limiter.updated()
    assert limiter.may_insert(pending=1)
    assert not limiter.may_insert(pending=2)


@pytest.mark.parametrize(("ratio", "warmup", "slack"), [(0.0, 1, 9.0), (1.0, -1, 9.0), (1.0, 1, 0.9), (4.0, 1, 2.4)])
def test_settings_that_would_stop_both_sides_are_refused(ratio: float, warmup: int, slack: float) -> None:
    with pytest.raises(ValueError, match="a rate limiter wants"):
        RateLimiter(ratio, warmup, slack)


@given(
    st.floats(0.05, 8.0),
    st.integers(0, 20),
    st.floats(0.0, 10.0),
    st.lists(st.booleans(), max_size=200),
)
def test_whoever_is_faster_the_ratio_is_held(ratio: float, warmup: int, extra: float, turns: list[bool]) -> None:
    slack = (1.0 + ratio) / 2.0 + extra
    limiter = RateLimiter(ratio, warmup, slack)

    for learner_first in turns:
        assert limiter.may_update() or limiter.may_insert()
        if limiter.may_update() and (learner_first or not limiter.may_insert()):
            limiter.updated()
        else:
            limiter.inserted()
        if limiter.updates:
            assert abs(ratio * (limiter.inserts - warmup) - limiter.updates) <= slack + 1e-9


@given(st.floats(0.05, 4.0), st.integers(0, 10), st.integers(0, 30), st.integers(0, 30))
def test_pending_episodes_count_as_if_they_had_come(ratio: float, warmup: int, inserts: int, pending: int) -> None:
    now = RateLimiter(ratio, warmup, 5.0, inserts=inserts)
    later = RateLimiter(ratio, warmup, 5.0, inserts=inserts + pending)

    # The two sums are rounded differently, so the very edge may differ.
    if abs(later.owed + ratio - 5.0) > 1e-9:
        assert now.may_insert(pending) == later.may_insert()
