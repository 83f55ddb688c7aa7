"""Batches, weights that change between them, and the pinned eval lane."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import save

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.types import NO_VERSION, Assignment, Decision, Features, Finish, Moment, Tap, Task, Version
from distrl_sdk.worker.inference import Inference, trainable
from tests.worker.phones import Counter, Tapper, observation

MOMENT = {"left": np.array([3], np.int32)}
LAST = {"left": np.array([1], np.int32)}


def weights(value: float, dtype: torch.dtype = torch.float32) -> bytes:
    return save({"weight": torch.full((1,), value, dtype=dtype)})


def kept(version: Version) -> bytes:
    """A learner that still has the versions up to 5."""
    if version.n > 5:
        raise WireError(f"weights {version.n} are not to be had")
    return weights(version.n / 8)


def evaluating(n: int) -> Assignment:
    return Assignment("a", Task("t", "f", "x"), lane="eval", version=Version(1, n))


@pytest.fixture
def policy() -> Tapper:
    return Tapper()


@pytest.fixture
def inference(policy: Tapper) -> Iterator[Inference]:
    made = Inference(policy, 1, kept, playing=lambda: 8)
    made.start()
    yield made
    made.close()


def test_only_trainable_parameters_travel(policy: Tapper) -> None:
    assert list(trainable(policy)) == ["weight"]


def test_each_slot_gets_the_decision_for_its_own_moment(inference: Inference, policy: Tapper) -> None:
    moments = [MOMENT, LAST] * 20
    with ThreadPoolExecutor(8) as slots:
        decisions = list(slots.map(lambda moment: inference.decide(moment, 1.0, None), moments))

    assert [type(decision.action) for decision in decisions] == [Tap, Finish] * 20
    assert {decision.version for decision in decisions} == {NO_VERSION}
    assert sum(policy.sizes) == 40
    assert max(policy.sizes) > 1


def test_decisions_carry_the_version_of_the_weights_that_chose_them(inference: Inference) -> None:
    before = inference.decide(MOMENT, 1.0, None)
    inference.load(Version(1, 7), weights(0.5))
    after = inference.decide(MOMENT, 1.0, None)

    assert (before.version, before.log_pi) == (NO_VERSION, 0.0)
    assert (after.version, after.log_pi) == (Version(1, 7), 0.5)
    assert inference.version == Version(1, 7)


def test_the_eval_lane_stays_at_its_version_while_the_train_lane_moves_on(inference: Inference) -> None:
    inference.load(Version(1, 6), weights(0.5))
    inference.prepare(evaluating(6))
    inference.load(Version(1, 7), weights(0.75))

    pinned, newest = Version(1, 6), None
    lanes = [inference.decide(MOMENT, 1.0, version) for version in (pinned, newest, pinned, newest)]

    assert [decision.version.n for decision in lanes] == [6, 7, 6, 7]
    assert [decision.log_pi for decision in lanes] == [0.5, 0.75, 0.5, 0.75]


def test_a_version_that_is_no_longer_the_newest_is_fetched(inference: Inference) -> None:
    inference.load(Version(1, 7), weights(0.75))

    inference.prepare(evaluating(4))

    assert inference.decide(MOMENT, 0.0, Version(1, 4)).log_pi == 0.5
    with pytest.raises(WireError, match="weights 6 are not to be had"):
        inference.prepare(evaluating(6))


def test_an_older_evaluation_gives_way_and_its_slots_are_told(inference: Inference) -> None:
    inference.prepare(evaluating(3))
    inference.prepare(evaluating(4))

    with pytest.raises(DistrlError, match="gave way to later ones"):
        inference.decide(MOMENT, 0.0, Version(1, 3))


def test_a_round_and_an_evaluation_hold_their_own_version_each(inference: Inference) -> None:
    inference.prepare(evaluating(3))
    inference.prepare(Assignment("b", Task("t", "f", "x"), version=Version(1, 4)))
    inference.load(Version(1, 7), weights(0.75))

    lanes = [inference.decide(MOMENT, 1.0, version) for version in (Version(1, 3), Version(1, 4), None)]

    assert [decision.version.n for decision in lanes] == [3, 4, 7]


class Dice(Tapper):
    """Chooses by chance, and says how many others it chose for in the same breath."""

    def act(
        self, features: Sequence[Features], temperature: Sequence[float], generator: torch.Generator
    ) -> list[Decision]:
        drawn = torch.rand(len(features), generator=generator)
        chosen = super().act(features, temperature, generator)
        return [replace(decision, log_mu=float(each)) for decision, each in zip(chosen, drawn, strict=True)]


def test_exactly_a_decision_depends_on_its_own_seed_and_on_nothing_that_others_ask() -> None:
    policy = Dice()
    exact = Inference(policy, 1, kept, playing=None)
    exact.start()
    alone = [exact.decide(MOMENT, 1.0, None, seed).log_mu for seed in range(16)]
    with ThreadPoolExecutor(8) as slots:
        backwards = list(slots.map(lambda seed: exact.decide(MOMENT, 1.0, None, seed).log_mu, reversed(range(16))))
    exact.close()

    assert backwards[::-1] == alone
    assert len(set(alone)) == 16
    assert set(policy.sizes) == {1}


def test_pinned_weights_answer_exactly_while_other_slots_are_answered_together() -> None:
    policy = Dice()
    mixed = Inference(policy, 1, kept, playing=lambda: 8)
    mixed.start()
    mixed.prepare(evaluating(4))
    pinned = Version(1, 4)
    alone = [mixed.decide(MOMENT, 1.0, pinned, seed).log_mu for seed in range(16)]
    policy.sizes.clear()

    with ThreadPoolExecutor(16) as slots:
        other = slots.map(lambda _: mixed.decide(MOMENT, 1.0, None).version, range(32))
        crowded = list(slots.map(lambda seed: mixed.decide(MOMENT, 1.0, pinned, seed).log_mu, range(16)))
        versions = set(other)
    mixed.close()

    assert crowded == alone
    assert versions == {NO_VERSION}
    assert max(policy.sizes) > 1


def test_weights_swapped_under_load_are_never_mixed_in_one_decision(inference: Inference) -> None:
    done = threading.Event()

    def publish() -> None:
        for n in range(1, 200):
            inference.load(Version(1, n), weights(float(n)))
        done.set()

    publisher = threading.Thread(target=publish)
    publisher.start()
    seen = [inference.decide(MOMENT, 1.0, None)]
    while not done.is_set() or len(seen) < 50:
        seen.append(inference.decide(MOMENT, 1.0, None))
    publisher.join()

    assert all(decision.log_pi == decision.version.n for decision in seen)


def test_half_precision_weights_are_converted(inference: Inference) -> None:
    inference.load(Version(1, 1), weights(0.5, torch.bfloat16))

    assert inference.decide(MOMENT, 1.0, None).log_pi == 0.5


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
    inference = Inference(Tapper(fail=True), 1, kept)
    inference.start()

    for _ in range(2):
        with pytest.raises(DistrlError, match="the policy failed: ArithmeticError: no number"):
            inference.decide(MOMENT, 1.0, None)

    inference.close()
    with pytest.raises(DistrlError, match="closed"):
        inference.decide(MOMENT, 1.0, None)


def test_a_policy_that_cannot_read_a_moment_fails_with_one_traceback(caplog: pytest.LogCaptureFixture) -> None:
    class Blind(Tapper):
        def featurize(self, moment: Moment) -> Features:
            raise LookupError("no screen")

    inference = Inference(Blind(), 1, kept)
    moment = Moment(Counter().about, Task("t", "f", "x"), observation(0))

    for _ in range(2):
        with pytest.raises(DistrlError, match="the policy failed: LookupError: no screen"):
            inference.featurize(moment)

    assert [record.exc_info is not None for record in caplog.records] == [True]
