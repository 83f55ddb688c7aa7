"""Families with maps: no training task opens them."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.maps import PLACES, WAYS, Maps
from distrl_sdk.simphone.families.family import (
    Check,
    Enter,
    Family,
    Fill,
    Hit,
    Params,
    Place,
    Route,
    equals,
    from_home,
    has,
    only,
)
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"place": chance.choice(PLACES)}


def _draw_way(chance: random.Random) -> dict[str, Json]:
    return {"place": chance.choice(PLACES), "way": chance.choice(tuple(WAYS))}


def _unknown(state: PhoneState, params: Params) -> PhoneState:
    """The place is not saved; another of its kind is."""
    place = params["place"]
    kin = [one for one in PLACES if one != place and one.split()[-1] == place.split()[-1]]
    maps: Maps = state.apps["Maps"]
    saved = dict.fromkeys((*maps.saved, kin[state.seed % len(kin)]))
    return state.with_app("Maps", replace(maps, saved=tuple(one for one in saved if one != place)))


def _route_to(place: str, *there: tuple[Place, Hit]) -> Route:
    """The way to a place's page by the search field, and what to do there and beyond."""
    return from_home("Maps", {
        ("Maps", "main"): (Fill("query", place), Enter("query")),
        **{where: (what,) for where, what in there},
    })  # fmt: skip


def _verify_find(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Maps", "place", params["place"]]), only()


def _route_find(params: Params) -> Route:
    return _route_to(params["place"])


def _verify_save(params: Params) -> tuple[Check, ...]:
    return has("maps.saved", params["place"]), equals("maps.saved.grown", 1), only("maps.saved")


def _route_save(params: Params) -> Route:
    return _route_to(params["place"], (("Maps", "place", params["place"]), Hit("save")))


def _verify_start(params: Params) -> tuple[Check, ...]:
    return equals("maps.goal", params["place"]), equals("maps.way", params["way"]), only("maps.goal", "maps.way")


def _route_start(params: Params) -> Route:
    place, way = params["place"], params["way"]
    others = ((("Maps", "directions", place, one), Hit(f"way:{way}")) for one in WAYS if one != way)
    return _route_to(
        place,
        (("Maps", "place", place), Hit(f"way:{way}")),
        (("Maps", "directions", place, way), Hit("start")),
        *others,
    )


FIND_PLACE = Family(
    "find_place", ("Maps",),
    ("Find {place} on the map", "Search for {place} in Maps and open its page", "Show me where {place} is",
     "Look up {place} in Maps"),
    _draw, _unknown, _verify_find, _route_find,
    ("Which street is {place} in, open its page in Maps", "I want to see {place} on the map"),
)  # fmt: skip
SAVE_PLACE = Family(
    "save_place", ("Maps",),
    ("Save the place {place} in Maps", "Look up {place} on the map and save it", "Add {place} to my saved places",
     "Keep {place} among the saved places in Maps"),
    _draw, _unknown, _verify_save, _route_save,
    ("I want to find {place} again later, have Maps save it", "Bookmark {place} on the map for me"),
)  # fmt: skip
START_ROUTE = Family(
    "start_route", ("Maps",),
    ("Start navigation to {place} by {way}", "Take me to {place} by {way}",
     "In Maps begin the route to {place} by {way}", "I want to go to {place} by {way} so start the directions"),
    _draw_way, _unknown, _verify_start, _route_start,
    ("Guide me to {place} , I go by {way}", "How do I get to {place} by {way} , lead me there now"),
)  # fmt: skip
