"""Which window has the focus, as the window manager names it, and whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from distrl_android_adb.sim.packages import MAIN, PERMISSIONS, SYSTEM_UI, activity_of, package_of, slug
from distrl_sdk.simphone.apps.calls import APP as DIALER
from distrl_sdk.simphone.state import SHADE, PhoneState, Screen

SHADE_WINDOW = "NotificationShade"
_ASKS = ("permission", "location", "camera")
_NOTICES = ("update", "battery", "backup", "storage")
_PERMISSION_IDS = {
    "deny": "permission_deny_button",
    "allow": "permission_allow_button",
    "while": "permission_allow_foreground_only_button",
}


@dataclass(frozen=True, slots=True)
class Window:
    """The focused window."""

    title: str
    """'package/package.Class', or a name without a slash for what is no activity."""
    package: str
    """Of what is in it."""
    app: str
    """The focused app: 'package/.Class'."""
    ids: Mapping[str, str] = field(default_factory=dict)
    """simphone's name of a button -> its resource id, where the system's differ from the app's."""


def focused(state: PhoneState, locked: bool = False) -> Window:
    """The focused window of a phone."""
    below = next((screen for screen in reversed(state.stack) if screen.app != SHADE), state.stack[0])
    app = f"{package_of(below.app)}/.{activity_of(below)}"
    if locked:
        return Window(SHADE_WINDOW, SYSTEM_UI, app)
    if state.popup:
        return _popup(state, app)
    if state.top.app == SHADE:
        return Window(SHADE_WINDOW, SYSTEM_UI, app)
    return _activity(package_of(state.top.app), activity_of(state.top))


def _activity(package: str, name: str, ids: Mapping[str, str] | None = None) -> Window:
    return Window(f"{package}/{package}.{name}", package, f"{package}/.{name}", ids or {})


def _popup(state: PhoneState, app: str) -> Window:
    kind = state.popup.partition(":")[0]
    if kind == "stuck":
        ids = {"popup:close": "android:id/aerr_close", "popup:wait": "android:id/aerr_wait"}
        return Window(f"Application Not Responding: {package_of(state.top.app)}", "android", app, ids)
    if kind in _ASKS:
        ids = {f"popup:{name}": f"{PERMISSIONS}:id/{found}" for name, found in _PERMISSION_IDS.items()}
        return _activity(PERMISSIONS, "permission.ui.GrantPermissionsActivity", ids)
    if kind in _NOTICES:
        return _activity(SYSTEM_UI, f"notice.{kind.capitalize()}Activity")
    if kind == "call":
        return _activity(package_of(DIALER), "IncomingCallActivity")
    return _activity(package_of(state.top.app), activity_of(state.top))


def identifier(window: Window, name: str, shown: str) -> str:
    """The resource id of what simphone calls `name` and shows as `shown`; '' where it has none."""
    known = window.ids.get(name)
    return known if known is not None else f"{window.package}:id/{slug(shown)}" if shown else ""


def launcher_component(screen: Screen) -> str:
    """'package/.MainActivity' of the app of a screen."""
    return f"{package_of(screen.app)}/.{MAIN}"
