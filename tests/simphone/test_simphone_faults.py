"""What fails on a simulated phone, how often, and what a fault leaves alone."""

from __future__ import annotations

import itertools
import random
import threading
from dataclasses import fields

import numpy as np
import pytest
from phone_walks import any_choice, chosen

from distrl_sdk.errors import DeviceError
from distrl_sdk.simphone.faults import Faults
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.source import SimSource
from distrl_sdk.types import Action, Key, Observation, OpenApp, Press, Task

TASK = Task("look", "look", "Look", setup={"seed": 3})


def actions(count: int) -> list[Action]:
    """Actions that change the screen now and then."""
    phone, chance = SimPhone(), random.Random(5)
    phone.reset(TASK)
    taken = []
    for _ in range(count):
        taken.append(chosen(phone.state, any_choice(chance)))
        phone.perform(taken[-1])
    return taken


def sound_and_faulty(faults: Faults, count: int = 40) -> list[tuple[Observation, Observation]]:
    """What a sound phone and one with faults show after each of the same actions."""
    sound, faulty = SimPhone(), SimPhone(SimOptions(faults=faults))
    pairs = [(sound.reset(TASK), faulty.reset(TASK))]
    assert (pairs[0][0].screenshot.pixels() == pairs[0][1].screenshot.pixels()).all(), "a reset is spared"
    pairs += [(sound.perform(action), faulty.perform(action)) for action in actions(count)]
    assert sound.state == faulty.state
    return pairs


def test_without_rates_nothing_ever_fails() -> None:
    for right, shown in sound_and_faulty(Faults()):
        assert shown.elements == right.elements
        np.testing.assert_array_equal(shown.screenshot.pixels(), right.screenshot.pixels())


def test_a_black_picture_leaves_the_tree_right() -> None:
    for right, shown in sound_and_faulty(Faults(black=1.0))[1:]:
        assert not shown.screenshot.pixels().any()
        assert shown.elements == right.elements


def test_a_stale_picture_is_the_right_one_of_the_moment_before() -> None:
    pairs = sound_and_faulty(Faults(stale=1.0))
    for (before, _), (right, shown) in itertools.pairwise(pairs):
        np.testing.assert_array_equal(shown.screenshot.pixels(), before.screenshot.pixels())
        assert shown.elements == right.elements


def test_a_cut_picture_is_right_above_and_black_below() -> None:
    for right, shown in sound_and_faulty(Faults(cut=1.0))[1:]:
        rows = int(np.flatnonzero(shown.screenshot.pixels().any((1, 2)))[-1]) + 1

        assert 50 < rows < 550
        np.testing.assert_array_equal(shown.screenshot.pixels()[:rows], right.screenshot.pixels()[:rows])
        assert shown.elements == right.elements


def test_an_empty_tree_leaves_the_picture_right() -> None:
    for right, shown in sound_and_faulty(Faults(blind=1.0))[1:]:
        assert shown.elements == ()
        np.testing.assert_array_equal(shown.screenshot.pixels(), right.screenshot.pixels())


def test_faults_come_at_their_rates_and_alike_for_the_same_phone_and_opening() -> None:
    def blind(address: str, source: SimSource) -> list[bool]:
        phone = source.open(address)
        phone.reset(TASK)
        return [phone.perform(Press(Key.HOME)).elements == () for _ in range(4000)]

    first, again = (blind("2?blind=0.1", SimSource()) for _ in range(2))
    source = SimSource()

    assert sum(first) / 4000 == pytest.approx(0.1, abs=0.015)
    assert first == again == blind("2?blind=0.1", source)
    assert first != blind("2?blind=0.1", source), "another opening has other faults"
    assert first != blind("3?blind=0.1", source), "so has another phone"


def test_a_disconnected_phone_is_unreachable_until_it_is_opened_again() -> None:
    source = SimSource()
    phone = source.open("0?disconnect=1")
    phone.reset(TASK)
    kept = phone.save()

    for call in (lambda: phone.perform(Press(Key.HOME)), lambda: phone.reset(TASK), lambda: phone.facts(TASK),
                 lambda: phone.restore(kept)):  # fmt: skip
        with pytest.raises(DeviceError, match="disconnected until it is opened again"):
            call()
    assert source.open("0?disconnect=1").reset(TASK).elements


def test_a_hang_ends_when_the_phone_is_closed_and_is_a_device_error_then() -> None:
    phone = SimPhone(SimOptions(faults=Faults(hang=1.0)))
    phone.reset(TASK)
    failed: list[DeviceError] = []

    def act() -> None:
        try:
            phone.perform(Press(Key.HOME))
        except DeviceError as error:
            failed.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    phone.close()
    thread.join(10)

    assert len(failed) == 1


def test_a_hang_of_some_time_answers_after_it() -> None:
    phone = SimPhone(SimOptions(faults=Faults(hang=1.0, hang_seconds=0.01)))
    phone.reset(TASK)

    assert phone.perform(Press(Key.HOME)).seconds >= 0.01


def test_every_rate_is_none_at_first() -> None:
    assert {getattr(Faults(), field.name) for field in fields(Faults) if field.name != "hang_seconds"} == {0.0}


def test_an_app_that_does_not_respond_belongs_to_the_state_and_comes_at_its_rate() -> None:
    shown = 0
    for seed in range(1000):
        phone = SimPhone(SimOptions(popups=0.0, stuck=0.2))
        phone.reset(Task("look", "look", "Look", setup={"seed": seed}))
        twin = phone.fork()
        for each in (phone, twin):
            each.perform(OpenApp("Contacts"))
        assert phone.state == twin.state
        shown += phone.state.popup.startswith("stuck")
        assert phone.state.popup in ("", "stuck:Contacts")

    assert shown / 1000 == pytest.approx(0.2, abs=0.04)
