"""What the apps do when they are used by hand, and what they refuse."""

from __future__ import annotations

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Key, OpenApp, Press, Swipe, TypeText, Wait

START = phone()
ENTER = Press(Key.ENTER)


def typed(state: PhoneState, field: str, text: str) -> PhoneState:
    if state.top.focus != field:
        state = tap(state, field)
    return engine.act(state, TypeText(text))


def changed(state: PhoneState) -> list[str]:
    found = facts_of(state, START)["changed"]
    assert isinstance(found, list)
    return found


def test_a_switch_switches_one_thing_and_back() -> None:
    page = through(START, "app:Settings", "section:Network")

    once, twice = tap(page, "set:wifi"), through(page, "set:wifi", "set:wifi")

    assert changed(once) == ["settings.wifi"]
    assert changed(twice) == []


def test_a_choice_sets_its_option_and_returns() -> None:
    state = through(START, "app:Settings", "section:Sound", "set:ringtone", "option:Ripple")

    assert facts_of(state, START)["settings.ringtone"] == "Ripple"
    assert state.top.place == ("Settings", "section", "Sound")


def test_an_alarm_needs_a_time_and_is_kept_once() -> None:
    new = through(START, "app:Clock", "add")

    refused = tap(typed(new, "time", "25:99"), "save")
    made = tap(typed(new, "time", "7:05"), "save")
    again = tap(typed(tap(made, "add"), "time", "07:05"), "save")

    assert refused.top.page == "new"
    assert refused.toast
    assert changed(refused) == []
    assert facts_of(made, START)["clock.alarms.grown"] == 1
    assert facts_of(again, START)["clock.alarms.grown"] == 1
    assert scene_of(again).find("alarm:07:05") is not None


def test_an_alarm_has_a_switch_of_its_own_beside_its_row() -> None:
    clock = tap(START, "app:Clock")
    switch = next(element for element in scene_of(clock).elements if element.role == "switch")

    after = scene_of(tap(clock, switch.id)).find(switch.id)

    assert after is not None
    assert after.checked is (not switch.checked)


def test_a_timer_takes_minutes_only() -> None:
    timer = through(START, "app:Clock", "tab:Timer")

    assert changed(engine.act(typed(timer, "minutes", "soon"), ENTER)) == []
    assert facts_of(engine.act(typed(timer, "minutes", "12"), ENTER), START)["clock.timer"] == 12


def test_a_contact_needs_name_and_number_and_enter_leads_from_one_to_the_other() -> None:
    new = through(START, "app:Contacts", "add")

    nameless = tap(new, "save")
    named = engine.act(typed(new, "name", "Zora Zett"), ENTER)
    saved = engine.act(typed(named, "number", "555123456"), ENTER)

    assert changed(nameless) == []
    assert named.top.focus == "number"
    assert {"name": "Zora Zett", "number": "555123456", "favourite": False} in facts_of(saved, START)["contacts.people"]


def test_an_empty_message_is_not_sent() -> None:
    state = through(START, "app:Messages", "new")
    name = next(element.id for element in scene_of(state).elements if element.id.startswith("to:"))
    thread = tap(state, name)

    assert changed(tap(thread, "send")) == []
    assert facts_of(tap(typed(thread, "text", "hello"), "send"), START)["messages.texts.grown"] == 1


def test_the_address_bar_tells_sites_searches_and_mistakes_apart() -> None:
    browser = tap(START, "app:Browser")

    def place(text: str) -> tuple[str, ...]:
        return engine.act(typed(browser, "address", text), ENTER).top.place

    assert place("oldmaps.com") == ("Browser", "site", "oldmaps.com")
    assert place("https://www.OldMaps.com/") == ("Browser", "site", "oldmaps.com")
    assert place("old maps") == ("Browser", "search", "old maps")
    assert place("oldmap.com") == ("Browser", "missing", "oldmap.com")
    assert place("pebblemarket.com") == ("Browser", "shop", "pebblemarket.com")


def test_the_shop_shows_what_was_asked_for_first_and_a_cart_can_be_emptied() -> None:
    shop = through(START, "app:Browser", "bookmark:pebblemarket.com")
    results = engine.act(typed(shop, "query", "red kettle"), ENTER)
    first = next(element for element in scene_of(results).elements if element.id.startswith("product:"))

    bought = through(results, first.id, "add_cart")
    empty = bought
    cart = tap(bought, "cart")
    while True:
        remove = next((one.id for one in scene_of(cart).elements if one.id.startswith("remove:")), None)
        if remove is None:
            break
        empty = cart = tap(cart, remove)

    assert first.text.startswith("Red Kettle")
    line = {"shop": "Pebble Market", "product": "Red Kettle", "options": [], "quantity": 1}
    assert line in facts_of(bought, START)["shop.cart"]
    assert "Pebble Market" not in {one["shop"] for one in facts_of(empty, START)["shop.cart"]}


def test_an_installed_app_can_be_opened_until_it_is_uninstalled() -> None:
    store = tap(START, "app:Store")
    results = engine.act(typed(store, "query", "swift piano"), ENTER)
    installed = engine.act(engine.act(through(results, "entry:Swift Piano", "install"), Wait()), Wait())
    opened = engine.act(installed, OpenApp("swift piano"))
    removed = through(installed, "uninstall", "confirm")

    assert opened.top.app == "Swift Piano"
    assert engine.act(removed, OpenApp("swift piano")).top.app == "Store"
    assert changed(removed) == []


def test_the_home_screen_is_swiped_through_and_finds_an_app_by_its_name() -> None:
    left, right = Swipe(0.8, 0.5, 0.2, 0.5), Swipe(0.2, 0.5, 0.8, 0.5)
    second = engine.act(START, left)
    found = engine.act(typed(START, "search", "calc"), ENTER)

    assert second.top.args == ("1",)
    assert engine.act(second, left).top == second.top
    assert engine.act(second, right).top.args == ()
    assert [one.id for one in scene_of(second).elements if one.role == "icon"][:-4] == [
        f"app:{name}" for name in START.apps["Store"].installed
    ]
    assert tap(found, "app:Calculator").top.app == "Calculator"
    assert engine.act(found, left).top == found.top
    assert engine.act(START, Swipe(0.5, 0.8, 0.5, 0.3)).top.page == "drawer"
