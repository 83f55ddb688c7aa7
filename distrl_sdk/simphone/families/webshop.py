"""Families of `webshop` that find things: products, the best of a kind, filters, order, departments."""

from __future__ import annotations

import random
from collections.abc import Callable

from distrl_sdk.simphone.apps.shops import foxglove
from distrl_sdk.simphone.apps.shops.catalogue import BANDS, BRANDS, KINDS, PRODUCTS, listed, of_category
from distrl_sdk.simphone.families.family import Check, Family, Hit, Params, Route, equals, only
from distrl_sdk.simphone.families.shopping import (
    FILTERING,
    TITLES,
    as_it_is,
    at,
    by_search,
    refining,
    shop_of,
    to_department,
    to_product,
)
from distrl_sdk.types import Json

_KINDS = tuple(kind for kinds in KINDS.values() for kind in kinds)
_BAND_WORDS = {"low": "under 30", "middle": "from 30 to 60", "high": "over 60"}
_SORT_WORDS = {"cheapest": "cheapest", "rated": "best rated"}
_SHELF = 8
"""Products of a department that every shop shows within two pages."""


def _draw_any(chance: random.Random) -> dict[str, Json]:
    return {"product": chance.choice(tuple(PRODUCTS)), "shop": chance.choice(TITLES)}


def _kind(chance: random.Random) -> str:
    """What to search for: a kind of thing, mostly of one brand."""
    kind = chance.choice(_KINDS)
    return f"{chance.choice(BRANDS)} {kind}" if chance.random() < 0.8 else kind


def _draw_best(chance: random.Random, sort: str) -> dict[str, Json]:
    """A search one of whose products comes first for its price, or its rating, alone."""
    while True:
        query = _kind(chance)
        ranked = listed("results", query, (f"sort={sort}",))
        first, second = ((one.tenths if sort == "rated" else one.cents) for one in ranked[:2])
        if first != second:
            return {"query": query, "product": ranked[0].name, "shop": chance.choice(TITLES)}


def _draw_cheapest(chance: random.Random) -> dict[str, Json]:
    return _draw_best(chance, "cheapest")


def _draw_rated(chance: random.Random) -> dict[str, Json]:
    return _draw_best(chance, "rated")


def _draw_sort(chance: random.Random) -> dict[str, Json]:
    sort = chance.choice(tuple(_SORT_WORDS))
    return {
        "query": _kind(chance),
        "order": _SORT_WORDS[sort],
        "setting": f"sort={sort}",
        "shop": chance.choice(TITLES),
    }


def _draw_brand(chance: random.Random) -> dict[str, Json]:
    brand = chance.choice(BRANDS)
    return {
        "query": chance.choice(_KINDS), "brand": brand, "setting": f"brand={brand}", "shop": chance.choice(FILTERING)
    }  # fmt: skip


def _draw_band(chance: random.Random) -> dict[str, Json]:
    while True:
        query, band = _kind(chance), chance.choice(tuple(BANDS))
        setting, shop = f"price={band}", chance.choice(FILTERING)
        if listed("results", query, (setting,)):
            return {"query": query, "band": _BAND_WORDS[band], "setting": setting, "shop": shop}


def _draw_shelf(chance: random.Random) -> dict[str, Json]:
    category = chance.choice(tuple(KINDS))
    product = chance.choice(of_category(category)[:_SHELF]).name
    return {"category": category, "product": product, "shop": chance.choice(TITLES)}


def _verify_product(params: Params) -> tuple[Check, ...]:
    return equals("screen", [*at(params, "product", params["product"])]), only()


def _verify_setting(params: Params) -> tuple[Check, ...]:
    return equals("screen", [*at(params, "results", params["query"], params["setting"])]), only()


def _route_setting(params: Params) -> Route:
    return by_search(params, params["query"], refining(params, params["query"], params["setting"]))


def _route_best(sort: str) -> Callable[[Params], Route]:
    def route(params: Params) -> Route:
        query, setting = params["query"], f"sort={sort}"
        first = {at(params, "results", query, setting): (Hit(f"product:{params['product']}"),)}
        return by_search(params, query, {**refining(params, query, setting), **first})

    return route


