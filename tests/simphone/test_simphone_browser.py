"""The browser used by hand: tabs, bookmarks, the history, sections and articles."""

from __future__ import annotations

from typing import Any

from phone_walks import phone, tap, through

from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.apps.browser import sections_of
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import Chances, PhoneState, Style
from distrl_sdk.types import Key, Press, TypeText

START = phone()
BROWSER = tap(START, "app:Browser")
SECTION = sections_of("teahouse.com")[0]
PAGE = f"teahouse.com/{SECTION.lower()}"


def visited(address: str) -> PhoneState:
    return engine.act(engine.act(tap(BROWSER, "address"), TypeText(address)), Press(Key.ENTER))


def facts(state: PhoneState) -> dict[str, Any]:
    return facts_of(state, START)


def shown(state: PhoneState) -> str:
    return " | ".join(element.text for element in scene_of(state).elements)


def test_a_section_is_reached_by_its_link_or_its_address_and_has_articles_of_its_own() -> None:
    section = tap(visited("teahouse.com"), f"link:{SECTION}")
    article = next(name for name in scene_of(section).names if name.startswith("article:"))

    assert section.top.place == visited(PAGE).top.place == ("Browser", "site", "teahouse.com", SECTION)
    assert visited("teahouse.com/nothing").top.page == "missing"
    assert tap(section, article).top.place == ("Browser", "article", "teahouse.com", SECTION, article[8:])
    assert facts(tap(section, article))["changed"] == []


def test_a_page_is_bookmarked_once_and_its_bookmark_removed() -> None:
    page = visited(PAGE)
    kept = through(page, "tab:Bookmarks", "bookmark_this")
    gone = tap(kept, f"away:{PAGE}")

    assert facts(kept)["browser.bookmarks"][-1] == PAGE
    assert facts(kept)["changed"] == ["browser.bookmarks"]
    assert "bookmark_this" not in scene_of(kept).names
    assert facts(gone)["changed"] == []
    assert "bookmark_this" not in scene_of(tap(BROWSER, "tab:Bookmarks")).names
    assert tap(kept, f"entry:{PAGE}").top.place == page.top.place


def test_a_new_tab_leaves_the_page_behind_and_switching_brings_it_back() -> None:
    before = facts(START)["browser.tabs"]
    new = through(visited(PAGE), "tab:Tabs", "new_tab")
    back = through(new, "tab:Tabs", f"entry:{PAGE}")

    assert new.top.place == ("Browser", "main")
    assert facts(new)["browser.tabs"] == [*before, PAGE]
    assert back.top.place == ("Browser", "site", "teahouse.com", SECTION)
    assert facts(back)["browser.tabs"] == before


def test_switching_puts_the_page_that_was_shown_behind_and_closing_ends_only_one() -> None:
    before = facts(START)["browser.tabs"]
    tabs = tap(visited(PAGE), "tab:Tabs")
    switched, closed = tap(tabs, f"entry:{before[0]}"), tap(tabs, f"away:{before[0]}")

    assert facts(switched)["browser.tabs"] == [*before[1:], PAGE]
    assert facts(closed)["browser.tabs"] == before[1:]
    assert closed.toast
    assert tap(tabs, "this").top.place == ("Browser", "site", "teahouse.com", SECTION)


def test_the_history_tells_today_from_earlier_and_is_cleared_after_a_question() -> None:
    history = tap(visited(PAGE), "tab:History")
    asked = tap(history, "clear")
    cleared = tap(asked, "confirm")

    assert PAGE in shown(history)
    assert facts(history)["changed"] == []
    assert facts(tap(asked, "cancel"))["changed"] == []
    assert facts(cleared)["browser.history"] == []
    assert PAGE not in shown(cleared)


def test_one_page_can_be_forgotten() -> None:
    earlier = facts(START)["browser.history"]
    state = through(BROWSER, "tab:History", f"away:{earlier[1]}")

    assert facts(state)["browser.history"] == [earlier[0], *earlier[2:]]


def test_pages_come_from_the_network_and_may_let_one_wait() -> None:
    slow = tap(apps.fresh(7, Chances(spinners=1.0)), "app:Browser")
    waiting = tap(slow, "bookmark:pebblemarket.com")

    assert "spinner" in scene_of(waiting).names
    assert "query" in scene_of(engine.act(waiting, Press(Key.ENTER))).names


def test_the_chrome_speaks_the_phones_language_and_so_does_one_shop() -> None:
    german = tap(apps.fresh(7, style=Style(locale="de")), "app:Browser")

    assert "Lesezeichen" in shown(german)
    assert "Produkte suchen" in shown(tap(german, "bookmark:pebblemarket.com"))
    assert "What do you need today?" in shown(tap(german, "bookmark:tidewater.com"))
    assert "Lesezeichen" in shown(tap(german, "bookmark:tidewater.com"))
