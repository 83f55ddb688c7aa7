"""One batched policy for all slots of a worker, on its own thread; weights change only between two batches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_safetensors
from torch import Tensor

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.interfaces import Policy
from distrl_sdk.types import NO_VERSION, Decision, Features, Version

GATHER_SECONDS = 0.001
"""How long a batch waits for more requests while other slots are playing: about what one small batch takes."""


@dataclass(slots=True, eq=False)
class _Request:
    features: Features
    temperature: float
    lane: str
    done: threading.Event = field(default_factory=threading.Event)
    decision: Decision | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class _Weights:
    version: Version
    tensors: dict[str, Tensor]


class Inference:
    """Chooses actions for every slot, in batches of all requests that are waiting.

    Lanes: `train` acts with the newest weights that were loaded, at the temperature asked for; `eval` acts greedily
    with the weights that were newest when `pin` was last called (the first eval request pins by itself).
    """

    def __init__(self, policy: Policy, seed: int, playing: Callable[[], int] = lambda: 1) -> None:
        """`playing` tells how many slots are in an episode: nothing waits for company that cannot come."""
        self._policy = policy
        self._playing = playing
        self._generator = torch.Generator().manual_seed(seed)
        self._parameters = trainable(policy)
        own = {name: parameter.data for name, parameter in self._parameters.items()}
        self._newest = self._active = _Weights(NO_VERSION, own)
        self._pinned: _Weights | None = None
        self._waiting: list[_Request] = []
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="inference", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    @property
    def version(self) -> Version:
        """Of the newest weights that were loaded."""
        return self._newest.version

    def load(self, version: Version, blob: bytes) -> None:
        """Use these weights from the next batch on. Raises WireError if they are not this policy's.

        `blob` is a safetensors file of exactly the trainable parameters; floating types are converted.
        """
        try:
            tensors = load_safetensors(blob)
        except (SafetensorError, ValueError) as error:
            raise WireError(f"weights {tuple(version)} are no safetensors file: {error}") from error
        self._check(version, tensors)
        ready = {name: tensors[name].to(own.device, own.dtype) for name, own in self._parameters.items()}
        with self._wake:
            self._newest = _Weights(version, ready)

    def pin(self) -> None:
        """Open the eval lane anew: its weights are the newest, and stay."""
        with self._wake:
            self._pinned = self._newest

    def decide(self, features: Features, temperature: float, lane: str) -> Decision:
        """Block until the policy has chosen. Raises DistrlError if the policy failed or the worker is closing."""
        request = _Request(features, temperature, lane)
        with self._wake:
            if self._closed:
                raise DistrlError("inference is closed")
            self._waiting.append(request)
            self._wake.notify()
        request.done.wait()
        if request.error is not None:
            error = request.error
            raise DistrlError(f"the policy failed: {type(error).__name__}: {error}") from error
        assert request.decision is not None
        return request.decision

    def close(self) -> None:
        """Fail what is waiting and end the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    def _serve(self) -> None:
        while batch := self._gather():
            for lane in ("eval", "train"):
                if requests := [request for request in batch if (request.lane == "eval") == (lane == "eval")]:
                    self._answer(requests, self._weights(lane))
        for request in self._waiting:
            request.error = DistrlError("the worker is closing")
            request.done.set()

    def _gather(self) -> list[_Request]:
        """Every request that is waiting, and those that come within a moment; [] when closed."""
        with self._wake:
            self._wake.wait_for(lambda: self._waiting or self._closed)
            until = time.monotonic() + GATHER_SECONDS
            while not self._closed and len(self._waiting) < self._playing():
                if not self._wake.wait(until - time.monotonic()):
                    break
            if self._closed:
                return []
            batch, self._waiting = self._waiting, []
            return batch

    def _weights(self, lane: str) -> _Weights:
        with self._wake:
            if lane != "eval":
                return self._newest
            if self._pinned is None:
                self._pinned = self._newest
            return self._pinned

    def _answer(self, requests: Sequence[_Request], weights: _Weights) -> None:
        try:
            self._use(weights)
            heat = [0.0 if request.lane == "eval" else request.temperature for request in requests]
            with torch.inference_mode():
                chosen = self._policy.act([request.features for request in requests], heat, self._generator)
            for request, decision in zip(requests, chosen, strict=True):
                request.decision = Decision(
                    decision.action, decision.code, decision.log_mu, decision.log_pi, weights.version
                )
        except Exception as error:
            for request in requests:
                request.error = error
        for request in requests:
            request.done.set()

    def _use(self, weights: _Weights) -> None:
        """Point the parameters at these tensors: no copy, so lanes may alternate for free."""
        if weights is not self._active:
            for name, parameter in self._parameters.items():
                parameter.data = weights.tensors[name]
            self._active = weights

    def _check(self, version: Version, tensors: dict[str, Tensor]) -> None:
        if odd := sorted(tensors.keys() ^ self._parameters.keys()):
            raise WireError(f"weights {tuple(version)} are not of this policy: {odd[0]} is on one side only")
        for name, own in self._parameters.items():
            came = tensors[name]
            if came.shape != own.shape or came.is_floating_point() != own.is_floating_point():
                raise WireError(
                    f"weights {tuple(version)}: {name} is {came.dtype} {list(came.shape)}, "
                    f"this policy's is {own.dtype} {list(own.shape)}"
                )


def trainable(policy: Policy) -> dict[str, torch.nn.Parameter]:
    """The parameters that travel as weights: those that training changes. {} for a policy that is no module."""
    if not isinstance(policy, torch.nn.Module):
        return {}
    return {name: parameter for name, parameter in policy.named_parameters() if parameter.requires_grad}
