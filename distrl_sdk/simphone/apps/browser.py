"""Browser: an address bar, a start page, sites with sections, search results; the shop's pages are in shop.py."""

from __future__ import annotations

import random
from collections.abc import Mapping

from distrl_sdk.simphone.apps import shop
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.shop import Cart
from distrl_sdk.simphone.names import SECTIONS, SITES
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen
from distrl_sdk.types import Json

_BOOKMARKS = SITES[:5]


def sections_of(site: str) -> tuple[str, ...]:
    """The sections of a site, the same for ever."""
    return tuple(random.Random(site).sample(SECTIONS, k=6))


def _layout(page: PageBuilder, cart: Cart) -> None:
    screen = page.screen
    shown = screen.args[0] if screen.args and screen.page != "main" else "Search or type an address"
    page.address_bar("address", shown, ("go", "Go", ("go",)))
    match screen.page:
        case "site":
            _site(page, screen.args)
        case "search":
            _results(page, screen.args[0])
        case "missing":
            page.paragraph(page.say("{} cannot be reached. Check the address.", screen.args[0]))
        case "shop":
            shop.lay_out(page, screen, cart)
        case _:
            page.header("Bookmarks")
            page.row("bookmark:shop", shop.TITLE, ("page", "shop", shop.SITE), shop.SITE, icon=shop.TITLE)
            for site in _BOOKMARKS:
                page.row(f"bookmark:{site}", site, ("page", "site", site), icon=site)


def _site(page: PageBuilder, args: tuple[str, ...]) -> None:
    site, *section = args
    name = site.removesuffix(".com").capitalize()
    if section:
        page.header(page.say("{}: {}", name, section[0]))
        said = page.say("This is the {} section of {}. There is nothing new today.", section[0].lower(), site)
        page.paragraph(said)
        page.row("home", page.say("Back to {}", name), ("page", "site", site))
        return
    page.header(name)
    page.paragraph(page.say("Welcome to {}. Choose a section.", site))
    for title in sections_of(site):
        page.row(f"link:{title}", title, ("page", "site", site, title), icon=title)


def _results(page: PageBuilder, query: str) -> None:
    page.header(page.say("Results for {}", query))
    chance = random.Random(query)
    for site in chance.sample(SITES, k=6):
        page.row(f"result:{site}", f"{query} - {site.removesuffix('.com')}", ("page", "site", site), site)


def visit(state: PhoneState, address: str) -> PhoneState:
    """The page of a typed address, or of a search when it is none."""
    address = address.strip().lower().removeprefix("https://").removeprefix("www.").rstrip("/")
    if not address:
        return state
    if address == shop.SITE:
        return state.push(Screen("Browser", "shop", (address,)))
    site, _, section = address.partition("/")
    if site in SITES and section.capitalize() in ("", *sections_of(site)):
        return state.push(Screen("Browser", "site", (site, section.capitalize()) if section else (site,)))
    looks_like_one = "." in address and " " not in address
    return state.push(Screen("Browser", "missing" if looks_like_one else "search", (address,)))


def _react(state: PhoneState, event: Event) -> PhoneState:
    match event:
        case ("go",) | ("enter", "address"):
            return visit(state, state.top.draft("address"))
        case _:
            return shop.react(state, event)


def _facts(cart: Cart) -> Mapping[str, Json]:
    return {"shop.cart": list(cart.items)}


APP = App("Browser", "Browser", ("Browser",), _layout, _react, shop.start, _facts)
