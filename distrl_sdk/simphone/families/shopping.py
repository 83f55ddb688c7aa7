"""Ways through the shops: how each of them leads from the home screen to a product, a list, the cart, an order."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from distrl_sdk.simphone.apps.shops import ALL, BY_TITLE, foxglove, larkspur, pebble
from distrl_sdk.simphone.apps.shops.ledger import CartLine, ShopAccount
from distrl_sdk.simphone.apps.shops.shop import Shop
from distrl_sdk.simphone.families.family import (
    Count,
    Dismiss,
    Enter,
    Fill,
    Hit,
    Move,
    Params,
    Place,
    Route,
    Turn,
    from_home,
)
from distrl_sdk.simphone.names import PRODUCTS as PLAIN
from distrl_sdk.simphone.state import PhoneState

TITLES = tuple(shop.title for shop in ALL)
FILTERING = tuple(shop.title for shop in ALL if shop is not pebble.SHOP)
"""Shops whose lists can be narrowed; that of all is only sorted."""


def shop_of(params: Params) -> Shop:
    """The shop that a task is about."""
    return BY_TITLE[params["shop"]]


def at(params: Params, *where: str) -> Place:
    """A page of the task's shop as a place; also what the fact `screen` holds there."""
    return "Browser", "shop", shop_of(params).site, *where


# --- starts -------------------------------------------------------------------------------------------------------


def with_account(state: PhoneState, params: Params, change: Callable[[ShopAccount], ShopAccount]) -> PhoneState:
    """The phone with another account at the task's shop."""
    browsing = state.apps["Browser"]
    return state.with_app("Browser", browsing.with_account(change(browsing.account(shop_of(params).site))))


def without_product(state: PhoneState, params: Params) -> PhoneState:
    """The product is neither in the cart nor on the wish list."""
    return with_account(state, params, lambda account: account.without_product(params["product"]))


def as_it_is(state: PhoneState, params: Params) -> PhoneState:
    """Any phone will do."""
    del params
    return state


def carted(state: PhoneState, params: Params) -> PhoneState:
    """Three lines in the cart: one of the product, two of others."""
    lines = tuple(CartLine(name) for name in _among(state, params, 2))
    return with_account(state, params, lambda account: replace(account, cart=lines))


def alone_in_cart(state: PhoneState, params: Params) -> PhoneState:
    """Nothing but the product in the cart."""
    return with_account(state, params, lambda account: replace(account, cart=(CartLine(params["product"]),)))


def wished(state: PhoneState, params: Params) -> PhoneState:
    """The product and three others on the wish list."""
    names = _among(state, params, 3)
    return with_account(state, params, lambda account: replace(account, wishes=names))


def _among(state: PhoneState, params: Params, count: int) -> tuple[str, ...]:
    """The product among `count` others that are called much like it."""
    name = params["product"]
    chance = random.Random(f"{state.seed} {name}")
    alike = [one for one in PLAIN if one != name and set(one.split()) & set(name.split())]
    names = [*chance.sample(alike, k=count), name]
    chance.shuffle(names)
    return tuple(names)


# --- routes -------------------------------------------------------------------------------------------------------


def from_front(params: Params, moves: tuple[Move, ...], places: Route) -> Route:
    """From home to the shop's front page, `moves` there, and on by `places`."""
    opened: Route = {("Browser", "main"): (Hit(f"bookmark:{shop_of(params).site}"),)}
    return from_home("Browser", {**opened, at(params): (Dismiss("cookies"), *moves), **places})


def by_search(params: Params, query: str, places: Route) -> Route:
    """From home to the results for a query, and on by `places`."""
    return from_front(params, (Fill("query", query), Enter("query")), places)


def to_product(params: Params, *moves: Move) -> Route:
    """From home to the page of the task's product, and `moves` there."""
    name = params["product"]
    places: dict[Place, tuple[Move, ...]] = {at(params, "results", name): (Hit(f"product:{name}"),)}
    return by_search(params, name, {**places, at(params, "product", name): moves})


def to_cart(params: Params, moves: tuple[Move, ...], places: Route) -> Route:
    """From home to the cart, `moves` there, and on by `places`."""
    cart = (Dismiss("sign_in"), *moves)
    return from_front(params, (Hit("cart"),), {at(params, "cart"): cart, **places})


def pieces(params: Params, number: int) -> tuple[Move, ...]:
    """How many are wanted on a product's page, where the shop asks that there."""
    return (Count("quantity", number),) if shop_of(params) in (pebble.SHOP, foxglove.SHOP) else ()


def options(params: Params) -> tuple[Move, ...]:
    """The options that the task names."""
    named = (("Size", params.get("size")), ("Colour", params.get("colour")))
    return tuple(Turn(f"option:{title}:{choice}", on=True) for title, choice in named if choice)


def refining(params: Params, subject: str, setting: str) -> Route:
    """From the results for a query to the same with a setting."""
    results, chip = at(params, "results", subject), setting.replace("=", ":")
    match shop_of(params):
        case pebble.SHOP:
            return {results: (Hit("sort"),), (*results, "!"): (Hit(chip),)}
        case larkspur.SHOP:
            filters = at(params, "filter", "results", subject)
            return {results: (Hit("filter"),), filters: (Hit(chip),), (*filters, setting): (Hit("apply"),)}
        case foxglove.SHOP:
            facet = setting.partition("=")[0]
            return {
                results: (Hit("refine"),),
                at(params, "refine", "results", subject): (Hit(f"facet:{facet}"),),
                at(params, "facet", facet, "results", subject): (Hit(chip),),
            }
        case _:
            return {results: (Hit(chip),)}


def to_department(params: Params, places: Route) -> Route:
    """From home to the list of a category, and on by `places`."""
    category = Hit(f"category:{params['category']}")
    if shop_of(params) is foxglove.SHOP:
        return from_front(params, (Hit("departments"),), {at(params, "departments"): (category,), **places})
    return from_front(params, (category,), places)
