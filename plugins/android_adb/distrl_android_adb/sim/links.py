"""Addresses that open a page: web, telephone, settings, and simphone's own."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from distrl_android_adb.sim.packages import slug
from distrl_sdk.simphone import apps, engine
from distrl_sdk.simphone.state import HOME, PhoneState, Screen

SCHEME = "simphone"
"""simphone://settings/section/Display is the page 'section' of Settings with the argument 'Display'."""
_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "android.settings.SETTINGS": ("main",),
    "android.settings.WIFI_SETTINGS": ("networks",),
    "android.settings.DISPLAY_SETTINGS": ("section", "Display"),
    "android.settings.SOUND_SETTINGS": ("section", "Sound"),
    "android.settings.BLUETOOTH_SETTINGS": ("section", "Connected devices"),
    "android.settings.LOCATION_SOURCE_SETTINGS": ("section", "Privacy"),
    "android.settings.APPLICATION_SETTINGS": ("apps",),
    "android.settings.DEVICE_INFO_SETTINGS": ("about",),
}


def follow(state: PhoneState, address: str) -> PhoneState | None:
    """The state with the page of an address open; None when no app takes it."""
    if address in _SETTINGS:
        return _page(state, "Settings", _SETTINGS[address])
    parts = urlsplit(address)
    match parts.scheme:
        case "http" | "https":
            place = parts.netloc + parts.path.rstrip("/")
            return engine.react(engine.react(state, ("app", "Browser")), ("visit", place.removeprefix("www.")))
        case "tel":
            opened = engine.react(state, ("app", "Phone"))
            return opened.with_top(opened.top.with_draft("number", unquote(parts.path)))
        case "sms" | "smsto":
            return engine.react(state, ("app", "Messages"))
        case scheme if scheme == SCHEME:
            name = next((app for app in apps.installed(state) if slug(app) == parts.netloc.lower()), "")
            words = tuple(unquote(word) for word in parts.path.split("/") if word)
            return _page(state, name, words or ("main",)) if name else None
        case _:
            return None


def _page(state: PhoneState, app: str, words: tuple[str, ...]) -> PhoneState:
    opened = engine.react(state, ("app", app))
    if words == ("main",):
        return opened
    return engine.open_page(opened, Screen(app, words[0], words[1:])) if app != HOME else opened
