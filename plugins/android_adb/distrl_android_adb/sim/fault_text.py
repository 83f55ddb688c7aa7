"""Faults as text: 'mute,drop_at=5,displays=2'."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from distrl_android_adb.sim.options import FEATURES, Faults
from distrl_sdk.errors import UsageError, choices

_READ: Mapping[str, Callable[[str], Any]] = {
    "bool": lambda text: {"": True, "1": True, "true": True, "0": False, "false": False}[text],
    "int": int,
    "float": float,
    "str": str,
    "frozenset[str]": lambda text: frozenset(text.split("+")),
}
_KINDS = {each.name: str(each.type) for each in fields(Faults) if str(each.type) in _READ}
_NO_SHELL_V2 = "no_shell_v2"
NAMES = (*_KINDS, _NO_SHELL_V2)
"""Every fault that can be asked for in text."""


def read_faults(text: str) -> Faults:
    """Several values of one fault are joined by '+'. Raises UsageError for a name or a value that is none."""
    faults = Faults()
    for pair in (pair for pair in text.split(",") if pair):
        name, _, value = pair.partition("=")
        if name == _NO_SHELL_V2:
            faults.features = tuple(feature for feature in FEATURES if feature != "shell_v2")
            continue
        if name not in _KINDS:
            raise UsageError(f"unknown fault {name!r}: {choices(name, NAMES)}")
        try:
            setattr(faults, name, _READ[_KINDS[name]](value))
        except (ValueError, KeyError):
            raise UsageError(f"the fault {name} cannot be {value!r}: it is of the kind {_KINDS[name]}") from None
    return faults
