"""Families in the settings' deeper pages: networks, rights of apps, the phone's name."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.launcher import DOCK, GRID
from distrl_sdk.simphone.apps.networks import Network
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    Turn,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.names import APPS, draw_network, draw_password
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_KNOWN = "settings.known_networks"
_LIST = {
    ("Settings", "main"): (Hit("section:Network"),),
    ("Settings", "section", "Network"): (Hit("networks"),),
}
_OWNERS = ("Nora", "Otto", "Ruth", "Hugo", "Mina", "Theo", "Vera", "Emil")
_THINGS = ("Rocket", "Pebble", "Compass", "Beacon", "Lantern", "Comet", "Anchor", "Falcon", "Otter", "Walnut")


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"network": draw_network(chance), "password": draw_password(chance)}


def _with_network(state: PhoneState, network: Network) -> PhoneState:
    settings = state.apps["Settings"].with_value("wifi", True)
    networks = settings.networks.forget(network.name).with_network(network)
    found = [one for one in networks.found if one.name != network.name]
    found.insert(state.seed % (len(found) + 1), network)
    return state.with_app("Settings", replace(settings, networks=replace(networks, found=tuple(found))))


def _prepare_connect(state: PhoneState, params: Params) -> PhoneState:
    return _with_network(state, Network(params["network"], params["password"]))


def _verify_connect(params: Params) -> tuple[Check, ...]:
    return equals("settings.network", params["network"]), equals(f"{_KNOWN}.grown", 1), only("settings.network", _KNOWN)


def _route_connect(params: Params) -> Route:
    name = params["network"]
    return from_home("Settings", {
        **_LIST,
        ("Settings", "networks"): (Turn("set:wifi", True), Hit(f"network:{name}")),
        ("Settings", "join", name): (Fill("password", params["password"]), Hit("connect")),
    })  # fmt: skip


def _prepare_forget(state: PhoneState, params: Params) -> PhoneState:
    state = _with_network(state, Network(params["network"], params["password"], known=True))
    if state.seed % 2:
        return state
    settings = state.apps["Settings"]
    return state.with_app("Settings", replace(settings, networks=replace(settings.networks, joined=params["network"])))


def _verify_forget(params: Params) -> tuple[Check, ...]:
    return lacks(_KNOWN, params["network"]), equals(f"{_KNOWN}.grown", -1), only("settings.network", _KNOWN)


def _route_forget(params: Params) -> Route:
    name = params["network"]
    return from_home("Settings", {
        **_LIST,
        ("Settings", "networks"): (Turn("set:wifi", True), Hit(f"network:{name}")),
        ("Settings", "network", name): (Hit("forget"),),
        ("Settings", "network", name, "!"): (Hit("confirm"),),
    })  # fmt: skip


def _draw_right(chance: random.Random) -> dict[str, Json]:
    app, allowed = chance.choice((*DOCK[:-1], *GRID, *APPS)), chance.random() < 0.5
    return {"app": app, "allowed": allowed, "verb": "Allow" if allowed else "Stop", "word": "on" if allowed else "off"}


def _prepare_right(state: PhoneState, params: Params) -> PhoneState:
    if params["app"] in APPS:
        state = state.with_app("Store", state.apps["Store"].with_app(params["app"]))
    settings = state.apps["Settings"].with_right("silenced", params["app"], has=params["allowed"])
    return state.with_app("Settings", settings)


def _verify_right(params: Params) -> tuple[Check, ...]:
    (check, grown) = (lacks, -1) if params["allowed"] else (has, 1)
    fact = "settings.silenced"
    return check(fact, params["app"]), equals(f"{fact}.grown", grown), only(fact)


def _route_right(params: Params) -> Route:
    app = params["app"]
    return from_home("Settings", {
        ("Settings", "main"): (Hit("apps"),),
        ("Settings", "apps"): (Hit(f"info:{app}"),),
        ("Settings", "info", app): (Turn("notify", params["allowed"]),),
    })  # fmt: skip


def _draw_device(chance: random.Random) -> dict[str, Json]:
    return {"device": f"{chance.choice(_OWNERS)} {chance.choice(_THINGS)}"}


def _as_it_is(state: PhoneState, params: Params) -> PhoneState:
    del params
    return state


def _verify_device(params: Params) -> tuple[Check, ...]:
    return equals("settings.device", params["device"]), only("settings.device")


def _route_device(params: Params) -> Route:
    return from_home("Settings", {
        ("Settings", "main"): (Hit("about"),),
        ("Settings", "about"): (Hit("device"),),
        ("Settings", "rename"): (Fill("device", params["device"]), Hit("save")),
    })  # fmt: skip


WIFI_CONNECT = Family(
    "wifi_connect", ("Settings",),
    ("Connect to the Wi-Fi network {network} with the password {password}",
     "Join {network} , its password is {password}",
     "Get this phone into the network {network} : the password is {password}",
     "Use {password} to log in to the Wi-Fi {network} in the settings"),
    _draw, _prepare_connect, _verify_connect, _route_connect,
    ("I am at a place with Wi-Fi {network} and password {password} , connect please",
     "The phone should use {network} for the internet. Password: {password}"),
)  # fmt: skip
WIFI_FORGET = Family(
    "wifi_forget", ("Settings",),
    ("Forget the Wi-Fi network {network}", "Remove {network} from the known networks",
     "Never connect to {network} again, forget it", "In the Wi-Fi settings forget {network}"),
    _draw, _prepare_forget, _verify_forget, _route_forget,
    ("The phone should no longer remember the network {network}", "I will not go back to {network}, drop that Wi-Fi"),
)  # fmt: skip
APP_NOTIFICATIONS = Family(
    "app_notifications", ("Settings",),
    ("Turn {word} the notifications of {app}", "{verb} notifications from {app} in the settings",
     "Go to the app info of {app} and switch its notifications {word}", "I want the notifications of {app} {word}"),
    _draw_right, _prepare_right, _verify_right, _route_right,
    ("Notifications of the app {app} should be {word}", "Set what {app} may do: notifications {word}"),
)  # fmt: skip
RENAME_PHONE = Family(
    "rename_phone", ("Settings",),
    ("Rename this phone to {device}", "Change the device name to {device}", "Call this phone {device} in the settings",
     "The name of my phone should be {device}", "Set {device} as the name of the device"),
    _draw_device, _as_it_is, _verify_device, _route_device,
    ("Let the phone show up as {device} to others", "Under about phone, enter the name {device}"),
)  # fmt: skip
