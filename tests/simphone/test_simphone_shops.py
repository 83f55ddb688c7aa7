"""The four shops used by hand: what each asks first, how each is searched, filled, emptied and left with an order."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phone_walks import phone, tap, through

from distrl_sdk.policy.grammar import ELEMENTS
from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps import shops
from distrl_sdk.simphone.apps.shops.catalogue import BANDS, PRODUCTS, SORTS, listed, matches, with_setting
from distrl_sdk.simphone.apps.shops.ledger import CartLine, opened
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Key, Press, Swipe, TypeText

START = phone()
LARKSPUR, TIDEWATER, FOXGLOVE = (shops.ALL[at].site for at in (1, 2, 3))
SITES = tuple(shops.SHOPS)


def front(site: str) -> PhoneState:
    state = through(START, "app:Browser", f"bookmark:{site}")
    return tap(state, "cookies") if "cookies" in scene_of(state).names else state


def searched(site: str, query: str) -> PhoneState:
    return engine.act(engine.act(tap(front(site), "query"), TypeText(query)), Press(Key.ENTER))


def product(site: str, name: str) -> PhoneState:
    return tap(searched(site, name), f"product:{name}")


def cart(state: PhoneState) -> PhoneState:
    while scene_of(state).find("cart") is None:
        state = engine.act(state, Swipe(0.5, 0.7, 0.5, 0.3))
    state = tap(state, "cart")
    return tap(state, "sign_in") if "sign_in" in scene_of(state).names else state


def facts(state: PhoneState) -> dict[str, Any]:
    return facts_of(state, START)


def of(site: str, fact: str, state: PhoneState) -> list[dict[str, Any]]:
    return [one for one in facts(state)[fact] if one["shop"] == shops.SHOPS[site].title]


def test_there_are_thousands_of_products_whose_price_is_the_same_everywhere() -> None:
    assert len(PRODUCTS) == 2160
    assert len({one.cents for one in PRODUCTS.values()}) > 1500
    for site in SITES:
        shown = " ".join(element.text for element in scene_of(searched(site, "alder mini kettle")).elements)
        assert PRODUCTS["Alder Mini Kettle"].price in shown


@given(
    st.sampled_from(["kettle", "alder lamp", "red mug"]),
    st.sampled_from(SORTS),
    st.sampled_from(sorted(BANDS)),
)
def test_a_list_is_sorted_and_filtered_as_it_says(query: str, sort: str, band: str) -> None:
    settings = with_setting(with_setting((), f"sort={sort}"), f"price={band}")
    found = listed("results", query, settings)
    keys = [{"cheapest": one.cents, "dearest": -one.cents, "rated": -one.tenths}[sort] for one in found]

    assert keys == sorted(keys)
    assert {one.name for one in found} == {
        one.name for one in matches(query) if BANDS[band][0] <= one.cents < BANDS[band][1]
    }
    assert with_setting(settings, f"price={band}") == (f"sort={sort}",)


def test_only_two_shops_ask_about_cookies_and_in_different_words() -> None:
    words = []
    for site in SITES:
        wall = through(START, "app:Browser", f"bookmark:{site}")
        dialog = scene_of(wall).find("dialog")
        assert (dialog is not None) == (site in (LARKSPUR, FOXGLOVE))
        if dialog is not None:
            words.append(dialog.text)
            refused = tap(wall, "cookies:no")
            again = through(engine.act(refused, Press(Key.BACK)), f"bookmark:{site}")
            assert scene_of(again).find("dialog") is None
            assert facts(refused)["changed"] == []

    assert len(set(words)) == 2


def test_two_shops_want_a_sign_in_one_before_the_cart_and_one_before_the_order() -> None:
    held = tap(front(FOXGLOVE), "cart")
    paying = tap(cart(tap(product(TIDEWATER, "Red Mug"), "add_cart")), "checkout")

    for wall in (held, paying):
        assert "sign_in" in scene_of(wall).names
        assert "sign_in" not in scene_of(tap(wall, "sign_in")).names
        assert tap(wall, "away").top.place != wall.top.place
    assert "order" in scene_of(tap(paying, "sign_in")).names


@pytest.mark.parametrize("site", SITES)
def test_what_is_added_twice_is_there_twice_and_what_is_removed_is_gone(site: str) -> None:
    state = through(product(site, "Red Mug"), "add_cart", "add_cart")
    line = {"shop": shops.SHOPS[site].title, "product": "Red Mug", "options": [], "quantity": 2}

    emptied = cart(state)
    if site == LARKSPUR:
        emptied = tap(emptied, "line:Red Mug")
    while scene_of(emptied).find("remove:Red Mug") is None:
        emptied = engine.act(emptied, Swipe(0.5, 0.7, 0.5, 0.3))
    emptied = tap(emptied, "remove:Red Mug")

    assert line in facts(state)["shop.cart"]
    assert facts(state)["changed"] == ["shop.cart"]
    assert facts(emptied)["changed"] == []


def test_one_shop_sells_nothing_before_its_options_are_chosen_and_the_others_choose_the_first() -> None:
    name = "Alder Plus Sweater"
    (_, sizes), (_, colours) = PRODUCTS[name].options
    for site in SITES:
        added = tap(product(site, name), "add_cart")
        if site == TIDEWATER:
            assert facts(added)["changed"] == []
            assert added.toast == "Choose first: Size"
            added = through(added, f"option:Size:{sizes[0]}", f"option:Colour:{colours[0]}", "add_cart")
        assert of(site, "shop.cart", added)[-1]["options"] == [sizes[0], colours[0]]


def test_the_same_thing_in_two_colours_is_two_lines() -> None:
    name, colours = "Alder Mini Kettle", PRODUCTS["Alder Mini Kettle"].options[0][1]
    state = product(LARKSPUR, name)
    state = through(state, "add_cart", f"option:Colour:{colours[2]}", "add_cart")

    assert [one["options"] for one in of(LARKSPUR, "shop.cart", state)[-2:]] == [[colours[0]], [colours[2]]]


def test_a_quantity_stays_between_one_and_nine() -> None:
    account = opened(random.Random(1), TIDEWATER).with_line(CartLine("Red Mug"))
    last = len(account.cart) - 1

    assert account.with_quantity(last, 0).cart[last].quantity == 1
    assert account.with_quantity(last, 40).cart[last].quantity == 9


@pytest.mark.parametrize("site", SITES)
def test_an_order_is_kept_and_buying_at_once_leaves_the_cart_alone(site: str) -> None:
    checkout = tap(product(site, "Blue Lamp"), "buy")
    if "sign_in" in scene_of(checkout).names:
        checkout = tap(checkout, "sign_in")
    bought = tap(checkout, "order")

    assert facts(checkout)["changed"] == []
    assert [one["product"] for one in of(site, "shop.orders", bought)] == ["Blue Lamp"]
    assert facts(bought)["changed"] == ["shop.orders"]
    assert bought.top.args == (site, "orders")


@pytest.mark.parametrize("site", SITES)
def test_a_cart_is_emptied_after_a_question_and_ordered_as_a_whole(site: str) -> None:
    filled = cart(tap(product(site, "Red Mug"), "add_cart"))
    lines = len(of(site, "shop.cart", filled))
    while scene_of(filled).find("empty") is None or scene_of(filled).find("checkout") is None:
        filled = engine.act(filled, Swipe(0.5, 0.7, 0.5, 0.3))
    checkout = tap(filled, "checkout")
    if "sign_in" in scene_of(checkout).names:
        checkout = tap(checkout, "sign_in")

    assert of(site, "shop.cart", through(filled, "empty", "cancel")) == of(site, "shop.cart", filled)
    assert of(site, "shop.cart", through(filled, "empty", "confirm")) == []
    ordered = tap(checkout, "order")
    assert of(site, "shop.cart", ordered) == []
    assert len(of(site, "shop.orders", ordered)) == lines


@pytest.mark.parametrize("site", SITES)
def test_a_wish_is_kept_and_taken_back(site: str) -> None:
    state = product(site, "Red Mug")
    while scene_of(state).find("wish") is None:
        state = engine.act(state, Swipe(0.5, 0.7, 0.5, 0.3))
    wished = tap(state, "wish")

    assert of(site, "shop.wishes", wished)[-1]["product"] == "Red Mug"
    assert facts(wished)["changed"] == ["shop.wishes"]
    assert facts(tap(wished, "wish"))["changed"] == []


def test_filters_of_the_second_shop_wait_for_the_button_and_facets_of_the_fourth_lead_back() -> None:
    filters = through(searched(LARKSPUR, "Lamp"), "filter", "brand:Alder", "price:low")
    applied = tap(filters, "apply")
    facet = through(searched(FOXGLOVE, "Lamp"), "refine", "facet:brand", "brand:Alder")

    assert applied.top.args == (LARKSPUR, "results", "Lamp", "brand=Alder", "price=low")
    assert facet.top.args == (FOXGLOVE, "results", "Lamp", "brand=Alder")
    assert engine.act(facet, Press(Key.BACK)).top.args == (FOXGLOVE,)


def test_the_held_out_shop_turns_pages() -> None:
    first = through(front(FOXGLOVE), "departments", "category:Garden")
    second = tap(first, "next")

    def names(state: PhoneState) -> list[str]:
        return [name for name in scene_of(state).names if name.startswith("product:")]

    assert len(names(first)) == len(names(second)) == 5
    assert not set(names(first)) & set(names(second))
    assert names(tap(second, "previous")) == names(first)
    assert shops.SHOPS[FOXGLOVE].title == shops.HELD_OUT_SHOP


@pytest.mark.parametrize("site", SITES)
def test_no_page_has_more_elements_than_the_policy_sees(site: str) -> None:
    pages = [front(site), searched(site, "Lamp"), product(site, "Alder Plus Sweater"), cart(front(site))]
    if site == LARKSPUR:
        pages.append(tap(pages[1], "filter"))

    for page in pages:
        assert len([one for one in scene_of(page).elements if one.role != "key"]) <= ELEMENTS
