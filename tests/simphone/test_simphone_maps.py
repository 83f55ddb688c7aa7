"""Maps: searching, saving, being led somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.maps import PLACES, WAYS, Maps, found
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import Chances, PhoneState
from distrl_sdk.types import Json, Key, Press, TypeText, Wait

START = phone().with_app("Maps", Maps())
PLACE = "Golden Bakery"


def facts(state: PhoneState) -> Mapping[str, Json]:
    return facts_of(state, START)


def searched(text: str, start: PhoneState = START) -> PhoneState:
    field = through(start, "app:Maps", "query")
    return engine.act(engine.act(field, TypeText(text)), Press(Key.ENTER))


def test_every_place_is_found_by_its_name_first() -> None:
    assert all(found(place.lower())[0] == place for place in PLACES)
    assert found("submarine") == ()


def test_an_empty_search_is_refused_and_one_in_vain_says_so() -> None:
    assert searched("").top.page == "main"
    assert searched("").toast
    assert not any(name.startswith("entry:") for name in scene_of(searched("submarine")).names)


def test_a_kind_of_place_can_be_chosen_without_typing() -> None:
    results = through(START, "app:Maps", "near:Hotel")

    assert {name.split()[-1] for name in scene_of(results).names if name.startswith("entry:")} == {"Hotel"}


def test_a_place_is_saved_listed_and_taken_back() -> None:
    saved = through(searched(PLACE), "save")
    listed = through(saved, "back", "tab:Saved")

    assert facts(saved)["maps.saved"] == [PLACE]
    assert scene_of(listed).find(f"entry:{PLACE}") is not None
    assert facts(through(listed, f"entry:{PLACE}", "unsave"))["changed"] == []


def test_navigation_starts_by_the_way_that_was_chosen_last_and_ends() -> None:
    there = through(searched(PLACE), "way:bus", "way:foot")
    led = tap(there, "start")
    home = engine.act(led, Press(Key.HOME))
    ended = through(home, "app:Maps", "resume", "end")

    assert (facts(led)["maps.goal"], facts(led)["maps.way"]) == (PLACE, "foot")
    assert led.top.place == ("Maps", "navigation")
    assert facts(ended)["changed"] == []
    assert ended.top.place == ("Maps", "main")


def test_the_slower_the_way_the_longer_it_takes() -> None:
    place = searched(PLACE.upper())
    minutes = {}
    for way in WAYS:
        row = scene_of(tap(place, f"way:{way}")).find("time")
        assert row is not None
        minutes[way] = int(row.text.split()[0])

    assert minutes["car"] < minutes["bus"] < minutes["foot"]


def test_results_come_from_the_network() -> None:
    slow = replace(START, chances=Chances(spinners=1.0))
    for query, shown in ((PLACE, "save"), ("bakery golden", f"entry:{PLACE}")):
        asked = searched(query, slow)

        assert scene_of(asked).find("spinner") is not None
        assert scene_of(asked).find(shown) is None
        assert scene_of(engine.act(asked, Wait())).find(shown) is not None
