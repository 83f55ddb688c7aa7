"""pm and cmd package: what is installed, and what starts it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.apk import read_apk
from distrl_android_adb.sim.packages import LAUNCHER, MAIN, PREFIX, app_of, is_built_in, label_of, packages, slug
from distrl_android_adb.sim.programs.activity import stop
from distrl_android_adb.sim.shell import Call, Outcome, failed, said
from distrl_sdk.simphone.state import HOME

_BRIEF = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\n"


def pm(call: Call) -> Outcome:
    """path, list, clear, grant, revoke, install, uninstall, enable, disable-user, resolve- and query-activities."""
    verb, *words = call.arguments or ("",)
    program = _VERBS.get(verb)
    if program is None:
        return failed(f"Unknown command: {verb}\n", 255)
    return program(call.android, words)


def installed(android: Android) -> tuple[str, ...]:
    """Every package, the keyboards' too."""
    guest = android.guest
    more = (name.partition("/")[0] for name in android.options.keyboards)
    known = dict.fromkeys((*packages(android.phone), *more, *sorted(guest.foreign)))
    return tuple(name for name in known if name not in guest.removed)


def path_of(package: str) -> str:
    """Where its archive is."""
    if package == "android":
        return "/system/framework/framework-res.apk"
    if is_built_in(package):
        return f"/system/app/{package}/{package}.apk"
    return f"/data/app/~~b2Zm/{package}-c2lt/base.apk"


def _path(android: Android, words: list[str]) -> Outcome:
    package = words[-1] if words else ""
    return said(f"package:{path_of(package)}\n") if package in installed(android) else Outcome(code=1)


def _feature(_android: Android, words: list[str]) -> Outcome:
    return said("true\n" if words[-1:] == ["android.hardware.touchscreen"] else "false\n")


def _list(android: Android, words: list[str]) -> Outcome:
    match words:
        case ["packages", *rest]:
            flags = [word for word in rest if word.startswith("-")]
            wanted = next((word for word in rest if not word.startswith("-")), "")
            lines = [_line(one, flags) for one in installed(android) if wanted in one and _listed(android, one, flags)]
            return said("".join(lines))
        case ["users"]:
            return said("Users:\n\tUserInfo{0:Owner:c13} running\n")
        case ["features"]:
            return said("feature:android.hardware.touchscreen\n")
        case ["permissions" | "instrumentation" | "libraries", *_]:
            return Outcome()
        case _:
            return failed(f"Error: unknown list type '{' '.join(words)}'\n", 255)


def _listed(android: Android, package: str, flags: list[str]) -> bool:
    wanted = {"-3": not is_built_in(package), "-s": is_built_in(package), "-d": package in android.guest.disabled,
              "-e": package not in android.guest.disabled}  # fmt: skip
    return all(wanted.get(flag, True) for flag in flags)


def _line(package: str, flags: list[str]) -> str:
    shown = f"{path_of(package)}={package}" if "-f" in flags else package
    return f"package:{shown}{f' uid:{uid_of(package)}' if '-U' in flags else ''}\n"


def uid_of(package: str) -> int:
    """The user of a package, the same for ever."""
    return 10_000 + sum(map(ord, package)) % 9_000


def _clear(android: Android, words: list[str]) -> Outcome:
    """The app is as it was when the phone was new; its permissions are gone."""
    package = words[-1] if words else ""
    if package not in installed(android):
        return said("Failed\n", 1)
    stop(android, package)
    app = app_of(android.phone, package)
    if app in android.phone.apps:
        android.phone = android.phone.with_app(app, android.fresh().apps[app])
    android.guest.grants.pop(package, None)
    return said("Success\n")


def _grant(android: Android, words: list[str], grants: bool = True) -> Outcome:
    words = [word for word in words if not word.startswith("--")]
    if len(words) != 2:
        return failed("Error: no permission specified\n", 255)
    package, permission = words
    if package not in installed(android):
        told = f"java.lang.IllegalArgumentException: Unknown package: {package}\n"
        return failed(f"\nException occurred while executing '{'grant' if grants else 'revoke'}':\n{told}", 255)
    held = android.guest.grants.setdefault(package, set())
    held.add(permission) if grants else held.discard(permission)
    return Outcome()


def _install(android: Android, words: list[str]) -> Outcome:
    """From a file that was pushed before."""
    path = words[-1] if words else ""
    file = android.disk.get(path)
    if file is None:
        return failed(f"Error: failed to open file: {path}\nError: Can't open file: {path}\n", 1)
    return installed_from(android, file.content, path, granted="-g" in words)


