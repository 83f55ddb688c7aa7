"""Android devices through adb: the name only; the devices come with a later version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from distrl_sdk.errors import PluginError
from distrl_sdk.hookspecs import hookimpl


@hookimpl
def distrl_devices() -> Mapping[str, Callable[[], NoReturn]]:
    """The scheme `android:`."""
    return {"android": android_source}


def android_source() -> NoReturn:
    """Raises PluginError."""
    raise PluginError(
        "android devices are not available in version 0.1.0 yet; available: sim:N and module:Class for your own"
    )
