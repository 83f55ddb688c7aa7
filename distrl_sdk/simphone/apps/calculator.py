"""Calculator: a display that can be typed into, keys, and a history."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.arithmetic import SumError, result
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, record
from distrl_sdk.simphone.widgets import NOWHERE, ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_KEYS = ("C", "Del", "%", "/", "7", "8", "9", "*", "4", "5", "6", "-", "1", "2", "3", "+", "00", "0", ".", "=")
_SIGNS = frozenset("/*-+=")
_LONGEST = 40
_KEPT = 12
"""Sums that the history holds."""


@record
@dataclass(frozen=True, slots=True)
class Sum:
    """One line of the history."""

    of: str
    result: str


@record
@dataclass(frozen=True, slots=True)
class Calculator:
    """The history, the latest first, no sum twice; and the last result, '' = none since the display was cleared."""

    history: tuple[Sum, ...] = ()
    shown: str = ""

    def with_sum(self, one: Sum) -> Calculator:
        """One sum more, whose result is shown."""
        kept = tuple(old for old in self.history if old.of != one.of)
        return Calculator((one, *kept)[:_KEPT], one.result)

    def without(self, of: str) -> Calculator:
        """One sum less."""
        return replace(self, history=tuple(one for one in self.history if one.of != of))


def draw_sum(chance: random.Random, numbers: int = 2) -> str:
    """A sum of whole numbers, such as '48 * 12', that comes out even."""
    text = str(chance.randint(3, 99))
    for _ in range(numbers - 1):
        text += f" {chance.choice('+-*')} {chance.randint(3, 99)}"
    return text


def _start(chance: random.Random) -> Calculator:
    calculator = Calculator()
    for _ in range(chance.randint(1, 3)):
        text = draw_sum(chance)
        calculator = calculator.with_sum(Sum(text, result(text)))
    return replace(calculator, shown="")


def _layout(page: PageBuilder, calculator: Calculator) -> None:
    if page.screen.page == "history":
        page.bar("History", ("clear", "Clear all", ("dialog", "clear")))
        for one in calculator.history:
            _line(page, one)
        if not calculator.history:
            page.paragraph("No sums yet")
        if page.screen.dialog:
            buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Clear", ("clear",)))
            page.ask("Clear the history?", "All sums will be gone.", *buttons)
        return
    page.bar("Calculator", ("history", "History", ("page", "history")))
    page.field("sum", "Sum")
    page.place(Widget(Rect(48, 0, WIDTH - 48, 160), "readout", calculator.shown or "0", "", "result", "text"))
    page.skip(180)
    page.grid(4, 200, *(_key(page, key) for key in _KEYS))


def _key(page: PageBuilder, key: str) -> Widget:
    return Widget(NOWHERE, "square", page.say(key), "", f"press:{key}", "button", ("press", key), key in _SIGNS or None)


def _line(page: PageBuilder, one: Sum) -> None:
    box = Rect(0, 0, WIDTH - 168, ROW)
    page.place(Widget(box, "row", one.of, f"= {one.result}", f"again:{one.of}", "item", ("again", one.of)))
    cross, gone = Rect(WIDTH - 168, 0, WIDTH, ROW), ("forget", one.of)
    page.place(Widget(cross, "cross", page.say("Remove {}", one.of), "", f"forget:{one.of}", "button", gone))
    page.skip(ROW)


def _react(state: PhoneState, event: Event) -> PhoneState:
    calculator: Calculator = state.apps["Calculator"]
    match event:
        case ("press", "=") | ("enter", "sum"):
            return _work_out(state, calculator)
        case ("press", key):
            return _press(state, calculator, key)
        case ("again", of):
            below = state.pop()
            return below.with_top(below.top.with_draft("sum", of))
        case ("forget", of):
            return state.with_app("Calculator", calculator.without(of))
        case ("clear",):
            gone = state.with_app("Calculator", replace(calculator, history=()))
            return gone.with_top(replace(state.top, dialog=()))
        case _:
            return state


def _press(state: PhoneState, calculator: Calculator, key: str) -> PhoneState:
    top, text = state.top, state.top.draft("sum")
    if key == "C":
        return state.with_app("Calculator", replace(calculator, shown="")).with_top(top.with_draft("sum", ""))
    text = text[:-1] if key == "Del" else (text + key)[:_LONGEST]
    return state.with_top(top.with_draft("sum", text))


def _work_out(state: PhoneState, calculator: Calculator) -> PhoneState:
    text = state.top.draft("sum").strip()
    try:
        one = Sum(text, result(text))
    except SumError as error:
        return replace(state, toast=say(state.style, str(error)))
    return state.with_app("Calculator", calculator.with_sum(one)).with_top(state.top.with_draft("sum", ""))


def _facts(calculator: Calculator) -> Mapping[str, Json]:
    history = [{"of": one.of, "result": one.result} for one in calculator.history]
    return {"calculator.history": history, "calculator.result": calculator.shown}


APP = App("Calculator", "Calculator", ("Calculator",), _layout, _react, _start, _facts)
