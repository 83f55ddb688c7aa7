"""The compact policy's log-probabilities are exact, whatever it looks at."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_moments import SCREEN, element, moment

from distrl_sdk.policy.compact import CompactPolicy
from distrl_sdk.policy.grammar import PLACES, Kind
from distrl_sdk.types import ACTION_KINDS, Decision, Features, Finish, Key, LongPress, Press, Tap, TypeText

KINDS = ["tap", "long_press", "swipe", "type", "press", "wait"]


@pytest.fixture
def policy() -> CompactPolicy:
    torch.manual_seed(0)
    return CompactPolicy(width=32, word_width=16)


def stacked(rows: Sequence[Features]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(np.stack([row[name] for row in rows]))[None] for name in rows[0]}


def scored(policy: CompactPolicy, rows: Sequence[Features], decisions: Sequence[Decision]) -> torch.Tensor:
    code = torch.from_numpy(np.stack([decision.code for decision in decisions]))[None]
    return policy.score(stacked(rows), code, torch.ones(1, len(rows), dtype=torch.bool)).log_pi[0].detach()


@pytest.mark.parametrize("elements", [SCREEN, None], ids=["elements", "picture"])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_what_the_worker_records_is_what_the_learner_recomputes(
    policy: CompactPolicy, elements: tuple[object, ...] | None, temperature: float
) -> None:
    rows = [policy.featurize(moment(elements))] * 200

    decisions = policy.act(rows, [temperature] * 200, torch.Generator().manual_seed(1))

    recomputed = scored(policy, rows, decisions)
    assert (recomputed - torch.tensor([d.log_pi for d in decisions])).abs().max() < 1e-5


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_actions_are_drawn_as_often_as_log_mu_says(policy: CompactPolicy, temperature: float) -> None:
    rows = [policy.featurize(moment(SCREEN))] * 8000

    decisions = policy.act(rows, [temperature] * 8000, torch.Generator().manual_seed(2))

    seen: dict[tuple[int, ...], list[float]] = {}
    for decision in decisions:
        seen.setdefault(tuple(decision.code.tolist()), []).append(decision.log_mu)
    common = {code: logs for code, logs in seen.items() if len(logs) > 150}
    assert len(common) >= 5
    for logs in common.values():
        expected = math.exp(logs[0])
        assert abs(len(logs) / 8000 - expected) < 5 * math.sqrt(expected / 8000)


def test_log_mu_at_temperature_one_is_log_pi(policy: CompactPolicy) -> None:
    rows = [policy.featurize(moment(SCREEN))] * 50

    for decision in policy.act(rows, [1.0] * 50, torch.Generator().manual_seed(3)):
        assert decision.log_mu == pytest.approx(decision.log_pi, abs=1e-6)


def test_a_greedy_choice_is_the_likeliest_one(policy: CompactPolicy) -> None:
    row = policy.featurize(moment(SCREEN))
    sampled = policy.act([row] * 2000, [1.0] * 2000, torch.Generator().manual_seed(4))

    greedy = policy.act([row], [0.0], torch.Generator())[0]

    assert greedy.log_mu == 0.0
    if greedy.code[0] != PLACES + Kind.TYPE and greedy.code[0] != PLACES + Kind.LONG_PRESS:
        assert greedy.log_pi >= max(d.log_pi for d in sampled) - 1e-6


def test_the_entropy_is_the_mean_of_minus_log_pi(policy: CompactPolicy) -> None:
    rows = [policy.featurize(moment(SCREEN))] * 6000
    decisions = policy.act(rows, [1.0] * 6000, torch.Generator().manual_seed(5))
    logs = np.array([d.log_pi for d in decisions])
    code = torch.from_numpy(decisions[0].code)[None, None]

    entropy = float(policy.score(stacked(rows[:1]), code, torch.ones(1, 1, dtype=torch.bool)).entropy.detach())

    assert abs(entropy + logs.mean()) < 5 * logs.std() / math.sqrt(len(logs))


def test_padding_and_company_do_not_change_a_score(policy: CompactPolicy) -> None:
    rows = [policy.featurize(moment(SCREEN)), policy.featurize(moment(None)), policy.featurize(moment(SCREEN[:1]))]
    decisions = policy.act(rows, [1.0] * 3, torch.Generator().manual_seed(6))
    together = scored(policy, rows, decisions)

    alone = [float(scored(policy, [row], [decision])) for row, decision in zip(rows, decisions, strict=True)]

    assert together.tolist() == pytest.approx(alone, abs=1e-5)


@given(
    supported=st.sets(st.sampled_from(["tap", "long_press", "swipe", "type", "press", "wait"])),
    seed=st.integers(0, 2**31 - 1),
)
@settings(max_examples=30, deadline=None)
def test_an_action_that_the_device_lacks_is_never_chosen(supported: set[str], seed: int) -> None:
    torch.manual_seed(0)
    policy = CompactPolicy(width=16, word_width=8)
    row = policy.featurize(moment(SCREEN, actions=frozenset({*supported, "finish"})))

    decisions = policy.act([row] * 40, [2.0] * 40, torch.Generator().manual_seed(seed))

    assert {ACTION_KINDS[type(d.action)] for d in decisions} <= {*supported, "finish"}


def test_text_is_a_span_of_the_goal_as_it_stands_there(policy: CompactPolicy) -> None:
    row = policy.featurize(moment(SCREEN))

    code = policy.encode_action(row, TypeText("See you soon"))

    assert code is not None
    assert code.tolist() == [PLACES + Kind.TYPE, 0, 1, 3]
    assert policy.encode_action(row, TypeText("see you soon")) is None


def test_without_a_focused_field_text_has_no_probability(policy: CompactPolicy) -> None:
    row = policy.featurize(moment(SCREEN[:2]))

    decisions = policy.act([row] * 300, [3.0] * 300, torch.Generator().manual_seed(7))

    assert not any(isinstance(decision.action, TypeText) for decision in decisions)


def test_every_decision_can_be_encoded_again(policy: CompactPolicy) -> None:
    for elements in (SCREEN, None):
        row = policy.featurize(moment(elements))
        for decision in policy.act([row] * 200, [3.0] * 200, torch.Generator().manual_seed(8)):
            again = policy.encode_action(row, decision.action)
            assert again is not None
            assert again.tolist() == decision.code.tolist() or isinstance(decision.action, TypeText)


def test_a_tap_goes_to_the_topmost_element(policy: CompactPolicy) -> None:
    below, above = element(3, "below"), element(3, "above")
    row = policy.featurize(moment((below, above)))

    code = policy.encode_action(row, Tap(0.5, 0.17))

    assert code is not None
    assert code[0] == 1


def test_the_policy_sees_the_picture_when_there_are_no_elements(policy: CompactPolicy) -> None:
    rows = [policy.featurize(moment(None, seed=seed)) for seed in (1, 2)]
    decisions = policy.act(rows, [0.0] * 2, torch.Generator())

    assert decisions[0].log_pi != decisions[1].log_pi
    taps = {d.action for d in policy.act(rows[:1] * 400, [3.0] * 400, torch.Generator().manual_seed(1))}
    assert len({tap for tap in taps if isinstance(tap, Tap)}) > 50


def test_it_has_fewer_than_two_million_parameters() -> None:
    assert sum(p.numel() for p in CompactPolicy().parameters()) < 2_000_000


def test_features_have_the_same_shapes_at_every_moment(policy: CompactPolicy) -> None:
    shapes = [
        {name: (array.shape, array.dtype) for name, array in policy.featurize(each).items()}
        for each in (
            moment(SCREEN),
            moment(None),
            moment(()),
            moment(tuple(element(i % 20, f"row {i}") for i in range(90)), instruction="x " * 300),
            moment((element(1, "日本語 текст " * 30),), instruction=""),
        )
    ]

    assert all(each == shapes[0] for each in shapes)


def test_the_grammar_has_words_for_what_experts_do(policy: CompactPolicy) -> None:
    row = policy.featurize(moment(SCREEN))

    assert policy.encode_action(row, Finish(True)) is not None
    assert policy.encode_action(row, LongPress(0.5, 0.17)) is not None
    assert policy.encode_action(row, Tap(0.5, 0.99)) is None
    assert policy.encode_action(row, Press(Key.RECENTS)) is None
