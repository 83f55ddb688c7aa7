"""Starting, stopping and wiping apps. Exit codes say nothing: the text does, and then the screen."""

from __future__ import annotations

from distrl_android_adb.apps import App, launch_trouble, read_apps, read_component, read_launchers
from distrl_android_adb.phone import Phone
from distrl_sdk.errors import DeviceError

_SECONDS = 30.0
_NEW_TASK = "0x10200000"
"""FLAG_ACTIVITY_NEW_TASK and RESET_TASK_IF_NEEDED, as a launcher starts an app."""
_MAIN, _ICON = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


def list_apps(phone: Phone) -> tuple[App, ...]:
    """The apps with an icon. Raises DeviceError when the phone lists none."""
    asked = phone.link.ask("cmd", "package", "query-activities", "-a", _MAIN, "-c", _ICON, seconds=_SECONDS)
    apps = read_apps(asked.text)
    if not apps:
        raise DeviceError(f"the phone lists no apps: {asked.text.strip()[:200] or 'it said nothing'}")
    return apps


def home_package(phone: Phone) -> str:
    """The package of the home screen, '' where it is not told."""
    words = ("cmd", "package", "resolve-activity", "--brief", "-a", _MAIN, "-c", "android.intent.category.HOME")
    return read_component(phone.link.ask(*words).text).partition("/")[0]


def launch(phone: Phone, package: str) -> None:
    """Start an app as its icon would, once. Raises DeviceError when the phone says that it did not start."""
    component = find_launcher(phone, package)
    words = ("am", "start", "-W", "-n", component, "-a", _MAIN, "-c", _ICON, "-f", _NEW_TASK)
    reply = phone.once(*words, seconds=_SECONDS)
    if reply is not None and (trouble := launch_trouble(reply.text)):
        raise DeviceError(f"{package} did not start: {trouble[:200]}")


def find_launcher(phone: Phone, package: str) -> str:
    """The activity behind a package's icon. Raises DeviceError when it has none."""
    asked = phone.link.ask("cmd", "package", "resolve-activity", "--brief", package)
    component = read_component(asked.text)
    if not component.startswith(f"{package}/"):
        component = read_launchers(phone.link.ask("dumpsys", "package", package).text, package)
    if not component:
        raise DeviceError(f"{package} has no icon to start it by")
    return component


def stop(phone: Phone, package: str) -> None:
    """Force an app to stop. Raises DeviceError when the phone refuses."""
    reply = phone.once("am", "force-stop", package)
    if reply is not None and (trouble := launch_trouble(reply.text)):
        raise DeviceError(f"{package} was not stopped: {trouble[:200]}")


def wipe(phone: Phone, package: str) -> None:
    """Make an app as new: its files and its permissions are gone. Raises DeviceError when the phone refuses."""
    reply = phone.link.ask("pm", "clear", package, seconds=_SECONDS)  # to clear twice is to clear once
    if "Success" not in reply.text:
        raise DeviceError(f"{package} was not wiped: {reply.text.strip()[:200] or 'pm clear said nothing'}")
