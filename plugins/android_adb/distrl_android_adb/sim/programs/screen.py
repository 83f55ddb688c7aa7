"""screencap."""

from __future__ import annotations

import asyncio

from distrl_android_adb.sim import picture
from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.shell import Call, Outcome

_FOUR_WORDS = 28
"""The API level from which on the raw form tells the colour space."""


async def screencap(call: Call) -> Outcome:
    """The display as PNG (-p, or a file that ends with .png) or as raw pixels, to a file or to standard output."""
    paths = [word for word in call.arguments if not word.startswith("-")]
    android = call.android
    state, awake = android.phone, android.guest.awake
    png = "-p" in call.arguments or (paths and paths[-1].endswith(".png"))
    key = ("png" if png else "raw", awake)
    content = android.remembered(state, key)
    if content is None:
        drawn = await asyncio.to_thread(picture.pixels, android)
        words = 4 if android.options.sdk >= _FOUR_WORDS else 3
        content = await asyncio.to_thread(picture.as_png, drawn) if png else picture.as_raw(drawn, words)
        android.remember(state, key, content)
    if not paths:
        return Outcome(content)
    android.guest.files[paths[-1]] = File(content, changed=int(android.guest.now()))
    return Outcome()
