"""`distrl sim adb`: a shelf of simulated Androids for whoever has no phone at hand."""

from __future__ import annotations

import copy
import sys
import threading
from collections.abc import Sequence

from distrl_android_adb.sim.fault_text import NAMES, read_faults
from distrl_android_adb.sim.options import AndroidOptions, Faults
from distrl_android_adb.sim.shelf import HOST, Shelf
from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.errors import UsageError, choices
from distrl_sdk.simphone.state import VERSIONS, Chances, Style
from distrl_sdk.simphone.wording import LOCALES

_MOST = 256
"""Phones of one process: more are surely a slip of the finger."""
_TIMED = ("screencap", "input", "uiautomator")


def serve_shelf(arguments: Sequence[str]) -> int:
    """Open the phones, say how to reach them, serve until Ctrl-C; returns the exit status."""
    options, ports, faults = _asked(arguments)
    with Shelf(options, ports) as shelf:
        for android in shelf.phones:
            android.faults = copy.deepcopy(faults)
        for line in _lines(shelf):
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


def _asked(arguments: Sequence[str]) -> tuple[list[AndroidOptions], list[int], Faults]:
    parser = make_parser("sim adb", "Serve simulated Androids over the ADB protocol until Ctrl-C.", "[OPTIONS]")
    parser.add_argument("--phones", type=int, default=1, help="how many")
    parser.add_argument("--port", type=int, default=0, help="of the first, the others follow; 0: any that are free")
    parser.add_argument("--sdk", type=int, default=34, help="their API level")
    parser.add_argument("--scale", type=float, default=0.5, help="size of the picture; 1 is 1080 x 2400")
    parser.add_argument("--version", type=int, default=1, help="of the phone's software: 2 moves and renames things")
    parser.add_argument("--locale", type=str, default="en", help="language of the labels: en, de or zh")
    parser.add_argument("--popups", type=float, default=0.0, help="probability that an action is followed by a pop-up")
    parser.add_argument("--stuck", type=float, default=0.0, help="probability that the app stops responding")
    parser.add_argument("--seconds", type=float, default=0.0, help=f"that each of {', '.join(_TIMED)} takes")
    parser.add_argument("--boot", type=float, default=0.0, help="seconds that they boot first")
    parser.add_argument("--physical", action="store_true", help="phones of the world, which cannot be root")
    parser.add_argument("--faults", type=str, default="", help=f"such as mute,drop_at=5; known: {', '.join(NAMES)}")
    asked = parse(parser, arguments)
    for name, holds, what in (
        ("phones", 1 <= asked.phones <= _MOST, f"1 to {_MOST}"),
        ("port", 0 <= asked.port <= 65535 - asked.phones, "a port with room above it, or 0"),
        ("sdk", 21 <= asked.sdk <= 99, "an API level from 21 on"),
        ("scale", 0.05 <= asked.scale <= 1, "0.05 to 1"),
        ("version", asked.version in VERSIONS, "1 or 2"),
        ("seconds", 0 <= asked.seconds <= 60, "0 to 60"),
        ("boot", 0 <= asked.boot <= 600, "0 to 600"),
    ):
        if not holds:
            raise UsageError(f"--{name} must be {what}, not {getattr(asked, name)}")
    if asked.locale not in LOCALES:
        raise UsageError(f"unknown locale {asked.locale!r}: {choices(asked.locale, LOCALES)}")
    options = [
        AndroidOptions(
            serial=f"SIM{number:04d}", sdk=asked.sdk, scale=asked.scale, seed=number, physical=asked.physical,
            chances=Chances(asked.popups, asked.popups, asked.stuck), style=Style(asked.version, asked.locale),
            seconds=dict.fromkeys(_TIMED, asked.seconds), boot_seconds=asked.boot,
        )
        for number in range(asked.phones)
    ]  # fmt: skip
    ports = [asked.port + number if asked.port else 0 for number in range(asked.phones)]
    return options, ports, read_faults(asked.faults)


def _lines(shelf: Shelf) -> list[str]:
    connects = [
        f"adb connect {serial}    # {android.options.serial}"
        for serial, android in zip(shelf.serials, shelf.phones, strict=True)
    ]
    fleet = ",".join(f"android:{serial}" for serial in shelf.serials)
    return [*connects, f"then: --fleet {fleet}", f"listening on {HOST} only; Ctrl-C ends"]
