"""One simulated Android: a drawn phone, what Android keeps beside it, and its faults."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from distrl_android_adb.sim.disk import Disk
from distrl_android_adb.sim.display import Display, display_of
from distrl_android_adb.sim.guest import Guest
from distrl_android_adb.sim.options import AndroidOptions, Canned, Faults
from distrl_android_adb.sim.packages import package_of
from distrl_android_adb.sim.picture import View
from distrl_android_adb.sim.windows import Window, focused
from distrl_sdk.simphone import apps, engine, popups
from distrl_sdk.simphone.state import HOME, SHADE, Event, PhoneState, Screen
from distrl_sdk.simphone.widgets import HEIGHT, WIDTH
from distrl_sdk.types import Action, Wait

if TYPE_CHECKING:
    from distrl_android_adb.sim.connection import Connection

_AWAY = 0.3
"""The phone's seconds for which adbd is gone when it starts again, or when a snapshot is loaded."""
_A_TICK = 0.5
"""The phone's seconds after which what loads has come further, if nobody has acted."""
_LOGGED = 240
STAGES = {"adbd": 0.15, "boot_completed": 0.5, "bootanim": 0.6, "picture": 0.9}
SERVICES = {"SurfaceFlinger": 0.3, "activity": 0.65, "input": 0.7, "window": 0.7, "settings": 0.75, "package": 0.85}
"""The share of the boot after which each is there; every other service comes with `activity`."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of logcat."""

    time: float
    priority: str
    tag: str
    text: str


