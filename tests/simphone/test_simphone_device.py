"""The device and its source: options, latency, closing, forks."""

from __future__ import annotations

import statistics
import threading

import pytest
from phone_walks import chosen

from distrl_sdk.errors import DeviceError, UsageError
from distrl_sdk.interfaces import Device, Snapshots, StateFacts
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.simphone.source import SimSource
from distrl_sdk.types import Key, Press, Task, Wait

TASK = Task("look", "look", "Look", setup={"seed": 3})


def test_a_spec_expands_to_numbered_addresses_with_its_options() -> None:
    assert SimSource().expand("2") == ["0", "1"]
    assert SimSource().expand("2?popups=0&scale=0.5") == ["0?popups=0&scale=0.5", "1?popups=0&scale=0.5"]


def test_options_reach_the_phone() -> None:
    phone = SimSource().open("3?latency=0.5&popups=0.25&scale=0.5&elements=0")

    assert phone.options == SimOptions(latency=0.5, popups=0.25, scale=0.5, elements=False, seed=3)
    assert (phone.about.width, phone.about.height) == (540, 1200)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no number of phones"),
        ("0", "no number of phones"),
        ("all", "no number of phones"),
        ("4?latancy=1", "'latancy': did you mean latency. known: elements, latency, popups, scale"),
        ("4?latency=much", "latency='much' is not a number"),
        ("4?popups=2", "popups within 0..1"),
        ("4?scale=9", "scale within"),
        ("4?latency=-1", "at least 0"),
        ("4?latency=nan", "at least 0"),
    ],
)
def test_a_bad_spec_is_one_line_that_names_the_fault(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        SimSource().expand(spec)
    assert "\n" not in str(caught.value)


def test_a_phone_plays_its_three_roles() -> None:
    phone = SimPhone()
    assert isinstance(phone, Device)
    assert isinstance(phone, Snapshots)
    assert isinstance(phone, StateFacts)


def test_without_elements_there_is_a_picture_and_no_tree() -> None:
    observation = SimPhone(SimOptions(elements=False)).reset(TASK)

    assert observation.elements is None
    assert observation.screenshot.pixels().shape == (600, 270, 3)
    assert observation.app == "Home"


def test_a_fork_and_its_origin_go_their_own_ways_from_one_state() -> None:
    phone = SimPhone()
    phone.reset(TASK)
    fork = phone.fork()

    moved = phone.perform(chosen(phone.state, (0, 1)))

    assert fork.state != phone.state
    assert fork.perform(chosen(fork.state, (0, 1))).elements == moved.elements


def test_latency_is_lognormal_about_its_mean_and_the_same_for_one_address() -> None:
    phone, twin = (SimSource().open("1?latency=0.004") for _ in range(2))

    drawn = [phone.draw_latency() for _ in range(4000)]

    assert drawn[:5] == [twin.draw_latency() for _ in range(5)]
    assert statistics.mean(drawn) == pytest.approx(0.004, rel=0.05)
    assert statistics.median(drawn) < statistics.mean(drawn)


def test_the_time_that_an_action_took_is_told() -> None:
    phone = SimPhone(SimOptions(latency=0.01))
    phone.reset(TASK)

    assert phone.perform(Press(Key.HOME)).seconds > 0.001
    assert SimPhone().reset(TASK).seconds < 1


def test_closing_wakes_a_sleeping_action() -> None:
    phone = SimPhone(SimOptions(latency=300.0))
    failed: list[DeviceError] = []

    def act() -> None:
        try:
            phone.perform(Wait())
        except DeviceError as error:
            failed.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    phone.close()
    phone.close()
    thread.join(10)

    assert len(failed) == 1


def test_open_names_an_address_that_is_none() -> None:
    with pytest.raises(UsageError, match="'x' is no number"):
        SimSource().open("x?popups=0")
