"""The programs that the device's shell finds, by name."""

from __future__ import annotations

from collections.abc import Mapping

from distrl_android_adb.sim.programs import (
    activity,
    content,
    dumpsys,
    files,
    keyboard,
    logcat,
    package,
    properties,
    screen,
    settings,
    system,
    text,
    touch,
    tree,
    window,
)
from distrl_android_adb.sim.shell import Program

PROGRAMS: Mapping[str, Program] = {
    **files.PROGRAMS,
    **text.PROGRAMS,
    **properties.PROGRAMS,
    **system.PROGRAMS,
    "am": activity.am,
    "cmd": system.cmd,
    "content": content.content,
    "dumpsys": dumpsys.dumpsys,
    "ime": keyboard.ime,
    "input": touch.input_,
    "logcat": logcat.logcat,
    "monkey": activity.monkey,
    "pm": package.pm,
    "screencap": screen.screencap,
    "settings": settings.settings,
    "uiautomator": tree.uiautomator,
    "wm": window.wm,
}
