"""Settings: sections of switches, levels and choices from one table; networks, rights of apps, about the phone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from distrl_sdk.simphone.apps import networks
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.launcher import DOCK, GRID
from distrl_sdk.simphone.apps.networks import Networks
from distrl_sdk.simphone.apps.settings_table import BY_KEY, LEVELS, SECTIONS, TABLE, Setting
from distrl_sdk.simphone.apps.store import Store
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_MODEL = "Pebble 9"


@record
@dataclass(frozen=True, slots=True)
class Settings:
    """What is set: a bool for a switch, one of the options for the rest; and what no table holds."""

    values: tuple[tuple[str, bool | str], ...]
    networks: Networks = field(default_factory=Networks)
    silenced: tuple[str, ...] = ()
    """Apps that may not send notifications."""
    located: tuple[str, ...] = ()
    """Apps that may know where the phone is."""
    device: str = _MODEL
    """The phone's name."""

    def get(self, key: str) -> bool | str:
        """The value of one setting."""
        return next(value for name, value in self.values if name == key)

    def with_value(self, key: str, value: bool | str) -> Settings:
        """The same, one thing set otherwise."""
        return replace(self, values=tuple((name, value if name == key else old) for name, old in self.values))

    def with_right(self, right: str, app: str, has: bool) -> Settings:
        """The same, with an app among the `silenced` or the `located` ones, or not."""
        silenced = right == "silenced"
        kept = {*(self.silenced if silenced else self.located)} - {app}
        listed = tuple(sorted({*kept, app} if has else kept))
        return replace(self, silenced=listed) if silenced else replace(self, located=listed)


def _start(chance: random.Random) -> Settings:
    def value(setting: Setting) -> bool | str:
        if setting.options:
            return chance.choice(setting.options)
        return chance.random() < (0.15 if setting.key in ("airplane", "dark_mode") else 0.5)

    values = tuple((setting.key, value(setting)) for setting in TABLE)
    silenced, located = (tuple(sorted(chance.sample(GRID, k=3))) for _ in range(2))
    return Settings(values, networks.around(chance), silenced, located)


def _layout(page: PageBuilder, settings: Settings, store: Store) -> None:
    screen = page.screen
    match screen.page:
        case "choose":
            _choose(page, BY_KEY[screen.args[0]], settings)
        case "networks" | "network" | "join":
            networks.layout(page, settings.networks, bool(settings.get("wifi")))
        case "apps":
            page.bar("Apps")
            for name in sorted({*DOCK, *GRID, *store.installed}):
                page.row(f"info:{name}", name, ("page", "info", name), icon=name)
        case "info":
            _info(page, settings, screen.args[0])
        case "about" | "rename":
            _about(page, settings)
        case "found":
            query = screen.args[0]
            page.bar(page.say("Results for {}", query))
            _rows(
                page, settings, [one for one in TABLE if query.lower() in f"{one.label} {page.say(one.label)}".lower()]
            )
        case "section":
            page.bar(screen.args[0])
            if screen.args[0] == "Network":
                page.row("networks", "Wi-Fi networks", ("page", "networks"), settings.networks.joined)
            _rows(page, settings, [one for one in TABLE if one.section == screen.args[0]])
        case _:
            _main(page, settings)


def _main(page: PageBuilder, settings: Settings) -> None:
    page.bar("Settings")
    page.field("search", "Search settings")
    _rows(page, settings, [one for one in TABLE if not one.section])
    for name in SECTIONS if page.style.version == 1 else sorted(SECTIONS):
        held = ", ".join(page.say(setting.label) for setting in TABLE if setting.section == name)
        page.row(f"section:{name}", name, ("page", "section", name), held, icon=name)
        if name == "Notifications":
            page.row("apps", "Apps", ("page", "apps"), "Notifications, location", icon="Apps")
    page.row("about", "About phone", ("page", "about"), settings.device, icon="About")


def _rows(page: PageBuilder, settings: Settings, some: Iterable[Setting]) -> None:
    for setting in some:
        current = settings.get(setting.key)
        if isinstance(current, bool):
            page.switch(f"set:{setting.key}", setting.label, current, ("toggle", setting.key))
        else:
            page.row(f"set:{setting.key}", setting.label, ("page", "choose", setting.key), current)


def _choose(page: PageBuilder, setting: Setting, settings: Settings) -> None:
    page.bar(setting.label)
    current = str(settings.get(setting.key))
    if setting.options == LEVELS:
        page.slider(f"slide:{setting.key}", setting.label, int(current.rstrip("%")), ("slide", setting.key))
    for option in setting.options:
        page.option(f"option:{option}", option, current == option, ("choose", setting.key, option))


def _about(page: PageBuilder, settings: Settings) -> None:
    if page.screen.page == "rename":
        page.bar("Device name", ("save", "Save", ("rename",)))
        page.field("device", "New name")
        return
    page.bar("About phone")
    page.row("device", "Device name", ("page", "rename"), settings.device)
    page.row("model", "Model", (), _MODEL)
    page.row("version", "Version of the system", (), str(page.style.version))


def _info(page: PageBuilder, settings: Settings, name: str) -> None:
    page.bar(name)
    page.switch("notify", "Notifications", name not in settings.silenced, ("right", "silenced", name))
    page.switch("locate", "Access to the location", name in settings.located, ("right", "located", name))
    page.row("used", "Storage used", (), page.say("{} MB", 12 + sum(map(ord, name)) % 180))
    page.button("open", "Open", ("app", name), "flat_wide")


def _react(state: PhoneState, event: Event) -> PhoneState:
    settings: Settings = state.apps["Settings"]
    match event:
        case ("toggle", key):
            return state.with_app("Settings", settings.with_value(key, not settings.get(key)))
        case ("choose", key, option):
            toast = say(state.style, "{} set", say(state.style, option))
            return replace(state.with_app("Settings", settings.with_value(key, option)).pop(), toast=toast)
        case ("slide", key, percent):
            return state.with_app("Settings", settings.with_value(key, f"{max(10, int(percent))}%"))
        case ("right", right, app):
            has = app in getattr(settings, right)
            return state.with_app("Settings", settings.with_right(right, app, not has))
        case ("connect", name):
            return networks.connect(state, name)
        case ("forget", name):
            return networks.forget(state, name)
        case ("enter", "password"):
            return networks.connect(state, state.top.args[0])
        case ("rename",) | ("enter", "device"):
            return _rename(state, settings)
        case ("enter", "search"):
            query = state.top.draft("search").strip()
            return state.push(Screen("Settings", "found", (query,))) if query else state
        case _:
            return state


def _rename(state: PhoneState, settings: Settings) -> PhoneState:
    name = state.top.draft("device").strip()
    if not name:
        return replace(state, toast=say(state.style, "Enter a name"))
    return state.with_app("Settings", replace(settings, device=name)).pop()


def _facts(settings: Settings) -> Mapping[str, Json]:
    return {
        **{f"settings.{key}": value for key, value in settings.values},
        "settings.network": settings.networks.joined,
        "settings.known_networks": [one.name for one in settings.networks.found if one.known],
        "settings.silenced": list(settings.silenced),
        "settings.located": list(settings.located),
        "settings.device": settings.device,
    }


APP = App(
    "Settings", "Settings", ("Settings", "Store"), _layout, _react, _start, _facts,
    {"join": "password", "rename": "device"},
)  # fmt: skip
