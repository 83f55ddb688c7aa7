"""When a run that gets nothing gives up."""

from __future__ import annotations

from distrl_sdk.learner.drought import Drought


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_it_is_over_after_enough_episodes_and_enough_time() -> None:
    clock = Clock()
    drought = Drought(60.0, clock)
    for _ in range(3):
        drought.failed("the cable fell out")
        assert drought.over(1) == ""

    clock.now += 60

    assert drought.over(1) == "none of the last 3 episodes, in 60 s, came to a verdict; the last: the cable fell out"
    assert drought.over(5) == ""


def test_time_alone_ends_nothing() -> None:
    clock = Clock()
    drought = Drought(60.0, clock)
    clock.now += 1000
    assert drought.over(0) == ""
    drought.failed("once")
    clock.now += 1000

    assert drought.over(1) == ""


def test_a_verdict_starts_the_count_and_the_clock_anew() -> None:
    clock = Clock()
    drought = Drought(60.0, clock)
    for _ in range(5):
        drought.failed("before")
    clock.now += 59
    drought.came()
    for _ in range(3):
        drought.failed("after")
    clock.now += 59

    assert drought.over(1) == ""
    clock.now += 1
    assert drought.over(1).startswith("none of the last 3 episodes, in 60 s")


def test_a_time_in_which_no_phone_works_ends_it_as_well() -> None:
    clock = Clock()
    drought = Drought(60.0, clock)
    assert drought.over(2, "no cable") == ""
    clock.now += 59
    assert drought.over(2) == "", "one works again"
    assert drought.over(2, "no cable") == ""
    clock.now += 60

    assert drought.over(2, "no battery") == "no phone has worked for 60 s: no battery"
