"""What a judge may return: a Verdict that can travel; anything else costs that verdict and nothing more."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from distrl_sdk.errors import JudgeError
from distrl_sdk.testing import sample_requests
from distrl_sdk.types import Verdict
from distrl_sdk.worker.judging import TimedJudge


class Returns:
    """A judge that always gives the same answer."""

    needs_device = True

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def judge(self, request: object) -> Verdict:
        return cast(Verdict, self._answer)

    def close(self) -> None: ...


def ask(answer: object) -> Verdict:
    return TimedJudge(Returns(answer)).judge(sample_requests()[0])


@pytest.mark.parametrize(
    "verdict",
    [Verdict(True, "yes", "mine", 1.0, 0.5), Verdict(False), Verdict(None, "no picture"), Verdict(True, score=1)],
)
def test_a_verdict_comes_back_as_it_was_given(verdict: Verdict) -> None:
    assert ask(verdict) == verdict


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (True, "it returned bool instead of a Verdict"),
        (None, "it returned NoneType instead of a Verdict"),
        (Verdict(cast(Any, "yes")), "its verdict cannot travel: "),
        (Verdict(cast(Any, np.bool_(True))), "its verdict cannot travel: "),
        (Verdict(True, cast(Any, b"yes")), "its verdict cannot travel: "),
        (Verdict(True, score=cast(Any, "high")), "its verdict cannot travel: "),
    ],
)
def test_what_cannot_travel_is_told_with_the_judge_to_blame(answer: object, message: str) -> None:
    with pytest.raises(JudgeError, match=message):
        ask(answer)
