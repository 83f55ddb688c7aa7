"""The number by which screens are told apart, wherever they were seen."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.types import Assignment, Box, Finish, Observation, Screenshot, Task, UiElement
from distrl_sdk.worker.episode import play, same_screen
from tests.worker.phones import TAP, Counter, Scripted

BUTTON = UiElement(Box(0.0, 0.25, 1.0, 0.5), "OK", "button", "ok", clickable=True)


def shown(*elements: UiElement, app: str = "clock", grey: int | None = None) -> Observation:
    """With a UI tree; with `grey` a picture and no tree."""
    picture = Screenshot(2, 2, draw=lambda: np.full((2, 2, 3), grey or 0, np.uint8))
    return Observation(picture, elements if grey is None else None, app)


SCREENS = st.one_of(
    st.builds(
        lambda elements, app: shown(*elements, app=app),
        st.lists(
            st.builds(
                UiElement,
                box=st.builds(Box, *[st.sampled_from([0.0, 0.5, 1.0])] * 4),
                text=st.sampled_from(["", "OK", "é"]),
                clickable=st.booleans(),
                checked=st.sampled_from([None, True, False]),
            ),
            max_size=2,
        ),
        st.sampled_from(["", "clock"]),
    ),
    st.builds(lambda grey: shown(grey=grey), st.integers(0, 3)),
)


@settings(deadline=None)
@given(SCREENS, SCREENS)
def test_fingerprints_are_alike_where_screens_are(one: Observation, other: Observation) -> None:
    assert (one.fingerprint() == other.fingerprint()) is same_screen(one, other)
    assert 0 <= one.fingerprint() < 1 << 32


@pytest.mark.parametrize(
    "change",
    [
        {"box": Box(0.0, 0.25, 1.0, 0.5000001)},
        {"text": "No"},
        {"role": "item"},
        {"id": "no"},
        {"clickable": False},
        {"editable": True},
        {"scrollable": True},
        {"focused": True},
        {"checked": False},
        {"enabled": False},
        {"password": True},
    ],
)
def test_every_property_of_an_element_counts(change: dict[str, Any]) -> None:
    assert shown(replace(BUTTON, **change)).fingerprint() != shown(BUTTON).fingerprint()


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    program = (
        "from tests.worker.test_fingerprint import BUTTON, shown; "
        "print(shown(BUTTON).fingerprint(), shown(grey=7).fingerprint())"
    )

    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert [int(each) for each in told.split()] == [shown(BUTTON).fingerprint(), shown(grey=7).fingerprint()]


def test_an_episode_has_the_fingerprint_of_each_of_its_observations() -> None:
    played = play(Assignment("a", Task("t", "count", "tap")), Counter(), Scripted(TAP, TAP, Finish()))

    assert played.screens.dtype == np.uint32
    start, once, twice, end = played.screens.tolist()
    assert len({start, once, twice}) == 3
    assert end == twice, "a claim changes nothing"
