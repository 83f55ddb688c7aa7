"""Families in the browser: sites and their sections, searches, bookmarks, tabs, the history, Pebble Market."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps import shops
from distrl_sdk.simphone.apps.browser import BOOKMARKED, draw_page, sections_of
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
from distrl_sdk.simphone.families.shopping import as_it_is, at, pieces, to_product, without_product
from distrl_sdk.simphone.names import PRODUCTS, QUERIES, SITES
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_PEBBLE = shops.ALL[0].title


def _draw_site(chance: random.Random) -> dict[str, Json]:
    return {"address": chance.choice(SITES[len(BOOKMARKED) :])}


def _draw_query(chance: random.Random) -> dict[str, Json]:
    return {"address": chance.choice(QUERIES)}


def _draw_product(chance: random.Random) -> dict[str, Json]:
    return {"product": chance.choice(PRODUCTS), "shop": _PEBBLE}


def _draw_section(chance: random.Random) -> dict[str, Json]:
    site = chance.choice(SITES[len(BOOKMARKED) :])
    return {"address": site, "section": chance.choice(sections_of(site))}


def _page(params: Params) -> str:
    return f"{params['address']}/{params['section'].lower()}"


# --- starts -------------------------------------------------------------------------------------------------------


def _among(state: PhoneState, params: Params) -> tuple[str, ...]:
    """The task's page among others, another section of the same site for one."""
    chance = random.Random(f"{state.seed} {_page(params)}")
    near = [name for name in sections_of(params["address"]) if name != params["section"]]
    pages = {_page(params), f"{params['address']}/{chance.choice(near).lower()}", draw_page(chance), draw_page(chance)}
    return tuple(chance.sample(sorted(pages), k=len(pages)))


def _bookmarked(state: PhoneState, params: Params) -> PhoneState:
    browsing = replace(state.apps["Browser"], bookmarks=(*BOOKMARKED[:2], *_among(state, params)))
    return state.with_app("Browser", browsing)


