"""Checks tell true from false, and say None when they cannot tell."""

from __future__ import annotations

import pytest

from distrl_sdk.errors import JudgeError
from distrl_sdk.judge.checks import beyond, holds
from distrl_sdk.judge.programmatic import ProgrammaticJudge
from distrl_sdk.types import End, Finish, Json, JudgeRequest, Task

FACTS = {
    "wifi": True,
    "level": 1,
    "cart": ["Red Mug"],
    "people": [{"name": "Ada Berg", "number": "5"}, {"name": "Bo Lang"}],
    "changed": ["cart"],
    "nothing": [],
}


def ask(*checks: dict[str, Json], facts: dict[str, Json] | None = FACTS) -> JudgeRequest:
    return JudgeRequest(Task("t", "f", "x", verify=checks), (Finish(True),), End("finish"), None, facts)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ({"fact": "wifi", "equals": True}, True),
        ({"fact": "wifi", "equals": False}, False),
        ({"fact": "wifi", "equals": 1}, False),
        ({"fact": "level", "equals": 1}, True),
        ({"fact": "level", "equals": True}, False),
        ({"fact": "cart", "equals": ["Red Mug"]}, True),
        ({"fact": "cart", "has": "Red Mug"}, True),
        ({"fact": "cart", "has": "Red"}, False),
        ({"fact": "cart", "lacks": "Red Mug"}, False),
        ({"fact": "nothing", "lacks": "Red Mug"}, True),
        ({"fact": "people", "has": {"name": "Ada Berg"}}, True),
        ({"fact": "people", "has": {"name": "Ada Berg", "number": "6"}}, False),
        ({"fact": "people", "has": {"name": "Bo Lang", "number": "5"}}, False),
        ({"fact": "people", "lacks": {"number": "6"}}, True),
        ({"fact": "changed", "within": ["cart", "wifi"]}, True),
        ({"fact": "changed", "within": []}, False),
        ({"fact": "nothing", "within": []}, True),
    ],
)
def test_a_check_holds_or_not(check: dict[str, Json], expected: bool) -> None:
    assert holds(check, FACTS) is expected
    assert ProgrammaticJudge().judge(ask(check)).success is expected


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ({"fact": "wlan", "equals": True}, "tells no fact 'wlan'"),
        ({"fact": "wifi", "equal": True}, "did you mean equals"),
        ({"fact": "wifi"}, "one form"),
        ({"fact": "wifi", "equals": True, "has": 1}, "one form"),
        ({"equals": True}, "needs a fact"),
        ({"fact": 3, "equals": True}, "needs a fact"),
        ({"fact": "wifi", "has": True}, "needs a list"),
        ({"fact": "changed", "within": "cart"}, "needs a list"),
        ({}, "needs a fact"),
    ],
)
def test_a_check_that_cannot_be_told_gives_no_verdict(check: dict[str, Json], reason: str) -> None:
    with pytest.raises(JudgeError, match=reason):
        holds(check, FACTS)
    verdict = ProgrammaticJudge().judge(ask({"fact": "wifi", "equals": True}, check))
    assert verdict.success is None
    assert reason in verdict.reason
    assert verdict.score is None


def test_a_doubtful_check_after_a_failed_one_still_gives_no_verdict() -> None:
    verdict = ProgrammaticJudge().judge(ask({"fact": "wifi", "equals": False}, {"fact": "wlan", "equals": True}))

    assert verdict.success is None


def test_without_facts_or_checks_there_is_no_verdict() -> None:
    assert ProgrammaticJudge().judge(ask({"fact": "wifi", "equals": True}, facts=None)).success is None
    assert ProgrammaticJudge().judge(ask()).success is None


def test_a_claim_counts_for_nothing() -> None:
    verdict = ProgrammaticJudge().judge(ask({"fact": "wifi", "equals": False}))

    assert verdict.success is False
    assert verdict.score == 0.0
    assert "wifi" in verdict.reason
    assert verdict.judge == "programmatic"


@pytest.mark.parametrize(
    ("checks", "effects"),
    [
        (({"fact": "changed", "within": ["cart"]},), ()),
        (({"fact": "changed", "within": ["wifi"]},), ("cart",)),
        (({"fact": "changed", "within": []}, {"fact": "changed", "within": []}), ("cart",)),
        # Another fact that must lie within something is no list of what changed.
        (({"fact": "cart", "within": []},), ()),
        (({"fact": "changed", "has": "cart"},), ()),
        # One check that cannot be told: nothing is known.
        (({"fact": "changed", "within": []}, {"fact": "wlan", "equals": 1}), ()),
    ],
)
def test_what_changed_beyond_what_the_task_allows_is_a_side_effect(
    checks: tuple[dict[str, Json], ...], effects: tuple[str, ...]
) -> None:
    assert ProgrammaticJudge().judge(ask(*checks)).side_effects == effects


def test_the_members_beyond_a_check_are_named() -> None:
    facts = {"changed": ["wifi", "cart", "volume"]}

    assert beyond({"fact": "changed", "within": ["cart"]}, facts) == ["wifi", "volume"]
    assert beyond({"fact": "changed", "lacks": "wifi"}, facts) == []
