"""Contracts that a plugin's tests inherit: give one fixture, get the tests of what its role promises. Needs pytest.

class TestMyPhone(DeviceContract):
    @pytest.fixture
    def device(self):
        return MyPhone()
"""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{role}" for role in ("device", "judge", "learner", "policy")))

from distrl_sdk.testing.device import DeviceContract  # noqa: E402 -- asserts are rewritten as these are imported
from distrl_sdk.testing.judge import JudgeContract  # noqa: E402
from distrl_sdk.testing.learner import LearnerContract  # noqa: E402
from distrl_sdk.testing.policy import PolicyContract  # noqa: E402
from distrl_sdk.testing.samples import sample_moments, sample_requests  # noqa: E402

__all__ = ["DeviceContract", "JudgeContract", "LearnerContract", "PolicyContract", "sample_moments", "sample_requests"]
