"""Models and requests made by hand, for whatever stands around a call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from distrl_sdk.judge.audit import Audit, spent
from distrl_sdk.judge.budget import Budget
from distrl_sdk.judge.cache import AnswerCache
from distrl_sdk.judge.call import ModelReply, ModelRequest, Picture
from distrl_sdk.judge.config import BudgetConfig, DeskConfig
from distrl_sdk.judge.guard import Ledgers, Till
from distrl_sdk.judge.redaction import Redaction
from distrl_sdk.types import Usage

USAGE = Usage(input=1000, output=50, thought=10)
PRICES = {"m": [1.0, 10.0]}
"""A call of USAGE costs 1000 * 1 + 60 * 10 millionths of a dollar."""


def request(text: str = "done?", max_tokens: int = 100, picture: bytes = b"\x89PNG") -> ModelRequest:
    return ModelRequest("m", "You judge.", (text, Picture(picture)), {"type": "object"}, max_tokens)


class Model:
    """Answers as it is told, and counts how often it was asked and by how many at once."""

    address = "fake http://127.0.0.1/v1"

    def __init__(self, answer: Callable[[ModelRequest], ModelReply]) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self.asked: list[ModelRequest] = []
        self.at_once = self.most_at_once = self.closed = 0

    def ask(self, request: ModelRequest, seconds: float) -> ModelReply:
        with self._lock:
            self.asked.append(request)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return self._answer(request)
        finally:
            with self._lock:
                self.at_once -= 1

    def close(self) -> None:
        self.closed += 1


def says(text: str = "yes", served: str = "m-1", usage: Usage | None = USAGE) -> Callable[[ModelRequest], ModelReply]:
    return lambda _: ModelReply(text, served, usage)


def till(folder: Path, config: DeskConfig | None = None, budget: BudgetConfig | None = None) -> Till:
    config = config or DeskConfig(budget=budget or BudgetConfig(prices=PRICES))
    path = folder / "audit.jsonl"
    redaction = Redaction(environment={})
    ledgers = Ledgers(Budget(config.budget, spent(path)), Audit(path, redaction), AnswerCache(folder / "cache.sqlite"))
    return Till(config, ledgers)
