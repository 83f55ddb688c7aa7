"""Checks of facts: plain mappings of exactly two entries, "fact" (a name) and one form.

    {"fact": F, "equals": value}    the fact is this value
    {"fact": F, "has": item}        the fact is a list with a member that matches
    {"fact": F, "lacks": item}      the fact is a list without such a member
    {"fact": F, "within": [...]}    every member of the fact, a list, stands in this one

An item that is a mapping matches members that hold all of its entries; any other item matches its equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from distrl_sdk.errors import JudgeError, choices
from distrl_sdk.types import Json


def holds(check: Mapping[str, Json], facts: Mapping[str, Json]) -> bool:
    """Whether a check holds. Raises JudgeError if it cannot be told: a form or a fact that is not there."""
    forms = set(check) - {"fact"}
    name = check.get("fact")
    if not isinstance(name, str) or len(forms) != 1:
        raise JudgeError(f"a check needs a fact and one form, not {dict(check)!r}")
    (form,) = forms
    if form not in _FORMS:
        raise JudgeError(f"unknown form of check {form!r}: {choices(str(form), _FORMS)}")
    if name not in facts:
        raise JudgeError(f"the device tells no fact {name!r}")
    fact, value = facts[name], check[form]
    if form != "equals" and not isinstance(fact, list):
        raise JudgeError(f"{form!r} needs a list, and the fact {name!r} is {type(fact).__name__}")
    if form == "within" and not isinstance(value, list):
        raise JudgeError(f"'within' needs a list to compare {name!r} with")
    return _FORMS[form](fact, value)


def beyond(check: Mapping[str, Json], facts: Mapping[str, Json]) -> list[str]:
    """The members of the fact that a "within" check does not allow, as text; [] for a check of another form.

    Of a check that `holds` can tell; raises nothing then.
    """
    if "within" not in check:
        return []
    return [
        member if isinstance(member, str) else repr(member)
        for member in _outside(facts[check["fact"]], check["within"])
    ]


def _same(fact: Json, value: Json) -> bool:
    # True == 1 in Python, but not in a check
    return bool(fact == value) and isinstance(fact, bool) == isinstance(value, bool)


def _has(fact: Json, item: Json) -> bool:
    return any(_matches(member, item) for member in fact)


def _lacks(fact: Json, item: Json) -> bool:
    return not _has(fact, item)


def _within(fact: Json, allowed: Json) -> bool:
    return not _outside(fact, allowed)


def _outside(fact: Json, allowed: Json) -> list[Json]:
    return [member for member in fact if member not in allowed]


def _matches(member: Json, item: Json) -> bool:
    if not isinstance(item, Mapping):
        return _same(member, item)
    return isinstance(member, Mapping) and all(
        name in member and _same(member[name], value) for name, value in item.items()
    )


_FORMS: dict[str, Callable[[Json, Json], bool]] = {"equals": _same, "has": _has, "lacks": _lacks, "within": _within}
