"""What may be spent on models: an amount is reserved before each call and settled after it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import astuple, dataclass

from distrl_sdk.judge.call import ModelRequest, Picture
from distrl_sdk.judge.config import BudgetConfig
from distrl_sdk.types import Usage

HOUR = 3600.0
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Spend:
    """An amount of what calls cost."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0

    def __add__(self, other: Spend) -> Spend:
        return Spend(self.calls + other.calls, self.tokens + other.tokens, self.usd + other.usd)

    def __sub__(self, other: Spend) -> Spend:
        return Spend(self.calls - other.calls, self.tokens - other.tokens, self.usd - other.usd)


class Rates:
    """What calls are taken to cost before they are made, and what they did cost."""

    def __init__(self, config: BudgetConfig) -> None:
        self._config = config

    def knows(self, model: str) -> bool:
        """Whether the model has a price."""
        return model in self._config.prices

    def most(self, request: ModelRequest) -> Spend:
        """What a call takes at most: no text has more tokens than bytes. Dollars are 0 where there is no price."""
        written = [
            request.system,
            str(dict(request.schema)),
            *(part for part in request.parts if isinstance(part, str)),
        ]
        pictures = sum(isinstance(part, Picture) for part in request.parts)
        read = (
            sum(len(text.encode(errors="surrogatepass")) for text in written) + pictures * self._config.picture_tokens
        )
        return Spend(1, read + request.max_tokens, self._usd(request.model, read, request.max_tokens) or 0.0)

    def cost(self, model: str, usage: Usage | None) -> float | None:
        """US dollars of a call; None when its price or its tokens are not known."""
        if usage is None or usage.input is None or usage.output is None:
            return None
        return self._usd(model, usage.input, usage.output + (usage.thought or 0))

    def spent(self, model: str, usage: Usage | None, reserved: Spend) -> Spend:
        """What a call took: what was reserved, where the server does not say."""
        if usage is None or usage.input is None or usage.output is None:
            return reserved
        tokens = usage.input + usage.output + (usage.thought or 0)
        return Spend(1, tokens, self.cost(model, usage) or 0.0)

    def _usd(self, model: str, read: int, written: int) -> float | None:
        if model not in self._config.prices:
            return None
        for_read, for_written = self._config.prices[model]
        return float((read * for_read + written * for_written) / MILLION)


class Budget:
    """Never lets what is spent and what is reserved together pass a cap. Used from several threads."""

    def __init__(
        self, config: BudgetConfig, spent: Spend = Spend(), clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`spent`: by earlier processes of the run."""
        self._caps = Spend(config.calls, config.tokens, config.usd)
        self._hourly = config.usd_per_hour
        self._clock = clock
        self._turn = threading.Condition()
        self._spent = spent
        self._reserved = Spend()
        self._hour: deque[tuple[float, float]] = deque()
        self.used_up = ""
        """Why no call can be made any more in this run; '' while some can."""

    @property
    def spent(self) -> Spend:
        """What was settled."""
        return self._spent

    @property
    def committed(self) -> Spend:
        """What was settled, and what is reserved."""
        with self._turn:
            return self._spent + self._reserved

    def reserve(self, most: Spend, seconds: float) -> str:
        """Set an amount aside; returns '' or why that cannot be.

        Waits up to `seconds` for calls that are under way to be settled, if that may make room.
        """
        until = self._clock() + seconds
        with self._turn:
            while why := self._over(self._spent + self._reserved + most):
                if final := self._over(self._spent + most):
                    self.used_up = final
                    return final
                if (left := until - self._clock()) <= 0 or not self._turn.wait(left):
                    return why
            if why := self._over_hour(most.usd):
                return why
            self._reserved += most
            return ""

    def settle(self, reserved: Spend, spent: Spend) -> None:
        """Give back what was reserved, and note what was spent."""
        with self._turn:
            self._reserved -= reserved
            self._spent += spent
            if self._hourly:
                self._hour.append((self._clock(), spent.usd))
            self._turn.notify_all()

    def _over(self, total: Spend) -> str:
        for cap, amount, option in zip(astuple(self._caps), astuple(total), ("calls", "tokens", "usd"), strict=True):
            if cap and amount > cap * (1 + 1e-12):
                return (
                    f"the judge's budget of {cap:g} {option} is used up, with what is under way: "
                    f"raise --desk.budget.{option} and resume"
                )
        return ""

    def _over_hour(self, usd: float) -> str:
        if not self._hourly:
            return ""
        while self._hour and self._hour[0][0] <= self._clock() - HOUR:
            self._hour.popleft()
        if sum(each for _, each in self._hour) + self._reserved.usd + usd > self._hourly * (1 + 1e-12):
            return f"{self._hourly:g} US dollars an hour are used up"
        return ""
