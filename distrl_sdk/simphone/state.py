"""What a simulated phone is at one moment: a value. Changing it makes another one; nothing is changed in place."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from distrl_sdk.errors import StorageError
from distrl_sdk.types import Json

Event: TypeAlias = tuple[str, ...]
"""What a touch means: a verb and its arguments. Verbs that the engine knows are listed in engine.py."""

HOME = "Home"
"""The launcher's name in the table of apps."""
SHADE = "Shade"
"""The name of what is pulled down from the upper edge: quick settings and notifications."""

_RECORDS: dict[str, type[Any]] = {}
_FORMAT = 2


_T = TypeVar("_T", bound=type)


def record(cls: _T) -> _T:
    """Mark a frozen dataclass of str, int, bool, tuples and other records as part of what save() writes."""
    _RECORDS[cls.__name__] = cls
    return cls


@record
@dataclass(frozen=True, slots=True)
class Screen:
    """One entry of the back-stack: a page of an app, and what the user has done to it."""

    app: str
    page: str = "main"
    args: tuple[str, ...] = ()
    scroll: int = 0
    """Logical pixels by which the page's body is moved up."""
    drafts: tuple[tuple[str, str], ...] = ()
    """What stands in each of the page's fields, by the field's id."""
    focus: str = ""
    """The id of the field that the keyboard writes to; '' = no keyboard."""
    dialog: Event = ()
    """The app's own open dialog, with its arguments."""
    ready: int = 0
    """The tick before which a spinner stands in its place."""

    def draft(self, field: str) -> str:
        """What stands in a field."""
        return next((text for name, text in self.drafts if name == field), "")

    def with_draft(self, field: str, text: str) -> Screen:
        """The same screen with another text in one field."""
        kept = tuple(pair for pair in self.drafts if pair[0] != field)
        return replace(self, drafts=(*kept, (field, text)) if text else kept)

    @property
    def place(self) -> tuple[str, ...]:
        """(app, page, *args): where this screen is."""
        return self.app, self.page, *self.args


@record
@dataclass(frozen=True, slots=True)
class Style:
    """What a phone's software looks like; the records beneath are the same."""

    version: int = 1
    """2 moves, renames and restyles what 1 shows."""
    locale: str = "en"
    """The language of its labels: en, de or zh."""
    dark: bool | None = None
    """Whether it starts in dark mode; None: as its owner left it."""


FIRST = Style()
VERSIONS = (1, 2)


@record
@dataclass(frozen=True, slots=True)
class Chances:
    """How often a phone is not ready for the next action."""

    popups: float = 0.0
    """Probability that an action is followed by a pop-up."""
    spinners: float = 0.0
    """Probability that a page which comes from the network takes an action's time to come."""
    stuck: float = 0.0
    """Probability that an action is followed by the dialog of an app that does not respond."""


CALM = Chances()


class Records(Mapping[str, Any]):
    """Each app's record by its name. One that is not `known` is made when somebody first looks, and then kept."""

    __slots__ = ("_known", "_make", "_names", "_whole")

    def __init__(
        self,
        known: dict[str, Any],
        names: tuple[str, ...] = (),
        make: Callable[[str], Any] | None = None,
        whole: Records | None = None,
    ) -> None:
        self._known = known
        self._names = names or tuple(known)
        self._make = make
        self._whole = whole

    def __getitem__(self, name: str) -> Any:
        found = self._known.get(name)
        if found is None:
            if name not in self._names:
                raise KeyError(name)
            make = self._whole.__getitem__ if self._whole is not None else self._make
            found = self._known[name] = make(name) if make is not None else None
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def put(self, name: str, value: object) -> Records:
        """The same records but one; what was not made yet is still made once for all of them."""
        return Records({**self._known, name: value}, self._names, whole=self if self._whole is None else self._whole)


@record
@dataclass(frozen=True, slots=True)
class PhoneState:
    """Everything. Two equal states behave alike for ever."""

    apps: Records
    """Each app's own record. Never written to; `with_app` copies."""
    stack: tuple[Screen, ...] = (Screen(HOME),)
    """The back-stack; the first is always the launcher, the last is on top."""
    popup: str = ""
    """The system's pop-up that waits for an answer (popups.py)."""
    toast: str = ""
    """A message that the next action wipes away."""
    seed: int = 0
    tick: int = 0
    """Actions since the reset. Chance is a function of (seed, tick)."""
    style: Style = FIRST
    chances: Chances = CALM
    delays_left: int = 2
    """Pop-ups and spinners that may still come: it bounds what chance can cost an episode."""

    @property
    def top(self) -> Screen:
        """The screen that is shown."""
        return self.stack[-1]

    def ticked(self) -> PhoneState:
        """One action later, before the action: the toast is gone."""
        # spelled out: this happens at every action, and dataclasses.replace takes several times as long
        return PhoneState(
            self.apps, self.stack, self.popup, "", self.seed, self.tick + 1, self.style, self.chances, self.delays_left
        )

    def with_top(self, screen: Screen) -> PhoneState:
        """Another screen in the place of the one on top."""
        return replace(self, stack=(*self.stack[:-1], screen))

    def push(self, screen: Screen) -> PhoneState:
        """A screen above the present one, which loses the keyboard."""
        below = replace(self.top, focus="") if self.top.focus else self.top
        return replace(self, stack=(*self.stack[:-1], below, screen))

    def pop(self, count: int = 1) -> PhoneState:
        """Without the topmost screens; the launcher stays."""
        return replace(self, stack=self.stack[: max(1, len(self.stack) - count)])

    def with_app(self, name: str, value: object) -> PhoneState:
        """The same phone with another record of one app."""
        return replace(self, apps=self.apps.put(name, value))


def dump(state: PhoneState) -> bytes:
    """The state as JSON bytes."""
    return json.dumps({"simphone": _FORMAT, "state": _plain(state)}, separators=(",", ":")).encode()


def load(blob: bytes) -> PhoneState:
    """The inverse of `dump`. Raises StorageError for bytes that it did not write."""
    try:
        envelope = json.loads(blob)
        if envelope["simphone"] != _FORMAT:
            raise StorageError(f"a simphone state of format {envelope['simphone']}; this version reads {_FORMAT}")
        state = _value(envelope["state"])
    except (ValueError, KeyError, TypeError) as error:
        raise StorageError(f"not a saved simphone state: {type(error).__name__}: {error}") from error
    if not isinstance(state, PhoneState):
        raise StorageError("not a saved simphone state: it holds something else")
    return state


def _plain(value: Any) -> Json:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return {"record": type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {"record": "", **{name: _plain(item) for name, item in value.items()}}
    return value


def _value(plain: Json) -> Any:
    if isinstance(plain, list):
        return tuple(_value(item) for item in plain)
    if isinstance(plain, dict):
        fields = {name: _value(item) for name, item in plain.items() if name != "record"}
        return _RECORDS[plain["record"]](**fields) if plain["record"] else Records(fields)
    return plain
