"""The apps of simphone as Android knows them: packages, activities, resource ids."""

from __future__ import annotations

import re
from functools import cache

from distrl_sdk.simphone import apps
from distrl_sdk.simphone.state import HOME, SHADE, PhoneState, Screen
from distrl_sdk.simphone.wording import say

PREFIX = "org.distrl.sim."
SYSTEM_UI = "com.android.systemui"
PERMISSIONS = "com.android.permissioncontroller"
LAUNCHER = f"{PREFIX}home"
MAIN = "MainActivity"
SYSTEM = ("android", SYSTEM_UI, PERMISSIONS, "com.android.shell")
"""Packages without an icon."""


@cache
def package_of(app: str) -> str:
    """'App Store' -> org.distrl.sim.app_store; the shade is a part of the system's user interface."""
    return SYSTEM_UI if app == SHADE else PREFIX + slug(app)


@cache
def slug(name: str) -> str:
    """A name as an identifier of resources: small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "x"


def app_of(state: PhoneState, package: str) -> str:
    """The installed app of a package; '' when there is none."""
    known = (HOME, *apps.installed(state))
    return next((name for name in known if package_of(name) == package), "")


def packages(state: PhoneState) -> tuple[str, ...]:
    """Every installed package of the system and of simphone."""
    return *SYSTEM, *(package_of(name) for name in (HOME, *apps.installed(state)))


def is_built_in(package: str) -> bool:
    """Whether it stands on the system's partition."""
    return package in SYSTEM or any(package_of(name) == package for name in (HOME, *apps.BUILT_IN))


def label_of(state: PhoneState, app: str) -> str:
    """What stands under the app's icon, in the phone's language."""
    return say(state.style, apps.app(app).title)


def activity_of(screen: Screen) -> str:
    """The class of a page, without its package: 'main' -> MainActivity."""
    return "".join(word.capitalize() for word in re.split(r"[^A-Za-z0-9]+", screen.page)) + "Activity"
