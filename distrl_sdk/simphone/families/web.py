"""Families in the browser: sites, searches, the shop."""

from __future__ import annotations

import random

from distrl_sdk.simphone.apps import shop
from distrl_sdk.simphone.families.family import Check, Enter, Family, Fill, Hit, Params, Route, equals, from_home, only
from distrl_sdk.simphone.names import PRODUCTS, QUERIES, SITES
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_SHOP = ("Browser", "shop", shop.SITE)
_BOOKMARKED = 5


def _draw_site(chance: random.Random) -> dict[str, Json]:
    return {"address": chance.choice(SITES[_BOOKMARKED:])}


def _draw_query(chance: random.Random) -> dict[str, Json]:
    return {"address": chance.choice(QUERIES)}


def _draw_product(chance: random.Random) -> dict[str, Json]:
    return {"product": chance.choice(PRODUCTS), "shop": shop.TITLE}


def _as_it_is(state: PhoneState, params: Params) -> PhoneState:
    del params
    return state


def _without(state: PhoneState, params: Params) -> PhoneState:
    items = state.apps["Browser"].items
    return state.with_app("Browser", shop.Cart(tuple(item for item in items if item != params["product"])))


def _verify_site(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Browser", "site", params["address"]]), only()


def _verify_search(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Browser", "search", params["address"]]), only()


def _route_address(params: Params) -> Route:
    typed = (Fill("address", params["address"]), Enter("address"))
    return from_home("Browser", {("Browser", "main"): typed})


def _verify_product(params: Params) -> tuple[Check, ...]:
    return equals("screen", [*_SHOP, "product", params["product"]]), only()


def _verify_cart(params: Params) -> tuple[Check, ...]:
    return (
        {"fact": "shop.cart", "has": params["product"]},
        equals("shop.cart.grown", 1),
        only("shop.cart"),
    )


def _route_product(params: Params) -> Route:
    product = params["product"]
    return from_home("Browser", {
        ("Browser", "main"): (Hit("bookmark:shop"),),
        _SHOP: (Fill("query", product), Enter("query")),
        (*_SHOP, "results", product): (Hit(f"product:{product}"),),
        (*_SHOP, "product", product): (Hit("add_cart"),),
    })  # fmt: skip


OPEN_SITE = Family(
    "open_site", ("Browser",),
    ("Open {address} in the browser", "Go to {address}", "Visit the site {address}", "Browse to {address} please",
     "Show me {address} in the browser"),
    _draw_site, _as_it_is, _verify_site, _route_address,
)  # fmt: skip
WEB_SEARCH = Family(
    "web_search", ("Browser",),
    ("Search the web for {address}", "Look up {address} in the browser", "Use the browser to search for {address}",
     "Find out about {address}"),
    _draw_query, _as_it_is, _verify_search, _route_address,
)  # fmt: skip
SHOP_OPEN = Family(
    "shop_open", ("Browser",),
    ("Show me the {product} at {shop}", "Open the product page of the {product} in the {shop} shop",
     "Look at the {product} on {shop} in the browser", "Find the {product} at {shop} and open it"),
    _draw_product, _as_it_is, _verify_product, _route_product,
)  # fmt: skip
SHOP_CART = Family(
    "shop_cart", ("Browser",),
    ("Add the {product} from {shop} to the cart", "Put a {product} in my {shop} cart",
     "Search {shop} for {product} and add it to the cart", "Get a {product} into the cart at {shop}"),
    _draw_product, _without, _verify_cart, _route_product,
)  # fmt: skip
