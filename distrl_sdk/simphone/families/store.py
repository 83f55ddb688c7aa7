"""Families in the app store."""

from __future__ import annotations

import random

from distrl_sdk.simphone.families.family import (
    Check,
    Enter,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.names import APPS
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_INSTALLED = "store.installed"
_GROWN = "store.installed.grown"


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"app": chance.choice(APPS)}


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Store", state.apps["Store"].without(params["app"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Store", state.apps["Store"].with_app(params["app"]))


def _verify_install(params: Params) -> tuple[Check, ...]:
    return has(_INSTALLED, params["app"]), equals(_GROWN, 1), only(_INSTALLED)


def _route_install(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Fill("query", name), Enter("query")),
        ("Store", "results", name): (Hit(f"entry:{name}"),),
        ("Store", "app", name): (Hit("install"),),
    })  # fmt: skip


def _verify_uninstall(params: Params) -> tuple[Check, ...]:
    return lacks(_INSTALLED, params["app"]), equals(_GROWN, -1), only(_INSTALLED)


def _route_uninstall(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Hit("mine"),),
        ("Store", "mine"): (Hit(f"entry:{name}"),),
        ("Store", "app", name): (Hit("uninstall"),),
        ("Store", "app", name, "!"): (Hit("confirm"),),
    })  # fmt: skip


INSTALL_APP = Family(
    "install_app", ("App Store",),
    ("Install {app}", "Install the app {app} from the app store", "Get {app} from the app store",
     "Download {app} onto this phone"),
    _draw, _without, _verify_install, _route_install,
)  # fmt: skip
UNINSTALL_APP = Family(
    "uninstall_app", ("App Store",),
    ("Uninstall {app}", "Uninstall the app {app} in the app store", "Remove {app} from this phone",
     "I no longer use {app} so uninstall it"),
    _draw, _with, _verify_uninstall, _route_uninstall,
)  # fmt: skip
