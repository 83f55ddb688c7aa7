"""The fleet scheme `android:`."""

from __future__ import annotations

from distrl_android_adb.address import Address, avd_addresses, read_address
from distrl_android_adb.attach import attach
from distrl_android_adb.boot import Boot
from distrl_android_adb.device import AndroidDevice
from distrl_android_adb.folder import Claim
from distrl_android_adb.identity import Identity, identify
from distrl_android_adb.link import Link
from distrl_android_adb.listing import list_rows
from distrl_android_adb.options import Options, read_options
from distrl_android_adb.phone import Phone
from distrl_android_adb.prepare import Preparation
from distrl_android_adb.quarantine import Quarantine
from distrl_android_adb.seams import Seams
from distrl_android_adb.server import AdbServer
from distrl_sdk.errors import DeviceError, DistrlError, UsageError
from distrl_sdk.interfaces import Finding

ATTACH = 20.0
"""Seconds for a device to become ready for commands."""
BOOT = 180.0
"""Seconds for a device that is still starting."""


class AndroidSource:
    """Emulators and phones behind an adb server, which is used as it is found."""

    def __init__(self) -> None:
        self._quarantine = Quarantine()

    def expand(self, spec: str) -> list[str]:
        """The addresses of a spec: 'all' asks the adb server what is there. Raises UsageError."""
        what, question, query = spec.partition("?")
        addresses = avd_addresses(spec)
        if addresses is not None:
            return addresses
        if what == "all":
            serials = self._all(read_options(query, spec))
            return [f"{serial}{question}{query}" for serial in serials]
        read_address(spec)
        return [spec]

    def open(self, address: str) -> AndroidDevice:
        """One device: ready, up, prepared, and used by nobody else. Raises DeviceError, or UsageError."""
        asked = read_address(address)
        if asked.avd:
            raise UsageError(f"android:{address}: emulators are not started yet; start it and use its serial")
        self._quarantine.admit(asked.serial)
        try:
            device = _open(asked)
        except DeviceError as error:
            self._quarantine.failed(asked.serial, str(error))
            raise
        self._quarantine.worked(asked.serial)
        return device

    def doctor(self) -> list[Finding]:
        """What is there and what is wrong with it."""
        server = AdbServer.named()
        if not server.listens():
            return [Finding("warning", f"no adb server runs at {server}", "it is started when a phone is opened")]
        rows = list_rows(server)
        findings = [Finding("ok", f"adb server {server}, version {server.version()}, {len(rows)} devices")]
        findings += [
            Finding("problem", row.trouble) if row.trouble else Finding("ok", f"{row.place}: {row.model}")
            for row in rows
        ]
        return findings

    def close(self) -> None:
        """Devices are closed by whoever opened them."""

    def _all(self, options: Options) -> list[str]:
        """Serials of what may be used unasked, one for each device however often it is listed."""
        server = AdbServer.named(options.server)
        try:
            rows = list_rows(server)
        except DeviceError as error:
            raise UsageError(f"android:all: {error}") from error
        found: dict[Identity, str] = {}
        for row in rows:
            if row.ready:
                found.setdefault(identify(Link(server, row.serial)), row.serial)
        serials = [serial for identity, serial in found.items() if identity.emulator]
        if not serials:
            raise UsageError("android:all means no device: no emulator runs; a phone is used by its serial")
        return serials


def _open(asked: Address) -> AndroidDevice:
    options = asked.options
    server = AdbServer.named(options.server)
    server.ensure()
    attach(server, asked.serial, ATTACH)
    phone = Phone(Link(server, asked.serial), raw=options.raw)
    identity = identify(phone.link)
    claim = Claim(identity.key)
    preparation = Preparation(identity.key)

    def close() -> None:
        try:
            preparation.undo(phone.link)
        finally:
            claim.release()

    try:
        Boot(phone).wait(BOOT)
        preparation.apply(phone.link)
        return AndroidDevice(phone, options, Seams(), close)
    except DistrlError:
        claim.release()
        raise
