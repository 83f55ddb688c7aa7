"""content: queries of the phone's content providers, and rows of its settings."""

from __future__ import annotations

from distrl_android_adb.sim.programs import settings
from distrl_android_adb.sim.providers import QueryError, Row, query
from distrl_android_adb.sim.shell import Call, Outcome, failed, said


def content(call: Call) -> Outcome:
    """`query --uri URI [--projection A:B] [--where W]`, and `insert` into settings. Errors have the code 0."""
    words = list(call.arguments)
    given = {word: words[place + 1] for place, word in enumerate(words[:-1]) if word.startswith("--")}
    address = given.get("--uri", "")
    if words[:1] == ["query"]:
        try:
            rows = query(call.android, address, given.get("--where", ""))
            lines = [_line(number, row, given.get("--projection", "")) for number, row in enumerate(rows)]
        except QueryError as error:
            return failed(f"Error while accessing provider:{address.removeprefix('content://')}\n{error}\n", 0)
        return said("".join(lines) or "No result found.\n")
    namespace = address.removeprefix("content://settings/")
    bound = [words[place + 1] for place, word in enumerate(words[:-1]) if word == "--bind"]
    if words[:1] == ["insert"] and namespace in call.android.guest.settings:
        values = {name: value for name, _, value in (one.split(":", 2) for one in bound)}
        settings.put(call.android, namespace, values.get("name", ""), values.get("value", ""))
        return Outcome()
    return failed("[ERROR] Unsupported operation\n", 0)


def _line(number: int, row: Row, projection: str) -> str:
    names = projection.split(":") if projection else list(row)
    missing = [name for name in names if name not in row]
    if missing:
        raise QueryError(f"Invalid column {missing[0]}")
    return f"Row: {number} {', '.join(f'{name}={row[name]}' for name in names)}\n"
