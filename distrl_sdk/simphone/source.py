"""The fleet scheme `sim:`: `16`, or `16?latency=0.5&tail=100&version=2&locale=de&dark=1&disconnect=0.001`.

The options are the fields of SimOptions, of its Style and of its Faults.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

from distrl_sdk.errors import UsageError, choices
from distrl_sdk.interfaces import Finding
from distrl_sdk.simphone.faults import Faults
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.state import VERSIONS, Style
from distrl_sdk.simphone.wording import LOCALES

MOST = 10_000
"""Phones of one spec: a slip of the finger must not fill the memory."""

_BOUNDS = {
    "latency": (0.0, 3600.0),
    "spread": (0.0, 3.0),
    "tail": (1.0, 1e6),
    "speeds": (0.0, 3.0),
    "scale": (0.05, 1.0),
    "hang_seconds": (0.0, 86_400.0),
    **dict.fromkeys(("popups", "spinners", "stuck", "elements", "dark"), (0.0, 1.0)),
    **dict.fromkeys((field.name for field in fields(Faults) if field.name != "hang_seconds"), (0.0, 1.0)),
    "version": (float(VERSIONS[0]), float(VERSIONS[-1])),
}
_WHOLE = frozenset({"elements", "dark", "version"})
_NAMES = (*_BOUNDS, "locale")


class SimSource:
    """Makes simulated phones."""

    def __init__(self) -> None:
        self._opened: Counter[str] = Counter()

    def expand(self, spec: str) -> list[str]:
        """'3?popups=0' -> ['0?popups=0', '1?popups=0', '2?popups=0']."""
        count, _, query = spec.partition("?")
        if not (count.isascii() and count.isdigit()) or int(count) < 1:
            raise UsageError(f"sim:{spec}: {count!r} is no number of phones; write sim:16 or sim:16?latency=0.5")
        if int(count) > MOST:
            raise UsageError(f"sim:{spec}: more than {MOST} phones are surely a mistake; write sim:16")
        _options(query, spec)
        return [f"{number}?{query}" if query else str(number) for number in range(int(count))]

    def open(self, address: str) -> SimPhone:
        """The phone of an address. Its number seeds its latency and, with how often it was opened, its faults."""
        number, _, query = address.partition("?")
        if not (number.isascii() and number.isdigit()):
            raise UsageError(f"sim:{address}: {number!r} is no number of a phone")
        life = self._opened[number]
        self._opened[number] += 1
        return SimPhone(replace(_options(query, address), seed=int(number), life=life))

    def doctor(self) -> list[Finding]:
        """There is nothing that could be missing."""
        return [Finding("ok", "sim: simulated phones are built in")]

    def close(self) -> None:
        """Holds nothing."""


def _options(query: str, spec: str) -> SimOptions:
    given = dict(_option(pair, spec) for pair in query.split("&")) if query else {}
    style, faults, options = (_part(kind, given) for kind in (Style, Faults, SimOptions))
    return SimOptions(**options, style=Style(**style), faults=Faults(**faults))


def _part(kind: type[Any], given: dict[str, Any]) -> dict[str, Any]:
    """Those of the options that are fields of a record."""
    return {field.name: given[field.name] for field in fields(kind) if field.name in given}


def _option(pair: str, spec: str) -> tuple[str, Any]:
    name, _, text = pair.partition("=")
    if name not in _NAMES:
        raise UsageError(f"sim:{spec}: unknown option {name!r}: {choices(name, _NAMES)}")
    if name == "locale":
        if text not in LOCALES:
            raise UsageError(f"sim:{spec}: unknown locale {text!r}: {choices(text, LOCALES)}")
        return name, text
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"sim:{spec}: {name}={text!r} is not a number") from None
    least, most = _BOUNDS[name]
    if not least <= value <= most:
        raise UsageError(f"sim:{spec}: {name} must be within {least:g}..{most:g}, not {text}")
    if name not in _WHOLE:
        return name, value
    if not value.is_integer():
        raise UsageError(f"sim:{spec}: {name} must be {least:g} or {most:g}, not {text}")
    return name, int(value) if name == "version" else bool(value)
