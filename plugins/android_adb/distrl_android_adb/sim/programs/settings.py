"""settings: the tables system, secure and global."""

from __future__ import annotations

from distrl_android_adb.sim.shell import Call, Outcome, failed, said


def settings(call: Call) -> Outcome:
    """get, put, delete, list. What is not set is the word null."""
    match call.arguments:
        case (verb, namespace, *rest) if namespace in call.android.guest.settings:
            return _answer(call.android.guest.settings[namespace], verb, rest)
        case _:
            return failed("Invalid namespace\n", 255)


def _answer(table: dict[str, str], verb: str, rest: list[str]) -> Outcome:
    match verb, rest:
        case "get", [key]:
            return said(f"{table.get(key, 'null')}\n")
        case "put", [key, value, *_]:
            table[key] = value
            return Outcome()
        case "delete", [key]:
            return said(f"Deleted {int(table.pop(key, None) is not None)} rows\n")
        case "list", []:
            return said("".join(f"{key}={value}\n" for key, value in sorted(table.items())))
        case _:
            return failed("Bad arguments\n", 255)