def installed_from(android: Android, content: bytes, path: str, granted: bool) -> Outcome:
    """Install an archive."""
    apk = read_apk(content)
    if apk is None or (apk.label and apk.package != PREFIX + slug(apk.label)):
        return failed(f"Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse {path}]\n", 1)
    guest = android.guest
    if apk.label and not app_of(android.phone, apk.package):
        android.phone = android.phone.with_app("Store", android.phone.apps["Store"].with_app(apk.label))
    elif not apk.label:
        guest.foreign.add(apk.package)
    guest.removed.discard(apk.package)
    if granted:
        guest.grants.setdefault(apk.package, set()).add("android.permission.POST_NOTIFICATIONS")
    return said("Success\n")


def _uninstall(android: Android, words: list[str]) -> Outcome:
    package = words[-1] if words else ""
    if package not in installed(android):
        return said("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1)
    if is_built_in(package):
        return said("Failure [DELETE_FAILED_OWNER_BLOCKED]\n", 1)
    stop(android, package)
    app = app_of(android.phone, package)
    if app:
        android.phone = android.phone.with_app("Store", android.phone.apps["Store"].without(app))
    else:
        android.guest.foreign.discard(package)
        android.guest.removed.add(package)
    return said("Success\n")


def _enable(android: Android, words: list[str], enables: bool = True) -> Outcome:
    package = words[-1] if words else ""
    if package not in installed(android):
        return failed(f"Error: java.lang.IllegalArgumentException: Unknown package: {package}\n", 255)
    disabled = android.guest.disabled
    disabled.discard(package) if enables else disabled.add(package)
    return said(f"Package {package} new state: {'enabled' if enables else 'disabled-user'}\n")


def _resolve(android: Android, words: list[str]) -> Outcome:
    """With --brief the last line is the component, if there is one."""
    package = _package(words)
    if not package and "android.intent.category.HOME" in words:
        package = LAUNCHER
    if not app_of(android.phone, package) or package in android.guest.disabled:
        return said("No activity found\n")
    if "--brief" in words:
        return said(f"{_BRIEF}{package}/.{MAIN}\n")
    return said("".join(_told(android, package, "")))


def _package(words: list[str]) -> str:
    """The word that is no option and no option's value."""
    return next(
        (word for place, word in reversed([*enumerate(words)])
         if not word.startswith("-") and (place == 0 or words[place - 1] not in ("-a", "-c", "-d", "-t", "--user"))),
        "",
    )  # fmt: skip


def _query(android: Android, words: list[str]) -> Outcome:
    """Every activity with an icon, with what stands under it."""
    wanted = _package(words)
    known = [one for one in packages(android.phone) if app_of(android.phone, one) not in ("", HOME)]
    found = [one for one in known if wanted in ("", one) and one not in android.guest.disabled]
    if "--brief" in words:
        lines = (f"  Activity #{at}:\n    {_BRIEF}    {one}/.{MAIN}\n" for at, one in enumerate(found))
    else:
        lines = (f"  Activity #{at}:\n{''.join(_told(android, one, '    '))}" for at, one in enumerate(found))
    return said(f"{len(found)} activities found:\n{''.join(lines)}" if found else "No activities found\n")


def _told(android: Android, package: str, margin: str) -> Iterator[str]:
    label = label_of(android.phone, app_of(android.phone, package))
    yield f"{margin}{_BRIEF}"
    yield f"{margin}ActivityInfo:\n"
    yield f"{margin}  name={package}.{MAIN}\n"
    yield f"{margin}  packageName={package}\n"
    yield f"{margin}  labelRes=0x0 nonLocalizedLabel={label} icon=0x7f0d0000 banner=0x0\n"
    yield f"{margin}  enabled=true exported=true directBootAware=false\n"
    yield f"{margin}  ApplicationInfo:\n"
    yield f"{margin}    packageName={package}\n"
    yield f"{margin}    labelRes=0x0 nonLocalizedLabel={label} icon=0x7f0d0000 banner=0x0\n"


_VERBS: Mapping[str, Callable[[Android, list[str]], Outcome]] = {
    "clear": _clear,
    "disable": partial(_enable, enables=False),
    "disable-user": partial(_enable, enables=False),
    "enable": _enable,
    "get-install-location": lambda _android, _words: said("0[auto]\n"),
    "grant": _grant,
    "has-feature": _feature,
    "install": _install,
    "list": _list,
    "path": _path,
    "query-activities": _query,
    "resolve-activity": _resolve,
    "revoke": partial(_grant, grants=False),
    "uninstall": _uninstall,
}
