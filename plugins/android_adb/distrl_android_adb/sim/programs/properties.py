"""getprop and setprop."""

from __future__ import annotations

from collections.abc import Mapping

from distrl_android_adb.sim.android import STAGES, Android
from distrl_android_adb.sim.shell import Call, Outcome, Program, failed, said

_RELEASES = {23: "6.0", 24: "7.0", 26: "8.0.0", 28: "9", 29: "10", 30: "11", 31: "12", 33: "13", 34: "14", 35: "15"}


def properties(android: Android) -> dict[str, str]:
    """All of them, as they are now."""
    options, progress = android.options, android.progress()
    up = progress >= STAGES["boot_completed"]
    known = {
        "ro.serialno": options.serial,
        "ro.product.model": options.model,
        "ro.product.manufacturer": "distrl",
        "ro.product.brand": "distrl",
        "ro.product.name": "simphone",
        "ro.product.device": "simphone",
        "ro.product.cpu.abi": "x86_64",
        "ro.build.version.sdk": str(options.sdk),
        "ro.build.version.release": _RELEASES.get(options.sdk, "14"),
        "ro.build.type": "user" if options.physical else "userdebug",
        "ro.debuggable": "0" if options.physical else "1",
        "ro.kernel.qemu": "" if options.physical else "1",
        "ro.boot.qemu": "" if options.physical else "1",
        "ro.boot.qemu.avd_name": options.avd,
        "persist.sys.locale": "en-US",
        "persist.sys.timezone": "UTC",
        "sys.boot_completed": "1" if up else "",
        "dev.bootcomplete": "1" if up else "",
        "init.svc.bootanim": "stopped" if progress >= STAGES["bootanim"] else "running",
        "service.bootanim.exit": "1" if progress >= STAGES["bootanim"] else "0",
        "persist.sys.usb.config": "adb",
        "service.adb.root": "1" if android.guest.root else "",
    }
    return {name: value for name, value in {**known, **android.guest.props}.items() if value}


def getprop(call: Call) -> Outcome:
    """One property, or all of them."""
    known = properties(call.android)
    match call.arguments:
        case ():
            return said("".join(f"[{name}]: [{value}]\n" for name, value in sorted(known.items())))
        case (name,):
            return said(known.get(name, "") + "\n")
        case (name, default, *_):
            return said(known.get(name, default) + "\n")
        case _:
            return Outcome()


def setprop(call: Call) -> Outcome:
    """Set one property; those that begin with ro. stay as they are."""
    if len(call.arguments) != 2:
        return failed("setprop: Need 2 arguments\n")
    name, value = call.arguments
    if name.startswith("ro."):
        return failed(f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.\n")
    call.android.guest.props[name] = value
    return Outcome()


PROGRAMS: Mapping[str, Program] = {"getprop": getprop, "setprop": setprop}
