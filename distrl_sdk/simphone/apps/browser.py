"""Browser: an address bar, sites, searches, tabs, bookmarks, a history; the pages of shops are in shops/."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from distrl_sdk.simphone import popups
from distrl_sdk.simphone.apps import shops
from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.apps.shops import counter, shop
from distrl_sdk.simphone.apps.shops.ledger import ShopAccount, lines_told, opened
from distrl_sdk.simphone.names import PHRASES, SECTIONS, SITES
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

BOOKMARKED = SITES[:5]
_HISTORY = 14
"""Entries that are remembered."""
_HEADLINES = ("What is new in {}", "Ten facts about {}", "{} in the city", "A year of {}", "{} for beginners")


@record
@dataclass(frozen=True, slots=True)
class Browsing:
    """What the browser remembers. A page is written as its address: a site, or a site, a slash and a section."""

    bookmarks: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    """Pages that are open behind the one that is shown."""
    earlier: tuple[str, ...] = ()
    """Visited on days before, the latest first."""
    today: tuple[str, ...] = ()
    accounts: tuple[ShopAccount, ...] = ()
    """One for each shop."""

    def account(self, site: str) -> ShopAccount:
        """The account at a shop. Raises StopIteration if there is no such shop."""
        return next(one for one in self.accounts if one.site == site)

    def with_account(self, account: ShopAccount) -> Browsing:
        """Another state of one account."""
        return replace(self, accounts=tuple(account if one.site == account.site else one for one in self.accounts))

    def visited(self, address: str) -> Browsing:
        """With a page at the top of the history."""
        return replace(self, today=(address, *(one for one in self.today if one != address))[:_HISTORY])

    def with_tab(self, address: str) -> Browsing:
        """One tab more."""
        return replace(self, tabs=(*self.tabs, address))


_NOTHING = Browsing()


@lru_cache(maxsize=256)
def sections_of(site: str) -> tuple[str, ...]:
    """The sections of a site, the same for ever."""
    return tuple(random.Random(site).sample(SECTIONS, k=6))


def draw_page(chance: random.Random) -> str:
    """The address of a section of some site."""
    site = chance.choice(SITES)
    return f"{site}/{chance.choice(sections_of(site)).lower()}"


def _start(chance: random.Random) -> Browsing:
    own = random.Random(chance.random())
    pages = [draw_page(own) for _ in range(12)]
    accounts = tuple(opened(own, site) for site in shops.SHOPS)
    return Browsing(BOOKMARKED, tuple(pages[: own.randint(1, 3)]), tuple(dict.fromkeys(pages[4:])), (), accounts)


def _narrow(screen: Screen, records: tuple[Browsing]) -> tuple[Browsing]:
    (browsing,) = records
    match screen.page:
        case "tabs" | "bookmarks" | "history":
            return records
        case "main":
            return (Browsing(browsing.bookmarks),)
        case "shop":
            return (Browsing(accounts=(browsing.account(screen.args[0]),)),)
        case _:
            return (_NOTHING,)


def _layout(page: PageBuilder, browsing: Browsing) -> None:
    screen = page.screen
    shown = screen.args[0] if screen.page in ("site", "article", "search", "missing", "shop") else ""
    page.address_bar("address", shown or "Search or type an address", ("go", "Go", ("go",)))
    here = address_of(screen)
    page.tabs(
        "", ("Start page", ("start",)), ("Tabs", ("page", "tabs", here)),
        ("Bookmarks", ("page", "bookmarks", here)), ("History", ("page", "history")),
    )  # fmt: skip
    match screen.page:
        case "site":
            _site(page, screen.args)
        case "article":
            _article(page, screen.args[0], screen.args[2])
        case "search":
            _results(page, screen.args[0])
        case "missing":
            page.paragraph(page.say("{} cannot be reached. Check the address.", screen.args[0]))
        case "shop":
            shop.show(page, shops.SHOPS[screen.args[0]], browsing.account(screen.args[0]))
        case "tabs" | "bookmarks" | "history":
            _remembered(page, browsing)
        case _:
            page.header("Shops")
            for one in shops.ALL:
                page.row(f"bookmark:{one.site}", one.title, ("visit", one.site), one.site, icon=one.title)
            page.header("Bookmarks")
            for address in browsing.bookmarks:
                page.row(f"bookmark:{address}", address, ("visit", address), icon=address)


def _remembered(page: PageBuilder, browsing: Browsing) -> None:
    match page.screen.page:
        case "tabs":
            page.header("Open tabs")
            here = page.screen.args[0]
            page.row("this", here or "Start page", ("back",), "Current tab")
            for at, address in enumerate(browsing.tabs):
                _entry(page, address, ("switch", str(at)), ("close_tab", str(at)), "Close {}")
            page.button("new_tab", "New tab", ("new_tab",))
        case "bookmarks":
            page.header("Bookmarks")
            here = page.screen.args[0]
            if here and here not in browsing.bookmarks:
                page.row("bookmark_this", "Add this page", ("bookmark", here), here, icon="+")
            for address in browsing.bookmarks:
                _entry(page, address, ("visit", address), ("unbookmark", address), "Remove {}")
        case _:
            page.chips(("clear", "Clear history", False, ("dialog", "clear")))
            for title, addresses in (("Today", browsing.today), ("Earlier", browsing.earlier)):
                page.header(title)
                for address in addresses:
                    _entry(page, address, ("visit", address), ("forget", address), "Remove {}")
            if page.screen.dialog:
                page.ask("Clear history?", "The list of visited pages will be empty.",
                         ("cancel", "Cancel", ("close",)), ("confirm", "Clear", ("clear",)))  # fmt: skip


def _entry(page: PageBuilder, address: str, tap: Event, away: Event, label: str) -> None:
    """A remembered page, with what sends it away beside it."""
    body, box = Rect(0, 0, 900, ROW - 30), Rect(900, 0, WIDTH, ROW - 30)
    page.place(Widget(body, "row", address, "", f"entry:{address}", "item", tap, icon=address))
    page.place(Widget(box, "cross", page.say(label, address), "", f"away:{address}", "button", away))
    page.skip(ROW - 30)


def _site(page: PageBuilder, args: tuple[str, ...]) -> None:
    site, *section = args
    name = site.removesuffix(".com").capitalize()
    if section:
        page.header(page.say("{}: {}", name, section[0]))
        page.paragraph(page.say("This is the {} section of {}.", page.say(section[0]).lower(), site))
        for title in _headlines(site, section[0]):
            page.row(f"article:{title}", title, ("page", "article", site, section[0], title))
        page.row("home", page.say("Back to {}", name), ("visit", site))
        return
    page.header(name)
    page.paragraph(page.say("Welcome to {}. Choose a section.", site))
    for title in sections_of(site):
        page.row(f"link:{title}", title, ("visit", f"{site}/{title.lower()}"), icon=title)


def _headlines(site: str, section: str) -> tuple[str, ...]:
    patterns = random.Random(f"{site} {section}").sample(_HEADLINES, k=3)
    return tuple(pattern.format(section.lower()).capitalize() for pattern in patterns)


def _article(page: PageBuilder, site: str, title: str) -> None:
    page.header(title)
    page.image("photo", title, f"{site} {title}", 620)
    for sentence in random.Random(f"{site} {title}").sample(PHRASES, k=4):
        page.paragraph(f"{sentence.capitalize()}.")


def _results(page: PageBuilder, query: str) -> None:
    page.header(page.say("Results for {}", query))
    for site in random.Random(query).sample(SITES, k=6):
        page.row(f"result:{site}", f"{query} - {site.removesuffix('.com')}", ("visit", site), site)


def address_of(screen: Screen) -> str:
    """The address of a page; '' of the browser's own ones, searches and mistakes."""
    match screen.page:
        case "site" | "article":
            return "/".join((screen.args[0], *(section.lower() for section in screen.args[1:2])))
        case "shop":
            return screen.args[0]
        case _:
            return ""


