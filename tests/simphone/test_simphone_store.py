"""The app store: what is downloaded comes in its own time, updates, ratings, categories."""

from __future__ import annotations

from collections.abc import Mapping

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.store import Store, ticks_of
from distrl_sdk.simphone.expert import next_action
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import FAMILIES, start_state
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState, Screen
from distrl_sdk.types import Finish, Json, Task, TypeText, Wait

BIG, SMALL = "Swift Piano", "Swift Radio"
START = phone().with_app("Store", Store((BIG, SMALL), (BIG, SMALL)))
EMPTY = phone().with_app("Store", Store())


def facts(state: PhoneState) -> Mapping[str, Json]:
    return facts_of(state, START)


def later(state: PhoneState, ticks: int) -> PhoneState:
    for _ in range(ticks):
        state = engine.act(state, Wait())
    return state


def page_of(state: PhoneState, name: str) -> PhoneState:
    return state.push(Screen("Store", "app", (name,)))


def test_small_apps_take_one_action_to_come_and_big_ones_two() -> None:
    assert (ticks_of(SMALL), ticks_of(BIG)) == (1, 2)
    for name, ticks in ((SMALL, 1), (BIG, 2)):
        asked = tap(page_of(EMPTY, name), "install")
        before, after = later(asked, ticks - 1), later(asked, ticks)

        assert scene_of(before).find("progress") is not None
        assert facts(before)["store.installed"] == []
        assert facts(before)["store.downloads"] == [name]
        assert facts(after)["store.installed"] == [name]
        assert facts(after)["store.downloads"] == []
        assert after.toast == f"{name} installed"
        assert scene_of(after).find("open") is not None


def test_a_download_goes_on_whatever_else_is_done_and_can_be_stopped() -> None:
    asked = tap(page_of(EMPTY, BIG), "install")

    stopped = later(tap(asked, "stop"), 3)
    elsewhere = through(tap(asked, "back"), "app:Clock")

    assert facts(stopped)["store.installed"] == []
    assert facts(elsewhere)["store.installed"] == [BIG]


def test_updates_come_one_by_one_or_all_together() -> None:
    updates = through(START, "app:Store", "tab:Updates")

    one = later(tap(updates, f"update:{SMALL}"), 1)
    every = later(tap(updates, "update_all"), 2)

    assert facts(one)["store.updates"] == [BIG]
    assert facts(every)["store.updates"] == []
    assert facts(every)["store.installed"] == [BIG, SMALL]
    assert scene_of(every).find("update_all") is None


def test_an_app_is_rated_once_and_the_last_rating_counts() -> None:
    page = page_of(START, SMALL)

    rated = through(page, "rate", "stars:2", "rate", "stars:5")

    assert facts(rated)["store.ratings"] == [{"app": SMALL, "stars": 5}]
    assert rated.top.page == "app"


def test_a_category_shows_its_apps_only() -> None:
    games = through(START, "app:Store", "category:Games")

    entries = [name for name in scene_of(games).names if name.startswith("entry:")]

    assert entries
    assert {name.split()[-1] for name in entries} <= {"Chess", "Puzzle", "Garden"}


def test_an_empty_search_leads_nowhere() -> None:
    store = tap(START, "app:Store")

    assert tap(store, "search").top.place == store.top.place


def test_an_uninstalled_app_takes_its_update_and_its_download_with_it() -> None:
    coming = tap(page_of(START, BIG), "update")
    gone = later(through(coming, "stop", "uninstall", "confirm"), 3)

    assert gone.apps["Store"] == Store((SMALL,), (SMALL,))


def test_an_installed_app_has_entries_to_look_at() -> None:
    opened = engine.react(START, ("app", SMALL))
    entry = next(name for name in scene_of(opened).names if name.startswith("extra:"))

    assert tap(opened, entry).top.place == (SMALL, "entry", entry.removeprefix("extra:"))
    assert tap(opened, "help").top.page == "help"


def test_the_expert_waits_for_what_is_under_way() -> None:
    params = {"app": BIG}
    task = Task("x", "update_app", "x", 10, "sim", (), {"seed": 3, "family": "update_app", "params": params},
                FAMILIES["update_app"].verify(params))  # fmt: skip
    state, actions = start_state(task), []
    while not actions or not isinstance(actions[-1], Finish):
        actions.append(next_action(state, task))
        state = engine.act(state, actions[-1])

    assert actions[-3:] == [Wait(), Wait(), Finish(True)]
    assert not any(isinstance(action, TypeText) for action in actions)
