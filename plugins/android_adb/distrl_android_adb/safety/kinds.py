"""What kind of app a package is, where that decides what a touch does: in a dialer a row of the list is a call."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["dialer", "contacts", "messenger", "mail", "installer", "calculator"]

_KINDS: dict[Kind, frozenset[str]] = {
    "dialer": frozenset(("dialer", "phone", "incallui", "telecom", "telephony", "callui")),
    "contacts": frozenset(("contacts", "people")),
    "messenger": frozenset(
        (
            "messaging", "messages", "mms", "sms", "whatsapp", "telegram", "messenger", "securesms", "thoughtcrime",
            "orca", "mlite", "viber", "line", "naver", "tencent", "kakao", "talk", "discord", "slack", "skype",
            "skyperaider", "teams", "chat", "snapchat", "imo", "zalo", "wire", "element", "threema", "wechat",
        )
    ),
    "mail": frozenset(("mail", "gm", "email", "outlook", "k9", "inbox", "protonmail", "fsck")),
    "installer": frozenset(("packageinstaller",)),
    "calculator": frozenset(("calculator", "calculator2", "calc", "popupcalculator")),
}  # fmt: skip


@lru_cache(maxsize=1024)
def kinds_of(package: str) -> frozenset[Kind]:
    """The kinds that a package's name tells; none for most."""
    words = frozenset(re.split(r"[._]", package.lower()))
    return frozenset(kind for kind, names in _KINDS.items() if words & names)
