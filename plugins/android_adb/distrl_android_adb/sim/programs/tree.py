"""uiautomator dump."""

from __future__ import annotations

import asyncio

from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.hierarchy import hierarchy
from distrl_android_adb.sim.shell import Call, Outcome, failed, said

_USUAL = "/sdcard/window_dump.xml"


async def uiautomator(call: Call) -> Outcome:
    """`dump [--compressed] [FILE]`; the misspelt answer is Android's own."""
    if call.arguments[:1] != ("dump",):
        return failed("Usage: uiautomator <subcommand> [options]\n", 1)
    paths = [word for word in call.arguments[1:] if not word.startswith("--")]
    path = paths[0] if paths else _USUAL
    android = call.android
    width, height = android.size()
    text = await asyncio.to_thread(hierarchy, android.phone, width, height)
    android.guest.files[path] = File(text.encode(), changed=int(android.guest.now()))
    if path == "/dev/tty":
        return said(f"{text}UI hierchary dumped to: {path}\n")
    return said(f"UI hierchary dumped to: {path}\n")
