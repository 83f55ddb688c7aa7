"""One call of a model that judges, in no vendor's words: the seam between judges, desk and endpoints.

A judge that asks models makes a `ModelRequest` and reads a `ModelReply`. A `Model` is one endpoint: it sends a request
once, and whatever does not come of it is a `CallError` that says what follows. What stands around every single call
(budget, limits, audit, cache) is a Model that holds a Model: the desk puts it there with `AsksModels.guard`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from distrl_sdk.errors import JudgeError
from distrl_sdk.types import Json, Usage


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded picture, exactly as it is sent."""

    encoded: bytes
    mime: str = "image/png"

    @property
    def sha256(self) -> str:
        """Of the encoded bytes, in hex."""
        return hashlib.sha256(self.encoded).hexdigest()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model. Equal requests may be answered from a cache."""

    model: str
    system: str
    parts: tuple[str | Picture, ...]
    """What the user says, in this order."""
    schema: Mapping[str, Json]
    """JSON Schema of the answer."""
    max_tokens: int = 2048
    """Of the answer, thoughts included."""
    temperature: float | None = 0.0
    """None: the model's own."""
    sample: int = 0
    """Which of several answers to the same question this is."""

    def canonical(self) -> str:
        """All of it as JSON with sorted keys; a picture is its hash."""
        parts = [part if isinstance(part, str) else {"sha256": part.sha256, "mime": part.mime} for part in self.parts]
        said: dict[str, Json] = {
            "model": self.model,
            "system": self.system,
            "parts": parts,
            "schema": dict(self.schema),
        }
        said |= {"max_tokens": self.max_tokens, "temperature": self.temperature, "sample": self.sample}
        return json.dumps(said, sort_keys=True, ensure_ascii=False)

    def sha256(self) -> str:
        """Of `canonical`, in hex."""
        return hashlib.sha256(self.canonical().encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered, whole. A reply that is blocked, cut off or empty is a CallError instead."""

    text: str
    """Thoughts left out."""
    served: str = ""
    """The model that answered, as the server calls it; '' when it does not say."""
    usage: Usage | None = None
    """None when the server does not say."""
    cached: bool = False
    """Whether it was kept from an earlier call."""
    cost: float | None = None
    """US dollars, filled in by the desk's guard; None when price or usage are not known, 0 for a cached one."""


Reason: TypeAlias = Literal["truncated", "blocked", "empty", "rate", "quota", "transport", "config", "budget"]
"""truncated: the limit of tokens was reached. blocked: the model or its filter refuses. empty: an answer without text.
rate: too many requests. quota: no request for the rest of the day or month. transport: network or server. config: key,
address, model or form of the request are wrong. budget: the desk does not let the call through."""

Next: TypeAlias = Literal["again", "give up", "fatal"]
"""again: the same request may succeed after `retry_after`. give up: it will not. fatal: none will; the run ends."""

_NEXT: Mapping[Reason, Next] = {
    "truncated": "give up",
    "blocked": "give up",
    "empty": "again",
    "rate": "again",
    "quota": "give up",
    "transport": "again",
    "config": "fatal",
    "budget": "give up",
}


class CallError(JudgeError):
    """A call of a model that gave no answer. Its message never holds a key."""

    def __init__(
        self, reason: Reason, message: str, *, retry_after: float | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.retry_after = retry_after
        """Seconds that the server asks to wait; None when it does not say."""
        self.usage = usage
        """What the call cost all the same, where the server says."""

    @property
    def next(self) -> Next:
        """What follows from it."""
        return _NEXT[self.reason]


class Model(Protocol):
    """An endpoint that answers questions about pictures. Called from several threads."""

    @property
    def address(self) -> str:
        """Vendor, base URL and API version, without a key: with a request's hash it names an answer."""
        ...

    def ask(self, request: ModelRequest, seconds: float) -> ModelReply:
        """Send it once and return within `seconds`. Raises CallError and nothing else."""
        ...

    def close(self) -> None:
        """Let go of connections. Safe to call twice."""
        ...


Guard: TypeAlias = Callable[[Model], Model]
"""Makes of a model one that is asked in its place."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """What one verdict may take of one model, for an estimate before the start."""

    model: str
    address: str
    calls: int
    """Calls of a verdict when nothing goes wrong."""
    pictures: int
    """A call's pictures."""
    characters: int
    """A call's text, about."""
    max_tokens: int
    """A call's answer at most."""


@runtime_checkable
class AsksModels(Protocol):
    """A judge that asks models. It retries by itself, within `JudgeRequest.seconds`.

    Its judge() raises ConfigError when an endpoint refuses key, model or form: then no verdict can come of the run.
    """

    def guard(self, guard: Guard) -> None:
        """Ask guard(model) instead of each model, from now on. Called before the first verdict."""
        ...

    def plan(self) -> tuple[CallPlan, ...]:
        """Every model that it may ask for a verdict."""
        ...
