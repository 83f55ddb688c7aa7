"""The apps that can be installed. All alike: a list that fits the last word of the name, and a page for each entry."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder

_ENTRIES: Mapping[str, tuple[str, ...]] = {
    "Notes": ("Shopping", "Ideas", "Packing list", "Birthdays", "Recipes to try"),
    "Weather": ("Oslo, 4 degrees", "Rome, 19 degrees", "Cairo, 31 degrees", "Lima, 22 degrees", "Tokyo, 16 degrees"),
    "Chess": ("Game against Otto", "Puzzle 114", "Queen's gambit", "Endgames", "Game against Vera"),
    "Budget": ("Rent, 840", "Food, 312", "Trains, 96", "Books, 41", "Savings, 200"),
    "Runner": ("Monday, 5.2 km", "Wednesday, 7.0 km", "Friday, 4.1 km", "Sunday, 10.4 km", "Best of the year"),
    "Radio": ("Harbour FM", "Night Jazz", "News at once", "Folk and more", "Classic Hall"),
    "Recipes": ("Lentil soup", "Apple cake", "Pasta with sage", "Fish pie", "Bean salad"),
    "Piano": ("Scales", "Little waltz", "Prelude in C", "Left hand only", "Evening song"),
    "Garden": ("Tomatoes", "Roses", "Apple tree", "Compost", "Herbs by the door"),
    "Puzzle": ("Level 12", "Level 13", "Level 14", "Daily puzzle", "My best times"),
    "Reader": ("The long winter", "Islands", "A short history of salt", "Letters home", "Two clocks"),
    "Planner": ("Dentist", "Team lunch", "Flight to Porto", "Parents' evening", "Tax papers"),
    "Maps": ("Old town walk", "Lake path", "Ridge trail", "River loop", "To the lighthouse"),
    "Photos": ("Summer", "The cats", "Holiday in Wales", "Black and white", "Family"),
}
_SHOWN = 4


@cache
def app(name: str) -> App:
    """The app of a name from the app store."""
    return App(name, name, (), _layout)


def entries_of(name: str) -> tuple[str, ...]:
    """What an app lists, the same for ever; () for one that is not from the store."""
    known = _ENTRIES.get(name.split()[-1], ())
    return tuple(random.Random(name).sample(known, k=min(_SHOWN, len(known))))


def _layout(page: PageBuilder) -> None:
    screen = page.screen
    name = screen.app
    match screen.page:
        case "entry":
            page.bar(screen.args[0])
            page.card("entry", screen.args[0], name, (), screen.args[0])
            page.paragraph("You opened this for the first time today.")
        case "help":
            page.bar("Help")
            page.paragraph(page.say("Touch an entry of {} to open it. Everything is kept on this phone.", name))
        case _:
            page.bar(name)
            page.paragraph(page.say("Welcome to {}.", name))
            for title in entries_of(name):
                page.row(f"extra:{title}", title, ("page", "entry", title), icon=title)
            page.row("help", "Help", ("page", "help"))
