"""Entering text: by `input text` where that can, else through an input method that takes text over adb."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import partial

from distrl_android_adb.keystrokes import Foreign, KeyPress, Stroke, Words, strokes
from distrl_android_adb.patience import wait_for
from distrl_android_adb.phone import Phone
from distrl_android_adb.settings import read_setting
from distrl_sdk.errors import DeviceError

_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Method:
    """An input method that listens to broadcasts."""

    id: str
    action: str
    extra: str
    told: bool
    """Whether its answer says that it took the text; of the others only the field tells."""

    @property
    def package(self) -> str:
        """The broadcast is meant for this package alone: newer Android drops what is meant for anybody."""
        return self.id.partition("/")[0]


METHODS = (
    Method("com.android.adbkeyboard/.AdbIME", "ADB_INPUT_B64", "msg", told=False),
    Method("com.github.uiautomator/.AdbKeyboard", "ADB_KEYBOARD_INPUT_TEXT", "text", told=True),
)
"""Those that are looked for, the first one wins."""


class Typist:
    """Types into the focused field of one phone; every piece is sent once."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    def type(self, text: str) -> bool:
        """Type it; nothing for an empty text. True when all of it went by `input`, False when a method took a part.

        Raises DeviceError when the phone has no method for a text that needs one, or the method refuses it.
        """
        plan = strokes(text)
        if not any(isinstance(stroke, Foreign) for stroke in plan):
            for stroke in plan:
                self._strike(stroke, None)
            return True
        method = self._method()
        before = read_setting(self._phone.link, "secure", "default_input_method").value or ""
        self._switch(method.id, enable=True)
        try:
            for stroke in plan:
                self._strike(stroke, method)
        finally:
            if before and before != method.id:
                self._switch(before, enable=False)
        return False

    def _strike(self, stroke: Stroke, method: Method | None) -> None:
        match stroke:
            case Words(argument):
                self._phone.once("input", "text", argument, seconds=_SECONDS)
            case KeyPress(code):
                self._phone.press(code)
            case Foreign(text):
                assert method is not None
                self._send(method, text)

    def _send(self, method: Method, text: str) -> None:
        packed = base64.b64encode(text.encode()).decode()
        words = ("am", "broadcast", "-p", method.package, "-a", method.action, "--es", method.extra, packed)
        reply = self._phone.once(*words, seconds=_SECONDS)
        if reply is None:
            return
        if "Broadcast completed" not in reply.text or (method.told and "result=-1" not in reply.text):
            raise DeviceError(f"{method.id} took no text: {reply.text.strip()[:200] or 'it said nothing'}")

    def _method(self) -> Method:
        listed = self._phone.link.ask("ime", "list", "-a", "-s").text.split()
        for method in METHODS:
            if method.id in listed:
                return method
        raise DeviceError(
            "a text that is not ASCII needs an input method that takes text over adb: install ADBKeyBoard on the phone"
        )

    def _switch(self, method: str, *, enable: bool) -> None:
        """Make it the current method and wait until it is: between the two the phone drops text."""
        if enable:
            self._phone.once("ime", "enable", method)
        reply = self._phone.once("ime", "set", method)
        link = self._phone.link
        chosen = partial(read_setting, link, "secure", "default_input_method")
        if not wait_for(lambda: chosen().value == method, 5.0, 0.05):
            said = reply.text.strip()[:200] if reply is not None else "its outcome is unknown"
            raise DeviceError(f"the input method {method} did not become the current one: {said}")
