"""Which listed devices are one phone. Its adb serial does not tell: a phone may be listed by USB, IP and mDNS."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distrl_android_adb.link import Link

_EMULATOR = re.compile(r"emulator-(\d+)")
_LOOPBACK = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)")


@dataclass(frozen=True, slots=True)
class Identity:
    """One device, however it is listed."""

    key: str
    """Of a phone its own serial number; of an emulator its console's port: all emulators say the same serial number."""
    emulator: bool


def identify(link: Link) -> Identity:
    """Who is behind a link. Raises DeviceError."""
    qemu = _property(link, "ro.boot.qemu") or _property(link, "ro.kernel.qemu")
    if qemu == "1":
        port = console_port(link.serial)
        return Identity(f"emulator-{port}" if port else link.serial, emulator=True)
    return Identity(_property(link, "ro.serialno") or link.serial, emulator=False)


def console_port(serial: str) -> int | None:
    """The port of an emulator's console: its adb port is the next one. None when the serial tells neither."""
    match = _EMULATOR.fullmatch(serial)
    if match is not None:
        return int(match[1])
    match = _LOOPBACK.fullmatch(serial)
    return int(match[1]) - 1 if match is not None else None


def _property(link: Link, name: str) -> str:
    return link.ask("getprop", name).out.decode(errors="replace").strip()
