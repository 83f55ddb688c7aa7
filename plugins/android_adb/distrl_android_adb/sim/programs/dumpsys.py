"""dumpsys: what the services say of themselves."""

from __future__ import annotations

from distrl_android_adb.sim.packages import activity_of, package_of
from distrl_android_adb.sim.shell import Call, Outcome, said


def dumpsys(call: Call) -> Outcome:
    """One service."""
    match call.arguments:
        case ("window", *_):
            return said(_window(call))
        case (name, *_):
            return said(f"Can't find service: {name}\n")
        case _:
            return Outcome()


def _window(call: Call) -> str:
    top = call.android.phone.top
    package, activity = package_of(top.app), activity_of(top)
    return (
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n"
        "  Display: mDisplayId=0 (organized)\n"
        f"  mCurrentFocus=Window{{a3 u0 {package}/{package}.{activity}}}\n"
        f"  mFocusedApp=ActivityRecord{{a2 u0 {package}/.{activity} t12}}\n"
    )
