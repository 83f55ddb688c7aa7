"""What every Device promises, and what Snapshots and StateFacts add."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest

from distrl_sdk.errors import DistrlError
from distrl_sdk.interfaces import Device, Snapshots, StateFacts
from distrl_sdk.types import (
    ACTION_KINDS,
    ACTIONS,
    Action,
    Finish,
    Key,
    LongPress,
    Observation,
    OpenApp,
    Press,
    Swipe,
    Tap,
    Task,
    TypeText,
    Wait,
)

ROLES = {"button", "text", "field", "switch", "item", "icon", "image", "key", "slider", "tab", "dialog"}


class DeviceContract:
    """Inherit it in a class whose name starts with Test, and give the fixture `device`."""

    exact_reset = True
    """Whether reset brings back every pixel. False for a real phone, whose clock goes on."""

    @pytest.fixture
    def device(self) -> Device:
        """The device under test, open, new for each test."""
        raise NotImplementedError("give a fixture `device`")

    @pytest.fixture
    def task(self) -> Task:
        """A task whose start state the device can go to."""
        return Task("contract/look", "contract", "Look at the screen")

    @pytest.fixture(autouse=True)
    def _closed_at_the_end(self, device: Device) -> Iterator[None]:
        yield
        device.close()

    def test_about_says_what_it_is(self, device: Device) -> None:
        """Platform and size are known before the first reset; every device can finish."""
        about = device.about
        assert about.platform
        assert about.width > 0
        assert about.height > 0
        assert about.actions <= ACTIONS.keys()
        assert "finish" in about.actions

    def test_the_picture_is_as_large_as_it_says(self, device: Device, task: Task) -> None:
        """The picture has the size that Screenshot names, and the shape of the screen."""
        observation = device.reset(task)
        picture = observation.screenshot
        about = device.about
        assert picture.pixels().shape == (picture.height, picture.width, 3)
        assert picture.pixels().dtype == np.uint8
        assert picture.width / picture.height == pytest.approx(about.width / about.height, rel=0.02)

    def test_the_picture_can_be_encoded(self, device: Device, task: Task) -> None:
        """Encoded bytes are PNG or JPEG."""
        encoded = device.reset(task).screenshot.encoded()
        assert encoded.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"))

    def test_boxes_lie_on_the_screen(self, device: Device, task: Task) -> None:
        """0 <= left < right <= 1 and 0 <= top < bottom <= 1, and roles are known ones."""
        for observation in self._play(device, task):
            for element in observation.elements or ():
                box = element.box
                assert 0.0 <= box.left < box.right <= 1.0, element
                assert 0.0 <= box.top < box.bottom <= 1.0, element
                assert element.role in ROLES, element

    def test_seconds_are_never_negative(self, device: Device, task: Task) -> None:
        """seconds is how long acting, settling and looking took."""
        assert all(observation.seconds >= 0.0 for observation in self._play(device, task))

    def test_reset_brings_the_start_state_back(self, device: Device, task: Task) -> None:
        """Whatever was done in between, reset of the same task shows the same."""
        first = device.reset(task)
        list(self._play(device, task))

        second = device.reset(task)

        self._assert_same(first, second)

    def test_finish_changes_nothing(self, device: Device, task: Task) -> None:
        """Finish is a claim: the screen stays, twice too."""
        before = device.reset(task)
        for action in (Finish(), Finish(success=False, answer="42")):
            self._assert_same(before, device.perform(action))

    def test_every_supported_action_can_be_performed(self, device: Device, task: Task) -> None:
        """No supported action raises, also where it has nothing to act on."""
        assert len(list(self._play(device, task))) == len(self._actions(device)) + 1

    def test_an_unsupported_action_does_nothing(self, device: Device, task: Task) -> None:
        """An action whose kind is not in about.actions raises a DistrlError or leaves the screen as it is."""
        before = device.reset(task)
        for action in _EVERY_KIND:
            if ACTION_KINDS[type(action)] not in device.about.actions:
                try:
                    after = device.perform(action)
                except DistrlError:
                    continue
                self._assert_same(before, after)

    def test_closing_twice_is_safe(self, device: Device) -> None:
        """close() may be called again."""
        device.close()
        device.close()

    def test_snapshots_bring_a_state_back(self, device: Device, task: Task) -> None:
        """Snapshots: restore shows what was there at save, and what follows is the same."""
        if not isinstance(device, Snapshots):
            return
        device.reset(task)
        start = device.perform(Finish())
        state = device.save()
        after = [device.perform(action) for action in self._actions(device)]

        self._assert_same(start, device.restore(state))
        for action, expected in zip(self._actions(device), after, strict=True):
            self._assert_same(expected, device.perform(action))

    def test_reading_facts_changes_nothing(self, device: Device, task: Task) -> None:
        """StateFacts: facts are JSON, and the same when they are read again."""
        if not isinstance(device, StateFacts):
            return
        before = device.reset(task)
        facts = json.loads(json.dumps(dict(device.facts(task))))
        assert json.loads(json.dumps(dict(device.facts(task)))) == facts
        self._assert_same(before, device.perform(Finish()))

    def _actions(self, device: Device) -> list[Action]:
        actions = [action for action in _EVERY_KIND if ACTION_KINDS[type(action)] in device.about.actions]
        apps = [OpenApp(name) for name in device.about.apps[:1] if "open_app" in device.about.actions]
        return [*apps, *actions]

    def _play(self, device: Device, task: Task) -> Iterator[Observation]:
        yield device.reset(task)
        for action in self._actions(device):
            yield device.perform(action)

    def _assert_same(self, one: Observation, other: Observation) -> None:
        assert one.app == other.app
        assert one.keyboard == other.keyboard
        if self.exact_reset:
            assert one.elements == other.elements
            np.testing.assert_array_equal(one.screenshot.pixels(), other.screenshot.pixels())


_EVERY_KIND: tuple[Action, ...] = (
    Tap(0.5, 0.5),
    Tap(0.0, 0.0),
    Tap(0.999, 0.999),
    LongPress(0.5, 0.3),
    Swipe(0.5, 0.8, 0.5, 0.2),
    TypeText("hello"),
    TypeText(""),
    Press(Key.ENTER),
    Press(Key.BACK),
    Press(Key.RECENTS),
    Press(Key.HOME),
    OpenApp("an app that is not there"),
    Wait(0.01),
)
