"""Fleet specs, addresses, and classes that other processes must be able to import."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk import Fleet
from distrl_sdk.errors import DeviceError, UsageError
from distrl_sdk.fleet import DeviceAddress, expand, importable, open_device
from distrl_sdk.testing.samples import ABOUT, observation
from distrl_sdk.types import Action, DeviceAbout, Observation, Task


class Still:
    """A device that shows one grey picture."""

    def __init__(self, shade: int = 7, scale: float = 1.0, name: str = "", loud: bool = False) -> None:
        if shade > 255:
            raise ValueError("no such grey")
        self.shade, self.scale, self.name, self.loud = shade, scale, name, loud
        self.about: DeviceAbout = ABOUT

    def reset(self, task: Task) -> Observation:
        return observation(self.shade, None)

    def perform(self, action: Action) -> Observation:
        return observation(self.shade, None)

    def close(self) -> None:
        pass


class NoDevice:
    pass


HERE = f"{__name__}:Still"


def test_a_class_gives_an_address_for_each_device() -> None:
    addresses = expand(f"{HERE}?shade=9&scale=0.5&name=a b&loud=true*3")

    assert [str(address) for address in addresses] == [
        f"python:{HERE}?shade=9&scale=0.5&name=a b&loud=true#{index}" for index in (1, 2, 3)
    ]
    device = open_device(addresses[2])
    assert isinstance(device, Still)
    assert (device.shade, device.scale, device.name, device.loud) == (9, 0.5, "a b", True)


@given(st.sampled_from(["sim", "android", "python"]), st.text(min_size=1))
def test_addresses_survive_being_written(scheme: str, address: str) -> None:
    assert DeviceAddress.parse(str(DeviceAddress(scheme, address))) == DeviceAddress(scheme, address)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("simm:16", "unknown device 'simm': did you mean sim?"),
        ("andorid:all", "no module 'andorid' is installed or on PYTHONPATH, nor is 'andorid' a device scheme: did you"),
        (
            "sim",
            "'sim' is not a fleet spec: it must start with one of android:, ios:, python:, sim: or be module:Class",
        ),
        ("", "'' is not a fleet spec"),
        ("ios:booted", "ios devices are not available in version 0.1.0 yet; available: sim:N and module:Class"),
        ("nowhere_at_all:Phone", "no module 'nowhere_at_all' is installed or on PYTHONPATH"),
        ("android:avd=", "android:avd=: write avd=NAME or avd=NAME*4"),
        ("android:avd=Pixel*99", "android:avd=Pixel*99: 99 emulators: at least 1, at most 64"),
        ("android:R58M?setle=1", "android:R58M?setle=1: unknown option 'setle': did you mean settle?"),
        ("android:R58M?settle=-1", "android:R58M?settle=-1: settle must be within 0..600, not -1"),
        ("android:R58M?raw=yes", "android:R58M?raw=yes: raw must be 0 or 1, not 'yes'"),
        ("android:R58M?server=0", "'0' is no port of an adb server"),
        (f"{__name__}:Stil", "has no 'Stil': did you mean Still?"),
        (f"{HERE}?shad=3", "has no option 'shad': did you mean shade? known: loud, name, scale, shade"),
        (f"{HERE}?shade", "'shade' is not of the form key=value"),
        (f"{__name__}:HERE", "is a str, nothing that can be called to make a device"),
        ("nowhere/phones.py:Phone", "/nowhere/phones.py"),
    ],
)
def test_a_wrong_spec_is_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        expand(spec)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_a_class_raises_is_the_devices_fault() -> None:
    (address,) = expand(f"{HERE}?shade=256")
    with pytest.raises(DeviceError, match="ValueError: no such grey"):
        open_device(address)


def test_what_is_made_must_be_a_device() -> None:
    (address,) = expand(f"{__name__}:NoDevice")
    with pytest.raises(UsageError, match="made a NoDevice, no Device: it has no about, reset, perform, close"):
        open_device(address)


def test_a_device_named_twice_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"more than once"):
        expand("sim:2,sim:2")


def test_a_fleet_takes_a_class() -> None:
    fleet = Fleet(Still, n=4)

    assert fleet.spec == f"{HERE}*4"
    assert len(fleet.addresses()) == 4


def test_a_fleet_refuses_what_workers_cannot_import() -> None:
    class Local(Still):
        pass

    with pytest.raises(UsageError, match="is a lambda or local definition: workers are other processes"):
        Fleet(Local)
    with pytest.raises(UsageError, match="lambda"):
        Fleet(lambda: Still())
    with pytest.raises(UsageError, match="an instance of Still"):
        Fleet(Still())  # type: ignore[arg-type]


def test_a_fleet_refuses_counts_and_launchers_that_cannot_be() -> None:
    with pytest.raises(UsageError, match=r"n is for a class; a spec says it itself, as in sim:4"):
        Fleet("sim", n=4)
    with pytest.raises(UsageError, match="a fleet of 0 devices"):
        Fleet(Still, n=0)
    with pytest.raises(UsageError, match=r"unknown launcher 'locla': did you mean local\?"):
        Fleet("sim:1", launcher="locla")  # type: ignore[arg-type]


def test_importable_names_a_nested_class() -> None:
    assert importable(Path.home) == "pathlib:Path.home"


SCRIPT = """
    from dataclasses import dataclass
    import sibling
    from distrl_sdk import Fleet
    from distrl_sdk.testing.samples import ABOUT, observation

    @dataclass
    class Phone:
        shade: int = sibling.SHADE
        about = ABOUT
        def reset(self, task): return observation(self.shade, None)
        def perform(self, action): return observation(self.shade, None)
        def close(self): pass

    fleet = Fleet(Phone, n=2)
    print("training starts with", fleet.spec)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "sibling.py").write_text("SHADE = 5\n")
    script = tmp_path / "my_run.py"
    script.write_text(textwrap.dedent(SCRIPT))
    return script


def test_a_class_of_a_script_is_named_by_the_scripts_path(script: Path, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "my_run.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert ran.stdout == f"training starts with {script}:Phone*2\n"


def test_importing_a_script_without_main_guard_does_not_start_its_training(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = expand(f"{script}:Phone*2")

    device = open_device(second)

    assert device.about == ABOUT
    assert type(device).__module__ != "__main__"
    assert type(open_device(first)) is type(device)
    assert capsys.readouterr().out == ""


def test_a_script_that_fails_is_a_usage_error(tmp_path: Path) -> None:
    script = tmp_path / "broken.py"
    script.write_text("1 / 0\n")
    with pytest.raises(UsageError, match=r"broken\.py: ZeroDivisionError"):
        expand(f"{script}:Phone")
