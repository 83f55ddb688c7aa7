"""The shade: how it comes and goes, what its tiles and notifications do."""

from __future__ import annotations

import pytest
from phone_walks import phone, tap, through

from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.apps.shade import TILES, Notice, Shade
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.phone import SimPhone
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import SHADE, PhoneState
from distrl_sdk.types import Key, OpenApp, Press, Swipe

CALL, MESSAGE = Notice("call", "Ada Reed"), Notice("message", "Otto Hill")
START = phone().with_app(SHADE, Shade((CALL, MESSAGE, Notice("storage"), Notice("event", "Yoga at 9:00"))))
FROM_EDGE, UP = Swipe(0.5, 0.01, 0.5, 0.6), Swipe(0.5, 0.7, 0.5, 0.3)
SHOWN = engine.act(START, FROM_EDGE)


def changed(state: PhoneState) -> object:
    return facts_of(state, START)["changed"]


def test_it_is_pulled_over_any_app_and_back_or_a_swipe_up_uncovers_that_again() -> None:
    clock = tap(START, "app:Clock")
    shown = engine.act(clock, FROM_EDGE)

    assert shown.top.app == SHADE
    assert engine.act(shown, Press(Key.BACK)).top.app == "Clock"
    assert engine.act(shown, UP).top.app == "Clock"
    assert tap(shown, "back").top.app == "Clock"
    assert changed(shown) == []


def test_it_is_no_app_that_can_be_opened() -> None:
    assert SHADE not in apps.installed(START)
    assert SHADE not in SimPhone().about.apps
    assert engine.act(START, OpenApp("Shade")).top.app == "Home"
    assert scene_of(tap(START, "drawer")).find("app:Shade") is None


@pytest.mark.parametrize("key", TILES)
def test_each_tile_switches_one_thing_and_back(key: str) -> None:
    once, twice = tap(SHOWN, f"quick:{key}"), through(SHOWN, f"quick:{key}", f"quick:{key}")

    assert changed(once) == ["shade.flashlight" if key == "flashlight" else f"settings.{key}"]
    assert changed(twice) == []


def test_the_brightness_follows_the_finger_and_never_falls_to_nothing() -> None:
    slider = scene_of(SHOWN).find("brightness")
    assert slider is not None
    y = slider.box.centre[1]

    bright, dark = engine.act(SHOWN, Swipe(0.5, y, 0.74, y)), engine.act(SHOWN, Swipe(0.5, y, 0.02, y))

    assert facts_of(bright, START)["settings.brightness"] == "80%"
    assert facts_of(dark, START)["settings.brightness"] == "10%"


def test_a_notification_is_dismissed_alone_or_with_all_others() -> None:
    one, none = tap(SHOWN, "gone:call:Ada Reed"), tap(SHOWN, "clear")

    assert {"kind": "call", "about": "Ada Reed"} not in facts_of(one, START)["shade.notifications"]
    assert facts_of(one, START)["shade.notifications.grown"] == -1
    assert facts_of(none, START)["shade.notifications"] == []
    assert scene_of(none).find("clear") is None


def test_a_touched_notification_leads_to_what_it_is_about_and_is_gone() -> None:
    text = tap(SHOWN, "notice:message:Otto Hill")

    assert text.top.place == ("Messages", "thread", "Otto Hill")
    assert facts_of(text, START)["shade.notifications.grown"] == -1
    assert engine.act(text, Press(Key.BACK)).top.app == "Home"
    assert tap(SHOWN, "notice:call:Ada Reed").top.place == ("Phone", "recents")
    assert tap(SHOWN, "notice:event:Yoga at 9:00").top.app == "Calendar"
