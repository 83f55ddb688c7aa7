"""What a resource id tells of what its element does, whatever language the screen is in: programmers write English."""

from __future__ import annotations

import re
from functools import lru_cache

from distrl_android_adb.safety.words import Danger

_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_AFFIX = re.compile(r"^(?:btn|bt|button|img|iv|tv|ll|fab|menu|action|icon)|(?:btn|button|fab|icon|action|text|label)$")
_NAMES: dict[Danger, frozenset[str]] = {
    "send": frozenset(("send", "resend", "submit", "publish", "post", "tweet")),
    "call": frozenset(("call", "dial", "redial", "videocall", "voicecall", "sos", "emergency")),
    "pay": frozenset(("pay", "buy", "purchase", "checkout", "subscribe", "donate", "placeorder", "buynow")),
    "delete": frozenset(("delete", "remove", "erase", "trash", "discard", "wipe", "delet")),
    "uninstall": frozenset(("uninstall", "deinstall")),
}
_RUNS: dict[Danger, tuple[tuple[str, ...], ...]] = {
    "send": (),
    "call": (),
    "pay": (("place", "order"), ("submit", "order"), ("confirm", "order"), ("order", "now"), ("order", "button")),
    "delete": (("clear", "data"), ("clear", "all"), ("clear", "history"), ("factory", "reset"), ("empty", "bin")),
    "uninstall": (("remove", "app"),),
}
_ALONE: dict[Danger, frozenset[str]] = {
    "send": frozenset(),
    "call": frozenset(),
    "pay": frozenset(("order", "orderbutton")),
    "delete": frozenset(),
    "uninstall": frozenset(),
}
_HARMLESS: dict[Danger, frozenset[str]] = {
    "send": frozenset(("unsend",)),
    "call": frozenset(("log", "history", "end", "hangup", "settings")),
    "pay": frozenset(("history", "settings")),
    "delete": frozenset(("undelete", "undo")),
    "uninstall": frozenset(),
}
"""Beside a name, these make it something else: the log of calls, the end of one."""

NO = frozenset(("cancel", "no", "negative", "dismiss", "back", "keep", "close", "later", "skip"))
POSITIVE = frozenset(("android:id/button1", "android:id/button3"))
"""What the system's own dialogs call yes and a third answer; no is button2."""
NEGATIVE = "android:id/button2"


@lru_cache(maxsize=8192)
def dangers_named(resource: str) -> frozenset[Danger]:
    """The dangers that an id such as 'com.example:id/btn_send_message' names."""
    name = resource.rpartition("/")[2]
    tokens = tokens_of(resource)
    stripped = {_AFFIX.sub("", token) for token in tokens} | set(tokens)
    found: set[Danger] = set()
    for danger, names in _NAMES.items():
        named = bool(stripped & names) or any(_holds(tokens, run) for run in _RUNS[danger])
        named |= name.lower() in _ALONE[danger]
        if named and not stripped & _HARMLESS[danger]:
            found.add(danger)
    return frozenset(found)


@lru_cache(maxsize=8192)
def tokens_of(resource: str) -> tuple[str, ...]:
    """The words of an id's name, small: 'com.example:id/sendButton2' -> send, button, 2."""
    return tuple(token.lower() for token in _TOKEN.findall(resource.rpartition("/")[2]))


def is_no(resource: str) -> bool:
    """Whether an id says that its button only says no."""
    return resource == NEGATIVE or bool(NO.intersection(tokens_of(resource)))


def _holds(tokens: tuple[str, ...], run: tuple[str, ...]) -> bool:
    return any(tokens[at : at + len(run)] == run for at in range(len(tokens)))
