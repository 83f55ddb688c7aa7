"""What a simulated Android is, and what can be wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from distrl_sdk.simphone.state import FIRST, Chances, Style

FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir")
LATIN_IME = "com.android.inputmethod.latin/.LatinIME"
ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""ADBKeyBoard: types what a broadcast brings, in base64, and never says whether it did."""
UIAUTOMATOR_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"
"""That of uiautomator2, which answers -1."""


@dataclass(frozen=True, slots=True)
class AndroidOptions:
    """One simulated Android."""

    serial: str = "SIM0001"
    """Its ro.serialno."""
    model: str = "Simphone 9"
    sdk: int = 34
    """The API level: it decides what commands know and how they answer."""
    scale: float = 0.5
    """Size of the picture; 1 is 1080 x 2400."""
    seed: int = 0
    """Of the fresh phone's contents."""
    chances: Chances = field(default_factory=Chances)
    """How often pop-ups and spinners come."""
    style: Style = FIRST
    pace: float = 1.0
    """Seconds of ours for a second of the phone's: swipes, boots and pages that load take time; 0: none."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Program -> seconds that each call of it takes, such as screencap: 0.1. `pace` does not scale these."""
    boot_seconds: float = 0.0
    """From power-on to the last service; 0: it is up when it starts."""
    physical: bool = False
    """A phone of the world rather than an emulator: it cannot be root, and has no console."""
    avd: str = ""
    """The name of the virtual device, for an emulator with a console; '' = it has none."""
    keyboards: tuple[str, ...] = (LATIN_IME, ADB_KEYBOARD)
    """The input methods that are installed."""


@dataclass(frozen=True, slots=True)
class Canned:
    """An answer that a command gets instead of its own."""

    pattern: str
    """A regular expression that the command line must begin with."""
    out: bytes | None = b""
    """None: what the command really says, whatever else is changed."""
    err: bytes = b""
    code: int = 0
    seconds: float = 0.0
    """Before it comes; math.inf: never."""
    cut_after: int | None = None
    """The stream ends after so many bytes, without an exit code."""
    drop: bool = False
    """The link is cut where the stream would end."""
    times: int = -1
    """How often; -1: always."""
    act: bool = False
    """The command does its work all the same, and only its answer is replaced."""

    def fits(self, line: str) -> bool:
        """Whether a command line is meant."""
        return re.match(self.pattern, line) is not None


@dataclass(slots=True)
class Faults:
    """Switches that may be turned at any time, from any thread."""

    # the link
    mute: bool = False
    """Nothing is answered, not even a new link."""
    unauthorized: bool = False
    """Nobody has allowed this computer."""
    features: tuple[str, ...] = FEATURES
    """Without shell_v2 there are no exit codes."""
    max_payload: int = 0
    """4096 is that of Android 6; 0: 1 MiB."""
    drop_at: int = 0
    """The link is cut at the command of this number, counted from when this is set; 0: never."""
    bytes_per_second: float = 0.0
    """Of what it sends; 0: as fast as it goes."""
    crlf: int = 0
    """How often LF becomes CRLF in what `shell:` sends, as before Android 7."""
    # what commands say
    canned: list[Canned] = field(default_factory=list)
    noise: Mapping[str, bytes] = field(default_factory=dict)
    """Program -> what this maker's phones say before its own words."""
    missing: frozenset[str] = frozenset()
    """Services that have not come up, such as package."""
    digits: str = ""
    """The ten digits in which dates are written."""
    # the screen
    displays: int = 1
    """With two, screencap warns before its data unless it is told which; the first is another one, and dark."""
    secure: frozenset[str] = frozenset()
    """Packages whose windows are black in pictures."""
    # the UI tree
    busy: int = 0
    """Dumps that find no idle moment; a compressed one needs none. -1: all."""
    rootless: int = 0
    """Dumps that get no tree at all, and leave the old file where it is. -1: all."""
    # the keyboard
    deaf_keyboard: bool = False
    """The test keyboard hears no broadcast, as its versions before 2.5 from Android 13 on."""
    unknown_keyboard: int = 0
    """How often `ime enable` does not know a keyboard yet."""
    keyboard_seconds: float = 0.0
    """From `ime set` until it is so."""
    # the rest
    syskeys: bool = True
    """False: a phone without keys, on which monkey fails unless it is told to press none."""
    stuck_snapshots: bool = False
    """The console says KO to every snapshot."""


def spent(count: int) -> int:
    """What is left of a number of times, after one more; below 0 there is no end."""
    return count - 1 if count > 0 else count
