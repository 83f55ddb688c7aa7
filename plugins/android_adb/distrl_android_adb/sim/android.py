"""One simulated Android: a drawn phone, what Android keeps beside it, and its faults."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from distrl_android_adb.sim.guest import Guest
from distrl_android_adb.sim.options import AndroidOptions, Canned, Faults
from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.state import Event, PhoneState
from distrl_sdk.simphone.widgets import HEIGHT, WIDTH
from distrl_sdk.types import Action

if TYPE_CHECKING:
    from distrl_android_adb.sim.connection import Connection


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of logcat."""

    time: float
    tag: str
    text: str
    priority: str = "I"


class Android:
    """Everything but the protocol. Programs change it in the shelf's own thread; a test may look from any."""

    def __init__(self, options: AndroidOptions | None = None) -> None:
        self.options = options or AndroidOptions()
        self.faults = Faults()
        self.guest = Guest(apps.fresh(self.options.seed, self.options.chances, self.options.style))
        self.links: set[Connection] = set()
        self.commands: list[str] = []
        """Every command line that came, in order."""
        self.logcat: deque[LogLine] = deque(maxlen=4000)
        self.booted = time.monotonic()
        self._pictures: dict[tuple[object, ...], tuple[PhoneState, bytes]] = {}

    @property
    def phone(self) -> PhoneState:
        """The drawn phone's state."""
        return self.guest.phone

    @phone.setter
    def phone(self, state: PhoneState) -> None:
        self.guest.phone = state

    def act(self, action: Action) -> None:
        """What a finger or a key does."""
        self.phone = engine.act(self.phone, action)

    def react(self, event: Event) -> None:
        """What a touch would mean, without the time of an action."""
        self.phone = engine.react(self.phone, event)

    def size(self) -> tuple[int, int]:
        """(width, height) of the display in its natural orientation, in pixels."""
        return round(WIDTH * self.options.scale), round(HEIGHT * self.options.scale)

    def banner(self) -> str:
        """How it introduces itself to an adb server."""
        named = {"name": "simphone", "model": self.options.model.replace(" ", "_"), "device": "simphone"}
        known = "".join(f"ro.product.{key}={value};" for key, value in named.items())
        return f"device::{known}features={','.join(self.faults.features)}"

    def log(self, tag: str, text: str, priority: str = "I") -> None:
        """A line for logcat."""
        self.logcat.append(LogLine(self.guest.now(), tag, text, priority))

    async def wait(self, seconds: float) -> None:
        """Let the phone's time pass."""
        if seconds * self.options.pace > 0:
            await asyncio.sleep(seconds * self.options.pace)

    def is_up(self) -> bool:
        """Whether it has booted."""
        return time.monotonic() - self.booted >= self.options.boot_seconds * self.options.pace

    def remembered(self, state: PhoneState, form: tuple[object, ...]) -> bytes | None:
        """The picture of a state, if it is the last that was drawn in this form."""
        known = self._pictures.get(form)
        return known[1] if known is not None and known[0] is state else None

    def remember(self, state: PhoneState, form: tuple[object, ...], picture: bytes) -> None:
        """Keep a picture, for whoever looks twice."""
        self._pictures[form] = state, picture

    def canned(self, line: str) -> Canned | None:
        """The answer that a fault has for a command line; it is used up where it holds for some times only."""
        for place, canned in enumerate(self.faults.canned):
            if canned.times and canned.fits(line):
                self.faults.canned[place] = replace(canned, times=canned.times - (canned.times > 0))
                return canned
        return None

    def drop_links(self) -> None:
        """Cut every link, as a pulled cable does."""
        for link in list(self.links):
            link.drop()
