"""The fleet scheme `sim:`: `16`, or `16?latency=0.5&tail=100&popups=0.05`; the options are those of SimOptions."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from distrl_sdk.errors import UsageError, choices
from distrl_sdk.interfaces import Finding
from distrl_sdk.simphone.phone import SimOptions, SimPhone

MOST = 10_000
"""Phones of one spec: a slip of the finger must not fill the memory."""

_NAMES = tuple(field.name for field in fields(SimOptions) if field.name != "seed")
_BOUNDS = {
    "latency": (0.0, 3600.0),
    "spread": (0.0, 3.0),
    "tail": (1.0, 1e6),
    "speeds": (0.0, 3.0),
    "popups": (0.0, 1.0),
    "scale": (0.05, 1.0),
    "elements": (0.0, 1.0),
}


class SimSource:
    """Makes simulated phones."""

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
        """The phone of an address. Its number seeds its latency."""
        number, _, query = address.partition("?")
        if not (number.isascii() and number.isdigit()):
            raise UsageError(f"sim:{address}: {number!r} is no number of a phone")
        return SimPhone(replace(_options(query, address), seed=int(number)))

    def doctor(self) -> list[Finding]:
        """There is nothing that could be missing."""
        return [Finding("ok", "sim: simulated phones are built in")]

    def close(self) -> None:
        """Holds nothing."""


def _options(query: str, spec: str) -> SimOptions:
    values: dict[str, Any] = {}
    for pair in query.split("&") if query else ():
        name, _, text = pair.partition("=")
        if name not in _NAMES:
            raise UsageError(f"sim:{spec}: unknown option {name!r}: {choices(name, _NAMES)}")
        try:
            values[name] = float(text)
        except ValueError:
            raise UsageError(f"sim:{spec}: {name}={text!r} is not a number") from None
        least, most = _BOUNDS[name]
        if not least <= values[name] <= most:
            raise UsageError(f"sim:{spec}: {name} must be within {least:g}..{most:g}, not {text}")
    elements = bool(values.pop("elements", True))
    return SimOptions(elements=elements, **values)
