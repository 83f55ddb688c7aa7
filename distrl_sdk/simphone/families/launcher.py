"""Families on the home screen: apps that are opened."""

from __future__ import annotations

import random

from distrl_sdk.simphone.families.family import Check, Family, Params, Route, equals, from_home, only
from distrl_sdk.simphone.names import APPS
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"app": chance.choice(APPS)}


def _installed(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Store", state.apps["Store"].with_app(params["app"]))


def _verify(params: Params) -> tuple[Check, ...]:
    return equals("screen", [params["app"], "main"]), only()


def _route(params: Params) -> Route:
    return from_home(params["app"], {})


OPEN_APP = Family(
    "open_app", (),
    ("Open {app}", "Start the app {app}", "Find {app} among my apps and open it", "Launch {app} please",
     "I would like to use {app} now"),
    _draw, _installed, _verify, _route,
    ("Bring up {app} on the screen", "{app} is installed, go there"),
)  # fmt: skip
