"""What may be spent, and what calls are taken to cost."""

from __future__ import annotations

import threading
from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import ConfigError
from distrl_sdk.judge.budget import Budget, Rates, Spend
from distrl_sdk.judge.config import BudgetConfig, DeskConfig
from distrl_sdk.types import Usage
from tests.judge.model_calls import PRICES, USAGE, request


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


amounts = st.builds(Spend, st.integers(0, 3), st.integers(0, 500), st.floats(0, 2))


@settings(deadline=None)
@given(st.lists(st.tuples(amounts, amounts, st.booleans()), max_size=30))
def test_what_is_spent_and_reserved_never_passes_a_cap(steps: list[tuple[Spend, Spend, bool]]) -> None:
    budget = Budget(BudgetConfig(calls=10, tokens=1000, usd=5.0))
    open_: list[tuple[Spend, Spend]] = []

    for most, took, settles in steps:
        if not budget.reserve(most, 0):
            open_.append((most, Spend(*map(min, astuple(most), astuple(took)))))
        if settles and open_:
            budget.settle(*open_.pop(0))
        held = budget.committed
        assert (held.calls <= 10, held.tokens <= 1000, held.usd <= 5.0 + 1e-9) == (True, True, True)


def test_a_call_waits_for_what_others_may_give_back_and_is_refused_for_good_only_when_nothing_can_help() -> None:
    budget = Budget(BudgetConfig(tokens=1000))
    assert budget.reserve(Spend(1, 800), 0) == ""
    assert budget.reserve(Spend(1, 800), 0).startswith("the judge's budget of 1000 tokens is used up, with what is")
    assert budget.used_up == "", "800 may be given back"
    answers: list[str] = []
    waiting = threading.Thread(target=lambda: answers.append(budget.reserve(Spend(1, 800), 20)))
    waiting.start()

    budget.settle(Spend(1, 800), Spend(1, 100))
    waiting.join(20)

    assert answers == [""]
    budget.settle(Spend(1, 800), Spend(1, 800))
    assert budget.spent == Spend(2, 900)
    assert budget.reserve(Spend(1, 101), 20) == budget.used_up != ""
    assert "raise --desk.budget.tokens and resume" in budget.used_up


def test_what_was_spent_in_the_last_hour_has_a_cap_of_its_own() -> None:
    clock = Clock()
    budget = Budget(BudgetConfig(usd_per_hour=1.0), clock=clock)
    for _ in range(2):
        assert budget.reserve(Spend(usd=0.5), 0) == ""
        budget.settle(Spend(usd=0.5), Spend(usd=0.5))

    assert budget.reserve(Spend(usd=0.1), 0) == "1 US dollars an hour are used up"
    assert budget.used_up == "", "the next hour helps"
    clock.now = 3600.0
    assert budget.reserve(Spend(usd=1.0), 0) == ""


def test_earlier_processes_of_the_run_count() -> None:
    budget = Budget(BudgetConfig(calls=10), Spend(calls=10))

    assert budget.reserve(Spend(calls=1), 0) == budget.used_up != ""


def test_a_call_is_taken_for_its_bytes_its_pictures_and_the_longest_answer() -> None:
    rates = Rates(BudgetConfig(prices=PRICES, picture_tokens=4000))
    asked = request("é" * 50, max_tokens=100)

    most = rates.most(asked)

    read = len("You judge.") + len(str({"type": "object"})) + 100 + 4000
    assert (most.calls, most.tokens) == (1, read + 100)
    assert most.usd == pytest.approx((read * 1.0 + 100 * 10.0) / 1e6)


@pytest.mark.parametrize(
    ("model", "usage", "cost"),
    [
        ("m", USAGE, 0.0016),  # 1000 read at 1, 50 + 10 thought written at 10, for a million
        ("m", None, None),
        ("m", Usage(input=1000), None),
        ("unpriced", USAGE, None),
    ],
)
def test_a_cost_is_unknown_rather_than_nothing(model: str, usage: Usage | None, cost: float | None) -> None:
    assert Rates(BudgetConfig(prices=PRICES)).cost(model, usage) == (None if cost is None else pytest.approx(cost))


def test_where_the_server_does_not_say_what_was_reserved_is_spent() -> None:
    rates, reserved = Rates(BudgetConfig(prices=PRICES)), Spend(1, 5000, 0.01)

    assert rates.spent("m", None, reserved) == reserved
    assert rates.spent("m", Usage(output=3), reserved) == reserved
    assert rates.spent("m", USAGE, reserved) == Spend(1, 1060, pytest.approx(0.0016))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (lambda: BudgetConfig(prices={"m": 3}), "the price of 'm' must be two numbers, .* not 3"),
        (lambda: BudgetConfig(prices={"m": [1, float("nan")]}), "must be two numbers"),
        (lambda: BudgetConfig(prices={"m": [1, True]}), "must be two numbers"),
        (lambda: BudgetConfig(usd=-1), "usd must be at least 0"),
        (lambda: DeskConfig(breaker=1.5), "breaker must be more than 0 and at most 1"),
        (lambda: DeskConfig(concurrency=0), "concurrency must be at least 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=message):
        settings()
