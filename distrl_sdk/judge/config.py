"""Settings of the desk: how verdicts are asked for, what they may cost, and when they are no longer believed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from distrl_sdk.config import SMALLEST, at_least
from distrl_sdk.errors import ConfigError
from distrl_sdk.types import Json


@dataclass(frozen=True)
class BudgetConfig:
    """What a run may spend on models that judge. 0: no cap of this kind; a judge that asks models needs one."""

    usd: float = 0.0
    """US dollars; needs a price for every model."""
    usd_per_hour: float = 0.0
    """In any 60 minutes; episodes wait for the next ones."""
    tokens: int = 0
    """Read and written."""
    calls: int = 0
    """Sent, retries included."""
    prices: Mapping[str, Json] = field(default_factory=dict)
    """Model -> [US dollars for a million tokens read, for a million written]."""
    picture_tokens: int = 4000
    """What a picture is taken for before a call; what it was comes from the server, if it says so."""

    def __post_init__(self) -> None:
        at_least(self, 0, "usd", "usd_per_hour", "tokens", "calls", "picture_tokens")
        for model, price in self.prices.items():
            if not isinstance(price, list | tuple) or len(price) != 2 or not all(map(_is_price, price)):
                raise ConfigError(
                    f"BudgetConfig: the price of {model!r} must be two numbers, [US dollars for a million tokens read, "
                    f"for a million written], not {price!r}"
                )

    @property
    def capped(self) -> bool:
        """Whether there is a cap on all that the run spends."""
        return bool(self.usd or self.tokens or self.calls)


def _is_price(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


@dataclass(frozen=True)
class QualityConfig:
    """When verdicts are checked against what is known better, and when they are no longer believed."""

    floor: float = 0.6
    """Training pauses when the precision of the last verdicts is surely below this: its upper bound is. 0: never."""
    window: int = 200
    """Checked verdicts that count."""
    reference: str = "programmatic"
    """The judge on the worker that every verdict is checked against where device and task allow it; '': none."""
    positives: float = 0.15
    """Share of the successes that a person is asked about, where there is no reference; of what has no verdict all."""
    negatives: float = 0.02
    """Share of the failures."""

    def __post_init__(self) -> None:
        at_least(self, 0, "floor", "positives", "negatives", most=1)
        at_least(self, 1, "window")


@dataclass(frozen=True)
class DeskConfig:
    """How verdicts are asked for where the judge sits beside the learner. Phones never wait for them."""

    concurrency: int = 64
    """Verdicts at once, and calls of models at once."""
    deadline: float = 60.0
    """Seconds for one verdict: waiting for its turn, calls, retries and the time between them."""
    give_up: float = 30.0
    """Minutes after which an episode that got no verdict is dropped; it never counts as a failure."""
    again: float = 1.0
    """Seconds before such an episode is judged again, doubled each time up to a minute."""
    breaker: float = 0.5
    """Share of errors among the last verdicts above which none is asked for until the judge answers again."""
    cooling: float = 5.0
    """Seconds before the first try whether it does, doubled each time up to five minutes."""
    requests_per_minute: float = 0.0
    """Calls of models in any 60 seconds; 0: no limit."""
    tokens_per_minute: float = 0.0
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    quality: QualityConfig = field(default_factory=QualityConfig)

    def __post_init__(self) -> None:
        at_least(self, 1, "concurrency")
        at_least(self, SMALLEST, "deadline", "again", "cooling")
        at_least(self, SMALLEST, "breaker", most=1)
        at_least(self, 0, "give_up", "requests_per_minute", "tokens_per_minute")