def _opened(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Browser", replace(state.apps["Browser"], tabs=_among(state, params)))


def _visited(state: PhoneState, params: Params) -> PhoneState:
    return state.with_app("Browser", replace(state.apps["Browser"], earlier=_among(state, params)))


# --- goals --------------------------------------------------------------------------------------------------------


def _verify_site(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Browser", "site", params["address"]]), only()


def _verify_section(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Browser", "site", params["address"], params["section"]]), only()


def _verify_search(params: Params) -> tuple[Check, ...]:
    return equals("screen", ["Browser", "search", params["address"]]), only()


def _verify_product(params: Params) -> tuple[Check, ...]:
    return equals("screen", [*at(params, "product", params["product"])]), only()


def _verify_cart(params: Params) -> tuple[Check, ...]:
    line = {"shop": params["shop"], "product": params["product"], "options": [], "quantity": 1}
    return has("shop.cart", line), equals("shop.cart.grown", 1), only("shop.cart")


def _verify_bookmark(params: Params) -> tuple[Check, ...]:
    return has("browser.bookmarks", _page(params)), equals("browser.bookmarks.grown", 1), only("browser.bookmarks")


def _gone(fact: str, params: Params) -> tuple[Check, ...]:
    return lacks(fact, _page(params)), equals(f"{fact}.grown", -1), only(fact)


def _verify_unbookmark(params: Params) -> tuple[Check, ...]:
    return _gone("browser.bookmarks", params)


def _verify_tab(params: Params) -> tuple[Check, ...]:
    return _gone("browser.tabs", params)


def _verify_forget(params: Params) -> tuple[Check, ...]:
    return _gone("browser.history", params)


# --- routes -------------------------------------------------------------------------------------------------------


def _route_address(params: Params) -> Route:
    typed = (Fill("address", params["address"]), Enter("address"))
    return from_home("Browser", {("Browser", "main"): typed})


def _route_section(params: Params) -> Route:
    site = ("Browser", "site", params["address"])
    return {**_route_address(params), site: (Hit(f"link:{params['section']}"),)}


def _route_bookmark(params: Params) -> Route:
    section = ("Browser", "site", params["address"], params["section"])
    list_of_it = ("Browser", "bookmarks", _page(params))
    return {**_route_section(params), section: (Hit("tab:Bookmarks"),), list_of_it: (Hit("bookmark_this"),)}


def _away(params: Params, tab: str, *place: str) -> Route:
    main: Route = {("Browser", "main"): (Hit(f"tab:{tab}"),)}
    return from_home("Browser", {**main, ("Browser", *place): (Hit(f"away:{_page(params)}"),)})


def _route_unbookmark(params: Params) -> Route:
    return _away(params, "Bookmarks", "bookmarks", "")


def _route_tab(params: Params) -> Route:
    return _away(params, "Tabs", "tabs", "")


def _route_forget(params: Params) -> Route:
    return _away(params, "History", "history")


def _route_cart(params: Params) -> Route:
    return to_product(params, *pieces(params, 1), Hit("add_cart"))


# --- families -----------------------------------------------------------------------------------------------------

OPEN_SITE = Family(
    "open_site", ("Browser",),
    ("Open {address} in the browser", "Go to {address}", "Visit the site {address}", "Browse to {address} please",
     "Show me {address} in the browser"),
    _draw_site, as_it_is, _verify_site, _route_address,
    ("What does {address} look like today?", "Take me to the front page of {address} on the web"),
)  # fmt: skip
WEB_SEARCH = Family(
    "web_search", ("Browser",),
    ("Search the web for {address}", "Look up {address} in the browser", "Use the browser to search for {address}",
     "Find out about {address}"),
    _draw_query, as_it_is, _verify_search, _route_address,
    ("What does the web know about {address} ?", "Start a web search with the words {address}"),
)  # fmt: skip
SHOP_OPEN = Family(
    "shop_open", ("Browser",),
    ("Show me the {product} at {shop}", "Open the product page of the {product} in the {shop} shop",
     "Look at the {product} on {shop} in the browser", "Find the {product} at {shop} and open it"),
    _draw_product, as_it_is, _verify_product, to_product,
    ("What does the {product} cost at {shop} ? Open its page", "I am curious about the {product} that {shop} has"),
)  # fmt: skip
SHOP_CART = Family(
    "shop_cart", ("Browser",),
    ("Add the {product} from {shop} to the cart", "Put a {product} in my {shop} cart",
     "Search {shop} for {product} and add it to the cart", "Get a {product} into the cart at {shop}"),
    _draw_product, without_product, _verify_cart, _route_cart,
    ("I will buy the {product} from {shop} later, keep one in the cart",
     "My cart at {shop} should hold a {product} , too"),
)  # fmt: skip
OPEN_SECTION = Family(
    "open_section", ("Browser",),
    ("Open the {section} section of {address}", "Go to {address} and then to {section}",
     "Show me {section} on {address}", "Visit {address} and choose its section {section}"),
    _draw_section, as_it_is, _verify_section, _route_section,
    ("What is there under {section} at {address} ?", "I would like to read {section} , the part of {address}"),
)  # fmt: skip
BOOKMARK_PAGE = Family(
    "bookmark_page", ("Browser",),
    ("Bookmark the {section} section of {address}", "Go to {section} on {address} and bookmark it",
     "Add {section} of {address} to the bookmarks", "Keep the page {section} from {address} as a bookmark"),
    _draw_section, as_it_is, _verify_bookmark, _route_bookmark,
    ("I want to get back to {section} at {address} with one tap, bookmark that",
     "Let the browser's bookmarks hold {address} , its part {section}"),
)  # fmt: skip
REMOVE_BOOKMARK = Family(
    "remove_bookmark", ("Browser",),
    ("Remove the bookmark for {section} of {address}", "Delete {address} / {section} from the bookmarks",
     "I no longer need the bookmark of {section} at {address}", "Take {section} on {address} out of my bookmarks"),
    _draw_section, _bookmarked, _verify_unbookmark, _route_unbookmark,
    ("My bookmarks are too many: {section} from {address} can go", "Unbookmark what {address} has under {section}"),
)  # fmt: skip
CLOSE_TAB = Family(
    "close_tab", ("Browser",),
    ("Close the tab with {section} of {address}", "Close the browser tab that shows {address} / {section}",
     "Shut the tab {section} on {address}", "I am done reading {section} at {address} , close its tab"),
    _draw_section, _opened, _verify_tab, _route_tab,
    ("Too many tabs are open, get rid of {section} from {address}",
     "The tab where {address} shows {section} should go"),
)  # fmt: skip
FORGET_PAGE = Family(
    "forget_page", ("Browser",),
    ("Remove {section} of {address} from the browser history", "Delete {address} / {section} from the history",
     "Take the visit to {section} on {address} out of my history", "Make the browser forget {section} at {address}"),
    _draw_section, _visited, _verify_forget, _route_forget,
    ("Nobody needs to know that I read {section} on {address} , edit the history",
     "Erase {section} from {address} where the browser lists my visits"),
)  # fmt: skip
