"""Limits of what a server takes in a minute."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.judge.rates import Bucket


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.tuples(st.integers(0, 120).map(lambda quarters: quarters / 4), st.integers(1, 10)), max_size=60))
def test_in_any_sixty_seconds_there_is_no_more_than_the_limit(asked: list[tuple[float, int]]) -> None:
    clock = Clock()
    bucket = Bucket(10, clock)
    booked = []
    for pause, amount in asked:
        clock.now += pause
        booking = bucket.book(amount, 1e9)
        assert booking is not None
        assert booking.at >= clock.now
        booked.append((booking.at, amount))

    assert booked == sorted(booked, key=lambda each: each[0]), "in the order of asking"
    for end, _ in booked:
        assert sum(amount for at, amount in booked if end - 60 < at <= end) <= 10


def test_a_place_that_comes_too_late_is_not_booked() -> None:
    clock = Clock()
    bucket = Bucket(2, clock)
    first, second = bucket.book(1, 0), bucket.book(1, 0)
    assert first is not None
    assert second is not None

    assert bucket.book(1, 59.9) is None
    clock.now += 30
    third = bucket.book(1, 30)

    assert third is not None
    assert (bucket.wait(third), third.at) == (30.0, 1060.0)


def test_an_amount_that_was_smaller_makes_room() -> None:
    bucket = Bucket(1000, Clock())
    booking = bucket.book(1000, 0)
    assert booking is not None
    assert bucket.book(600, 0) is None

    bucket.correct(booking, 400)

    assert bucket.book(600, 0) is not None


def test_more_than_the_limit_takes_a_minute_of_its_own() -> None:
    bucket = Bucket(100, Clock())

    places = [bucket.book(5000, 1e9) for _ in range(3)]

    assert [each and each.at for each in places] == [1000.0, 1060.0, 1120.0]


@pytest.mark.parametrize("amount", [1, 10**9])
def test_without_a_limit_it_is_always_ones_turn(amount: float) -> None:
    bucket = Bucket(0, Clock())
    booking = bucket.book(amount, 0)

    assert booking is not None
    assert bucket.wait(booking) == 0
