"""Families in the calculator, an app that no training task uses."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.arithmetic import result
from distrl_sdk.simphone.apps.calculator import Sum, draw_sum
from distrl_sdk.simphone.families.family import (
    Check,
    Enter,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    equals,
    from_home,
    lacks,
    only,
)
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_HISTORY, _RESULT = "calculator.history", "calculator.result"


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"sum": draw_sum(chance)}


def _draw_long(chance: random.Random) -> dict[str, Json]:
    return {"sum": draw_sum(chance, 3)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    calculator = state.apps["Calculator"].without(params["sum"])
    return state.with_app("Calculator", replace(calculator, shown=""))


def _verify(params: Params) -> tuple[Check, ...]:
    return equals(_RESULT, result(params["sum"])), only(_RESULT, _HISTORY)


def _route(params: Params) -> Route:
    return from_home("Calculator", {("Calculator", "main"): (Fill("sum", params["sum"]), Enter("sum"))})


def _with_sum(state: PhoneState, params: Params) -> PhoneState:
    text = params["sum"]
    others = [one for one in state.apps["Calculator"].history if one.of != text]
    others.insert(state.seed % (len(others) + 1), Sum(text, result(text)))
    return state.with_app("Calculator", replace(state.apps["Calculator"], history=tuple(others)))


def _verify_forget(params: Params) -> tuple[Check, ...]:
    return lacks(_HISTORY, {"of": params["sum"]}), equals(f"{_HISTORY}.grown", -1), only(_HISTORY)


def _route_forget(params: Params) -> Route:
    return from_home("Calculator", {
        ("Calculator", "main"): (Hit("history"),),
        ("Calculator", "history"): (Hit(f"forget:{params['sum']}"),),
    })  # fmt: skip


CALCULATE = Family(
    "calculate", ("Calculator",),
    ("Work out {sum} in the calculator", "What is {sum} ? Let the calculator show it", "Calculate {sum}",
     "Use the calculator app for {sum}"),
    _draw, _without, _verify, _route,
    ("Have the calculator tell what {sum} makes", "I need the result of {sum} on the screen"),
)  # fmt: skip
CALCULATE_LONG = Family(
    "calculate_long", ("Calculator",),
    ("Work out {sum} in the calculator", "What does {sum} come to? Use the calculator",
     "Enter the sum {sum} into the calculator and solve it", "Calculate the whole sum {sum}"),
    _draw_long, _without, _verify, _route,
    ("Have the calculator tell what {sum} makes", "Let me see the result of {sum} at once"),
)  # fmt: skip
FORGET_SUM = Family(
    "forget_sum", ("Calculator",),
    ("Remove {sum} from the history of the calculator", "Delete the old sum {sum} in the calculator",
     "In the calculator's history, take out {sum}", "Clear only {sum} from the past calculations"),
    _draw, _with_sum, _verify_forget, _route_forget,
    ("The calculator should not remember {sum} any longer", "Erase the entry {sum} of what I calculated"),
)  # fmt: skip
