"""AndroidDevice: one phone or emulator as a Device. What may be done, and what tasks ask, comes by the seams."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from distrl_android_adb.apps import App, find_app
from distrl_android_adb.health import Health
from distrl_android_adb.launch import home_package, launch, list_apps, stop
from distrl_android_adb.look import Look, Manner, look, with_seconds
from distrl_android_adb.options import Options
from distrl_android_adb.phone import Phone
from distrl_android_adb.seams import Seams
from distrl_android_adb.typist import Typist
from distrl_sdk.errors import DeviceError
from distrl_sdk.types import (
    ACTIONS,
    Action,
    DeviceAbout,
    Finish,
    Json,
    Key,
    LongPress,
    Observation,
    OpenApp,
    Press,
    Swipe,
    Tap,
    Task,
    TypeText,
    Wait,
)


class AndroidDevice:
    """Used from one thread at a time. What it changed on the phone is put back by `close`."""

    def __init__(self, phone: Phone, options: Options, seams: Seams, close: Callable[[], None]) -> None:
        """The phone is up and prepared. `close` lets go of it. Raises DeviceError when it does not tell what it is."""
        self.phone = phone
        self.options = options
        self._seams = seams
        self._close = close
        self._closed = False
        self._typist = Typist(phone)
        self._health = Health(options)
        self._manner = Manner(options.elements, options.settle)
        self._apps: tuple[App, ...] = ()
        self._home = ""
        self._used: set[str] = set()
        """Packages that were in front since the last reset."""
        self._newest: Look | None = None
        self.about = self._describe()

    def reset(self, task: Task) -> Observation:
        """Stop what was used, go home, bring the task's start about, look. Raises DeviceError, or UsageError."""
        began = time.monotonic()
        self._newest = None
        phone = self._reachable()
        phone.forget()
        self._health.check(phone)
        if self._seams.guard is not None:
            self._seams.guard.begin(phone, task)
        phone.wake()
        self._stop_apps(task)
        phone.press(Key.HOME)
        if self._seams.chores is not None:
            self._seams.chores.setup(phone, task)
        return self._look(began)

    def perform(self, action: Action) -> Observation:
        """Act once and look. An act of which nobody knows whether it was done is not repeated: the look shows it."""
        began = time.monotonic()
        before, phone = self._newest, self._reachable()
        if before is None:
            raise DeviceError("this phone acts after a reset only")
        refused = self._seams.guard.before_action(before, action) if self._seams.guard is not None else ""
        if not refused:
            self._act(phone, action, before)
        return self._look(began, pause=not isinstance(action, Finish))

    def facts(self, task: Task) -> Mapping[str, Json]:
        """What the chores tell of the present state."""
        phone = self._reachable()
        return self._seams.chores.facts(phone, task) if self._seams.chores is not None else {}

    def close(self) -> None:
        """Put back what was changed and let go of the phone. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._close()

    def _reachable(self) -> Phone:
        if self._closed:
            raise DeviceError("this phone was closed")
        return self.phone

    def _describe(self) -> DeviceAbout:
        phone = self.phone
        self._apps = list_apps(phone)
        self._home = home_package(phone)
        picture = phone.picture()
        return DeviceAbout(
            "android",
            phone.prop("ro.product.model"),
            phone.prop("ro.build.version.release"),
            picture.width,
            picture.height,
            tuple(dict.fromkeys(app.label for app in self._apps if app.package != self._home)),
            frozenset(ACTIONS),
        )

    def _stop_apps(self, task: Task) -> None:
        """Apps that the task names, and those that were used since the last reset."""
        wanted = {app.package for name in task.apps if (app := find_app(self._apps, name)) is not None}
        for package in sorted((wanted | self._used) - {self._home, "android", "com.android.systemui"}):
            stop(self.phone, package)
        self._used.clear()

    def _act(self, phone: Phone, action: Action, before: Look) -> None:
        shown = before.observation.screenshot
        match action:
            case Tap() | LongPress() | Swipe() | Press():
                phone.touch(action, shown.width, shown.height)
            case TypeText(text):
                self._typist.type(text)
            case OpenApp(name):
                app = find_app(self._apps, name)
                if app is not None:
                    launch(phone, app.package)
            case Wait(seconds):
                time.sleep(seconds)
            case Finish():
                pass

    def _look(self, began: float, pause: bool = True) -> Observation:
        if pause:
            time.sleep(self.options.pause)
        labels = {app.package: app.label for app in self._apps}
        seen = look(self.phone, self._manner, labels)
        if self._seams.guard is not None:
            seen = self._seams.guard.after_look(self.phone, seen)
        self._used.add(seen.focus.package)
        self._newest = with_seconds(seen, time.monotonic() - began)
        return self._newest.observation
