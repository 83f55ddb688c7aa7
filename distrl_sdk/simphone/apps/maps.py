"""Maps: places to search for, to save and to be led to."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone import popups
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_FIRST = ("Harbour", "Golden", "Old Mill", "Riverside", "Market", "Linden", "Castle", "Union", "Hilltop", "Northern",
          "Orchard", "Victoria", "Corner", "Saint Anne")  # fmt: skip
KINDS = ("Bakery", "Museum", "Pharmacy", "Library", "Cinema", "Hotel", "Pizzeria", "Bookshop", "Theatre", "Gym",
         "Hospital", "Tea House", "School", "Gallery")  # fmt: skip
PLACES = tuple(f"{first} {kind}" for first in _FIRST for kind in KINDS)
WAYS = {"car": ("By car", 1), "foot": ("On foot", 9), "bus": ("By bus", 3)}
"""Way -> its label and how many minutes it takes for a kilometre."""
_STREETS = ("Mill Lane", "Bridge Street", "High Street", "Station Road", "Rose Alley", "Park Avenue", "Quay Street")
_NEARBY = ("Bakery", "Pharmacy", "Hotel", "Museum")
_RESULTS = 9


@record
@dataclass(frozen=True, slots=True)
class Maps:
    """Saved places, and where the phone leads its user."""

    saved: tuple[str, ...] = ()
    goal: str = ""
    """The place that navigation leads to; '' = it is off."""
    way: str = ""


def _start(chance: random.Random) -> Maps:
    return Maps(tuple(chance.sample(PLACES, k=chance.randint(1, 4))))


def found(query: str) -> tuple[str, ...]:
    """Places for a query: those with most of its words first."""
    words = {word.lower() for word in query.split()}

    def misses(name: str) -> int:
        return len(words - set(name.lower().split()))

    return tuple(sorted((name for name in PLACES if misses(name) < len(words)), key=misses)[:_RESULTS])


def address_of(place: str) -> str:
    """Where a place is, the same for ever."""
    code = zlib.crc32(place.encode())
    return f"{1 + code % 89} {_STREETS[code % len(_STREETS)]}"


def _metres(place: str) -> int:
    return 300 + 50 * (zlib.crc32(place.encode()) % 160)


_TABS = (("Explore", ("tab", "main")), ("Saved", ("tab", "saved")))


def _layout(page: PageBuilder, maps: Maps) -> None:
    screen = page.screen
    match screen.page:
        case "results":
            page.bar(page.say("Results for {}", screen.args[0]))
            names = found(screen.args[0])
            if not names:
                page.paragraph("Nothing was found. Check the spelling.")
            _list(page, names)
        case "saved":
            page.bar("Maps")
            if not maps.saved:
                page.paragraph("No saved places yet.")
            _list(page, maps.saved)
            page.tabs("Saved", *_TABS)
        case "place":
            _place(page, screen.args[0], maps)
        case "directions":
            _directions(page, *screen.args)
        case "navigation":
            _navigation(page, maps)
        case _:
            _explore(page, maps)


def _explore(page: PageBuilder, maps: Maps) -> None:
    page.bar("Maps")
    page.field("query", "Search here")
    if maps.goal:
        page.row("resume", page.say("Continue to {}", maps.goal), ("page", "navigation"), icon=maps.goal)
    page.chips(*((f"near:{kind}", kind, False, ("find", kind)) for kind in _NEARBY))
    _picture(page, "here", 1400)
    page.tabs("Explore", *_TABS)


def _picture(page: PageBuilder, place: str, height: int) -> None:
    page.skip(20)
    page.place(Widget(Rect(24, 0, WIDTH - 24, height), "map", page.say("Map"), place, "map", "image", icon=place))
    page.skip(height + 16)


def _list(page: PageBuilder, names: tuple[str, ...]) -> None:
    for name in names:
        page.row(f"entry:{name}", name, ("page", "place", name), address_of(name), icon=name)


def _place(page: PageBuilder, name: str, maps: Maps) -> None:
    page.bar(name)
    _picture(page, name, 620)
    stars = 2.8 + zlib.crc32(name.encode()) % 21 / 10
    away = page.say("{} km away, {} stars", f"{_metres(name) / 1000:.1f}", f"{stars:.1f}")
    page.row("address", address_of(name), (), away)
    page.chips(*((f"way:{way}", WAYS[way][0], False, ("page", "directions", name, way)) for way in WAYS))
    saved = name in maps.saved
    page.button("unsave" if saved else "save", "Remove from saved" if saved else "Save place", ("save", name))
    page.row("hours", "Open today", (), f"{8 + _metres(name) % 3}:00 - {17 + _metres(name) % 5}:00")


def _directions(page: PageBuilder, name: str, way: str) -> None:
    page.bar("Directions")
    page.row("to", name, (), address_of(name), icon=name)
    page.chips(*((f"way:{one}", WAYS[one][0], one == way, ("way", name, one)) for one in WAYS))
    _picture(page, name, 900)
    minutes = 2 + WAYS[way][1] * _metres(name) // 1000
    page.row("time", page.say("{} minutes", minutes), (), page.say("{} km", f"{_metres(name) / 1000:.1f}"))
    page.button("start", "Start navigation", ("start", name, way))


def _navigation(page: PageBuilder, maps: Maps) -> None:
    page.bar("Navigation")
    if not maps.goal:
        page.paragraph("No navigation is running.")
        return
    page.row("turn", page.say("Turn left in {} m", 50 + _metres(maps.goal) % 400), (), _STREETS[len(maps.goal) % 7])
    _picture(page, maps.goal, 1200)
    page.row("goal", maps.goal, (), WAYS[maps.way][0], icon=maps.goal)
    page.button("end", "End navigation", ("end",))


def _react(state: PhoneState, event: Event) -> PhoneState:
    maps: Maps = state.apps["Maps"]
    match event:
        case ("enter", "query"):
            return _find(state, state.top.draft("query").strip())
        case ("find", kind):
            return _find(state, kind)
        case ("tab", page):
            return state.with_top(Screen("Maps", page))
        case ("way", name, way):
            return state.with_top(Screen("Maps", "directions", (name, way), ready=popups.spinner(state)))
        case ("save", name):
            others = tuple(one for one in maps.saved if one != name)
            gone = name in maps.saved
            state = state.with_app("Maps", replace(maps, saved=others if gone else (*others, name)))
            return replace(state, toast=say(state.style, "Place removed" if gone else "Place saved"))
        case ("start", name, way):
            return state.with_app("Maps", replace(maps, goal=name, way=way)).push(Screen("Maps", "navigation"))
        case ("end",):
            state = state.with_app("Maps", replace(maps, goal="", way="")).pop()
            return replace(state, toast=say(state.style, "Navigation ended"))
        case _:
            return state


def _find(state: PhoneState, query: str) -> PhoneState:
    """The page of the place that is called so, else those that come near it."""
    if not query:
        return replace(state, toast=say(state.style, "Enter a place"))
    exact = next((name for name in PLACES if name.lower() == query.lower()), "")
    screen = Screen("Maps", "place", (exact,)) if exact else Screen("Maps", "results", (query,))
    return state.push(replace(screen, ready=popups.spinner(state)))


def _facts(maps: Maps) -> Mapping[str, Json]:
    return {"maps.saved": list(maps.saved), "maps.goal": maps.goal, "maps.way": maps.way}


APP = App("Maps", "Maps", ("Maps",), _layout, _react, _start, _facts)
