"""Waiting until an Android is up: the property alone comes too early, and a snapshot has it from the start."""

from __future__ import annotations

from distrl_android_adb.connection import UncertainError, UnreachedError
from distrl_android_adb.patience import wait_for
from distrl_android_adb.phone import Phone
from distrl_android_adb.picture import PictureError, is_black
from distrl_sdk.errors import DeviceError


class Boot:
    """What is still missing on one phone."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.missing = "it was not asked"

    def wait(self, seconds: float, pause: float = 0.5) -> None:
        """Wait until it is up, awake and shows something. Raises DeviceError naming what is missing in the end."""
        if not wait_for(self.up, seconds, pause):
            raise DeviceError(f"{self._phone.link.serial} is not up after {seconds:g} s: {self.missing}")
        if not wait_for(self._shows, min(seconds, 20.0), pause):
            raise DeviceError(f"{self._phone.link.serial} shows nothing: {self.missing}")

    def up(self) -> bool:
        """Whether the system and its package service run. Raises nothing: a link that breaks is what booting does."""
        try:
            self.missing = self._missing()
        except (UnreachedError, UncertainError) as error:
            self.missing = str(error)
        return not self.missing

    def _missing(self) -> str:
        phone = self._phone
        if phone.prop("sys.boot_completed") != "1":
            return "sys.boot_completed is not 1"
        if phone.prop("init.svc.bootanim") not in ("stopped", ""):
            return "the boot animation still runs"
        for service in ("activity", "package", "window"):
            if not phone.link.ask("service", "check", service).text.strip().endswith(": found"):
                return f"there is no {service} service"
        if not phone.link.ask("pm", "path", "android").text.startswith("package:"):
            return "the package service does not answer"
        return ""

    def _shows(self) -> bool:
        phone = self._phone
        try:
            if not phone.awake():
                phone.wake()
            self.missing = "its screen stays black" if is_black(phone.picture()) else ""
        except (UnreachedError, UncertainError, PictureError) as error:
            self.missing = str(error)
        return not self.missing
