"""Android's settings: read, written and compared as the values that they are."""

from __future__ import annotations

from dataclasses import dataclass

from distrl_android_adb.link import Link
from distrl_sdk.errors import DeviceError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting and a value for it."""

    space: str
    """global | secure | system"""
    name: str
    value: str | None
    """None: it is not set."""

    def __str__(self) -> str:
        return f"{self.space} {self.name} = {'unset' if self.value is None else self.value}"


def read_setting(link: Link, space: str, name: str) -> Setting:
    """How it stands now. Raises DeviceError."""
    reply = link.ask("settings", "get", space, name)
    if reply.code:
        raise DeviceError(f"reading the setting {space} {name}: {reply.text.strip()[:200]}")
    value = reply.out.decode(errors="replace").strip()
    return Setting(space, name, None if value == "null" else value)


def write_setting(link: Link, setting: Setting) -> None:
    """Set it and read it back. Writing the same value twice does no harm. Raises DeviceError when it did not take."""
    if setting.value is None:
        reply = link.act("settings", "delete", setting.space, setting.name)
    else:
        reply = link.act("settings", "put", setting.space, setting.name, setting.value)
    now = read_setting(link, setting.space, setting.name)
    if not same_value(now.value, setting.value):
        said = reply.text.strip()[:200]
        raise DeviceError(f"the setting {setting} did not take, it is {now.value!r}{': ' + said if said else ''}")


def same_value(one: str | None, other: str | None) -> bool:
    """As numbers where both are: '0' is '0.0'."""
    if one == other:
        return True
    try:
        return float(one or "") == float(other or "")
    except ValueError:
        return False
