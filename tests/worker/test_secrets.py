"""Secrets: revealed for the phone alone, and concealed in words, UI trees and pictures that come back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.errors import UsageError
from distrl_sdk.secrets import COVER, conceal, concealed, covered, reveal
from distrl_sdk.types import Box, Observation, Screenshot, Task, TypeText, UiElement
from distrl_sdk.worker.lease import Lease
from tests.worker.phones import Counter

TASK = Task("t", "f", "log in", secrets=("PIN", "LONG"))
NUMBERS = st.floats(0, 1, width=32)


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIN", "hunter2")
    monkeypatch.setenv("LONG", "hunter2-and-more")


def _white(width: int = 10, height: int = 20) -> Screenshot:
    return Screenshot(width, height, draw=lambda: np.full((height, width, 3), 255, np.uint8))


@pytest.mark.usefixtures("secrets")
def test_only_declared_secrets_are_revealed() -> None:
    with pytest.raises(UsageError, match="does not declare it"):
        reveal("{{secret:PIN}}", Task("t", "f", "x"))
    assert reveal("a {{secret:PIN}} b", TASK) == "a hunter2 b"


@pytest.mark.usefixtures("secrets")
def test_a_secret_that_begins_like_another_is_concealed_as_a_whole() -> None:
    assert conceal("a hunter2-and-more b hunter2", TASK) == "a {{secret:LONG}} b {{secret:PIN}}"


@pytest.mark.usefixtures("secrets")
def test_a_secret_on_the_screen_becomes_its_placeholder_in_the_tree_and_grey_in_the_picture() -> None:
    field = UiElement(Box(0.0, 0.5, 1.0, 0.75), "Name: hunter2", "field")
    title = UiElement(Box(0.0, 0.0, 1.0, 0.25), "Log in")

    shown = concealed(Observation(_white(), (title, field)), TASK)

    assert shown.elements == (title, UiElement(field.box, "Name: {{secret:PIN}}", "field"))
    pixels = shown.screenshot.pixels()
    assert (pixels[10:15] == COVER).all()
    assert (pixels[:10] == 255).all()
    assert (pixels[15:] == 255).all()
    assert b"hunter2" not in shown.screenshot.encoded()


@pytest.mark.usefixtures("secrets")
def test_what_a_leased_phone_shows_of_a_typed_secret_is_concealed() -> None:
    class Echo(Counter):
        def perform(self, action: object) -> Observation:
            assert isinstance(action, TypeText)
            return Observation(_white(), (UiElement(Box(0, 0, 1, 1), action.text, "field", editable=True),))

    lease = Lease("test:1", Echo)
    lease.open()
    lease.reset(TASK)

    shown = lease.perform(TypeText("{{secret:PIN}}"))

    assert [each.text for each in shown.elements or ()] == ["{{secret:PIN}}"]
    lease.close()


def test_a_screen_without_secrets_is_passed_on_as_it_is() -> None:
    observation = Observation(_white(), (UiElement(Box(0, 0, 1, 1), "Hello"),))

    assert concealed(observation, TASK) is observation


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.integers(1, 40), st.integers(1, 40))
def test_no_pixel_that_a_rectangle_touches_is_left(
    left: float, top: float, right: float, bottom: float, width: int, height: int
) -> None:
    box = Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom))

    pixels = covered(_white(width, height), [box]).pixels()

    for y in range(height):
        for x in range(width):
            inside = x < box.right * width and x + 1 > box.left * width
            inside &= y < box.bottom * height and y + 1 > box.top * height
            if inside and box.left < box.right and box.top < box.bottom:
                assert (pixels[y, x] == COVER).all()
