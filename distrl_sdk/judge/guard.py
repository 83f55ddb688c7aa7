"""What stands around every call of a model that judges: cache, budget, rates, audit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from distrl_sdk.judge.audit import Audit
from distrl_sdk.judge.budget import Budget, Rates, Spend
from distrl_sdk.judge.cache import AnswerCache, Flights, key_of
from distrl_sdk.judge.call import CallError, Model, ModelReply, ModelRequest
from distrl_sdk.judge.config import DeskConfig
from distrl_sdk.judge.rates import Booking, Bucket

UNBILLED = frozenset(("rate", "quota", "config", "budget"))
"""Reasons of a CallError for which no server asks money. After others it may have worked before the answer was lost."""


@dataclass(frozen=True, slots=True)
class Ledgers:
    """Where calls are accounted for."""

    budget: Budget
    audit: Audit
    cache: AnswerCache


class Till:
    """All calls of one desk go through it, whatever model and judge they belong to."""

    def __init__(self, config: DeskConfig, ledgers: Ledgers) -> None:
        self.budget = ledgers.budget
        self.audit = ledgers.audit
        self.cache = ledgers.cache
        self.rates = Rates(config.budget)
        self.flights: Flights[ModelReply] = Flights()
        self.lines = threading.BoundedSemaphore(config.concurrency)
        self.requests = Bucket(config.requests_per_minute)
        self.tokens = Bucket(config.tokens_per_minute)

    def guard(self, model: Model) -> Model:
        """The model to ask in its place: see AsksModels."""
        return GuardedModel(model, self)

    def close(self) -> None:
        """Let go of the files. Safe to call twice."""
        self.audit.close()
        self.cache.close()


class GuardedModel:
    """A Model that asks another one when nobody has asked the same, and when budget and rates allow it."""

    def __init__(self, model: Model, till: Till) -> None:
        self._model = model
        self._till = till

    @property
    def address(self) -> str:
        """The model's."""
        return self._model.address

    def ask(self, request: ModelRequest, seconds: float) -> ModelReply:
        """The answer, its cost included, within `seconds`. Raises CallError; StorageError when nothing can be noted."""
        until = time.monotonic() + seconds
        till = self._till

        def work() -> ModelReply:
            kept = till.cache.get(self.address, request)
            return kept if kept is not None else self._afford(request, until)

        try:
            reply, own = till.flights.join(key_of(self.address, request), work, seconds)
        except TimeoutError:
            raise CallError("transport", "the same question was asked before and has no answer yet") from None
        return reply if own else replace(reply, cached=True, cost=0.0)

    def close(self) -> None:
        """Close the model."""
        self._model.close()

    def _afford(self, request: ModelRequest, until: float) -> ModelReply:
        """Ask with the amount reserved that the call may take; what it did take is settled whatever comes of it."""
        till = self._till
        reserved = till.rates.most(request)
        if why := till.budget.reserve(reserved, until - time.monotonic()):
            raise CallError("budget", why)
        spent = Spend()
        try:
            with _line(till, until):
                tokens = _turn(till, reserved, until)
                spent = reserved  # from here on a server may have worked for it
                answer, spent = self._send(request, reserved, until)
                till.tokens.correct(tokens, spent.tokens)
        finally:
            till.budget.settle(reserved, spent)
        if isinstance(answer, CallError):
            raise answer
        till.cache.put(self.address, request, answer)
        return replace(answer, cost=till.rates.cost(request.model, answer.usage))

    def _send(self, request: ModelRequest, reserved: Spend, until: float) -> tuple[ModelReply | CallError, Spend]:
        """One call between its two lines in the audit; returns what came of it and what it took."""
        till = self._till
        number = till.audit.call(self.address, request, reserved)
        answer: ModelReply | CallError
        try:
            answer = self._model.ask(request, max(0.001, until - time.monotonic()))
        except CallError as error:
            answer = error
        spent = till.rates.spent(request.model, answer.usage, reserved)
        if isinstance(answer, CallError) and answer.usage is None and answer.reason in UNBILLED:
            spent = Spend(calls=1)
        till.audit.answer(number, answer, spent)
        return answer, spent


@contextmanager
def _line(till: Till, until: float) -> Iterator[None]:
    """One of the calls that may be under way at once."""
    if not till.lines.acquire(timeout=max(0.0, until - time.monotonic())):
        raise CallError("rate", "too many calls are under way")
    try:
        yield
    finally:
        till.lines.release()


def _turn(till: Till, reserved: Spend, until: float) -> Booking:
    """Wait for a place among requests and tokens; returns that of the tokens."""
    _booked(till.requests, 1, until, "requests")
    return _booked(till.tokens, reserved.tokens, until, "tokens")


def _booked(bucket: Bucket, amount: float, until: float, what: str) -> Booking:
    booking = bucket.book(amount, until - time.monotonic())
    if booking is None:
        raise CallError("rate", f"the desk's own limit of {what} a minute leaves no room in time")
    time.sleep(bucket.wait(booking))
    return booking
