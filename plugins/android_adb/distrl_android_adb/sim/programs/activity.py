"""am: starting and stopping apps."""

from __future__ import annotations

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.packages import app_of, package_of
from distrl_android_adb.sim.shell import Call, Outcome, failed, said
from distrl_sdk.simphone.state import HOME
from distrl_sdk.types import Key, Press


def am(call: Call) -> Outcome:
    """start, force-stop."""
    match call.arguments:
        case ("start", *rest):
            return _start(call.android, rest)
        case ("force-stop", package):
            stop(call.android, package)
            return Outcome()
        case _:
            return failed(f"Unknown command: {' '.join(call.arguments)}\n", 255)


def stop(android: Android, package: str) -> None:
    """End an app; if it was on top, the home screen is."""
    if android.phone.top.app != HOME and package_of(android.phone.top.app) == package:
        android.phone = android.phone.pop(len(android.phone.stack))


def _start(android: Android, words: list[str]) -> Outcome:
    name = next((words[place + 1] for place, word in enumerate(words[:-1]) if word == "-n"), "")
    home = "android.intent.category.HOME" in words
    package = name.partition("/")[0]
    app = HOME if home else app_of(android.phone, package)
    shown = f"Starting: Intent {{ act=android.intent.action.MAIN cmp={name} }}\n"
    if not app:
        return Outcome(
            shown.encode(),
            f"Error type 3\nError: Activity class {{{name}}} does not exist.\n".encode(),
            1,
        )
    if app == HOME:
        android.act(Press(Key.HOME))
    else:
        android.react(("app", app))
    return said(shown)
