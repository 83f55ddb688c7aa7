"""am and monkey: starting and stopping apps, and messages to them."""

from __future__ import annotations

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.intents import Intent, IntentError, parse_intent
from distrl_android_adb.sim.links import follow
from distrl_android_adb.sim.packages import LAUNCHER, MAIN, app_of, package_of, packages
from distrl_android_adb.sim.programs import broadcasts
from distrl_android_adb.sim.shell import Call, Outcome, failed, said
from distrl_sdk.simphone.state import HOME
from distrl_sdk.types import Key, Press

_MAIN = "android.intent.action.MAIN"
_FRONT = "Warning: Activity not started, its current task has been brought to the front\n"


def am(call: Call) -> Outcome:
    """start, force-stop, kill, broadcast, startservice, get-current-user."""
    verb, *words = call.arguments or ("",)
    try:
        match verb:
            case "start" | "start-activity":
                return _start(call.android, parse_intent(words))
            case "broadcast":
                return broadcasts.broadcast(call.android, parse_intent(words))
            case "startservice" | "start-service" | "start-foreground-service":
                return said(f"Starting service: {parse_intent(words)}\nError: Not found; no service started.\n")
            case "force-stop" | "kill" if words:
                stop(call.android, words[-1])
                return Outcome()
            case "get-current-user":
                return said("0\n")
            case "kill-all" | "switch-user" | "wait-for-broadcast-idle":
                return Outcome()
            case _:
                return failed(f"Unknown command: {verb}\n", 255)
    except IntentError as error:
        return failed(f"Exception occurred while executing '{verb}':\n{error}\n", 255)


def stop(android: Android, package: str) -> None:
    """End an app: it is gone from the screen, and so is what it had asked."""
    state = android.phone
    if state.top.app != HOME and package in (package_of(screen.app) for screen in state.stack):
        android.phone = state.pop(len(state.stack))


def _start(android: Android, intent: Intent) -> Outcome:
    """The code is 0 whatever comes of it."""
    if intent.stop:
        stop(android, intent.component.partition("/")[0] or intent.package)
    shown = f"Starting: {intent}\n"
    package, activity = _target(intent)
    if package and not activity:
        return _open(android, intent, shown, package)
    if package:
        if package not in packages(android.phone) or activity != f"{package}.{MAIN}":
            told = f"Error type 3\nError: Activity class {{{package}/{activity}}} does not exist.\n"
            return Outcome(shown.encode(), told.encode())
        return _open(android, intent, shown, package)
    if intent.action == _MAIN and "android.intent.category.HOME" in intent.categories:
        return _open(android, intent, shown, LAUNCHER)
    if intent.data or intent.action.startswith("android.settings."):
        opened = follow(android.phone, intent.data or intent.action)
        if opened is not None:
            android.phone = opened
            return said(shown + (_report(android) if intent.wait else ""))
    return Outcome(shown.encode(), f"Error: Activity not started, unable to resolve {intent}\n".encode())


def _target(intent: Intent) -> tuple[str, str]:
    """(package, the activity's full name, '' for its main one)"""
    package, _, name = intent.component.partition("/")
    if name:
        return package, package + name if name.startswith(".") else name
    return ("" if intent.data else intent.package), ""


def _open(android: Android, intent: Intent, shown: str, package: str) -> Outcome:
    app = app_of(android.phone, package)
    if not app or package in android.guest.disabled:
        return Outcome(shown.encode(), f"Error: Activity not started, unable to resolve {intent}\n".encode())
    warning = ""
    if app == HOME:
        android.act(Press(Key.HOME))
    elif android.phone.top.app == app:
        warning = _FRONT
    else:
        android.start(app)
    return Outcome((shown + (_report(android) if intent.wait else "")).encode(), warning.encode())


def _report(android: Android) -> str:
    return f"Status: ok\nLaunchState: COLD\nActivity: {android.window().app}\nTotalTime: 312\nWaitTime: 318\nComplete\n"


def monkey(call: Call) -> Outcome:
    """`-p PACKAGE [-c CATEGORY] COUNT`: with a count of 1 it starts the app, and that is all it is used for here."""
    words = list(call.arguments)
    package = words[words.index("-p") + 1] if "-p" in words[:-1] else ""
    keyless = "--pct-syskeys" in words[:-1] and words[words.index("--pct-syskeys") + 1] == "0"
    head = f"  bash arg: {'  bash arg: '.join(f'{word}' + chr(10) for word in words)}"
    app = app_of(call.android.phone, package)
    if not call.android.faults.syskeys and not keyless:
        return Outcome(head.encode(), b"** SYS_KEYS has no physical keys but with factor 2.0%.\n", 251)
    if not app:
        return Outcome(
            f"{head}** No activities found to run, monkey aborted.\n".encode(), b"args: " + repr(words).encode(), 252
        )
    if app == HOME:
        call.android.act(Press(Key.HOME))
    elif call.android.phone.top.app != app:
        call.android.start(app)
    return said(
        f"{head}Events injected: 1\n## Network stats: elapsed time=24ms (0ms mobile, 0ms wifi, 24ms not connected)\n"
    )
