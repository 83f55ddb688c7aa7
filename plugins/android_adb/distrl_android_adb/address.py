"""What stands behind `android:`, as text: SERIAL, HOST:PORT, avd=NAME*N or all, and options behind '?'."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distrl_android_adb.options import Options, read_options
from distrl_sdk.errors import UsageError

MOST = 64
"""Emulators of one spec: adb and the emulator number their ports from 5554 to 5682."""
_AVD = re.compile(r"avd=(?P<name>[\w.-]+)(?:\*(?P<count>\d+))?")
_ONE_AVD = re.compile(r"avd=(?P<name>[\w.-]+)#(?P<number>\d+)")
_NETWORK = re.compile(r"(?:[\w.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Address:
    """One device."""

    serial: str
    """As adb lists it; '' of an emulator that is to be started."""
    options: Options
    avd: str = ""
    number: int = 0
    """Of this emulator among those of the same AVD, from 1."""

    @property
    def network(self) -> bool:
        """Whether its serial is a host and a port, to which adb must connect."""
        return is_network(self.serial)


def read_address(address: str) -> Address:
    """One address. Raises UsageError."""
    what, _, query = address.partition("?")
    options = read_options(query, address)
    match = _ONE_AVD.fullmatch(what)
    if match is not None:
        return Address("", options, match["name"], int(match["number"]))
    if not what or what == "all" or what.startswith("avd="):
        raise UsageError(f"android:{address} is not the address of one device")
    return Address(what, options)


def avd_addresses(spec: str) -> list[str] | None:
    """'avd=Pixel*2?settle=3' -> one address an emulator; None for a spec of another kind. Raises UsageError."""
    what, question, query = spec.partition("?")
    if not what.startswith("avd="):
        return None
    match = _AVD.fullmatch(what)
    if match is None:
        raise UsageError(f"android:{spec}: write avd=NAME or avd=NAME*4")
    count = int(match["count"] or 1)
    if not 1 <= count <= MOST:
        raise UsageError(f"android:{spec}: {count} emulators: at least 1, at most {MOST}")
    read_options(query, spec)
    return [f"avd={match['name']}#{number}{question}{query}" for number in range(1, count + 1)]


def is_network(serial: str) -> bool:
    """Whether it is HOST:PORT."""
    match = _NETWORK.fullmatch(serial)
    return match is not None and int(match[1]) < 65536
