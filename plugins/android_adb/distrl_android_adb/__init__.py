"""Android devices through adb: emulators, phones on USB or the network, simulated Androids."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from distrl_sdk.hookspecs import hookimpl
from distrl_sdk.imports import Lazy
from distrl_sdk.interfaces import Command, DeviceSource

EXTRAS = ("android",)


@hookimpl
def distrl_devices() -> Mapping[str, Callable[[], DeviceSource]]:
    """The scheme `android:`."""
    return {"android": android_source}


@hookimpl
def distrl_commands() -> Mapping[str, Callable[[], Command]]:
    """`distrl sim adb`."""
    return {"sim adb": Lazy("distrl_android_adb.sim.command:SimAdb")}


def android_source() -> DeviceSource:
    """Emulators and phones behind the adb server that runs."""
    from distrl_android_adb.source import AndroidSource

    return AndroidSource()
