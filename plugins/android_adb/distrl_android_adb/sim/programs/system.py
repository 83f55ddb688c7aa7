"""The clock, services, power, users, and `cmd`, which leads to the other programs."""

from __future__ import annotations

import calendar
import re
import time
from collections.abc import Awaitable, Mapping

from distrl_android_adb.sim.android import SERVICES, Android
from distrl_android_adb.sim.packages import package_of
from distrl_android_adb.sim.programs import activity, dumpsys, package, settings, touch, window
from distrl_android_adb.sim.programs.package import uid_of
from distrl_android_adb.sim.shell import Call, Outcome, Program, failed, said
from distrl_sdk.simphone.state import SHADE

_ROUTES: Mapping[str, Program] = {
    "activity": activity.am, "input": touch.input_, "package": package.pm, "settings": settings.settings,
    "window": window.wm,
}  # fmt: skip
_INTERFACES = {**dict.fromkeys(dumpsys.SERVICES), **dict.fromkeys(SERVICES), "alarm": None, "statusbar": None}


def cmd(call: Call) -> Outcome | Awaitable[Outcome]:
    """`cmd SERVICE ...`"""
    name, *words = call.arguments or ("",)
    if name == "-l":
        return said("".join(f"{one}\n" for one in sorted(_INTERFACES)))
    if not call.android.has(name):
        return failed(f"cmd: Can't find service: {name}\n", 20)
    if name in _ROUTES:
        return _ROUTES[name](Call(call.android, (name, *words), call.stdin, call.shell, call.emit))
    match [name, *words]:
        case ["statusbar", "expand-notifications" | "expand-settings"]:
            call.android.show_shade()
        case ["statusbar", "collapse"]:
            if call.android.phone.top.app == SHADE:
                call.android.phone = call.android.phone.pop()
        case ["uimode", "night", "yes" | "no" as night]:
            settings.put(call.android, "secure", "ui_night_mode", "2" if night == "yes" else "1")
            return said(f"Night mode: {night}\n")
        case ["wifi", "set-wifi-enabled", wanted]:
            settings.put(call.android, "global", "wifi_on", str(int(wanted == "enabled")))
        case ["connectivity", "airplane-mode", wanted]:
            settings.put(call.android, "global", "airplane_mode_on", str(int(wanted == "enable")))
        case _:
            return failed(f"cmd: Can't find service: {name}\n", 20)
    return Outcome()


def date(call: Call) -> Outcome:
    """`date`, `date +FORMAT`, and, as root, `date MMDDhhmm[[CC]YY][.ss]`."""
    guest = call.android.guest
    words = [word for word in call.arguments if word != "-u"]
    match words:
        case []:
            return said(time.strftime("%a %b %e %H:%M:%S UTC %Y\n", time.gmtime(guest.now())))
        case [form] if form.startswith("+"):
            text = form[1:].replace("%s", str(int(guest.now())))
            return said(time.strftime(text, time.gmtime(guest.now())) + "\n")
        case [wanted] if (moment := _moment(wanted)) is not None:
            if not guest.root:
                return failed("date: cannot set date: Operation not permitted\n")
            guest.clock = moment - time.time()
            return Outcome()
        case _:
            return failed(f"date: bad date '{' '.join(words)}'\n")


def _moment(text: str) -> float | None:
    found = re.fullmatch(r"(\d\d)(\d\d)(\d\d)(\d\d)(\d{4}|\d\d)?(?:\.(\d\d))?", text)
    if found is None:
        return None
    month, day, hour, minute = (int(found[number]) for number in range(1, 5))
    year = int(found[5] or time.strftime("%Y"))
    year += 2000 if year < 100 else 0
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60):
        return None
    return float(calendar.timegm((year, month, day, hour, minute, int(found[6] or 0), 0, 0, 0)))


def service(call: Call) -> Outcome:
    """check, list, call."""
    match call.arguments:
        case ("check", name):
            there = name in _INTERFACES and call.android.has(name)
            return said(f"Service {name}: {'found' if there else 'not found'}\n")
        case ("list",):
            names = [name for name in sorted(_INTERFACES) if call.android.has(name)]
            lines = (f"{number}\t{name}: [android.os.I{name}]\n" for number, name in enumerate(names))
            return said(f"Found {len(names)} services:\n{''.join(lines)}")
        case ("call", "alarm", "3", "s16", zone):
            call.android.guest.props["persist.sys.timezone"] = zone
            return said("Result: Parcel(00000000    '....')\n")
        case ("call", name, *_):
            return (
                said(f"service: Service {name} does not exist\n", 10)
                if name not in _INTERFACES
                else said("Result: Parcel(00000000    '....')\n")
            )
        case _:
            return failed("Usage: service [-h|-?]\n", 10)


def svc(call: Call) -> Outcome:
    """power stayon, and wifi, data, bluetooth enable or disable."""
    rows = {"wifi": "wifi_on", "data": "mobile_data", "bluetooth": "bluetooth_on"}
    match call.arguments:
        case ("power", "stayon", wanted):
            numbers = {"true": "7", "false": "0", "usb": "2", "ac": "1", "wireless": "4"}
            if wanted not in numbers:
                return failed(f"Invalid argument: {wanted}\n", 255)
            settings.put(call.android, "global", "stay_on_while_plugged_in", numbers[wanted])
        case ("power", "reboot", *_):
            call.android.power_on()
        case (what, "enable" | "disable" as wanted) if what in rows:
            settings.put(call.android, "global", rows[what], str(int(wanted == "enable")))
        case _:
            return failed("Available commands:\n    power\n    data\n    wifi\n    bluetooth\n", 255)
    return Outcome()


def reboot(call: Call) -> Outcome:
    """Off and on again; with -p off for good."""
    if "-p" in call.arguments:
        call.android.power_off()
    else:
        call.android.power_on()
    return Outcome()


async def su(call: Call) -> Outcome:
    """`su 0 COMMAND`: an emulator has it, a phone that is sold does not."""
    if call.android.options.physical or call.shell is None:
        return failed("/system/bin/sh: su: inaccessible or not found\n", 127)
    words = call.arguments[1:]
    was, call.android.guest.root = call.android.guest.root, True
    try:
        return await call.shell.call(words, call.stdin) if words else Outcome()
    finally:
        call.android.guest.root = was


def _identity(android: Android) -> str:
    return "uid=0(root) gid=0(root)" if android.guest.root else "uid=2000(shell) gid=2000(shell)"


def pidof(call: Call) -> Outcome:
    """The number of an app that runs."""
    running = {package_of(screen.app) for screen in call.android.phone.stack}
    name = call.arguments[-1] if call.arguments else ""
    return said(f"{uid_of(name)}\n") if name in running else Outcome(code=1)


PROGRAMS: Mapping[str, Program] = {
    "date": date,
    "id": lambda call: said(f"{_identity(call.android)} context=u:r:shell:s0\n"),
    "pidof": pidof,
    "pwd": lambda _: said("/\n"),
    "reboot": reboot,
    "service": service,
    "su": su,
    "svc": svc,
    "uptime": lambda _: said(" 12:00:00 up 1 day,  0 users,  load average: 0.10, 0.10, 0.10\n"),
    "whoami": lambda call: said("root\n" if call.android.guest.root else "shell\n"),
}
