"""Numbered weights."""

from __future__ import annotations

import safetensors.torch
import torch

from distrl_sdk.learner.publisher import Publisher, weights_of
from distrl_sdk.types import Version


class Outlet:
    def __init__(self) -> None:
        self.put: list[tuple[Version, bytes]] = []

    def publish(self, version: Version, blob: bytes) -> None:
        self.put.append((version, blob))


def test_numbers_rise_and_go_on_where_an_earlier_process_of_the_run_came_to() -> None:
    outlet = Outlet()
    publisher = Publisher(torch.nn.Linear(2, 1), outlet, incarnation=3, last=41)
    assert publisher.version == Version(3, 41)

    returned = [publisher.publish(), publisher.publish()]

    assert returned == [version for version, _ in outlet.put] == [Version(3, 42), Version(3, 43)]
    assert publisher.version == Version(3, 43)


def test_what_is_published_is_a_copy_of_the_trainable_parameters() -> None:
    policy = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Linear(1, 1))
    policy[1].requires_grad_(False)
    outlet = Outlet()
    torch.nn.init.zeros_(policy[0].weight)
    before = torch.zeros(1, 2)

    Publisher(policy, outlet, 1).publish()
    with torch.no_grad():
        policy[0].weight.add_(1)

    sent = safetensors.torch.load(outlet.put[0][1])
    assert sent.keys() == {"0.weight", "0.bias"}
    torch.testing.assert_close(sent["0.weight"], before, rtol=0, atol=0)
    assert safetensors.torch.load(weights_of(policy))["0.weight"].sub(before).tolist() == [[1.0, 1.0]]
