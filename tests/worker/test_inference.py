"""Batches, weights that change between them, and the pinned eval lane."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from safetensors.torch import save

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.types import NO_VERSION, Finish, Tap, Version
from distrl_sdk.worker.inference import Inference, trainable
from tests.worker.phones import Tapper

MOMENT = {"left": np.array([3], np.int32)}
LAST = {"left": np.array([1], np.int32)}


def weights(value: float, dtype: torch.dtype = torch.float32) -> bytes:
    return save({"weight": torch.full((1,), value, dtype=dtype)})


@pytest.fixture
def policy() -> Tapper:
    return Tapper()


@pytest.fixture
def inference(policy: Tapper) -> Iterator[Inference]:
    made = Inference(policy, seed=1, playing=lambda: 8)
    made.start()
    yield made
    made.close()


def test_only_trainable_parameters_travel(policy: Tapper) -> None:
    assert list(trainable(policy)) == ["weight"]


def test_each_slot_gets_the_decision_for_its_own_moment(inference: Inference, policy: Tapper) -> None:
    moments = [MOMENT, LAST] * 20
    with ThreadPoolExecutor(8) as slots:
        decisions = list(slots.map(lambda moment: inference.decide(moment, 1.0, "train"), moments))

    assert [type(decision.action) for decision in decisions] == [Tap, Finish] * 20
    assert {decision.version for decision in decisions} == {NO_VERSION}
    assert sum(policy.sizes) == 40
    assert max(policy.sizes) > 1


def test_decisions_carry_the_version_of_the_weights_that_chose_them(inference: Inference) -> None:
    before = inference.decide(MOMENT, 1.0, "train")
    inference.load(Version(1, 7), weights(0.5))
    after = inference.decide(MOMENT, 1.0, "train")

    assert (before.version, before.log_pi) == (NO_VERSION, 0.0)
    assert (after.version, after.log_pi) == (Version(1, 7), 0.5)
    assert inference.version == Version(1, 7)


def test_the_eval_lane_stays_at_its_pinned_weights_and_acts_greedily(inference: Inference) -> None:
    inference.load(Version(1, 1), weights(0.5))
    inference.pin()
    inference.load(Version(1, 2), weights(0.75))

    lanes = [inference.decide(MOMENT, 1.0, lane) for lane in ("eval", "train", "eval", "train")]

    assert [decision.version.n for decision in lanes] == [1, 2, 1, 2]
    assert [decision.log_pi for decision in lanes] == [0.5, 0.75, 0.5, 0.75]
    assert [decision.log_mu for decision in lanes] == [0.0, 0.75, 0.0, 0.75]


def test_the_first_eval_request_pins_and_only_pin_moves_on(inference: Inference) -> None:
    inference.load(Version(1, 1), weights(0.5))
    first = inference.decide(MOMENT, 0.0, "eval")
    inference.load(Version(1, 2), weights(0.75))
    second = inference.decide(MOMENT, 0.0, "eval")
    inference.pin()
    third = inference.decide(MOMENT, 0.0, "eval")

    assert [decision.version.n for decision in (first, second, third)] == [1, 1, 2]


def test_weights_swapped_under_load_are_never_mixed_in_one_decision(inference: Inference) -> None:
    done = threading.Event()

    def publish() -> None:
        for n in range(1, 200):
            inference.load(Version(1, n), weights(float(n)))
        done.set()

    publisher = threading.Thread(target=publish)
    publisher.start()
    seen = [inference.decide(MOMENT, 1.0, "train")]
    while not done.is_set() or len(seen) < 50:
        seen.append(inference.decide(MOMENT, 1.0, "train"))
    publisher.join()

    assert all(decision.log_pi == decision.version.n for decision in seen)


def test_half_precision_weights_are_converted(inference: Inference) -> None:
    inference.load(Version(1, 1), weights(0.5, torch.bfloat16))

    assert inference.decide(MOMENT, 1.0, "train").log_pi == 0.5


@pytest.mark.parametrize(
    ("blob", "message"),
    [
        (b"nonsense", r"weights \(1, 1\) are no safetensors file"),
        (save({"other": torch.zeros(1)}), "not of this policy: other is on one side only"),
        (save({"weight": torch.zeros(1), "frozen": torch.zeros(3)}), "frozen is on one side only"),
        (save({"weight": torch.zeros(2)}), r"weight is torch.float32 \[2\], this policy's is torch.float32 \[1\]"),
        (save({"weight": torch.zeros(1, dtype=torch.int64)}), "weight is torch.int64"),
    ],
)
def test_weights_of_another_policy_are_refused_and_change_nothing(
    inference: Inference, blob: bytes, message: str
) -> None:
    with pytest.raises(WireError, match=message):
        inference.load(Version(1, 1), blob)

    assert inference.version == NO_VERSION


def test_a_failing_policy_fails_the_request_and_not_the_thread() -> None:
    inference = Inference(Tapper(fail=True), seed=1)
    inference.start()

    for _ in range(2):
        with pytest.raises(DistrlError, match="the policy failed: ArithmeticError: no number"):
            inference.decide(MOMENT, 1.0, "train")

    inference.close()
    with pytest.raises(DistrlError, match="closed"):
        inference.decide(MOMENT, 1.0, "train")
