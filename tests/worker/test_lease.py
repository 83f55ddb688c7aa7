"""A phone under a deadline: hangs and failures end as one line that names it; secrets stay inside."""

from __future__ import annotations

import logging

import pytest

from distrl_sdk.errors import DeviceError
from distrl_sdk.types import Assignment, Task, TypeText, Wait
from distrl_sdk.worker.episode import play
from distrl_sdk.worker.lease import Deadlines, Lease
from tests.worker.phones import TAP, Counter, Scripted
from tests.worker.waiting import wait_until

TASK = Task("t", "count", "tap", max_steps=5)
SHORT = Deadlines(call=0.05, open=0.05, close=0.05)


def test_a_lease_passes_everything_to_one_thread_of_its_own() -> None:
    phone = Counter()
    lease = Lease("test:1", lambda: phone)

    about = lease.open()
    lease.reset(TASK)
    lease.perform(TAP)

    assert about is phone.about is lease.about
    assert lease.facts(TASK) == {"count": 1}
    assert len(phone.threads) == 1
    lease.close()
    lease.close()
    assert phone.closed == 1


def test_a_hung_call_is_left_behind_and_the_phone_can_be_opened_again() -> None:
    phones = [Counter(fail="hang", at=1), Counter()]
    opened = iter(phones)
    lease = Lease("test:1", lambda: next(opened), SHORT)
    lease.open()
    lease.reset(TASK)

    with pytest.raises(DeviceError, match=r"test:1: tap gave no answer for 0.05 s"):
        lease.perform(TAP)
    assert lease.hung == 1

    lease.open()
    assert lease.reset(TASK).elements is not None
    lease.close()
    phones[0].release.set()
    wait_until(lambda: lease.hung == 0)
    assert phones[0].closed == 1


def test_a_phone_that_hangs_for_ever_is_given_up() -> None:
    phones = [Counter(fail="hang", at=1) for _ in range(3)]
    opened = iter(phones)
    lease = Lease("test:1", lambda: next(opened), SHORT)
    for _ in phones:
        lease.open()
        with pytest.raises(DeviceError, match="no answer"):
            lease.perform(TAP)

    with pytest.raises(DeviceError, match="test:1 hung 3 times without coming back; given up"):
        lease.open()
    for phone in phones:
        phone.release.set()


def test_an_aborted_episode_names_the_phone_and_its_first_traceback_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lease = Lease("test:1", lambda: Counter(fail="raise"))

    with caplog.at_level(logging.ERROR):
        for _ in range(2):
            lease.open()
            played = play(Assignment("a", TASK), lease, Scripted(TAP, TAP))

    assert played.end.message == "test:1: tap: RuntimeError: the cable fell out"
    assert len(caplog.records) == 1
    assert "Traceback" in caplog.text
    lease.close()


def test_a_device_that_does_not_say_what_it_is_cannot_be_opened() -> None:
    class Nameless(Counter):
        def __init__(self) -> None:
            super().__init__()
            self.about = {"model": "x"}  # type: ignore[assignment]

    with pytest.raises(DeviceError, match="test:1: open: its about is a dict, no DeviceAbout"):
        Lease("test:1", Nameless).open()


def test_a_wait_gets_its_own_time_on_top_of_the_deadline() -> None:
    lease = Lease("test:1", lambda: Counter(pause=0.1), SHORT)
    lease.open()

    assert lease.perform(Wait(1.0)).app == "counter"
    lease.close()


def test_secrets_are_typed_but_never_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    class Telltale(Counter):
        def perform(self, action: object) -> None:  # type: ignore[override]
            raise RuntimeError(f"cannot do {action}")

    monkeypatch.setenv("PIN", "hunter2")
    task = Task("t", "f", "type the pin", secrets=("PIN",))
    secret = TypeText("{{secret:PIN}}")
    phone = Counter()
    good, bad = Lease("test:1", lambda: phone), Lease("test:2", Telltale)
    good.open()
    bad.open()

    typed = play(Assignment("a", task), good, Scripted(secret, *[TAP] * 9))
    failed = play(Assignment("a", task), bad, Scripted(secret))

    assert phone.performed[0] == TypeText("hunter2")
    assert typed.actions[0] == secret
    assert failed.end.message == "test:2: type: RuntimeError: cannot do TypeText(text='{{secret:PIN}}')"
    good.close()
    bad.close()


def test_a_secret_that_is_not_there_is_the_users_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIN", raising=False)
    lease = Lease("test:1", Counter)
    lease.open()

    played = play(Assignment("a", Task("t", "f", "x", secrets=("PIN",))), lease, Scripted(TypeText("{{secret:PIN}}")))

    assert played.end.blame == "user"
    assert played.end.message == "the environment variable PIN of {{secret:PIN}} is not set on this worker"
    lease.close()
