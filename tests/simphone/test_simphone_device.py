"""The device and its source: options, latency, closing, forks."""

from __future__ import annotations

import math
import statistics
import threading
from dataclasses import replace

import pytest
from phone_walks import chosen

from distrl_sdk.errors import DeviceError, UsageError
from distrl_sdk.interfaces import Device, Snapshots, StateFacts
from distrl_sdk.simphone.faults import Faults
from distrl_sdk.simphone.phone import SimOptions, SimPhone, pace
from distrl_sdk.simphone.source import SimSource
from distrl_sdk.simphone.state import Style
from distrl_sdk.types import Json, Key, Press, Task, Wait

TASK = Task("look", "look", "Look", setup={"seed": 3})


def test_a_spec_expands_to_numbered_addresses_with_its_options() -> None:
    assert SimSource().expand("2") == ["0", "1"]
    assert SimSource().expand("2?popups=0&scale=0.5") == ["0?popups=0&scale=0.5", "1?popups=0&scale=0.5"]


def test_options_reach_the_phone() -> None:
    phone = SimSource().open(
        "3?latency=0.5&spread=0&tail=100&speeds=0.5&popups=0.25&spinners=0.5&stuck=0.125&scale=0.5&elements=0"
        "&version=2&locale=de&dark=1&disconnect=0.25&hang_seconds=9"
    )

    assert phone.options == SimOptions(
        0.5, 0.0, 100.0, 0.5, popups=0.25, spinners=0.5, stuck=0.125, scale=0.5, elements=False, seed=3,
        style=Style(2, "de", True), faults=Faults(0.25, hang_seconds=9.0),
    )  # fmt: skip
    assert (phone.about.width, phone.about.height) == (540, 1200)


def test_a_fleet_has_its_look_unless_a_task_asks_for_another() -> None:
    phone = SimSource().open("0?version=2&locale=de&dark=1")
    other = replace(TASK, setup={**TASK.setup, "version": 1, "locale": "zh", "dark": False})

    ours, theirs = (SimPhone(phone.options) for _ in range(2))
    ours.reset(TASK)
    theirs.reset(other)

    assert (ours.state.style, ours.state.apps["Settings"].get("dark_mode")) == (Style(2, "de", True), True)
    assert (theirs.state.style, theirs.state.apps["Settings"].get("dark_mode")) == (Style(1, "zh", False), False)
    assert ours.facts(TASK)["changed"] == theirs.facts(other)["changed"] == []


@pytest.mark.parametrize("setup", [{"version": 3}, {"version": "2"}, {"locale": "fr"}, {"dark": "very"}])
def test_a_task_that_asks_for_a_look_that_no_phone_has_is_refused(setup: dict[str, Json]) -> None:
    with pytest.raises(UsageError, match="task look: no phone has"):
        SimPhone().reset(replace(TASK, setup=setup))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no number of phones"),
        ("0", "no number of phones"),
        ("all", "no number of phones"),
        ("4?latancy=1", "'latancy': did you mean latency. known: black, blind, cut, dark, .*, tail, version"),
        ("4?locale=fr", "unknown locale 'fr': known: de, en, zh"),
        ("4?version=1.5", "version must be 1 or 2, not 1.5"),
        ("4?dark=maybe", "dark='maybe' is not a number"),
        ("4?hang=2", "hang must be within 0..1"),
        ("4?latency=much", "latency='much' is not a number"),
        ("4?popups=2", "popups must be within 0..1, not 2"),
        ("4?scale=9", "scale must be within 0.05..1"),
        ("4?latency=-1", "latency must be within 0..3600"),
        ("4?latency=nan", "latency must be within"),
        ("4?tail=0.5", "tail must be within 1..1e"),
        ("4?speeds=-1", "speeds must be within 0..3"),
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


def test_every_task_has_its_own_seconds_log_uniform_over_the_tail_with_the_same_mean() -> None:
    tasks = [Task(f"t{n}", "look", "Look") for n in range(4000)]
    phone, other = (SimPhone(SimOptions(latency=1e-4, spread=0.0, tail=100.0, seed=seed)) for seed in (1, 2))

    paces = [pace(task, 100.0) for task in tasks]

    assert statistics.mean(paces) == pytest.approx(1.0, rel=0.05)
    assert statistics.median(paces) == pytest.approx(10 * min(paces), rel=0.1)
    assert 99 < max(paces) / min(paces) < 100
    for chosen_task, its_pace in zip(tasks[:9], paces[:9], strict=True):
        phone.reset(replace(chosen_task, setup=TASK.setup))
        other.reset(replace(chosen_task, setup=TASK.setup))
        assert [each.draw_latency() for each in (phone, phone, other, phone.fork())] == [1e-4 * its_pace] * 4
    assert {pace(task, 1.0) for task in tasks} == {1.0}


def test_every_phone_has_its_own_speed_by_its_number_and_the_fleet_the_same_mean() -> None:
    def seconds(number: int) -> float:
        phone = SimSource().open(f"{number}?latency=2&spread=0&speeds=0.5")
        first = phone.draw_latency()
        assert first == phone.draw_latency(), "a phone keeps its speed"
        return first

    drawn = [seconds(number) for number in range(4000)]

    assert drawn[:9] == [seconds(number) for number in range(9)]
    assert statistics.mean(drawn) == pytest.approx(2.0, rel=0.05)
    assert statistics.stdev(map(math.log, drawn)) == pytest.approx(0.5, rel=0.05)


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
