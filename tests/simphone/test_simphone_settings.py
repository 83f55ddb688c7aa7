"""The settings' deeper pages: search, networks, rights of apps, the phone's name, sliders."""

from __future__ import annotations

from dataclasses import replace

from phone_walks import phone, tap, through

from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.apps.networks import Network, Networks
from distrl_sdk.simphone.apps.settings_table import LEVELS, SECTIONS, TABLE
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, PhoneState, Style
from distrl_sdk.types import Json, Key, Press, Swipe, TypeText

ENTER = Press(Key.ENTER)
NETWORKS = Networks(
    (Network("Cafe1"), Network("Home2", "walnut1"), Network("Office3", "pepper2", known=True)), "Office3"
)
FRESH = phone()
START = FRESH.with_app("Settings", replace(FRESH.apps["Settings"].with_value("wifi", True), networks=NETWORKS))
LIST = through(START, "app:Settings", "section:Network", "networks")


def fact(state: PhoneState, name: str) -> Json:
    return facts_of(state, START)[name]


def test_an_open_network_is_joined_at_a_touch_and_a_closed_one_with_its_password() -> None:
    asked = tap(LIST, "network:Home2")
    wrong = engine.act(engine.act(asked, TypeText("walnut2")), ENTER)
    right = tap(engine.act(asked, TypeText("walnut1")), "connect")

    assert fact(tap(LIST, "network:Cafe1"), "settings.network") == "Cafe1"
    assert wrong.toast
    assert fact(wrong, "changed") == []
    assert fact(right, "settings.network") == "Home2"
    assert fact(right, "settings.known_networks") == ["Home2", "Office3"]
    assert right.top.page == "networks"


def test_a_known_network_is_joined_without_asking_until_it_is_forgotten() -> None:
    away = tap(LIST, "network:Cafe1")
    back = through(away, "network:Office3", "connect")
    forgotten = through(LIST, "network:Office3", "forget", "confirm")

    assert fact(back, "settings.network") == "Office3"
    assert fact(forgotten, "settings.network") == ""
    assert fact(forgotten, "settings.known_networks") == []
    assert tap(forgotten, "network:Office3").top.page == "join"
    assert fact(through(LIST, "network:Office3", "forget", "cancel"), "changed") == []


def test_no_network_is_seen_while_wifi_is_off() -> None:
    assert scene_of(LIST).find("network:Cafe1") is not None
    assert scene_of(tap(LIST, "set:wifi")).find("network:Cafe1") is None


def test_the_search_field_finds_settings_by_their_label_in_the_phones_language() -> None:
    def found(style: Style, query: str) -> list[str]:
        page = tap(tap(apps.fresh(7, CALM, style), "app:Settings"), "search")
        shown = scene_of(engine.act(engine.act(page, TypeText(query)), ENTER))
        return [name for name in shown.names if name.startswith("set:")]

    assert found(Style(), "volume") == ["set:" + key for key in (
        "media_volume", "call_volume", "ring_volume", "notice_volume", "alarm_volume",
    )]  # fmt: skip
    assert found(Style(locale="de"), "flugmodus") == found(Style(), "airplane") == ["set:airplane"]
    assert found(Style(), "no such thing") == []


def test_a_level_is_set_by_its_slider_or_in_its_list() -> None:
    page = through(START, "app:Settings", "section:Sound", "set:call_volume")
    slider = scene_of(page).find("slide:call_volume")
    assert slider is not None
    y = slider.box.centre[1]

    assert fact(engine.act(page, Swipe(0.5, y, 0.26, y)), "settings.call_volume") == "20%"
    assert fact(tap(page, "option:20%"), "settings.call_volume") == "20%"


def test_what_an_app_may_do_is_set_on_its_own_page() -> None:
    start = START.with_app("Settings", replace(START.apps["Settings"], silenced=("Maps",)))
    page = through(start, "app:Settings", "apps", "info:Clock")

    silent = tap(page, "notify")

    assert fact(silent, "settings.silenced") == ["Clock", "Maps"]
    assert fact(tap(silent, "notify"), "settings.silenced") == ["Maps"]
    assert tap(silent, "open").top.app == "Clock"


def test_the_phone_is_renamed_but_not_to_nothing() -> None:
    page = engine.act(tap(START, "app:Settings"), Swipe(0.5, 0.7, 0.5, 0.1))
    name = through(page, "about", "device")

    assert fact(engine.act(engine.act(name, TypeText("Otto Comet")), ENTER), "settings.device") == "Otto Comet"
    assert tap(name, "save").toast


def test_version_two_orders_the_sections_by_name() -> None:
    def sections(version: int) -> list[str]:
        page = engine.react(apps.fresh(7, CALM, Style(version)), ("app", "Settings"))
        return [widget.id.removeprefix("section:") for widget in scene_of(page).body.widgets if "section:" in widget.id]

    assert sections(1) == list(SECTIONS)
    assert sections(2) == sorted(SECTIONS) != sections(1)


def test_levels_and_choices_are_many_enough_for_splits_that_share_none() -> None:
    levels = [one for one in TABLE if one.options == LEVELS]

    assert len(levels) * len(LEVELS) >= 80
    assert sum(len(one.options) for one in TABLE if one not in levels) >= 80
    assert len({one.key for one in TABLE}) == len({one.label for one in TABLE}) == len(TABLE)
