"""What may stand behind '?' in an address: `android:SERIAL?settle=3&elements=0`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from distrl_android_adb.server import AdbServer
from distrl_sdk.errors import UsageError, choices


@dataclass(frozen=True, slots=True)
class Options:
    """How one device is used."""

    server: str = ""
    """PORT or HOST:PORT of its adb server; '' = $ANDROID_ADB_SERVER_PORT, else 5037."""
    elements: bool = True
    """False: pictures only; a UI tree takes a phone a second or two."""
    raw: bool = False
    """True: unpacked pictures: many times the bytes, but a phone takes longer to pack one than USB to carry it."""
    pause: float = 0.1
    """Seconds from an action to the first look at what it did."""
    settle: float = 5.0
    """Seconds after which a screen that keeps moving is taken as it is."""
    heat: float = 45.0
    """Degrees Celsius of the battery above which the phone rests."""
    charge: int = 15
    """Percent below which a phone that is not charging rests."""


_BOUNDS: dict[str, tuple[float, float]] = {
    "pause": (0.0, 60.0),
    "settle": (0.0, 600.0),
    "heat": (20.0, 90.0),
    "charge": (0.0, 100.0),
}


def read_options(query: str, spec: str) -> Options:
    """The options in 'a=1&b=2'. Raises UsageError for an unknown name or a value that cannot be."""
    return Options(**dict(_pair(pair, spec) for pair in query.split("&"))) if query else Options()


def _pair(pair: str, spec: str) -> tuple[str, Any]:
    name, _, text = pair.partition("=")
    known: dict[str, Any] = {field.name: field.default for field in fields(Options)}
    if name not in known:
        raise UsageError(f"android:{spec}: unknown option {name!r}: {choices(name, known)}")
    kind = type(known[name])
    if kind is str:
        AdbServer.named(text)
        return name, text
    if kind is bool:
        if text not in ("0", "1"):
            raise UsageError(f"android:{spec}: {name} must be 0 or 1, not {text!r}")
        return name, text == "1"
    least, most = _BOUNDS[name]
    try:
        value = kind(text)
    except ValueError:
        raise UsageError(f"android:{spec}: {name}={text!r} is no {'whole ' if kind is int else ''}number") from None
    if not least <= value <= most:
        raise UsageError(f"android:{spec}: {name} must be within {least:g}..{most:g}, not {text}")
    return name, value
