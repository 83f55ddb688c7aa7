"""The state is a value, acting is a function, and what is on the screen is what a touch finds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from phone_walks import choices, end_of, phone, seeds, tap, through, walk

from distrl_sdk.errors import StorageError
from distrl_sdk.simphone import apps, engine, popups
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, Chances, PhoneState, dump, load
from distrl_sdk.types import Finish, Key, Press, Swipe, Tap, TypeText, Wait

SOME = settings(deadline=None, max_examples=60)
inside = st.floats(0, 0.999)
UP = Swipe(0.5, 0.7, 0.5, 0.3)
DOWN = Swipe(0.5, 0.3, 0.5, 0.7)


@SOME
@given(seeds, choices, choices)
def test_a_fork_goes_where_replaying_the_same_actions_goes(
    seed: int, first: list[tuple[int, int]], then: list[tuple[int, int]]
) -> None:
    start = phone(seed, popup_rate=0.2)
    fork = end_of(start, first)
    actions = [action for action, _ in walk(start, [*first, *then])]

    replayed = phone(seed, popup_rate=0.2)
    for action in actions:
        replayed = engine.act(replayed, action)

    assert end_of(fork, then) == replayed


@SOME
@given(seeds, choices, choices)
def test_what_was_saved_comes_back_and_goes_on_alike(
    seed: int, first: list[tuple[int, int]], then: list[tuple[int, int]]
) -> None:
    state = end_of(phone(seed, popup_rate=0.2), first)

    back = load(dump(state))

    assert back == state
    assert scene_of(back).elements == scene_of(state).elements
    assert end_of(back, then) == end_of(state, then)


@SOME
@given(seeds, choices)
def test_acting_leaves_the_state_before_as_it_was(seed: int, taken: list[tuple[int, int]]) -> None:
    state = phone(seed, popup_rate=0.2)
    before = dump(state)

    end_of(state, taken)

    assert dump(state) == before


@SOME
@given(seeds, choices)
@example(99, [(0, 103), (0, 0), (0, 2), (0, 0), (0, 0), (0, 1)])  # the same thing twice in the cart
def test_boxes_lie_on_the_screen_and_ids_are_unique(seed: int, taken: list[tuple[int, int]]) -> None:
    state = end_of(phone(seed, popup_rate=0.2), taken)
    elements = scene_of(state).elements

    assert elements
    assert len({element.id for element in elements if element.id}) == sum(bool(element.id) for element in elements)
    for element in elements:
        assert 0 <= element.box.left < element.box.right <= 1, element
        assert 0 <= element.box.top < element.box.bottom <= 1, element
        assert element.text or element.clickable or element.scrollable, element


@SOME
@given(seeds, choices, inside, inside, st.integers(0, 99))
def test_a_touch_anywhere_in_a_box_moves_the_topmost_element_there(
    seed: int, taken: list[tuple[int, int]], across: float, along: float, which: int
) -> None:
    state = end_of(phone(seed, popup_rate=0.2), taken)
    scene = scene_of(state)
    box = scene.elements[which % len(scene.elements)].box
    x = box.left + across * (box.right - box.left)
    y = box.top + along * (box.bottom - box.top)

    there = [index for index, element in enumerate(scene.elements) if element.box.holds(x, y)]
    touched = replace(state, toast="", tick=state.tick + 1, chances=CALM)
    expected = apps.elapse(engine.react(touched, scene.events[there[-1]]))

    assert engine.act(replace(state, chances=CALM), Tap(x, y)) == expected


@SOME
@given(seeds, choices)
def test_a_touch_beside_every_element_changes_nothing(seed: int, taken: list[tuple[int, int]]) -> None:
    state = end_of(phone(seed), taken)
    elements = scene_of(state).elements
    for x, y in ((0.5, 0.99), (0.02, 0.5), (0.5, 0.01), (0.98, 0.75)):
        if not any(element.box.holds(x, y) for element in elements):
            assert engine.act(state, Tap(x, y)) == apps.elapse(replace(state, toast="", tick=state.tick + 1))


@SOME
@given(seeds, choices)
def test_home_and_enough_backs_lead_to_the_launcher(seed: int, taken: list[tuple[int, int]]) -> None:
    state = end_of(phone(seed, popup_rate=0.2), taken)

    home = engine.act(replace(state, chances=CALM), Press(Key.HOME))
    back = replace(state, chances=CALM)
    for _ in range(3 * len(taken) + 3):
        back = engine.act(back, Press(Key.BACK))

    assert home.stack == phone(seed).stack
    assert back.top.place == home.top.place


@SOME
@given(seeds, st.integers(0, 99), inside, inside)
def test_an_icon_opens_its_app_wherever_it_is_touched(seed: int, which: int, across: float, along: float) -> None:
    state = phone(seed)
    icons = [element for element in scene_of(state).elements if element.role == "icon" and element.id != "drawer"]
    icon = icons[which % len(icons)]
    point = Tap(
        icon.box.left + across * (icon.box.right - icon.box.left),
        icon.box.top + along * (icon.box.bottom - icon.box.top),
    )

    assert apps.app(engine.act(state, point).top.app).title == icon.text


@SOME
@given(seeds, choices, st.floats(0, 1), st.floats(0, 1))
def test_scrolling_stays_within_the_list(seed: int, taken: list[tuple[int, int]], y: float, to_y: float) -> None:
    state = end_of(phone(seed), taken)
    state = engine.act(replace(state, chances=CALM), Swipe(0.5, y, 0.5, to_y))

    assert 0 <= scene_of(state).scroll <= scene_of(state).max_scroll


def test_a_list_longer_than_the_screen_shows_its_end_after_a_swipe_and_its_start_after_another() -> None:
    languages = through(phone(), "app:Settings", "section:System", "set:language")

    below = engine.act(languages, UP)
    above = engine.act(below, DOWN)

    assert scene_of(languages).find("option:Turkish") is None
    assert scene_of(below).find("option:Turkish") is not None
    assert scene_of(below).find("option:Arabic") is None
    assert scene_of(above).elements == scene_of(languages).elements


def test_a_row_under_the_app_bar_cannot_be_touched_through_it() -> None:
    languages = through(phone(), "app:Settings", "section:System", "set:language")

    moved = engine.act(languages, Swipe(0.5, 0.5, 0.5, 0.475))
    rows = [element for element in scene_of(moved).elements if element.id.startswith("option:")]

    assert min(element.box.top for element in rows) == scene_of(moved).viewport[0] / 2400
    assert engine.act(moved, Tap(0.5, 0.07)).apps == moved.apps


def test_text_goes_nowhere_without_a_focused_field() -> None:
    browser = tap(phone(), "app:Browser")

    lost = engine.act(browser, TypeText("oslo"))
    kept = engine.act(tap(browser, "address"), TypeText("oslo"))

    assert replace(lost, tick=0) == replace(browser, tick=0)
    assert not scene_of(lost).keyboard
    assert kept.top.draft("address") == "oslo"
    field = scene_of(kept).find("address")
    assert field is not None
    assert field.focused
    assert field.text.endswith(", oslo")


def test_keys_type_letter_by_letter_and_delete_takes_one_back() -> None:
    search = through(phone(), "app:Store", "query", "key:t", "key:e", "key:Space", "key:4", "key:Delete")

    assert search.top.draft("query") == "te "


def test_the_keyboard_covers_the_lower_part_and_back_closes_it_first() -> None:
    shop = through(phone(), "app:Store", "query")
    covered = [element for element in scene_of(shop).elements if element.role == "item" and element.clickable]
    closed = engine.act(shop, Press(Key.BACK))

    assert scene_of(shop).keyboard
    assert all(element.box.bottom <= 1540 / 2400 for element in covered)
    assert closed.top.place == shop.top.place
    assert not scene_of(closed).keyboard
    assert len(scene_of(closed).elements) < len(scene_of(shop).elements)
    assert engine.act(closed, Press(Key.BACK)).top.place == ("Home", "main")


def test_the_field_at_the_foot_rises_above_the_keyboard() -> None:
    state = through(phone(), "app:Messages", "new")
    name = next(element.id for element in scene_of(state).elements if element.id.startswith("to:"))
    thread = tap(state, name)

    field = scene_of(thread).find("text")

    assert field is not None
    assert field.focused
    assert field.box.bottom <= 1540 / 2400


def test_a_dialog_is_all_there_is_until_it_is_answered() -> None:
    contacts = tap(phone(), "app:Contacts")
    name = next(element.id for element in scene_of(contacts).elements if element.id.startswith("person:"))
    asked = through(contacts, name, "delete")

    assert {element.id for element in scene_of(asked).elements} == {"dialog", "cancel", "confirm"}
    assert engine.act(asked, UP).top == asked.top
    assert engine.act(asked, Tap(0.5, 0.05)).top == asked.top
    assert engine.act(asked, Press(Key.BACK)).top.dialog == ()
    assert tap(asked, "cancel").apps == contacts.apps
    assert scene_of(tap(asked, "confirm")).find(name) is None


def test_pop_ups_come_at_their_rate_and_never_more_than_two() -> None:
    shown = []
    for seed in range(400):
        state = phone(seed, popup_rate=0.05)
        for _ in range(10):
            state = engine.act(replace(state, popup=""), Swipe(0.5, 0.7, 0.5, 0.3))
            shown.append(bool(state.popup))
        assert state.delays_left >= 0

    assert sum(shown) / len(shown) == pytest.approx(0.05, abs=0.01)


def test_a_pop_up_hides_everything_and_goes_away_when_it_is_answered() -> None:
    state = replace(tap(phone(), "app:Clock"), popup="permission")

    assert {element.id for element in scene_of(state).elements} == {"dialog", "popup:deny", "popup:allow"}
    assert tap(state, "popup:deny").top == state.top
    assert tap(state, "popup:deny").popup == ""
    assert engine.act(state, TypeText("hello")).popup == "permission"


@pytest.mark.parametrize(("popup", "answer", "place"), [
    ("rate:Clock", "rate", ("Store", "main")), ("storage:Clock", "manage", ("Settings", "section", "Storage")),
    ("call:Ada Reed", "answer", ("Phone", "call", "Ada Reed")), ("call:Ada Reed", "decline", ("Clock", "main")),
    ("stuck:Clock", "close", ("Home", "main")), ("stuck:Clock", "wait", ("Clock", "main")),
    ("location:Clock", "while", ("Clock", "main")),
])  # fmt: skip
def test_an_answer_to_a_pop_up_leads_where_it_says_and_changes_no_record(
    popup: str, answer: str, place: tuple[str, ...]
) -> None:
    clock = tap(phone(), "app:Clock")
    state = tap(replace(clock, popup=popup), f"popup:{answer}")

    assert state.popup == ""
    assert state.top.place == place
    assert state.apps == clock.apps


def test_every_kind_of_pop_up_comes_and_those_of_an_app_come_in_one() -> None:
    def kinds(start: PhoneState) -> set[str]:
        states = (replace(start, seed=seed, delays_left=1, chances=Chances(1.0)) for seed in range(300))
        return {engine.act(state, Wait()).popup.partition(":")[0] for state in states}

    assert kinds(tap(phone(), "app:Clock")) == set(popups.KINDS)
    assert set(popups.KINDS) - kinds(phone()) == {"stuck", "location", "camera"}


def test_finish_changes_nothing_not_even_chance() -> None:
    state = phone(popup_rate=1.0)

    assert engine.act(state, Finish()) is state


@pytest.mark.parametrize("blob", [b"", b"{}", b"[1]", b'{"simphone": 99, "state": 1}', b'{"simphone": 1, "state": 3}',
                                  b'{"simphone": 1, "state": {"record": "Nothing"}}', b"\x80\x04K\x01."])  # fmt: skip
def test_bytes_that_are_no_saved_state_are_refused(blob: bytes) -> None:
    with pytest.raises(StorageError, match="simphone"):
        load(blob)
