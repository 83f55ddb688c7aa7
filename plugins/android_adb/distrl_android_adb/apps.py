"""Which apps can be started, and what a person calls them.

No command of Android tells the label of an app whose label is a resource, which most are: then it is the name that
stock Android uses, or the last word of the package. A user's own names win.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

STOCK = {
    "com.android.settings": "Settings",
    "com.android.deskclock": "Clock",
    "com.google.android.deskclock": "Clock",
    "com.android.contacts": "Contacts",
    "com.google.android.contacts": "Contacts",
    "com.android.dialer": "Phone",
    "com.google.android.dialer": "Phone",
    "com.android.messaging": "Messages",
    "com.google.android.apps.messaging": "Messages",
    "com.android.camera2": "Camera",
    "com.android.chrome": "Chrome",
    "com.android.calculator2": "Calculator",
    "com.google.android.calculator": "Calculator",
    "com.android.calendar": "Calendar",
    "com.google.android.calendar": "Calendar",
    "com.android.documentsui": "Files",
    "com.google.android.documentsui": "Files",
    "com.android.gallery3d": "Gallery",
    "com.google.android.apps.photos": "Photos",
    "com.google.android.apps.maps": "Maps",
    "com.google.android.gm": "Gmail",
    "com.google.android.youtube": "YouTube",
    "com.android.vending": "Play Store",
    "com.android.email": "Email",
}
_TOO_GENERAL = frozenset(
    ("android", "app", "apps", "client", "mobile", "main", "launcher", "lite", "com", "org", "net")
)
_LABEL = re.compile(r"nonLocalizedLabel=(?P<label>.*?)\s+icon=0x", re.DOTALL)

_PACKAGE = re.compile(r"^\s*packageName=(\S+)\s*$", re.MULTILINE)
_BRIEF = re.compile(r"^\s*([\w.]+)/([\w.$]+)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class App:
    """An app with an icon."""

    package: str
    label: str


def read_apps(dump: str, names: Mapping[str, str] | None = None) -> tuple[App, ...]:
    """The apps of `cmd package query-activities`, long or brief, by label. `names`: package -> the user's own name."""
    found: dict[str, str] = {}
    for block in re.split(r"^\s*Activity #\d+:.*$", dump, flags=re.MULTILINE)[1:]:
        package = _PACKAGE.search(block)
        if package is not None:
            own = [m["label"] for m in _LABEL.finditer(block) if m["label"] != "null"]
            found.setdefault(package[1], own[0] if own else "")
    for match in _BRIEF.finditer(dump):
        found.setdefault(match[1], "")
    known = names or {}
    apps = (App(package, known.get(package) or label or guess(package)) for package, label in found.items())
    return tuple(sorted(apps, key=lambda app: (app.label.casefold(), app.package)))


def guess(package: str) -> str:
    """A name for a package whose label nobody tells."""
    if package in STOCK:
        return STOCK[package]
    words = [word for word in package.split(".") if word.lower() not in _TOO_GENERAL]
    word = words[-1] if words else package
    return word[:1].upper() + word[1:].replace("_", " ")


def find_app(apps: tuple[App, ...], name: str) -> App | None:
    """By label, whatever its case, or by package."""
    wanted = name.strip().casefold()
    return next((app for app in apps if wanted in (app.label.casefold(), app.package.casefold())), None)


def read_component(text: str) -> str:
    """The component in `cmd package resolve-activity --brief`: its last line; '' for none, and for the chooser."""
    lines = [line.strip() for line in text.splitlines() if re.fullmatch(r"\s*[\w.]+/[\w.$]+\s*", line)]
    if not lines or lines[-1].endswith("ResolverActivity"):
        return ""
    return lines[-1]


def read_launchers(dump: str, package: str) -> str:
    """The first launcher activity in `dumpsys package PACKAGE`, '' when there is none."""
    section = re.search(r"android\.intent\.action\.MAIN:\n(?P<rows>(?:\s+.*\n?)*)", dump)
    rows = re.findall(rf"\s({re.escape(package)}/[\w.$]+) filter", section["rows"]) if section else []
    return rows[0] if rows else ""


_FAILED = re.compile(
    r"^\s*(Error\b|Exception occurred|.*SecurityException|.*does not exist|.*unable to resolve|\*\* .*aborted)",
    re.MULTILINE | re.IGNORECASE,
)


def launch_trouble(text: str) -> str:
    """The line by which `am start` or `monkey` says that it failed, whatever its exit code; '' when it says nothing."""
    match = _FAILED.search(text)
    if match is None:
        return ""
    line = text[match.start() :].strip().splitlines()[0]
    return "" if line.startswith("Warning: Activity not started, its current task") else line
