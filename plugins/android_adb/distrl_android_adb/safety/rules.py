"""The rules for one phone: which apps, which dangers, what is masked, where screens may go.

They stand in its enrolment or behind '?' in its address; an emulator needs none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from distrl_android_adb.safety.masks import Masks, check_patterns
from distrl_android_adb.safety.words import DANGERS, Danger
from distrl_sdk.errors import UsageError, blame, choices
from distrl_sdk.types import Box, Json

PACKAGE = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+")
HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[?[0-9a-fA-F:]+\]?")


@dataclass(frozen=True)
class Rules:
    """What an agent may do on one phone. As it stands here: everything."""

    apps: tuple[str, ...] = ()
    """Packages that it may use; (): all of them."""
    guard: bool = False
    allow: tuple[Danger, ...] = ()
    """What the guard lets pass."""
    resettable: tuple[str, ...] = ()
    """Packages that may be wiped and uninstalled."""
    wipe_any: bool = True
    """Any package may be, as on an emulator."""
    masks: Masks = field(default_factory=Masks)
    hosts: tuple[str, ...] | None = None
    """Machines to which screens, and what is made of them, may go beside this one; None: any."""

    def may_wipe(self, package: str) -> bool:
        """Whether a package's data may be lost."""
        return self.wipe_any or package in self.resettable


FREE = Rules()
"""Of an emulator: there is nobody whom it could harm."""


@dataclass(frozen=True)
class Words:
    """Rules as they are written in an address or at the command line; '' = not given."""

    apps: str = ""
    """Packages, joined by '+'."""
    guard: str = ""
    """on | off"""
    allow: str = ""
    """Dangers, joined by '+'."""
    resettable: str = ""
    """Packages, joined by '+'."""
    masks: str = ""
    """A JSON file."""
    hosts: str = ""
    """Host names, joined by '+'."""

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return self != Words()


def read_rules(words: Words, base: Rules, where: str) -> Rules:
    """The rules that words make of others. Raises UsageError; `where` begins its message."""
    return Rules(
        apps=_packages(words.apps, "apps", where) or base.apps,
        guard=_switch(words.guard, where) if words.guard else base.guard,
        allow=_dangers(words.allow, where) if words.allow else base.allow,
        resettable=_packages(words.resettable, "resettable", where) or base.resettable,
        wipe_any=base.wipe_any,
        masks=read_masks(Path(words.masks)) if words.masks else base.masks,
        hosts=_hosts(words.hosts, where) if words.hosts else base.hosts,
    )


STRICT = Rules(guard=True, wipe_any=False, masks=Masks(passwords=True), hosts=())
"""From which the rules of a physical phone are made: the guard stands, passwords are masked, nothing leaves."""


def _packages(text: str, name: str, where: str) -> tuple[str, ...]:
    packages = tuple(text.split("+")) if text else ()
    for package in packages:
        if not PACKAGE.fullmatch(package):
            raise UsageError(f"{where}: {name}: {package!r} is no package name such as com.example.app")
    return packages


def _switch(text: str, where: str) -> bool:
    if text not in ("on", "off"):
        raise UsageError(f"{where}: guard must be on or off, not {text!r}")
    return text == "on"


def _dangers(text: str, where: str) -> tuple[Danger, ...]:
    known = {name: name for name in DANGERS}
    named = text.split("+")
    for name in named:
        if name not in known:
            raise UsageError(f"{where}: allow: unknown {name!r}: {choices(name, DANGERS)}")
    return tuple(danger for danger in DANGERS if danger in named)


def _hosts(text: str, where: str) -> tuple[str, ...]:
    hosts = tuple(text.split("+"))
    for host in hosts:
        if not HOST.fullmatch(host):
            raise UsageError(f"{where}: hosts: {host!r} is no host name")
    return hosts


def read_masks(path: Path) -> Masks:
    """Masks in a JSON file: {"boxes": [[left, top, right, bottom], ...], "patterns": [...], "passwords": true}.

    Boxes are relative, 0..1; every key may be left out. Raises UsageError.
    """
    with blame(UsageError, f"the masks in {path}"):
        return masks_from(json.loads(path.read_text(encoding="utf-8")), str(path))


def masks_from(plain: Json, where: str) -> Masks:
    """Masks out of plain values. Raises UsageError."""
    if not isinstance(plain, Mapping):
        raise UsageError(f"{where}: masks must be an object with {', '.join(_KEYS)}")
    for key in plain:
        if key not in _KEYS:
            raise UsageError(f"{where}: unknown key {key!r}: {choices(str(key), _KEYS)}")
    patterns = plain.get("patterns", [])
    if not isinstance(patterns, list) or not all(isinstance(each, str) for each in patterns):
        raise UsageError(f"{where}: patterns must be a list of texts")
    if wrong := check_patterns(patterns):
        raise UsageError(f"{where}: {wrong}")
    passwords = plain.get("passwords", True)
    if not isinstance(passwords, bool):
        raise UsageError(f"{where}: passwords must be true or false")
    boxes = plain.get("boxes", [])
    if not isinstance(boxes, list):
        raise UsageError(f"{where}: boxes must be a list")
    return Masks(tuple(_box(each, where) for each in boxes), tuple(patterns), passwords)


_KEYS = ("boxes", "patterns", "passwords")


def _box(plain: Json, where: str) -> Box:
    numbers = plain if isinstance(plain, list) else []
    if len(numbers) == 4 and all(isinstance(side, int | float) and 0 <= side <= 1 for side in numbers):
        box = Box(*map(float, numbers))
        if box.left < box.right and box.top < box.bottom:
            return box
    raise UsageError(f"{where}: {plain!r} is no box: [left, top, right, bottom], each 0..1 of the screen")
