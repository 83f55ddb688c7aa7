"""Each trajectory once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import WireError
from distrl_sdk.wire.received import Received, Runs


@settings(deadline=None, max_examples=200)
@given(st.lists(st.integers(0, 30), max_size=40))
def test_runs_are_a_set_of_numbers(numbers: list[int]) -> None:
    runs = Runs()
    for number in numbers:
        runs.add(number)

    assert {number for number in range(-1, 33) if number in runs} == set(numbers)
    assert len(runs) == len(set(numbers))


def test_a_gap_costs_no_more_than_a_run() -> None:
    runs = Runs()
    for number in range(100_000):
        if number != 7:
            runs.add(number)

    assert len(runs._starts) == 2
    assert 7 not in runs


def test_numbers_belong_to_a_worker_and_its_incarnation() -> None:
    received = Received()
    received.add_id("lab-3/2/17")

    assert received.has("lab-3", 2, 17)
    assert not received.has("lab-3", 3, 17)
    assert not received.has("lab-4", 2, 17)
    assert len(received) == 1


@pytest.mark.parametrize("wrong", ["", "w", "w/1", "w/1/x", "/1/1", "w/-1/1", "w/1/2/3"])
def test_an_id_that_no_worker_gives_is_refused(wrong: str) -> None:
    with pytest.raises(WireError, match="is not the id of a trajectory"):
        Received().add_id(wrong)
