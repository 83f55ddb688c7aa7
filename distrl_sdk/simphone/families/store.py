"""Families in the app store."""

from __future__ import annotations

import random
from collections.abc import Sequence

from distrl_sdk.simphone.apps.store import ticks_of
from distrl_sdk.simphone.families.family import (
    Await,
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

_INSTALLED, _UPDATES, _RATINGS = "store.installed", "store.updates", "store.ratings"
_STARS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_QUICK = tuple(name for name in APPS if ticks_of(name) == 1)
"""What can be found and downloaded within ten actions, pop-ups included."""


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"app": chance.choice(APPS)}


def _draw_quick(chance: random.Random) -> dict[str, Json]:
    return {"app": chance.choice(_QUICK)}


def _draw_stars(chance: random.Random) -> dict[str, Json]:
    return {"app": chance.choice(APPS), "stars": chance.choice(tuple(_STARS))}


def _kin(name: str) -> Sequence[str]:
    """Apps that share a word with this one."""
    return [app for app in APPS if app != name and set(app.split()) & set(name.split())]


def _without(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Store", state.apps["Store"].without(params["app"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    store = state.apps["Store"].with_app(params["app"])
    return state.with_app("Store", store.with_app(random.Random(state.seed).choice(_kin(params["app"]))))


def _with_updates(state: PhoneState, params: Params) -> PhoneState:
    store = state.apps["Store"].with_outdated(params["app"])
    for name in random.Random(state.seed).sample(_kin(params["app"]), k=3):
        store = store.with_outdated(name)
    return state.with_app("Store", store)


def _verify_install(params: Params) -> tuple[Check, ...]:
    return has(_INSTALLED, params["app"]), equals(f"{_INSTALLED}.grown", 1), only(_INSTALLED)


def _route_install(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Fill("query", name), Enter("query")),
        ("Store", "results", name): (Hit(f"entry:{name}"),),
        ("Store", "app", name): (Await("progress"), Hit("install")),
    })  # fmt: skip


def _verify_uninstall(params: Params) -> tuple[Check, ...]:
    return lacks(_INSTALLED, params["app"]), equals(f"{_INSTALLED}.grown", -1), only(_INSTALLED)


def _route_uninstall(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Hit("mine"),),
        ("Store", "mine"): (Hit(f"entry:{name}"),),
        ("Store", "app", name): (Hit("uninstall"),),
        ("Store", "app", name, "!"): (Hit("confirm"),),
    })  # fmt: skip


def _verify_update(params: Params) -> tuple[Check, ...]:
    return lacks(_UPDATES, params["app"]), equals(f"{_UPDATES}.grown", -1), only(_UPDATES)


def _route_update(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Hit("tab:Updates"),),
        ("Store", "updates"): (Await(f"progress:{name}"), Hit(f"update:{name}")),
        ("Store", "app", name): (Await("progress"), Hit("update")),
    })  # fmt: skip


def _verify_rate(params: Params) -> tuple[Check, ...]:
    given = {"app": params["app"], "stars": _STARS[params["stars"]]}
    return has(_RATINGS, given), equals(f"{_RATINGS}.grown", 1), only(_RATINGS)


def _route_rate(params: Params) -> Route:
    name = params["app"]
    return from_home("Store", {
        ("Store", "main"): (Hit("mine"),),
        ("Store", "mine"): (Hit(f"entry:{name}"),),
        ("Store", "app", name): (Hit("rate"),),
        ("Store", "rate", name): (Hit(f"stars:{_STARS[params['stars']]}"),),
    })  # fmt: skip


INSTALL_APP = Family(
    "install_app", ("App Store",),
    ("Install {app}", "Install the app {app} from the app store", "Get {app} from the app store",
     "Download {app} onto this phone"),
    _draw_quick, _without, _verify_install, _route_install,
    ("I heard that {app} is good, put it on my phone", "There is an app named {app} that I do not have yet, get it"),
)  # fmt: skip
UNINSTALL_APP = Family(
    "uninstall_app", ("App Store",),
    ("Uninstall {app}", "Uninstall the app {app} in the app store", "Remove {app} from this phone",
     "I no longer use {app} so uninstall it"),
    _draw, _with, _verify_uninstall, _route_uninstall,
    ("Free some space, the app {app} can go", "I am done with {app} and want it off my phone"),
)  # fmt: skip
UPDATE_APP = Family(
    "update_app", ("App Store",),
    ("Update {app}", "Update the app {app} and no other", "Get the newest version of {app}",
     "Install the update for {app} from the app store"),
    _draw, _with_updates, _verify_update, _route_update,
    ("{app} is out of date, bring it up to the latest version", "Only {app} shall have its new version"),
)  # fmt: skip
RATE_APP = Family(
    "rate_app", ("App Store",),
    ("Rate {app} with {stars} of five stars", "Give {app} a rating of {stars} in the app store",
     "In the app store rate my app {app} : {stars} out of five", "My rating for {app} is {stars} of five, enter it"),
    _draw_stars, _with, _verify_rate, _route_rate,
    ("Tell the app store that {app} deserves {stars} out of five", "Leave a {stars} star review for {app}"),
)  # fmt: skip
