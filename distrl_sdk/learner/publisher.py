"""Numbered weights: what the workers act with."""

from __future__ import annotations

import hashlib
from typing import Protocol

import safetensors.torch
import torch

from distrl_sdk.types import Version


class WeightsOutlet(Protocol):
    """Where published weights go; wire.weights.WeightsServer is one."""

    def publish(self, version: Version, blob: bytes) -> None:
        """Offer the blob under this number from now on."""
        ...


class Publisher:
    """Publishes a policy's trainable parameters as safetensors, under numbers that rise and are never reused.

    `last` is the n that an earlier process of the run came to.
    """

    def __init__(self, policy: torch.nn.Module, outlet: WeightsOutlet, incarnation: int, last: int = 0) -> None:
        self._policy = policy
        self._outlet = outlet
        self.version = Version(incarnation, last)
        self.sha256 = ""
        """Of the newest published bytes, in hex."""

    def publish(self) -> Version:
        """Put the present parameters out under the next number."""
        self.version = Version(self.version.incarnation, self.version.n + 1)
        blob = weights_of(self._policy)
        self._outlet.publish(self.version, blob)
        self.sha256 = hashlib.sha256(blob).hexdigest()
        return self.version


def weights_of(policy: torch.nn.Module) -> bytes:
    """The trainable parameters as safetensors."""
    named = {n: p.detach().cpu().contiguous() for n, p in policy.named_parameters() if p.requires_grad}
    return safetensors.torch.save(named)
