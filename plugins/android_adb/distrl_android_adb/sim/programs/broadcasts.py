"""am broadcast: what the test keyboards hear, and the way back to a task's start."""

from __future__ import annotations

import base64
import json

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.intents import Intent
from distrl_android_adb.sim.keycodes import name_of
from distrl_android_adb.sim.options import ADB_KEYBOARD, UIAUTOMATOR_KEYBOARD
from distrl_android_adb.sim.programs.touch import clear_field, press
from distrl_android_adb.sim.shell import Outcome, said
from distrl_sdk.errors import UsageError
from distrl_sdk.simphone.families import start_state
from distrl_sdk.types import Task, TypeText

PREPARE = "org.distrl.sim.PREPARE"
"""Puts the phone at a task's start: `--es setup` is the task's setup, as JSON in base64."""
_EXPLICIT = 34
"""The API level from which on a broadcast that names nobody reaches no app."""


def broadcast(android: Android, intent: Intent) -> Outcome:
    """The result says nothing about whether anybody listened, unless the listener takes the trouble."""
    result = 0
    if intent.action == PREPARE:
        result = _prepare(android, intent.extras)
    elif android.options.sdk < _EXPLICIT or intent.package or intent.component:
        keyboard = android.guest.settings["secure"].get("default_input_method", "")
        target = intent.package or intent.component.partition("/")[0] or keyboard.partition("/")[0]
        if target == keyboard.partition("/")[0] and not android.faults.deaf_keyboard:
            result = _typed(android, keyboard, intent)
    return said(f"Broadcasting: {intent}\nBroadcast completed: result={result}\n")


def _typed(android: Android, keyboard: str, intent: Intent) -> int:
    """What a test keyboard makes of it; it writes into the field with the focus, if there is one."""
    if keyboard == ADB_KEYBOARD:
        _adb_keyboard(android, intent.action, intent.extras)
    elif keyboard == UIAUTOMATOR_KEYBOARD:
        return _uiautomator_keyboard(android, intent.action, intent.extras)
    return 0


def _adb_keyboard(android: Android, action: str, told: dict[str, str]) -> None:
    match action:
        case "ADB_INPUT_TEXT":
            write(android, told.get("msg", ""))
        case "ADB_INPUT_B64":
            write(android, _decoded(told.get("msg", "")))
        case "ADB_INPUT_CHARS":
            write(android, "".join(chr(int(one)) for one in told.get("chars", "").split(",") if one.isdigit()))
        case "ADB_INPUT_CODE" | "ADB_EDITOR_CODE":
            _code(android, action, told.get("code", ""))
        case "ADB_CLEAR_TEXT":
            clear_field(android)


def _uiautomator_keyboard(android: Android, action: str, told: dict[str, str]) -> int:
    match action:
        case "ADB_KEYBOARD_INPUT_TEXT":
            write(android, _decoded(told.get("text", "")))
        case "ADB_KEYBOARD_SET_TEXT":
            clear_field(android)
            write(android, _decoded(told.get("text", "")))
        case "ADB_KEYBOARD_CLEAR_TEXT":
            clear_field(android)
        case _:
            return 0
    return -1


def _code(android: Android, action: str, code: str) -> None:
    """A key's number, or what the field's own action key does."""
    press(android, name_of(code) if action == "ADB_INPUT_CODE" else "ENTER")


def write(android: Android, text: str) -> None:
    """Text from a keyboard of whatever language."""
    if text and not android.guest.locked:
        android.act(TypeText(text))


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text).decode()
    except ValueError:
        return ""


def _prepare(android: Android, extras: dict[str, str]) -> int:
    """-1 when it is done, 1 for a setup that cannot be read."""
    try:
        setup = json.loads(base64.b64decode(extras.get("setup", "")))
        task = Task("sim/prepare", "", "", setup=setup)
        start = start_state(task, android.options.chances, android.options.style)
    except (ValueError, UsageError, KeyError, TypeError) as error:
        android.log("simphone", f"cannot prepare: {type(error).__name__}: {error}", "E")
        return 1
    android.guest.phone = android.guest.start = start
    android.guest.selected = android.guest.locked = False
    android.guest.awake = True
    return -1
