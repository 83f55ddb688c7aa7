"""What an adb server lists: rows of serial, state and place, read as no blank in a serial can disturb."""

from __future__ import annotations

import re
from dataclasses import dataclass

from distrl_android_adb.server import AdbServer

STATES = frozenset(
    (
        "device",
        "offline",
        "unauthorized",
        "authorizing",
        "connecting",
        "recovery",
        "sideload",
        "rescue",
        "bootloader",
        "host",
        "detached",
    )
)
NO_PERMISSIONS = "no permissions"

_DETAIL = re.compile(r"^(usb|product|model|device|transport_id):(\S*)$")

REMEDIES = {
    "unauthorized": "unlock the phone and allow USB debugging for this computer",
    "authorizing": "unlock the phone and allow USB debugging for this computer",
    "offline": "pull the cable and put it back, or `adb reconnect offline`",
    "connecting": "wait, then look again",
    "recovery": "choose 'Reboot system now' on the phone",
    "sideload": "choose 'Reboot system now' on the phone",
    "rescue": "choose 'Reboot system now' on the phone",
    "bootloader": "start Android: `fastboot reboot`",
    "detached": "another adb client has let go of it: `adb -s SERIAL attach`",
    "host": "this is no phone",
    NO_PERMISSIONS: "let this user open USB devices (udev rules, group plugdev), then put the cable in again",
}
"""What a person can do about each state other than `device`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One device as adb lists it; the same phone may stand in several rows."""

    serial: str
    state: str
    """One of STATES, or 'no permissions'; another text is a state that this reader does not know."""
    usb: str = ""
    """The path of its socket, such as '1-4.2'; '' when it does not hang on USB."""
    model: str = ""
    transport: str = ""
    """A number that is new after each reconnection."""

    @property
    def ready(self) -> bool:
        """Whether it takes commands."""
        return self.state == "device"

    @property
    def place(self) -> str:
        """Its serial and where it is plugged in, for a person who looks for it."""
        return f"{self.serial} (USB {self.usb})" if self.usb else self.serial

    @property
    def trouble(self) -> str:
        """'' when it is ready, else what is wrong and what to do."""
        if self.ready:
            return ""
        return f"{self.place} is {self.state}: {REMEDIES.get(self.state, 'pull the cable and put it back')}"


def read_rows(text: str) -> list[Row]:
    """Rows of `adb devices -l` or `host:devices-l`, also of the short form. Lines of the server itself are skipped."""
    rows = []
    for line in text.splitlines():
        if not line.strip() or line.startswith(("*", "List of devices", "adb server ")):
            continue
        rows.append(_short(line) if "\t" in line else _long(line))
    return rows


def list_rows(server: AdbServer) -> list[Row]:
    """What the server lists now. Raises DeviceError."""
    return read_rows(server.ask("host:devices-l"))


def find_row(server: AdbServer, serial: str) -> Row | None:
    """The row of exactly this serial, if there is one. Raises DeviceError."""
    return next((row for row in list_rows(server) if row.serial == serial), None)


def _short(line: str) -> Row:
    serial, _, rest = line.partition("\t")
    return _row(serial, rest)


def _long(line: str) -> Row:
    """The serial is padded with blanks and may hold some: the known state is looked for from the right."""
    if NO_PERMISSIONS in line:
        serial, _, rest = line.partition(NO_PERMISSIONS)
        return _row(serial.rstrip(), NO_PERMISSIONS + rest)
    for match in reversed(list(re.finditer(r"\s+(\S+)(?=\s|$)", line))):
        if match[1] in STATES:
            return _row(line[: match.start()], line[match.start(1) :])
    serial, _, rest = line.partition(" ")
    return _row(serial, rest.lstrip())


def _row(serial: str, rest: str) -> Row:
    known = rest.startswith(NO_PERMISSIONS)
    state = NO_PERMISSIONS if known else rest.split(" ", 1)[0].strip()
    details = {match[1]: match[2] for word in rest.split() if (match := _DETAIL.match(word))}
    return Row(serial, state, details.get("usb", ""), details.get("model", ""), details.get("transport_id", ""))
