"""The calculator: exact sums, what it refuses, and a history that can be used again."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.arithmetic import SumError, result
from distrl_sdk.simphone.apps.calculator import Calculator, Sum
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.types import Key, Press, TypeText

START = phone().with_app("Calculator", Calculator((Sum("2 + 2", "4"), Sum("9 * 9", "81"))))
OPEN = tap(START, "app:Calculator")
ENTER = Press(Key.ENTER)


@pytest.mark.parametrize(("text", "shown"), [
    ("48 * 12", "576"), ("2 + 3 * 4", "14"), ("0.1 + 0.2", "0.3"), ("-5 + 2", "-3"), ("8 / 5", "1.6"),
    ("200*10%", "20"), ("1/3", "0.333333333333"), ("6 ÷ 4 × 2", "3"), ("99999999*99999999", "9.9999998e+15"),
])  # fmt: skip
def test_sums_are_worked_out_as_on_paper(text: str, shown: str) -> None:
    assert result(text) == shown


@given(
    st.lists(st.integers(-999, 999), min_size=1, max_size=4), st.lists(st.sampled_from("+-*"), min_size=3, max_size=3)
)
def test_whole_numbers_come_out_exactly(numbers: list[int], signs: list[str]) -> None:
    value, factor = Fraction(0), Fraction(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=False):
        if sign == "*":
            factor *= number
        else:
            value, factor = value + factor, Fraction(number if sign == "+" else -number)
    text = str(numbers[0]) + "".join(f"{sign}{number}" for sign, number in zip(signs, numbers[1:], strict=False))

    assert Fraction(result(text)) == value + factor


@pytest.mark.parametrize("text", ["", "+", "2 +", "2 ** 3", "2 3", "12a", "%", "1..2", "(1)"])
def test_what_is_no_sum_is_refused(text: str) -> None:
    with pytest.raises(SumError, match="no sum"):
        result(text)


@pytest.mark.parametrize("text", ["1/0", "0 / 0", "3 / 0.00", "1/0%"])
def test_division_by_zero_says_so(text: str) -> None:
    with pytest.raises(SumError, match="zero"):
        result(text)


def test_keys_and_typing_give_the_same_sum() -> None:
    keys = through(OPEN, *(f"press:{key}" for key in ("4", "8", "3", "Del", "*", "1", "2", "=")))
    typed = engine.act(engine.act(tap(OPEN, "sum"), TypeText("48*12")), ENTER)

    for state in (keys, typed):
        assert facts_of(state, START)["calculator.result"] == "576"
        assert facts_of(state, START)["calculator.history"][0] == {"of": "48*12", "result": "576"}
        shown = scene_of(state).find("result")
        assert shown is not None
        assert shown.text == "576"
    assert facts_of(tap(keys, "press:C"), START)["calculator.result"] == ""


def test_a_refused_sum_stays_in_the_field_and_changes_nothing() -> None:
    state = through(OPEN, "press:1", "press:/", "press:0", "press:=")

    assert "zero" in state.toast
    assert state.top.draft("sum") == "1/0"
    assert facts_of(state, START)["changed"] == []


def test_a_line_of_the_history_is_taken_up_again_or_removed_and_all_go_after_a_question() -> None:
    history = tap(OPEN, "history")

    assert tap(history, "again:9 * 9").top.draft("sum") == "9 * 9"
    assert facts_of(tap(history, "forget:9 * 9"), START)["calculator.history"] == [{"of": "2 + 2", "result": "4"}]
    assert facts_of(through(history, "clear", "cancel"), START)["changed"] == []
    assert facts_of(through(history, "clear", "confirm"), START)["calculator.history"] == []
