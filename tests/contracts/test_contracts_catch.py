"""A contract is worth what it catches: one fault each, made on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from distrl_sdk.interfaces import Device, Judge, Policy
from distrl_sdk.plugins import make_policy
from distrl_sdk.policy.compact import CompactPolicy
from distrl_sdk.testing import DeviceContract, JudgeContract, PolicyContract, sample_moments, sample_requests
from distrl_sdk.testing.samples import ABOUT, TASK, observation
from distrl_sdk.types import (
    Action,
    Box,
    Decision,
    DeviceAbout,
    Features,
    Finish,
    JudgeRequest,
    Moment,
    Observation,
    Task,
    UiElement,
    Verdict,
)


class Counter:
    """A sound device: every action makes its one picture lighter, Finish does not."""

    about: DeviceAbout = ABOUT

    def __init__(self) -> None:
        self.shade = 0

    def reset(self, task: Task) -> Observation:
        self.shade = 0
        return self.look()

    def perform(self, action: Action) -> Observation:
        self.shade += not isinstance(action, Finish)
        return self.look()

    def look(self) -> Observation:
        return observation(self.shade, (UiElement(Box(0.0, 0.0, 1.0, 1.0), f"{self.shade}"),))

    def close(self) -> None:
        pass


class TestCounter(DeviceContract):
    @pytest.fixture
    def device(self) -> Device:
        return Counter()


class Forgetful(Counter):
    def reset(self, task: Task) -> Observation:
        return self.look()


class Finisher(Counter):
    def perform(self, action: Action) -> Observation:
        self.shade += 1
        return self.look()


class Stretched(Counter):
    about = replace(ABOUT, width=200)


class OffScreen(Counter):
    def look(self) -> Observation:
        return observation(0, (UiElement(Box(0.5, 0.0, 1.5, 1.0), "half"),))


class Mute(Counter):
    about = replace(ABOUT, actions=frozenset({"tap"}))


device_contract = DeviceContract()


@pytest.mark.parametrize(
    ("test", "device"),
    [
        (device_contract.test_reset_brings_the_start_state_back, Forgetful()),
        (device_contract.test_finish_changes_nothing, Finisher()),
        (device_contract.test_the_picture_is_as_large_as_it_says, Stretched()),
        (device_contract.test_boxes_lie_on_the_screen, OffScreen()),
        (device_contract.test_an_unsupported_action_does_nothing, Mute()),
    ],
)
def test_a_device_that_breaks_a_promise_is_caught(test: Callable[[Device, Task], None], device: Device) -> None:
    test(Counter(), TASK)
    with pytest.raises(AssertionError):
        test(device, TASK)


class Believer:
    """A judge that takes the agent's word and fails where there is none."""

    needs_device = True

    def judge(self, request: JudgeRequest) -> Verdict:
        last = request.actions[-1]
        return Verdict(isinstance(last, Finish) and last.success, "it said so", "believer")

    def close(self) -> None:
        pass


class Zero(Believer):
    """A judge that takes what it cannot know for a failure."""

    def judge(self, request: JudgeRequest) -> Verdict:
        return Verdict(False, "no facts", "zero")


def test_a_judge_that_raises_for_an_ended_episode_is_caught() -> None:
    with pytest.raises(IndexError):
        JudgeContract().test_every_ended_episode_gets_a_verdict(Believer(), sample_requests())


def test_a_judge_that_believes_a_claim_is_caught() -> None:
    request = sample_requests()[1]
    with pytest.raises((AssertionError, IndexError)):
        JudgeContract().test_a_claim_is_not_a_success(Believer(), [(request, True)])


@pytest.mark.parametrize("judge", [Zero(), Believer()])
def test_a_judge_that_makes_a_verdict_of_nothing_is_caught(judge: Judge) -> None:
    with pytest.raises(AssertionError, match="a verdict from nothing"):
        JudgeContract().test_what_it_cannot_know_is_none_with_a_reason(judge, sample_requests()[:1])


class Clamped(CompactPolicy):
    """The reference code's fault: behaviour log-probabilities clamped to [log 0.001, log 0.99]."""

    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        low, high = float(np.log(0.5)), float(np.log(0.99))
        decisions = super().act(features, temperature, generator)
        return [
            replace(each, log_mu=float(np.clip(each.log_mu, low, high)), log_pi=float(np.clip(each.log_pi, low, high)))
            for each in decisions
        ]


class Cold(CompactPolicy):
    """Samples at temperature 1 whatever it is told, and says that it did not."""

    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        told = super().act(features, temperature, generator)
        return [replace(each, log_mu=each.log_pi - 0.5) for each in told]


class Remembering(CompactPolicy):
    """Features that depend on what was seen before."""

    seen = 0.0

    def featurize(self, moment: Moment) -> Features:
        self.seen += 1
        features = dict(super().featurize(moment))
        features["scalars"] = features["scalars"] + np.float32(self.seen)
        return features


policy_contract = PolicyContract()


@pytest.mark.parametrize(
    ("test", "policy"),
    [
        (policy_contract.test_score_recomputes_what_act_recorded, Clamped()),
        (policy_contract.test_frequencies_match_log_mu, Cold()),
        (policy_contract.test_temperature_zero_is_greedy, Cold()),
        (policy_contract.test_featurize_has_no_memory, Remembering()),
    ],
)
def test_a_policy_that_breaks_a_promise_is_caught(
    test: Callable[[Policy, Sequence[Moment]], None], policy: Policy
) -> None:
    moments = sample_moments()
    test(make_policy("compact"), moments)
    with pytest.raises(AssertionError):
        test(policy, moments)