def visit(state: PhoneState, address: str) -> PhoneState:
    """The page of an address, or of a search when it is none."""
    address = address.strip().lower().removeprefix("https://").removeprefix("www.").rstrip("/")
    if not address:
        return state
    site, _, section = address.partition("/")
    if address in shops.SHOPS:
        screen = Screen("Browser", "shop", (address,))
    elif site in SITES and section.capitalize() in ("", *sections_of(site)):
        screen = Screen("Browser", "site", (site, section.capitalize()) if section else (site,))
    elif "." in address and " " not in address:
        return state.push(Screen("Browser", "missing", (address,)))
    else:
        return state.push(Screen("Browser", "search", (address,), ready=popups.spinner(state)))
    state = state.with_app("Browser", state.apps["Browser"].visited(address))
    return state.push(replace(screen, ready=popups.spinner(state)))


def _react(state: PhoneState, event: Event) -> PhoneState:
    browsing: Browsing = state.apps["Browser"]
    match event:
        case ("go",) | ("enter", "address"):
            return visit(state, state.top.draft("address"))
        case ("visit", address):
            return visit(state, address)
        case ("start",):
            return replace(state, stack=(state.stack[0], Screen("Browser")))
        case ("switch" | "new_tab" | "close_tab", *which):
            return _change_tab(state, browsing, event[0], int(which[0]) if which else -1)
        case ("bookmark", address):
            kept = state.with_app("Browser", replace(browsing, bookmarks=(*browsing.bookmarks, address)))
            return replace(kept, toast=say(state.style, "Bookmark added"))
        case ("unbookmark", address):
            return _without(state, browsing, address, "bookmarks")
        case ("forget", address):
            return _without(state, browsing, address, "today", "earlier")
        case ("clear",):
            cleared = state.with_app("Browser", replace(browsing, today=(), earlier=()))
            return replace(cleared.with_top(replace(state.top, dialog=())), toast=say(state.style, "History cleared"))
        case _ if state.top.page == "shop":
            return counter.react(state, shops.SHOPS[state.top.args[0]], event)
        case _:
            return state


