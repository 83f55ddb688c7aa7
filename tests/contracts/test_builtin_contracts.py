"""What distrl-sdk itself offers keeps the contracts that it asks of others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch

from distrl_sdk.fleet import expand, open_device
from distrl_sdk.interfaces import Device, Judge, Policy
from distrl_sdk.learner.role import Learner
from distrl_sdk.plugins import make_judge, make_learner, make_policy, task_set
from distrl_sdk.testing import DeviceContract, JudgeContract, LearnerContract, PolicyContract
from distrl_sdk.types import End, Finish, JudgeRequest, Task


class TestSimPhone(DeviceContract):
    @pytest.fixture
    def device(self) -> Device:
        return open_device(expand("sim:1?scale=0.25")[0])

    @pytest.fixture
    def task(self) -> Task:
        return task_set("general/train").tasks[0]


class TestProgrammaticJudge(JudgeContract):
    @pytest.fixture
    def judge(self) -> Judge:
        return make_judge("programmatic")

    @pytest.fixture
    def clear_cases(self) -> Sequence[tuple[JudgeRequest, bool]]:
        wifi = Task("wifi", "toggle", "Turn Wi-Fi on", verify=({"fact": "settings.wifi", "equals": True},))
        end, actions = End("finish"), (Finish(),)
        return [
            (JudgeRequest(wifi, actions, end, facts={"settings.wifi": True}), True),
            (JudgeRequest(wifi, actions, end, facts={"settings.wifi": False}), False),
        ]


class TestCompactPolicy(PolicyContract):
    @pytest.fixture
    def policy(self) -> Policy:
        torch.manual_seed(0)
        return make_policy("compact")


@pytest.mark.filterwarnings("ignore:.*does not have many workers")
@pytest.mark.filterwarnings(r"ignore:`isinstance\(treespec, LeafSpec\)` is deprecated")
class TestEveryLearner(LearnerContract):
    @pytest.fixture(params=["a-ride", "digirl", "filtered-bc", "grpo", "v-trace"])
    def learner(self, request: pytest.FixtureRequest) -> Learner:
        torch.manual_seed(0)
        return make_learner(request.param, "compact", policy_options={"width": 16, "word_width": 8})

    def test_its_class_says_under_which_name_it_is_offered(self, learner: Learner) -> None:
        assert type(make_learner(learner.algorithm, "compact")) is type(learner)
