"""What a verdict says of itself."""

from __future__ import annotations

from typing import get_args

import pytest

from distrl_sdk.types import ERRORS, PASSING, ReasonCode, Verdict

CODES = get_args(ReasonCode)


@pytest.mark.parametrize("code", CODES, ids=repr)
def test_without_success_or_failure_a_verdict_is_an_abstention_or_an_error_whatever_the_code(code: ReasonCode) -> None:
    assert Verdict(None, reason_code=code).outcome == ("error" if code in ERRORS else "abstain")
    assert (Verdict(True, reason_code=code).outcome, Verdict(False).outcome) == ("success", "failure")


def test_every_error_and_every_passing_reason_is_a_reason() -> None:
    assert set(CODES) >= ERRORS | PASSING
    assert not {"", "unsure", "tie", "blocked", "evidence"} & (ERRORS | PASSING), "the answer would be the same again"
