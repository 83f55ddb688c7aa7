"""What every Policy promises: above all that its log-probabilities are exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
import torch
from torch import nn

from distrl_sdk.interfaces import Policy, Score
from distrl_sdk.testing.samples import sample_moments
from distrl_sdk.types import ACTION_KINDS, Code, Decision, Features, Moment


class PolicyContract:
    """Inherit it in a class whose name starts with Test, and give the fixture `policy`."""

    tolerance = 1e-4
    """How far two computations of one log-probability may lie apart."""

    draws = 2000
    """Samples with which frequencies are held against log mu; fewer for a slow policy."""

    @pytest.fixture
    def policy(self) -> Policy:
        """The policy under test."""
        raise NotImplementedError("give a fixture `policy`")

    @pytest.fixture
    def moments(self) -> Sequence[Moment]:
        """Moments that it must be able to act in."""
        return sample_moments()

    def test_it_is_a_module_with_a_state_size(self, policy: Policy) -> None:
        """A torch module whose encoding has state_size numbers."""
        assert isinstance(policy, nn.Module)
        assert policy.state_size > 0

    def test_features_have_the_same_shape_at_every_moment(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """Names, shapes and types never vary: episodes are stored as arrays."""
        forms = [
            {name: (array.shape, array.dtype) for name, array in policy.featurize(moment).items()} for moment in moments
        ]
        assert all(form == forms[0] for form in forms)
        assert all(dtype.kind in "biuf" for _, dtype in forms[0].values()), "only numbers travel"

    def test_featurize_has_no_memory(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """The same moment gives the same features, whatever was seen in between."""
        first = [policy.featurize(moment) for moment in moments]
        for moment, expected in zip(reversed(moments), reversed(first), strict=True):
            again = policy.featurize(moment)
            for name, array in expected.items():
                np.testing.assert_array_equal(again[name], array)

    def test_actions_are_ones_that_the_device_can_do(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """A kind outside about.actions has no probability, at no temperature."""
        for temperature in (0.0, 1.0, 5.0):
            for moment in moments:
                for decision in self._act(policy, [moment] * 20, temperature):
                    assert ACTION_KINDS[type(decision.action)] in moment.about.actions

    def test_codes_have_one_length(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """code is [C] int32, C fixed for the policy."""
        codes = [decision.code for decision in self._act(policy, moments, 1.0)]
        assert {code.shape for code in codes} == {codes[0].shape}
        assert codes[0].ndim == 1
        assert all(code.dtype == np.int32 for code in codes)

    def test_log_probabilities_are_of_this_world(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """Finite, never above 0; at temperature 1 log mu is log pi."""
        for temperature in (1.0, 2.5):
            for decision in self._act(policy, moments, temperature):
                assert -1e6 < decision.log_mu <= 1e-6
                assert -1e6 < decision.log_pi <= 1e-6
                if temperature == 1.0:
                    assert decision.log_mu == pytest.approx(decision.log_pi, abs=self.tolerance)

    def test_score_recomputes_what_act_recorded(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """log pi of act and of score agree, alone and padded, whatever the temperature was."""
        for temperature in (0.0, 1.0, 2.5):
            decisions = self._act(policy, moments, temperature)
            expected = np.array([decision.log_pi for decision in decisions], np.float32)

            score = self._score(policy, moments, decisions)

            np.testing.assert_allclose(score.log_pi[0].detach().numpy(), expected, atol=self.tolerance, rtol=0)

    def test_padding_changes_nothing(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """What stands in steps that do not count has no influence on those that do."""
        decisions = self._act(policy, moments, 1.0)
        whole = self._score(policy, moments, decisions)
        count = len(moments) // 2

        cut = self._score(policy, moments, decisions, real=count)

        for one, other in ((whole.log_pi, cut.log_pi), (whole.entropy, cut.entropy), (whole.state, cut.state)):
            torch.testing.assert_close(one[:, :count], other[:, :count], atol=self.tolerance, rtol=0)
        assert cut.log_pi.isfinite().all()

    def test_score_has_the_promised_shapes(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """log pi and entropy [B, T], state [B, T, D]; entropy is never negative."""
        score = self._score(policy, moments, self._act(policy, moments, 1.0))
        assert score.log_pi.shape == (1, len(moments))
        assert score.entropy.shape == (1, len(moments))
        assert score.state.shape == (1, len(moments), policy.state_size)
        assert (score.entropy >= -1e-5).all()

    def test_temperature_zero_is_greedy(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """The same action whatever the random numbers, with log mu 0."""
        one = self._act(policy, moments, 0.0, seed=1)
        other = self._act(policy, moments, 0.0, seed=2)
        assert [decision.action for decision in one] == [decision.action for decision in other]
        assert all(decision.log_mu == 0.0 for decision in one)

    def test_the_same_random_numbers_choose_the_same(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """act draws from the generator that it is given and from nothing else."""
        one = self._act(policy, moments, 2.0, seed=3)
        other = self._act(policy, moments, 2.0, seed=3)
        assert [decision.action for decision in one] == [decision.action for decision in other]

    def test_neighbours_in_a_batch_have_no_influence(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """A moment's log-probability is the same alone and among others."""
        decisions = self._act(policy, moments, 1.0)
        for moment, decision in zip(moments, decisions, strict=True):
            alone = self._score(policy, [moment], [decision])
            assert float(alone.log_pi.detach()) == pytest.approx(decision.log_pi, abs=self.tolerance)

    def test_frequencies_match_log_mu(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """What was sampled at temperature 1.5 comes as often as log mu says."""
        decisions = self._act(policy, [moments[0]] * self.draws, 1.5)
        counts: dict[bytes, int] = {}
        chance: dict[bytes, float] = {}
        for decision in decisions:
            key = decision.code.tobytes()
            counts[key] = counts.get(key, 0) + 1
            chance[key] = float(np.exp(decision.log_mu))
        assert sum(chance.values()) <= 1.0 + 1e-3
        for key, p in chance.items():
            spread = np.sqrt(p * (1 - p) / self.draws)
            assert abs(counts[key] / self.draws - p) < 5 * spread + 2 / self.draws

    def test_a_foreign_action_gets_a_code_that_can_be_scored(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """encode_action of an action that the policy itself chose gives a code of finite log-probability, or None."""
        for temperature in (0.0, 2.5):
            for moment, decision in zip(moments, self._act(policy, moments, temperature), strict=True):
                code = policy.encode_action(policy.featurize(moment), decision.action)
                if code is not None:
                    assert code.shape == decision.code.shape
                    score = self._score(policy, [moment], [_with_code(decision, code)])
                    assert -1e6 < float(score.log_pi.detach()) <= 1e-6

    def test_gradients_reach_the_parameters(self, policy: Policy, moments: Sequence[Moment]) -> None:
        """log pi is differentiable, and its gradient is finite and not zero."""
        assert isinstance(policy, nn.Module)
        policy.zero_grad()
        self._score(policy, moments, self._act(policy, moments, 1.0)).log_pi.sum().backward()  # type: ignore[no-untyped-call]
        gradients = [each.grad for each in policy.parameters() if each.grad is not None]
        assert all(gradient.isfinite().all() for gradient in gradients)
        assert any(gradient.abs().sum() > 0 for gradient in gradients)

    def _act(self, policy: Policy, moments: Sequence[Moment], temperature: float, seed: int = 0) -> list[Decision]:
        features = [policy.featurize(moment) for moment in moments]
        decisions = policy.act(features, [temperature] * len(moments), torch.Generator().manual_seed(seed))
        assert len(decisions) == len(moments)
        return decisions

    def _score(
        self, policy: Policy, moments: Sequence[Moment], decisions: Sequence[Decision], real: int | None = None
    ) -> Score:
        """One episode; steps from `real` on are zeros that do not count."""
        count = len(moments) if real is None else real
        features = _stack([policy.featurize(moment) for moment in moments])
        code = torch.from_numpy(np.stack([decision.code for decision in decisions]))[None]
        mask = torch.arange(len(moments))[None] < count
        if real is not None:
            features = {name: array.clone() for name, array in features.items()}
            for array in features.values():
                array[:, count:] = 0
            code = code.clone()
            code[:, count:] = 0
        return policy.score(features, code, mask)


def _stack(features: Sequence[Features]) -> Mapping[str, torch.Tensor]:
    """[1, T, ...] of each name."""
    return {name: torch.from_numpy(np.stack([row[name] for row in features]))[None] for name in features[0]}


def _with_code(decision: Decision, code: Code) -> Decision:
    return Decision(decision.action, code, decision.log_mu, decision.log_pi)
