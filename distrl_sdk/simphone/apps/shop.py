"""Pebble Market, the shop in the browser: search, results, products, a cart."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from distrl_sdk.simphone.names import PRODUCTS, THINGS
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.wording import say

SITE = "pebblemarket.com"
TITLE = "Pebble Market"
_RESULTS = 8


@record
@dataclass(frozen=True, slots=True)
class Cart:
    """Products in the cart, the latest last."""

    items: tuple[str, ...] = ()


def start(chance: random.Random) -> Cart:
    """A cart that may hold something already."""
    return Cart(tuple(chance.sample(PRODUCTS, k=chance.choice((0, 0, 1, 2)))))


def found(query: str) -> tuple[str, ...]:
    """Products for a query: those with most of its words first."""
    words = {word.lower() for word in query.split()}

    def misses(product: str) -> int:
        return len(words - set(product.lower().split()))

    hits = [product for product in PRODUCTS if misses(product) < len(words)]
    return tuple(sorted(hits, key=misses)[:_RESULTS])


def price(product: str) -> str:
    """What a product costs, the same for ever."""
    return f"$ {random.Random(product).randint(5, 89)}.99"


def lay_out(page: PageBuilder, screen: Screen, cart: Cart) -> None:
    """A page of the shop below the browser's address bar. args: site, then the page's kind and its argument."""
    match screen.args[1:]:
        case ("results", query):
            page.header(page.say("{} results for {}", len(found(query)), query))
            _cards(page, found(query))
        case ("product", product):
            page.card("picture", product, price(product), (), product)
            page.paragraph(page.say("A {} that lasts. Delivered in two days.", product.lower()))
            page.button("add_cart", "Add to cart", ("add", product))
            page.button("cart", "View cart", ("shop", "cart"), "flat_wide")
        case ("cart",):
            page.header(page.say("Cart: {} items", len(cart.items)))
            for index, product in enumerate(cart.items):
                page.row(f"item:{index}:{product}", product, ("shop", "product", product), price(product), icon=product)
                remove = page.say("Remove {}", product)
                page.button(f"remove:{index}:{product}", remove, ("remove", str(index)), "flat_wide")
        case _:
            page.header(TITLE)
            page.field("query", "Search products")
            page.button("search", "Search", ("search",))
            page.button("cart", page.say("Cart ({})", len(cart.items)), ("shop", "cart"), "flat_wide")
            page.header("Today's offers")
            _cards(page, tuple(f"Silver {thing}" for thing in THINGS[:4]))


def _cards(page: PageBuilder, products: tuple[str, ...]) -> None:
    for product in products:
        page.card(f"product:{product}", product, price(product), ("shop", "product", product), product)


def react(state: PhoneState, event: Event) -> PhoneState:
    """The shop's own events."""
    cart: Cart = state.apps["Browser"]
    match event:
        case ("search",) | ("enter", "query"):
            query = state.top.draft("query").strip()
            return (
                _go(state, "results", query)
                if query
                else replace(state, toast=say(state.style, "What are you looking for?"))
            )
        case ("shop", *where):
            return _go(state, *where)
        case ("add", product):
            return replace(
                state.with_app("Browser", Cart((*cart.items, product))), toast=say(state.style, "Added to cart")
            )
        case ("remove", index):
            at = int(index)
            return state.with_app("Browser", Cart(cart.items[:at] + cart.items[at + 1 :]))
        case _:
            return state


def _go(state: PhoneState, *where: str) -> PhoneState:
    return state.push(Screen("Browser", "shop", (SITE, *where)))
