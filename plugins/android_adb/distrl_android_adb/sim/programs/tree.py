"""uiautomator dump."""

from __future__ import annotations

from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.hierarchy import hierarchy
from distrl_android_adb.sim.options import spent
from distrl_android_adb.sim.shell import Call, Outcome, failed, said

_USUAL = "/sdcard/window_dump.xml"
_IDLE = 10.0
"""The phone's seconds that a dump waits for a quiet moment."""


async def uiautomator(call: Call) -> Outcome:
    """`dump [--compressed] [FILE]`; the misspelt answer is Android's own, and so is the code 0 of every failure."""
    if call.arguments[:1] != ("dump",):
        return failed("Usage: uiautomator <subcommand> [options]\n", 1)
    android, faults = call.android, call.android.faults
    paths = [word for word in call.arguments[1:] if not word.startswith("--")]
    compressed = "--compressed" in call.arguments
    path = paths[0] if paths else _USUAL
    if faults.busy and not compressed:
        faults.busy = spent(faults.busy)
        await android.wait(_IDLE)
        return said("ERROR: could not get idle state.\n")
    if faults.rootless:
        faults.rootless = spent(faults.rootless)
        return said("ERROR: null root node returned by UiTestAutomationBridge.\n")
    android.catch_up()
    text = hierarchy(
        android.phone, android.display, android.options.sdk, locked=android.guest.locked, compressed=compressed
    )
    if path == "/dev/tty":
        return said(f"{text}UI hierchary dumped to: {path}\n")
    android.disk[path] = File(text.encode(), changed=int(android.guest.now()))
    return said(f"UI hierchary dumped to: {path}\n")
