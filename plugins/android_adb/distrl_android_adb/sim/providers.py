"""What the phone's content providers tell: tables by address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.disk import SDCARD
from distrl_android_adb.sim.programs import settings
from distrl_sdk.simphone.facts import facts_of

Row: TypeAlias = dict[str, Any]
FACTS = "org.distrl.sim/facts"
"""simphone's own: every fact of the phone, as a judge is told it; the value is JSON."""
_CALLS = {"incoming": 1, "outgoing": 2, "missed": 3}
_CONDITION = re.compile(r"\s*(\w+)\s*(=|!=|<>|LIKE|>=|<=|>|<)\s*(?:'((?:[^']|'')*)'|\"([^\"]*)\"|(-?[\d.]+))\s*", re.I)


class QueryError(Exception):
    """No such table, or a condition that it cannot read."""


def query(android: Android, address: str, where: str = "") -> list[Row]:
    """The rows of `content://ADDRESS` that fit. Raises QueryError."""
    path = address.removeprefix("content://").rstrip("/")
    namespace = path.removeprefix("settings/")
    if path.startswith("settings/") and namespace in android.guest.settings:
        names = [*settings.names(android, namespace)]
        rows = [{"name": name, "value": settings.read(android, namespace, name)} for name in names]
    elif path in _TABLES:
        rows = list(_TABLES[path](android))
    else:
        raise QueryError(f"Could not find provider: {path.split('/')[0]}")
    numbered = [{"_id": number, **row} for number, row in enumerate(rows, 1)]
    return [row for row in numbered if _fits(row, where)]


def _fits(row: Row, where: str) -> bool:
    at = 0
    while at < len(where):
        found = _CONDITION.match(where, at)
        if found is None:
            raise QueryError(f'near "{where[at:].split()[0] if where[at:].split() else where}": syntax error')
        if not _holds(row, found):
            return False
        at = found.end()
        if at < len(where):
            if where[at : at + 4].upper() != "AND ":
                raise QueryError(f'near "{where[at:].split()[0]}": syntax error')
            at += 4
    return True


def _holds(row: Row, found: re.Match[str]) -> bool:
    name, sign = found[1], found[2].upper()
    if name not in row:
        raise QueryError(f"no such column: {name}")
    text = next(group for group in found.groups()[2:] if group is not None).replace("''", "'")
    value = str(row[name])
    if sign == "LIKE":
        pattern = re.escape(text).replace("%", ".*").replace("_", ".")
        return re.fullmatch(pattern, value, re.IGNORECASE | re.DOTALL) is not None
    if sign in ("=", "!=", "<>"):
        return (value == text) == (sign == "=")
    try:
        left, right = float(value), float(text)
    except ValueError:
        return False
    return {">": left > right, "<": left < right, ">=": left >= right, "<=": left <= right}[sign]


def _people(android: Android) -> Iterable[Row]:
    for person in android.phone.apps["Contacts"].people:
        yield {"display_name": person.name, "number": person.number, "data1": person.number,
               "starred": int(person.favourite)}  # fmt: skip


def _texts(kind: int | None) -> Callable[[Android], Iterable[Row]]:
    def rows(android: Android) -> Iterable[Row]:
        numbers = {person.name: person.number for person in android.phone.apps["Contacts"].people}
        for thread in android.phone.apps["Messages"].threads:
            for text in thread.texts:
                own = 2 if text.mine else 1
                if kind in (None, own):
                    address = numbers.get(thread.name, thread.name)
                    yield {"address": address, "person": thread.name, "body": text.text, "type": own}

    return rows


def _calls(android: Android) -> Iterable[Row]:
    for call in android.phone.apps["Phone"].calls:
        yield {"number": call.number, "name": call.name, "type": _CALLS[call.kind]}


def _events(android: Android) -> Iterable[Row]:
    for event in android.phone.apps["Calendar"].events:
        yield {"title": event.title, "eventDay": event.day, "eventTime": event.time}


def _alarms(android: Android) -> Iterable[Row]:
    for alarm in android.phone.apps["Clock"].alarms:
        hour, _, minutes = alarm.time.partition(":")
        yield {"hour": int(hour), "minutes": int(minutes), "enabled": int(alarm.on), "label": alarm.label}


def _files(android: Android) -> Iterable[Row]:
    disk = android.disk
    for path in sorted(path for path in disk if path.startswith(f"{SDCARD}/")):
        yield {"_data": path, "_display_name": path.rpartition("/")[2], "_size": disk.size(path)}


def _facts(android: Android) -> Iterable[Row]:
    for name, value in facts_of(android.phone, android.guest.start).items():
        yield {"name": name, "value": json.dumps(value, ensure_ascii=False)}


_TABLES: Mapping[str, Callable[[Android], Iterable[Row]]] = {
    "call_log/calls": _calls,
    "com.android.calendar/events": _events,
    "com.android.contacts/contacts": _people,
    "com.android.contacts/data/phones": _people,
    "com.android.deskclock/alarms": _alarms,
    "contacts/phones": _people,
    "media/external/file": _files,
    "sms": _texts(None),
    "sms/inbox": _texts(1),
    "sms/sent": _texts(2),
    FACTS: _facts,
}
