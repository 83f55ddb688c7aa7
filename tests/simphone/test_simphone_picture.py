"""The picture shows what the tree says, where it says it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from phone_walks import choices, end_of, phone, seeds, tap, through

from distrl_sdk.simphone.paint.picture import paint
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Box, Pixels, Task

STATUS = 84 / 2400


def cut(picture: Pixels, box: Box) -> Pixels:
    height, width = picture.shape[:2]
    return picture[
        round(box.top * height) : round(box.bottom * height), round(box.left * width) : round(box.right * width)
    ]


def in_theme(state: PhoneState, dark: bool) -> PhoneState:
    return state.with_app("Settings", state.apps["Settings"].with_value("dark_mode", dark))


@settings(deadline=None, max_examples=40)
@given(seeds, choices)
def test_everything_that_can_be_touched_can_be_seen(seed: int, taken: list[tuple[int, int]]) -> None:
    state = end_of(phone(seed, popup_rate=0.1), taken)
    picture = paint(state, 0.25)

    for element in scene_of(state).elements:
        shown = cut(picture, element.box)
        if element.clickable and shown.shape[0] > 24:
            assert np.ptp(shown.astype(int).reshape(-1, 3), axis=0).max() > 40, element


def test_on_the_home_screen_nothing_is_drawn_beside_the_boxes() -> None:
    state = phone()
    picture = paint(state, 0.25).astype(int)
    height, width = picture.shape[:2]
    beside = np.ones((height, width), bool)
    beside[: round(STATUS * height)] = False
    beside[round(0.975 * height) :] = False
    for element in scene_of(state).elements:
        box = element.box
        beside[
            round(box.top * height) : round(box.bottom * height), round(box.left * width) : round(box.right * width)
        ] = False

    ground = np.broadcast_to(picture[:, :1], picture.shape)

    assert beside.sum() > 20_000
    assert (picture == ground).all(-1)[beside].all()


@pytest.mark.parametrize("scale", [0.1, 0.25, 0.5])
def test_a_switch_changes_the_picture_inside_its_box_only(scale: float) -> None:
    before = through(phone(), "app:Settings", "section:Connected devices")
    after = tap(before, "set:nfc")
    element = scene_of(before).find("set:nfc")
    assert element is not None

    differs = (paint(before, scale) != paint(replace(after, tick=before.tick), scale)).any(-1)
    rows, columns = np.nonzero(differs)
    height, width = differs.shape

    assert (height, width) == (round(2400 * scale), round(1080 * scale))
    assert len(rows) > 20 * scale
    assert rows.min() >= round(element.box.top * height)
    assert rows.max() < round(element.box.bottom * height)
    assert columns.min() >= round(element.box.left * width)
    assert columns.max() < round(element.box.right * width)


def test_the_app_bar_hides_what_is_scrolled_under_it() -> None:
    start = through(phone(), "app:Settings", "section:System", "set:language")
    scrolled = start.with_top(replace(start.top, scroll=90))

    first, second = paint(start, 0.25), paint(scrolled, 0.25)
    top = scene_of(start).viewport[0] // 4

    np.testing.assert_array_equal(first[:top], second[:top])
    assert (first[top:] != second[top:]).any()


def test_a_pop_up_darkens_the_screen_around_it() -> None:
    state = in_theme(tap(phone(), "app:Contacts"), dark=False)
    covered = paint(replace(state, popup="update"), 0.25).astype(int)
    plain = paint(state, 0.25).astype(int)

    assert covered[:200].mean() < 0.5 * plain[:200].mean()
    assert covered[250:350, 30:-30].mean() > 200


def test_dark_mode_is_dark() -> None:
    state = tap(phone(), "app:Contacts")

    assert paint(in_theme(state, dark=True), 0.25).mean() < 80 < 200 < paint(in_theme(state, dark=False), 0.25).mean()


def test_nothing_is_drawn_until_somebody_looks(task: Task, drawn: Callable[[], int]) -> None:
    device = SimPhone(SimOptions(scale=0.13))
    before = drawn()

    observation = device.reset(task)
    unseen = drawn()
    picture = observation.screenshot.pixels()

    assert unseen == before
    assert drawn() > before
    assert picture.shape == (312, 140, 3)


@pytest.fixture
def task() -> Task:
    return Task("look", "look", "Look", setup={"seed": 3})


@pytest.fixture
def drawn() -> Callable[[], int]:
    from distrl_sdk.simphone.paint import tiles

    return tiles.held
