"""dumpsys: what the services say of themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.packages import MAIN, app_of
from distrl_android_adb.sim.programs.package import installed, path_of, uid_of
from distrl_android_adb.sim.programs.screen import display_ids
from distrl_android_adb.sim.programs.window import natural_density
from distrl_android_adb.sim.shell import Call, Outcome, failed, said
from distrl_sdk.simphone.scene import scene_of

_INSTALLED = "2025-11-27 00:52:16"


def dumpsys(call: Call) -> Outcome:
    """One service, or with -l the names of all. What is not there is said on standard output, with code 0."""
    words = list(call.arguments)
    if words[:1] == ["-t"]:
        del words[:2]
    if words[:1] in ([], ["-l"]):
        return said("Currently running services:\n" + "".join(f"  {name}\n" for name in sorted(SERVICES)))
    name, *rest = words
    dump = SERVICES.get(name)
    if dump is None or not call.android.has(name):
        return said(f"Can't find service: {name}\n")
    if name == "battery" and rest:
        return _set_battery(call.android, rest)
    text = "".join(f"{line}\n" for line in dump(call.android, rest))
    if call.android.faults.digits:
        text = _localised(text, call.android.faults.digits)
    return said(text)


def _localised(text: str, digits: str) -> str:
    """Dates in the digits of a language; everything else stays as it is."""
    table = str.maketrans("0123456789", digits)
    lines = text.splitlines(keepends=True)
    return "".join(line.translate(table) if "Time=" in line else line for line in lines)


def _window(android: Android, words: list[str]) -> Iterator[str]:
    window, display = android.window(), android.display
    yield f"WINDOW MANAGER DISPLAY CONTENTS (dumpsys window {words[0] if words else 'displays'})"
    natural = android.guest.size or android.natural_size()
    yield "  Display: mDisplayId=0 (organized)"
    yield f"    init={natural[0]}x{natural[1]} {natural_density(android)}dpi cur={display.width}x{display.height}"
    yield f"    mCurrentRotation=ROTATION_{90 * display.rotation}"
    if android.faults.displays > 1:  # the other screen has a focused app of its own, and no window with the focus
        yield "  mCurrentFocus=null"
        yield "  mFocusedApp=ActivityRecord{f00d u0 com.android.systemui/.subscreen.SubHomeActivity t7}"
    yield f"  mCurrentFocus=Window{{a3f1c2 u0 {window.title}}}"
    yield f"  mFocusedApp=ActivityRecord{{b4e7d8 u0 {window.app} t12}}"
    locked = str(android.guest.locked).lower()
    yield f"  mDreamingLockscreen={locked} mShowingLockscreen={locked} isKeyguardShowing={locked}"


def _activity(android: Android, words: list[str]) -> Iterator[str]:
    app = android.window().app
    if words[:1] == ["top"]:
        package = app.partition("/")[0]
        yield f"TASK {package} id=12 userId=0"
        yield f"  ACTIVITY {app} b4e7d8 pid={uid_of(package)}"
        return
    yield "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)"
    yield "Display #0 (activities from top to bottom):"
    yield f"  * Task{{9d1 #12 type=standard A={uid_of(app)}:{app.partition('/')[0]}}}"
    yield f"    topResumedActivity=ActivityRecord{{b4e7d8 u0 {app} t12}}"
    yield f"  ResumedActivity: ActivityRecord{{b4e7d8 u0 {app} t12}}"


def _input(android: Android, _words: list[str]) -> Iterator[str]:
    display = android.display
    width, height = display.width, display.height
    yield "Input Manager State:"
    if android.options.sdk < 33:
        yield f"      SurfaceOrientation: {display.rotation}"
    yield (
        f"    Viewport INTERNAL: displayId=0, uniqueId=local:{display_ids(android)[-1]}, port=0, "
        f"orientation={display.rotation}, logicalFrame=[0, 0, {width}, {height}], "
        f"physicalFrame=[0, 0, {width}, {height}], deviceSize=[{width}, {height}], isActive=[1]"
    )


def _input_method(android: Android, _words: list[str]) -> Iterator[str]:
    shown = scene_of(android.phone).keyboard and android.guest.awake
    current = android.guest.settings["secure"].get("default_input_method", "")
    drawn = shown and current == android.options.keyboards[0]
    yield "Current Input Method Manager state:"
    yield f"  mCurMethodId={current}"
    yield f"  mCurId={current} mHaveConnection=true mBoundToMethod=true"
    yield f"  mShowRequested={str(shown).lower()} mInputShown={str(shown).lower()}"
    yield f"    mIsInputViewShown={str(drawn).lower()} mStatusIcon=0"


def _power(android: Android, _words: list[str]) -> Iterator[str]:
    state = "Awake" if android.guest.awake else "Asleep"
    yield "POWER MANAGER (dumpsys power)"
    yield f"  mWakefulness={state}"
    yield f"  mIsPowered={str(android.guest.battery.plugged).lower()}"
    yield f"  mStayOn={str(android.guest.settings['global'].get('stay_on_while_plugged_in', '0') != '0').lower()}"
    yield f"Display Power: state={'ON' if android.guest.awake else 'OFF'}"


def _battery(android: Android, _words: list[str]) -> Iterator[str]:
    battery = android.guest.battery
    yield "Current Battery Service state:"
    yield f"  AC powered: {str(battery.plugged).lower()}"
    yield "  USB powered: false"
    yield "  Wireless powered: false"
    yield f"  status: {2 if battery.plugged else 3}"
    yield "  health: 2"
    yield "  present: true"
    yield f"  level: {battery.level}"
    yield "  scale: 100"
    yield "  voltage: 4200"
    yield f"  temperature: {battery.tenths}"
    yield "  technology: Li-ion"


def _set_battery(android: Android, words: list[str]) -> Outcome:
    battery = android.guest.battery
    match words:
        case ["set", "level", number] if number.isdigit():
            battery.level = int(number)
        case ["set", "temp", number] if number.isdigit():
            battery.tenths = int(number)
        case ["set", "ac" | "usb", "0" | "1" as on]:
            battery.plugged = on == "1"
        case ["unplug"]:
            battery.plugged = False
        case ["reset"]:
            battery.level, battery.tenths, battery.plugged = 100, 271, True
        case _:
            return failed(f"Unknown set option: {' '.join(words)}\n", 255)
    return Outcome()


def _display(android: Android, _words: list[str]) -> Iterator[str]:
    display = android.display
    yield "DISPLAY MANAGER (dumpsys display)"
    yield f"  mScreenState={'ON' if android.guest.awake else 'OFF'}"
    yield (
        f"  DisplayViewport{{type=INTERNAL, valid=true, displayId=0, orientation={display.rotation}, "
        f"logicalFrame=Rect(0, 0 - {display.width}, {display.height}), "
        f"deviceWidth={display.width}, deviceHeight={display.height}}}"
    )


def _surfaces(android: Android, _words: list[str]) -> Iterator[str]:
    for number, name in enumerate(display_ids(android)):
        yield f'Display {name} (HWC display {number}): port={number} pnpId=GGL displayName=""'


def _package(android: Android, words: list[str]) -> Iterator[str]:
    for package in [one for one in installed(android) if words[:1] in ([], [one])]:
        if app_of(android.phone, package):
            yield "Activity Resolver Table:"
            yield "  Non-Data Actions:"
            yield "      android.intent.action.MAIN:"
            yield f"        4c1a0b {package}/.{MAIN} filter 7d2e5f"
            yield '          Action: "android.intent.action.MAIN"'
            yield '          Category: "android.intent.category.LAUNCHER"'
        yield "Packages:"
        yield f"  Package [{package}] (3f2a1c):"
        yield f"    userId={uid_of(package)}"
        yield f"    codePath={path_of(package).rpartition('/')[0]}"
        yield "    versionCode=1 minSdk=24 targetSdk=34"
        yield "    versionName=1.0"
        yield f"    firstInstallTime={_INSTALLED}"
        yield f"    lastUpdateTime={_INSTALLED}"
        enabled = 3 if package in android.guest.disabled else 0
        yield f"    User 0: installed=true hidden=false stopped=false enabled={enabled}"
        yield "      runtime permissions:"
        for permission in sorted(android.guest.grants.get(package, ())):
            yield f"        {permission}: granted=true, flags=[ USER_SET ]"


def _telephony(android: Android, _words: list[str]) -> Iterator[str]:
    calling = any(screen.app == "Phone" and screen.page == "call" for screen in android.phone.stack)
    yield "last known state:"
    yield f"    mCallState={2 if calling else int(android.phone.popup.startswith('call'))}"


def _notification(android: Android, _words: list[str]) -> Iterator[str]:
    yield "Current Notification Manager state:"
    for number, note in enumerate(android.phone.apps["Shade"].notifications):
        yield f"  NotificationRecord(0x{number:08x}: pkg=com.android.systemui user=0 id={number} tag=null)"
        yield f"    android.title=String ({note.kind})"
        yield f"    android.text=String ({note.about})"


SERVICES: Mapping[str, Callable[[Android, list[str]], Iterator[str]]] = {
    "SurfaceFlinger": _surfaces,
    "activity": _activity,
    "battery": _battery,
    "display": _display,
    "input": _input,
    "input_method": _input_method,
    "notification": _notification,
    "package": _package,
    "power": _power,
    "telephony.registry": _telephony,
    "window": _window,
}
"""Those that answer."""
