"""Which devices take part: fleet specs, the addresses they mean, and devices made by a Python class.

A spec is a list of 'scheme:what', such as 'sim:16', 'sim:4,android:all' or 'package.module:Class?key=value*3'.
Everything here is text until `open_device`: addresses travel to the worker processes that open them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from distrl_sdk.errors import DeviceError, UsageError, blame, choices
from distrl_sdk.imports import NoModuleError, call, check_keywords, end_script, load
from distrl_sdk.interfaces import Device, Finding
from distrl_sdk.plugins import device_source, names, registry
from distrl_sdk.types import Json

Launcher = Literal["local", "none"]
"""Who starts the workers: the learner, on its own machine; or nobody, and any machine may join."""

MOST = 10_000
"""Devices that a class makes for one spec: a slip of the finger must not fill the memory."""

PYTHON = "python"
"""The scheme of devices that a class makes."""

_ATTRIBUTE = re.compile(r"[A-Za-z_][\w.]*(\?[^*]*)?(\*\d+)?$")
_SPEC = re.compile(r"(?P<path>[^?*]+)(\?(?P<options>[^*]*))?(\*(?P<count>\d+))?$")


@dataclass(frozen=True, slots=True)
class DeviceAddress:
    """One device: what its source opens."""

    scheme: str
    address: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.address}"

    @classmethod
    def parse(cls, text: str) -> DeviceAddress:
        """The inverse of str()."""
        scheme, colon, address = text.partition(":")
        if not colon or not scheme:
            raise UsageError(f"{text!r} is not a device address: it must be scheme:address")
        return cls(scheme, address)


def expand(spec: str) -> tuple[DeviceAddress, ...]:
    """The addresses that a fleet spec means. Opens nothing. Raises UsageError for a bad spec, or for none at all."""
    addresses = tuple(address for item in spec.split(",") for address in _expand_item(item.strip()))
    if not addresses:
        raise UsageError(f"the fleet {spec!r} has no device")
    counted = Counter(address for address in addresses if address.scheme != PYTHON)
    if twice := sorted(str(address) for address, count in counted.items() if count > 1):
        raise UsageError(f"the fleet {spec!r} names {', '.join(twice)} more than once")
    return addresses


def open_device(address: DeviceAddress) -> Device:
    """Open one device. Raises DeviceError when it fails, UsageError when the address cannot be right."""
    source = device_source(address.scheme)
    with blame(DeviceError, f"opening {address}"):
        return source.open(address.address)


def _expand_item(item: str) -> list[DeviceAddress]:
    scheme, colon, what = item.partition(":")
    if not colon:
        schemes = ", ".join(f"{name}:" for name in names("device"))
        raise UsageError(f"{item!r} is not a fleet spec: it must start with one of {schemes} or be module:Class")
    if scheme not in names("device") and _ATTRIBUTE.match(what):
        scheme, what = PYTHON, item
    if scheme not in names("device"):
        registry().find("device", scheme)
    with blame(UsageError, f"fleet {item!r}"):
        return [DeviceAddress(scheme, address) for address in device_source(scheme).expand(what)]


class PythonSource:
    """Devices that a class or another callable makes: 'module:Class?key=value*3', 'script.py:Class'."""

    def expand(self, spec: str) -> list[str]:
        """Addresses 'module:Class?key=value#1' ... '#N'. Imports the class, makes nothing."""
        match = _SPEC.match(spec)
        if match is None:
            raise UsageError(f"{spec!r} is not of the form module:Class?key=value*N")
        path = _absolute(match["path"])
        count = int(match["count"] or 1)
        if not 1 <= count <= MOST:
            raise UsageError(f"{spec!r} asks for {count} devices: at least 1, at most {MOST}")
        check_keywords(_maker(path), _options(match["options"] or ""), path)
        options = f"?{match['options']}" if match["options"] else ""
        return [f"{path}{options}#{index}" for index in range(1, count + 1)]

    def open(self, address: str) -> Device:
        """Call the class with the address's options."""
        spec, _, _ = address.rpartition("#")
        path, _, options = spec.partition("?")
        device = call(_maker(path), _options(options), path, DeviceError)
        missing = [name for name in ("about", "reset", "perform", "close") if not hasattr(device, name)]
        if missing:
            raise UsageError(f"{path} made a {type(device).__name__}, no Device: it has no {', '.join(missing)}")
        return cast(Device, device)

    def doctor(self) -> list[Finding]:
        """Nothing can be said before a class is named."""
        return []

    def close(self) -> None:
        """Nothing is held."""


def _maker(path: str) -> Callable[..., Any]:
    try:
        made = load(path)
    except NoModuleError as error:
        scheme = path.partition(":")[0]
        raise UsageError(f"{error}, nor is {scheme!r} a device scheme: {choices(scheme, names('device'))}") from error
    if not callable(made):
        raise UsageError(f"{path} is a {type(made).__name__}, nothing that can be called to make a device")
    return cast(Callable[..., Any], made)


def _absolute(path: str) -> str:
    place, _, attribute = path.partition(":")
    return f"{Path(place).resolve()}:{attribute}" if place.endswith(".py") else path


def _options(text: str) -> Mapping[str, Json]:
    options: dict[str, Json] = {}
    for item in text.split("&") if text else ():
        name, equals, value = item.partition("=")
        if not name.isidentifier() or not equals:
            raise UsageError(f"{item!r} is not of the form key=value")
        options[name] = _value(value)
    return options


def _value(text: str) -> Json:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Fleet:
    """The devices that take part in a run. Starts nothing: `Trainer.fit` does.

    Args:
        source: a spec such as 'sim:16', or a class (or function) that makes a Device when called without arguments.
        n: how many devices a class makes; not for a spec.
        launcher: 'local' starts worker processes on this machine; 'none' waits for `distrl worker` on any machine.
    """

    def __init__(
        self, source: str | Callable[[], Device], n: int | None = None, *, launcher: Launcher = "local"
    ) -> None:
        end_script()
        if launcher not in get_args(Launcher):
            raise UsageError(f"unknown launcher {launcher!r}: {choices(launcher, get_args(Launcher))}")
        if isinstance(source, str):
            if n is not None:
                raise UsageError(f"n is for a class; a spec says it itself, as in {source.partition(':')[0]}:{n}")
            self.spec = source
        else:
            count = 1 if n is None else n
            if count < 1:
                raise UsageError(f"a fleet of {count} devices cannot play")
            self.spec = f"{importable(source)}*{count}"
        self.launcher = launcher

    def addresses(self) -> tuple[DeviceAddress, ...]:
        """One for each device. Raises UsageError for a spec that means nothing."""
        return expand(self.spec)

    def __repr__(self) -> str:
        return f"Fleet({self.spec!r}, launcher={self.launcher!r})"


def importable(made: Callable[..., Any]) -> str:
    """'module:Name' or 'script.py:Name', under which another process finds this class or function.

    Raises UsageError for what no other process can import: lambdas, local classes, instances, a session's definitions.
    """
    name = getattr(made, "__qualname__", None)
    if name is None or "<" in name:
        what = "a lambda or local definition" if name else f"an instance of {type(made).__name__}"
        raise UsageError(
            f"{name or made!r} is {what}: workers are other processes and import it, so define it in a file"
        )
    if made.__module__ != "__main__":
        return f"{made.__module__}:{name}"
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return f"{spec.name}:{name}"  # python -m package.module
    file = getattr(main, "__file__", None)
    if file is None or not Path(file).is_file():
        raise UsageError(f"{name} is defined in an interactive session, which workers cannot import: put it in a file")
    return f"{Path(file).resolve()}:{name}"
