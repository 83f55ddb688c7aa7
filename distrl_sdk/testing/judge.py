"""What every Judge promises."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from distrl_sdk.interfaces import Judge
from distrl_sdk.testing.samples import sample_requests
from distrl_sdk.types import JudgeRequest, Verdict


class JudgeContract:
    """Inherit it in a class whose name starts with Test, and give the fixture `judge`."""

    @pytest.fixture
    def judge(self) -> Judge:
        """The judge under test, new for each test."""
        raise NotImplementedError("give a fixture `judge`")

    @pytest.fixture
    def requests(self) -> Sequence[JudgeRequest]:
        """Requests that the judge must survive; yours should be added where its tasks have checks of their own."""
        return sample_requests()

    @pytest.fixture
    def clear_cases(self) -> Sequence[tuple[JudgeRequest, bool]]:
        """Requests whose answer is beyond doubt, with the answer."""
        return ()

    def test_every_ended_episode_gets_a_verdict(self, judge: Judge, requests: Sequence[JudgeRequest]) -> None:
        """judge() returns for every way in which an episode can end, whatever was not kept of it."""
        for request in requests:
            verdict = judge.judge(request)
            assert isinstance(verdict, Verdict), f"judge() returned {verdict!r}"
            assert verdict.success in (True, False, None)
            assert verdict.score is None or 0.0 <= verdict.score <= 1.0

    def test_what_it_cannot_know_is_none_with_a_reason(self, judge: Judge, requests: Sequence[JudgeRequest]) -> None:
        """Without the end state's picture and without the device's facts there is nothing to judge by."""
        for request in requests:
            verdict = judge.judge(replace(request, final=None, facts=None))
            assert verdict.success is None, f"a verdict from nothing: {verdict}"
            assert verdict.reason, "an abstention must say why"

    def test_clear_cases_are_judged_right(self, judge: Judge, clear_cases: Sequence[tuple[JudgeRequest, bool]]) -> None:
        """The answers are right where they are beyond doubt."""
        for request, expected in clear_cases:
            verdict = judge.judge(request)
            assert verdict.success is expected, f"{request.task.instruction!r} was judged {verdict}"

    def test_a_claim_is_not_a_success(self, judge: Judge, clear_cases: Sequence[tuple[JudgeRequest, bool]]) -> None:
        """The verdict is about the end state: the same state without the agent's claim is worth the same."""
        for request, expected in clear_cases:
            without = replace(request, actions=(), end=replace(request.end, kind="step_limit"))
            assert judge.judge(without).success is expected

    def test_verdicts_are_signed(self, judge: Judge, requests: Sequence[JudgeRequest]) -> None:
        """Verdict.judge names who spoke."""
        assert all(judge.judge(request).judge for request in requests)

    def test_judging_from_several_threads_gives_the_same(self, judge: Judge, requests: Sequence[JudgeRequest]) -> None:
        """judge() is called from several threads at once."""
        alone = [judge.judge(request).success for request in requests]

        with ThreadPoolExecutor(4) as threads:
            together = list(threads.map(lambda request: judge.judge(request).success, list(requests) * 8))

        assert together == alone * 8

    def test_needs_device_is_said_once_and_for_all(self, judge: Judge) -> None:
        """needs_device decides where the judge runs, before anything is judged."""
        assert judge.needs_device in (True, False)

    def test_closing_twice_is_safe(self, judge: Judge) -> None:
        """close() may be called again."""
        judge.close()
        judge.close()
