"""The shade, pulled down from the upper edge: quick settings, the brightness, what apps have to tell."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.calls import MISSED
from distrl_sdk.simphone.apps.settings import Settings
from distrl_sdk.simphone.apps.settings_table import TABLE
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import SHADE, Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import NOWHERE, ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

TILES = (
    "wifi", "bluetooth", "airplane", "do_not_disturb", "flashlight", "rotate",
    "battery_saver", "mobile_data", "hotspot", "location", "dark_mode", "nfc",
)  # fmt: skip
"""Keys of settings; the flashlight alone is the shade's own."""
KINDS = {
    "call": "Missed call", "message": "Message received", "update": "App updated", "storage": "Storage almost full",
    "event": "Upcoming event", "download": "Download complete",
}  # fmt: skip
"""What a notification can be about -> its title."""
EVENTS = tuple(
    f"{what} at {hour}"
    for what in ("Dentist", "Choir", "Team lunch", "Yoga", "Parents evening", "Book club", "Haircut", "Chess night")
    for hour in ("9:00", "11:30", "14:00", "16:30", "19:00")
)
FILES = tuple(
    f"{what}{ending}"
    for what in ("invoice", "ticket", "manual", "recipe", "report", "poster", "timetable", "contract")
    for ending in (".pdf", ".zip", ".jpg", "-2.pdf", "-final.pdf")
)
_LABELS = {setting.key: setting.label for setting in TABLE} | {"flashlight": "Flashlight"}


@record
@dataclass(frozen=True, slots=True)
class Notice:
    """One notification."""

    kind: str
    about: str = ""
    """Whom or what."""


@record
@dataclass(frozen=True, slots=True)
class Shade:
    """Notifications, no two alike, and the flashlight."""

    notices: tuple[Notice, ...] = ()
    flashlight: bool = False

    def without(self, notice: Notice) -> Shade:
        """One notification less."""
        return replace(self, notices=tuple(one for one in self.notices if one != notice))


def waiting(start: Mapping[str, object], chance: random.Random) -> Shade:
    """What a fresh phone tells, given the records of its apps."""
    calls, messages, store = (getattr(start[name], what) for name, what in _SOURCES)
    offers = [Notice("storage"), Notice("event", chance.choice(EVENTS)), Notice("download", chance.choice(FILES))]
    offers += [Notice("call", call.who) for call in calls if call.kind == MISSED][:2]
    offers += [Notice("message", thread.name) for thread in messages[:2]]
    offers += [Notice("update", app) for app in store[:1]]
    return Shade(tuple(chance.sample(offers, k=min(len(offers), chance.randint(2, 4)))), chance.random() < 0.2)


_SOURCES = (("Phone", "calls"), ("Messages", "threads"), ("Store", "installed"))


def _layout(page: PageBuilder, shade: Shade, settings: Settings) -> None:
    page.bar("Quick settings", ("settings", "Settings", ("settings",)))
    page.grid(2, 150, *(_tile(page, key, _on(key, shade, settings)) for key in TILES))
    percent = int(str(settings.get("brightness")).rstrip("%"))
    page.slider("brightness", "Brightness", percent, ("slide", "brightness"))
    page.header("Notifications")
    if not shade.notices:
        page.paragraph("Nothing new")
    for notice in shade.notices:
        _notice(page, notice, f"{notice.kind}:{notice.about}")
    if shade.notices:
        page.button("clear", "Clear all", ("clear",), "flat_wide")


def _notice(page: PageBuilder, notice: Notice, key: str) -> None:
    title, which = page.say(KINDS[notice.kind]), (notice.kind, notice.about)
    row, cross = Rect(0, 0, WIDTH - 168, ROW), Rect(WIDTH - 168, 0, WIDTH, ROW)
    open_ = ("open", *which)
    page.place(Widget(row, "row", title, notice.about, f"notice:{key}", "item", open_, icon=notice.kind))
    what = f"{title} {notice.about}".strip()
    page.place(Widget(cross, "cross", page.say("Dismiss: {}", what), "", f"gone:{key}", "button", ("gone", *which)))
    page.skip(ROW)


def _tile(page: PageBuilder, key: str, on: bool) -> Widget:
    text, detail = page.say(_LABELS[key]), page.say("On" if on else "Off")
    return Widget(NOWHERE, "quick", text, detail, f"quick:{key}", "switch", ("quick", key), on)


def _on(key: str, shade: Shade, settings: Settings) -> bool:
    return shade.flashlight if key == "flashlight" else bool(settings.get(key))


def _react(state: PhoneState, event: Event) -> PhoneState:
    shade: Shade = state.apps[SHADE]
    settings: Settings = state.apps["Settings"]
    match event:
        case ("quick", "flashlight"):
            return state.with_app(SHADE, replace(shade, flashlight=not shade.flashlight))
        case ("quick", key):
            return state.with_app("Settings", settings.with_value(key, not settings.get(key)))
        case ("slide", key, percent):
            return state.with_app("Settings", settings.with_value(key, f"{max(10, int(percent))}%"))
        case ("gone", kind, about):
            return state.with_app(SHADE, shade.without(Notice(kind, about)))
        case ("open", kind, about):
            gone = state.with_app(SHADE, shade.without(Notice(kind, about)))
            return gone.pop().push(_target(kind, about))
        case ("clear",):
            cleared = state.with_app(SHADE, replace(shade, notices=()))
            return replace(cleared, toast=say(state.style, "No notifications left"))
        case ("settings",):
            return state.pop().push(Screen("Settings"))
        case ("swipe", "up"):
            return state.pop()
        case _:
            return state


def _target(kind: str, about: str) -> Screen:
    """The page that a notification leads to."""
    return {
        "call": Screen("Phone", "recents"),
        "message": Screen("Messages", "thread", (about,)),
        "update": Screen("Store", "app", (about,)),
        "storage": Screen("Settings", "section", ("Storage",)),
        "event": Screen("Calendar"),
        "download": Screen("Files"),
    }[kind]


def _facts(shade: Shade) -> Mapping[str, Json]:
    notices = [{"kind": notice.kind, "about": notice.about} for notice in shade.notices]
    return {"shade.notifications": notices, "shade.flashlight": shade.flashlight}


APP = App(SHADE, "Shade", (SHADE, "Settings"), _layout, _react, lambda _: Shade(), _facts)
