"""Sums as a calculator reads them: decimals, + - * / and per cent, products before sums. Exact but for what repeats."""

from __future__ import annotations

import re
from decimal import Context, Decimal

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d*)?|\.\d+)|([-+*/%]))")
_SIGNS = str.maketrans({"×": "*", "x": "*", "÷": "/", "−": "-", ",": "."})
_EXACT = Context(prec=40)
_SHOWN = Context(prec=12)
"""Digits that the display has."""


class SumError(ValueError):
    """What was typed is no sum, or divides by zero; the message is a label."""


def result(text: str) -> str:
    """What the display shows for a sum: '7.5 * 2' -> '15'. Raises SumError."""
    tokens = _tokens(text.translate(_SIGNS).strip())
    value = _sum(tokens)
    if tokens:
        raise SumError("This is no sum")
    shown = _SHOWN.add(value, Decimal(0)).normalize(_SHOWN)
    return f"{shown:f}" if -8 < shown.adjusted() < 12 else f"{shown:e}"


def _tokens(text: str) -> list[str]:
    """The tokens in reverse, so that the next one is popped off the end."""
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SumError("This is no sum")
        found.append(match[1] or match[2])
        at = match.end()
    return found[::-1]


def _sum(tokens: list[str]) -> Decimal:
    value = _product(tokens)
    while tokens and tokens[-1] in "+-":
        sign = tokens.pop()
        other = _product(tokens)
        value = _EXACT.add(value, other) if sign == "+" else _EXACT.subtract(value, other)
    return value


def _product(tokens: list[str]) -> Decimal:
    value = _number(tokens)
    while tokens and tokens[-1] in "*/":
        sign = tokens.pop()
        other = _number(tokens)
        if sign == "/" and not other:
            raise SumError("Division by zero is not possible")
        value = _EXACT.multiply(value, other) if sign == "*" else _EXACT.divide(value, other)
    return value


def _number(tokens: list[str]) -> Decimal:
    negative = False
    while tokens and tokens[-1] in "+-":
        negative ^= tokens.pop() == "-"
    if not tokens or tokens[-1] in "*/%":
        raise SumError("This is no sum")
    value = Decimal(tokens.pop())
    while tokens and tokens[-1] == "%":
        tokens.pop()
        value = _EXACT.divide(value, Decimal(100))
    return -value if negative else value