class Android:
    """Everything but the protocol. Programs change it in the shelf's own thread; a test may look from any."""

    def __init__(self, options: AndroidOptions | None = None) -> None:
        self.options = options or AndroidOptions()
        self.faults = Faults()
        self.guest = Guest(self.fresh(), self.fresh())
        self.links: set[Connection] = set()
        self.snapshots: dict[str, Guest] = {}
        self.commands: list[str] = []
        """Every command line that came, in order."""
        self.logcat: deque[LogLine] = deque(maxlen=4000)
        self.finger: tuple[float, float] | None = None
        """Where a finger is down, in pixels."""
        self._off = False
        self._powered = time.monotonic()
        self._away_until = 0.0
        self._acted = 0.0
        self._pictures: dict[tuple[object, ...], tuple[PhoneState, bytes]] = {}

    # --- the drawn phone --------------------------------------------------------------------------------------------

    @property
    def phone(self) -> PhoneState:
        """The drawn phone's state."""
        return self.guest.phone

    @phone.setter
    def phone(self, state: PhoneState) -> None:
        before, self.guest.phone = self.guest.phone, state
        for tag, text in _events(before, state):
            self.log(tag, text)

    @property
    def disk(self) -> Disk:
        """Its files."""
        return Disk(self.guest)

    def fresh(self) -> PhoneState:
        """The state of this phone when it was new."""
        return apps.fresh(self.options.seed, self.options.chances, self.options.style)

    def act(self, action: Action) -> None:
        """What a finger or a key does; nothing while the display is off."""
        if self.guest.awake:
            self._acted = time.monotonic()
            self.guest.selected = False
            self.phone = engine.act(self.phone, action)

    def react(self, event: Event) -> None:
        """What a touch would mean, without the time of an action."""
        self.phone = engine.react(self.phone, event)

    def start(self, app: str) -> None:
        """An app from its icon, wherever the phone is."""
        self._acted = time.monotonic()
        ticked = replace(self.phone.ticked(), popup="")
        self.phone = popups.perhaps(apps.elapse(engine.react(ticked, ("app", app))))

    def show_shade(self) -> None:
        """Pull the notifications down."""
        if self.phone.top.app != SHADE and not self.phone.popup:
            self.phone = self.phone.push(Screen(SHADE))

    def catch_up(self) -> None:
        """Let what loads come further, if nobody has acted for a while."""
        state = self.phone
        pending = state.top.ready > state.tick or state.apps["Store"].downloads
        if pending and time.monotonic() - self._acted >= _A_TICK * self.options.pace:
            self.act(Wait())

    # --- the display ------------------------------------------------------------------------------------------------

    def natural_size(self) -> tuple[int, int]:
        """(width, height) that it was built with, in pixels."""
        return round(WIDTH * self.options.scale), round(HEIGHT * self.options.scale)

    @property
    def display(self) -> Display:
        """As it is now."""
        system = self.guest.settings["system"]
        turned = system.get("user_rotation", "0") if system.get("accelerometer_rotation") == "0" else "0"
        return display_of(self.guest.size or self.natural_size(), int(turned) % 4 if turned.isdigit() else 0)

    def window(self) -> Window:
        """The one with the focus."""
        return focused(self.phone, self.guest.locked)

    def view(self) -> View:
        """All that its picture depends on, beside the phone's state."""
        off = not self.guest.awake or self.progress() < STAGES["picture"]
        return View(self.display, off or self.window().package in self.faults.secure, self.guest.locked)

    def remembered(self, state: PhoneState, form: tuple[object, ...]) -> bytes | None:
        """The picture of a state, if it is the last that was drawn in this form."""
        known = self._pictures.get(form)
        return known[1] if known is not None and known[0] is state else None

    def remember(self, state: PhoneState, form: tuple[object, ...], picture: bytes) -> None:
        """Keep a picture, for whoever looks twice."""
        self._pictures[form] = state, picture

    # --- the link ---------------------------------------------------------------------------------------------------

    def banner(self) -> str:
        """How it introduces itself to an adb server."""
        named = {"name": "simphone", "model": self.options.model.replace(" ", "_"), "device": "simphone"}
        known = "".join(f"ro.product.{key}={value};" for key, value in named.items())
        return f"device::{known}features={','.join(self.faults.features)}"

    def drop_links(self) -> None:
        """Cut every link, as a pulled cable does."""
        for link in list(self.links):
            link.drop()

    def restart_adbd(self) -> None:
        """Cut every link, and answer no new one for a moment."""
        self._away_until = time.monotonic() + _AWAY * self.options.pace
        self.drop_links()

    def is_reachable(self) -> bool:
        """Whether adbd runs."""
        return time.monotonic() >= self._away_until and self.progress() >= STAGES["adbd"]

    def canned(self, line: str) -> Canned | None:
        """The answer that a fault has for a command line; it is used up where it holds for some times only."""
        for place, canned in enumerate(self.faults.canned):
            if canned.times and canned.fits(line):
                self.faults.canned[place] = replace(canned, times=canned.times - (canned.times > 0))
                return canned
        return None

    # --- life -------------------------------------------------------------------------------------------------------

    def progress(self) -> float:
        """How much of the boot is done: 0..1."""
        if self._off:
            return 0.0
        whole = self.options.boot_seconds * self.options.pace
        return min(1.0, (time.monotonic() - self._powered) / whole) if whole > 0 else 1.0

    def is_off(self) -> bool:
        """Whether it was switched off."""
        return self._off

    def has(self, service: str) -> bool:
        """Whether a service of the system is up."""
        up = self.progress() >= SERVICES.get(service, SERVICES["activity"])
        return up and service not in self.faults.missing

    def power_on(self) -> None:
        """Boot: links drop, properties and services come one after the other. What is on the disk stays."""
        self.guest.props = {name: value for name, value in self.guest.props.items() if name.startswith("persist.")}
        self.guest.awake, self.guest.locked, self.guest.root = True, False, False
        self.phone = replace(self.phone, stack=(Screen(HOME),), popup="", toast="")
        self._off, self._powered = False, time.monotonic()
        self.restart_adbd()

    def power_off(self) -> None:
        """It is gone until `power_on`."""
        self._off = True
        self.drop_links()

    def save_snapshot(self, name: str) -> None:
        """Keep everything under a name."""
        self.snapshots[name] = self.guest.copy()

    def load_snapshot(self, name: str) -> None:
        """Be as then; the link drops. Raises KeyError for a name that was not saved."""
        self.guest = self.snapshots[name].copy()
        self.restart_adbd()

    def log(self, tag: str, text: str, priority: str = "I") -> None:
        """A line for logcat."""
        self.logcat.append(LogLine(self.guest.now(), priority, tag, text))

    async def wait(self, seconds: float) -> None:
        """Let the phone's time pass."""
        if seconds * self.options.pace > 0:
            await asyncio.sleep(seconds * self.options.pace)


def _events(before: PhoneState, after: PhoneState) -> Iterator[tuple[str, str]]:
    """(tag, text) of what logcat tells: another activity, and facts that changed in the app on top."""
    if before.top.place != after.top.place:
        window = focused(after)
        yield "ActivityTaskManager", f"Displayed {window.app} for user 0: +42ms"
    for name in {before.top.app, after.top.app} & set(apps.TOLD):
        old, new = before.apps[name], after.apps[name]
        tell = apps.app(name).facts
        if old is not new and tell is not None:
            told = tell(old)
            for fact, value in tell(new).items():
                if value != told.get(fact):
                    yield package_of(name), f"{fact}={json.dumps(value, ensure_ascii=False)[:_LOGGED]}"
