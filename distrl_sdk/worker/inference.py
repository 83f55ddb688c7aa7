"""One batched policy for all slots of a worker, on its own thread; weights change only between two batches."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_safetensors
from torch import Tensor

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.interfaces import Policy
from distrl_sdk.types import NO_VERSION, Assignment, Decision, Features, Moment, Version

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.001
"""How long a batch waits for more requests while other slots are playing: about what one small batch takes."""


@dataclass(slots=True, eq=False)
class _Request:
    features: Features
    temperature: float
    pinned: Version | None
    seed: int
    done: threading.Event = field(default_factory=threading.Event)
    decision: Decision | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class _Weights:
    version: Version
    tensors: dict[str, Tensor]


class Inference:
    """Chooses actions for every slot, in batches of all requests that are waiting; or exactly, one by one.

    A request names no weights (the newest that were loaded), or the version that must answer it. Of the second kind one
    version a lane is held, fetched when it is no longer the newest, and the answer is exact. Exactly: with random
    numbers of its own seed, and alone, since a product of matrices of other sizes may differ in its last bits.
    """

    def __init__(
        self,
        policy: Policy,
        seed: int,
        fetch: Callable[[Version], bytes],
        playing: Callable[[], int] | None = None,
    ) -> None:
        """`fetch` gets one version's weights, or raises WireError if they are not to be had.

        `playing` tells how many slots are in an episode: nothing waits for company that cannot come. None: exactly.
        """
        self._policy = policy
        self._playing = playing
        self._fetch = fetch
        self._fetching = threading.Lock()
        self._generator = torch.Generator().manual_seed(seed)
        self._parameters = trainable(policy)
        if isinstance(policy, torch.nn.Module):
            policy.eval()
        own = {name: parameter.data for name, parameter in self._parameters.items()}
        self._newest = self._active = _Weights(NO_VERSION, own)
        self._pinned: dict[str, _Weights] = {}
        self._waiting: list[_Request] = []
        self._wake = threading.Condition()
        self._closed = self._told = False
        self._thread = threading.Thread(target=self._serve, name="inference", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    @property
    def has_weights(self) -> bool:
        """Whether the policy has parameters that training changes."""
        return bool(self._parameters)

    @property
    def version(self) -> Version:
        """Of the newest weights that were loaded."""
        return self._newest.version

    def load(self, version: Version, blob: bytes) -> None:
        """Use these weights from the next batch on. Raises WireError if they are not this policy's.

        `blob` is a safetensors file of exactly the trainable parameters; floating types are converted.
        """
        ready = self._read(version, blob)
        with self._wake:
            self._newest = ready

    def featurize(self, moment: Moment) -> Features:
        """`Policy.featurize`, on the caller's thread. Raises DistrlError if the policy fails."""
        try:
            return self._policy.featurize(moment)
        except Exception as error:
            raise self._failure(error) from error

    def prepare(self, assignment: Assignment) -> None:
        """Hold the weights that the assignment names. Raises WireError if they are not to be had."""
        version = assignment.pinned
        if version is None:
            return
        with self._fetching:
            held = self._held(version) or self._read(version, self._fetch(version))
            with self._wake:
                self._pinned[assignment.lane] = held

    def _held(self, version: Version) -> _Weights | None:
        with self._wake:
            return next((each for each in (self._newest, *self._pinned.values()) if each.version == version), None)

    def decide(self, features: Features, temperature: float, pinned: Version | None, seed: int = 0) -> Decision:
        """Block until the policy has chosen. Raises DistrlError if it failed, or the pinned version is not held."""
        request = _Request(features, temperature, pinned, seed)
        with self._wake:
            if self._closed:
                raise DistrlError("inference is closed")
            self._waiting.append(request)
            self._wake.notify()
        request.done.wait()
        if request.error is not None:
            raise request.error
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
            together = [request for request in batch if self._playing is not None and request.pinned is None]
            if together:
                self._answer(together, None, self._generator)
            for request in batch:
                if request not in together:
                    self._answer([request], request.pinned, torch.Generator().manual_seed(request.seed))
        for request in self._waiting:
            request.error = DistrlError("the worker is closing")
            request.done.set()

    def _gather(self) -> list[_Request]:
        """Every request that is waiting, and those that come within a moment; [] when closed."""
        with self._wake:
            self._wake.wait_for(lambda: self._waiting or self._closed)
            until = time.monotonic() + GATHER_SECONDS
            while not self._closed and self._playing is not None and len(self._waiting) < self._playing():
                if not self._wake.wait(until - time.monotonic()):
                    break
            if self._closed:
                return []
            batch, self._waiting = self._waiting, []
            return batch

    def _answer(self, requests: Sequence[_Request], version: Version | None, generator: torch.Generator) -> None:
        try:
            weights = self._newest if version is None else self._held(version)
            if weights is None:
                raise DistrlError(f"weights {version} gave way to later ones")
            self._use(weights)
            heat = [request.temperature for request in requests]
            with torch.inference_mode():
                chosen = self._policy.act([request.features for request in requests], heat, generator)
            for request, decision in zip(requests, chosen, strict=True):
                request.decision = replace(decision, version=weights.version)
        except Exception as error:
            failed = error if isinstance(error, DistrlError) else self._failure(error)
            for request in requests:
                request.error = failed
        for request in requests:
            request.done.set()

    def _failure(self, error: Exception) -> DistrlError:
        if not self._told:
            self._told = True
            log.error("the policy failed; its later failures are told in one line", exc_info=error)
        return DistrlError(f"the policy failed: {type(error).__name__}: {error}")

    def _use(self, weights: _Weights) -> None:
        """Point the parameters at these tensors: no copy, so lanes may alternate for free."""
        if weights is not self._active:
            for name, parameter in self._parameters.items():
                parameter.data = weights.tensors[name]
            self._active = weights

    def _read(self, version: Version, blob: bytes) -> _Weights:
        """The tensors of a blob, strictly those of this policy."""
        try:
            came = load_safetensors(blob)
        except (SafetensorError, ValueError) as error:
            raise WireError(f"weights {tuple(version)} are no safetensors file: {error}") from error
        if odd := sorted(came.keys() ^ self._parameters.keys()):
            raise WireError(f"weights {tuple(version)} are not of this policy: {odd[0]} is on one side only")
        for name, own in self._parameters.items():
            if came[name].shape != own.shape or came[name].is_floating_point() != own.is_floating_point():
                raise WireError(
                    f"weights {tuple(version)}: {name} is {came[name].dtype} {list(came[name].shape)}, "
                    f"this policy's is {own.dtype} {list(own.shape)}"
                )
        # A copy: numbers that lie at any address of a blob may be added up in another order than aligned ones.
        own_kind = {n: came[n].to(own.device, own.dtype, copy=True) for n, own in self._parameters.items()}
        return _Weights(version, own_kind)


def trainable(policy: Policy) -> dict[str, torch.nn.Parameter]:
    """The parameters that travel as weights: those that training changes. {} for a policy that is no module."""
    if not isinstance(policy, torch.nn.Module):
        return {}
    return {name: parameter for name, parameter in policy.named_parameters() if parameter.requires_grad}