def _without(state: PhoneState, browsing: Browsing, address: str, *lists: str) -> PhoneState:
    """A page forgotten in some of the lists."""
    kept = {name: tuple(one for one in getattr(browsing, name) if one != address) for name in lists}
    return state.with_app("Browser", replace(browsing, **kept))


def _change_tab(state: PhoneState, browsing: Browsing, what: str, at: int) -> PhoneState:
    """Closed, or another one in front: the page that was there joins the tabs behind, unless it is the start page."""
    kept = replace(browsing, tabs=tuple(one for place, one in enumerate(browsing.tabs) if place != at))
    if what == "close_tab":
        return replace(state.with_app("Browser", kept), toast=say(state.style, "Tab closed"))
    here = state.top.args[0]
    front = replace(state, stack=(state.stack[0], Screen("Browser")))
    front = front.with_app("Browser", kept.with_tab(here) if here else kept)
    return visit(front, browsing.tabs[at]) if what == "switch" else front


def _facts(browsing: Browsing) -> Mapping[str, Json]:
    """Without what every visit leaves: the history of today, answers to walls."""
    accounts = [(shops.SHOPS[one.site].title, one) for one in browsing.accounts]
    return {
        "browser.bookmarks": list(browsing.bookmarks),
        "browser.tabs": list(browsing.tabs),
        "browser.history": list(browsing.earlier),
        "shop.cart": [line for title, one in accounts for line in lines_told(title, one.cart)],
        "shop.wishes": [{"shop": title, "product": name} for title, one in accounts for name in one.wishes],
        "shop.orders": [line for title, one in accounts for line in lines_told(title, one.orders)],
    }


APP = App("Browser", "Browser", ("Browser",), _layout, _react, _start, _facts, narrow=_narrow)
