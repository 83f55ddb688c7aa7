"""The programs that the device's shell finds, by name."""

from __future__ import annotations

from collections.abc import Mapping

from distrl_android_adb.sim.programs import activity, dumpsys, files, properties, screen, settings, touch, tree, window
from distrl_android_adb.sim.shell import Program

PROGRAMS: Mapping[str, Program] = {
    **files.PROGRAMS,
    **properties.PROGRAMS,
    "am": activity.am,
    "dumpsys": dumpsys.dumpsys,
    "input": touch.input_,
    "screencap": screen.screencap,
    "settings": settings.settings,
    "uiautomator": tree.uiautomator,
    "wm": window.wm,
}
