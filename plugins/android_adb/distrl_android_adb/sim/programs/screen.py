"""screencap."""

from __future__ import annotations

import asyncio

from distrl_android_adb.sim import picture
from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.shell import Call, Outcome, failed

_FOUR_WORDS = 28
"""The API level from which on the raw form tells the colour space."""
DISPLAY_IDS = ("4619827551948147201", "4619827259835644672")
"""Physical ids; of two displays the drawn phone is on the second, as on a folded phone."""
_WARNING = (
    b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first display found, "
    b"however this default is not guaranteed to be consistent across captures. A display id should be specified.\n"
    b"A display ID can be specified with the [-d display-id] option.\n"
    b'See "dumpsys SurfaceFlinger --display-id" for valid display IDs.\n'
)


def display_ids(android: Android) -> tuple[str, ...]:
    """The physical displays; the phone is on the last."""
    return DISPLAY_IDS[len(DISPLAY_IDS) - android.faults.displays :]


async def screencap(call: Call) -> Outcome:
    """The display as PNG (-p, or a file that ends with .png) or as raw pixels, to a file or to standard output."""
    words, ids = list(call.arguments), display_ids(call.android)
    wanted = ""
    if "-d" in words[:-1]:
        place = words.index("-d")
        wanted = words[place + 1]
        del words[place : place + 2]
        if wanted not in (*ids, "0"):
            return failed(f"Invalid display id: {wanted}\n")
    if not call.android.has("SurfaceFlinger"):
        return failed("Failed to take screenshot. Status: -2147483648\n")
    paths = [word for word in words if not word.startswith("-")]
    png = "-p" in words or (bool(paths) and paths[-1].endswith(".png"))
    content = await _content(call.android, png, dark=len(ids) > 1 and wanted in ("", "0", ids[0]))
    warning = _WARNING if len(ids) > 1 and not wanted else b""
    if not paths:
        return Outcome(warning + content)
    call.android.disk[paths[-1]] = File(content, changed=int(call.android.guest.now()))
    return Outcome(warning)


async def _content(android: Android, png: bool, dark: bool) -> bytes:
    android.catch_up()
    state, view = android.phone, android.view()
    view = view._replace(dark=view.dark or dark)
    form = ("png" if png else "raw", view)
    known = android.remembered(state, form)
    if known is not None:
        return known
    drawn = await asyncio.to_thread(picture.pixels, state, view)
    words = 4 if android.options.sdk >= _FOUR_WORDS else 3
    content = await asyncio.to_thread(picture.as_png, drawn) if png else picture.as_raw(drawn, words)
    android.remember(state, form, content)
    return content
