"""The calls that a phone remembers, whichever app placed them, and the call that is going on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from distrl_sdk.simphone.state import PhoneState, Screen, record

APP = "Phone"
"""The app whose record this is."""
MISSED, TAKEN, PLACED = "missed", "incoming", "outgoing"
"""Kinds of calls."""


@record
@dataclass(frozen=True, slots=True)
class Call:
    """One call."""

    number: str
    name: str
    """What the contacts called the number then; '' = nothing."""
    kind: str

    @property
    def who(self) -> str:
        """The name, or the number if there is none."""
        return self.name or self.number


@record
@dataclass(frozen=True, slots=True)
class Calls:
    """All calls, the latest first, and how the present one is heard."""

    calls: tuple[Call, ...] = ()
    muted: bool = False
    speaker: bool = False

    def latest(self) -> tuple[Call, ...]:
        """The latest call of each caller."""
        found: dict[str, Call] = {}
        for call in self.calls:
            found.setdefault(call.who, call)
        return tuple(found.values())

    def without(self, number: str) -> Calls:
        """No call from or to a number."""
        return replace(self, calls=tuple(call for call in self.calls if call.number != number))


def place_call(state: PhoneState, number: str, name: str) -> PhoneState:
    """The phone calls a number, and the page of the call is shown."""
    call = Call(number, name, PLACED)
    calls = Calls((call, *state.apps[APP].calls))
    return state.with_app(APP, calls).push(Screen(APP, "call", (call.who,)))