def _route_shelf(params: Params) -> Route:
    category, name = params["category"], params["product"]
    first, touch = at(params, "category", category), (Hit(f"product:{name}"),)
    shelf = [one.name for one in of_category(category)]
    if shop_of(params) is foxglove.SHOP and shelf.index(name) >= foxglove.PAGE:
        return to_department(params, {first: (Hit("next"),), (*first, "page=2"): touch})
    return to_department(params, {first: touch})


OPEN_PRODUCT = Family(
    "open_product", ("Browser",),
    ("Open the page of the {product} at {shop}", "Go to {shop} and show me the {product}",
     "I want to see the {product} on {shop}", "Bring up {product} in the {shop} shop",
     "Look for the {product} at {shop} and open it"),
    _draw_any, as_it_is, _verify_product, to_product,
    ("What does {shop} say about the {product} ? Open it", "Take me to the {product} that {shop} sells"),
)  # fmt: skip
FIND_CHEAPEST = Family(
    "find_cheapest", ("Browser",),
    ("Open the cheapest {query} at {shop}", "Search {shop} for {query} and open the one with the lowest price",
     "Which {query} costs least at {shop} ? Open its page", "Find the least expensive {query} on {shop} and show it"),
    _draw_cheapest, as_it_is, _verify_product, _route_best("cheapest"),
    ("Money is tight: show me the {query} of {shop} that costs least",
     "At {shop} bring up the lowest priced {query} of all"),
)  # fmt: skip
FIND_BEST_RATED = Family(
    "find_best_rated", ("Browser",),
    ("Open the best rated {query} at {shop}", "Search {shop} for {query} and open the one with most stars",
     "Show me the {query} that customers of {shop} like best", "Find the highest rated {query} on {shop} and open it"),
    _draw_rated, as_it_is, _verify_product, _route_best("rated"),
    ("Which {query} do buyers at {shop} praise most ? Open it", "I only want the top {query} by stars from {shop}"),
)  # fmt: skip
SORT_RESULTS = Family(
    "sort_results", ("Browser",),
    ("Search {shop} for {query} and sort by {order} first", "List every {query} at {shop} with the {order} on top",
     "Sort the {query} results of {shop} , {order} first", "On {shop} look for {query} and put the {order} at the top"),
    _draw_sort, as_it_is, _verify_setting, _route_setting,
    ("I want to go through each {query} of {shop} , starting with the {order}",
     "Have {shop} list {query} in order, the {order} before the rest"),
)  # fmt: skip
FILTER_BRAND = Family(
    "filter_brand", ("Browser",),
    ("Search {shop} for {query} and show only the brand {brand}",
     "Filter the {query} results of {shop} by brand {brand}",
     "Look for {query} at {shop} , limited to {brand}", "On {shop} list {query} made by {brand} with the filter"),
    _draw_brand, as_it_is, _verify_setting, _route_setting,
    ("At {shop} search {query} , then hide all brands but {brand}",
     "Use the brand filter of {shop} : search {query} , keep {brand}"),
)  # fmt: skip
FILTER_PRICE = Family(
    "filter_price", ("Browser",),
    ("Search {shop} for {query} and show only those {band} dollars",
     "Filter the {query} results of {shop} by price, {band} dollars",
     "Look for {query} at {shop} that costs {band} dollars, use the filter",
     "On {shop} limit the search for {query} to prices {band} dollars"),
    _draw_band, as_it_is, _verify_setting, _route_setting,
    ("My budget is {band} dollars: search {query} on {shop} and filter",
     "At {shop} search {query} , then keep prices {band} dollars only"),
)  # fmt: skip
OPEN_IN_DEPARTMENT = Family(
    "open_in_department", ("Browser",),
    ("Open the {category} department of {shop} and then the {product}", "In {category} at {shop} open the {product}",
     "Go to {shop} , browse {category} and show me the {product}",
     "The {product} is listed under {category} at {shop} , open it there"),
    _draw_shelf, as_it_is, _verify_product, _route_shelf,
    ("Browse {shop} without searching: {category} , then the {product}",
     "Walk through {category} on {shop} until you see the {product} and open it"),
)  # fmt: skip

FINDING = (
    OPEN_PRODUCT, FIND_CHEAPEST, FIND_BEST_RATED, SORT_RESULTS, FILTER_BRAND, FILTER_PRICE, OPEN_IN_DEPARTMENT,
)  # fmt: skip
