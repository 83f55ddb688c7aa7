"""The console of an emulator: a line of text each way, on the port below that of its adbd."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping

from distrl_android_adb.sim.android import Android

TOKEN_FILE = ".emulator_console_auth_token"
"""In the home of whoever starts emulators, and of whoever asks them something."""
_SNAPSHOT = 0.6
"""The phone's seconds that saving or loading one takes."""
_GREETING = "Android Console: type 'help' for a list of commands"
_AUTHENTICATION = (
    "Android Console: Authentication required\r\n"
    "Android Console: type 'auth <auth_token>' to authenticate\r\n"
    "Android Console: you can find your <auth_token> in \r\n"
    f"'~/{TOKEN_FILE}'"
)


class KoError(Exception):
    """What the console refuses; the text is the reason."""


class Console:
    """One phone's console. An empty token asks for none."""

    def __init__(self, android: Android, token: str) -> None:
        self._android = android
        self._token = token

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer lines until `quit` or `kill`. Every answer ends with OK or KO."""
        known = not self._token
        writer.write(f"{_GREETING if known else _AUTHENTICATION}\r\nOK\r\n".encode())
        try:
            while line := await reader.readline():
                words = line.decode(errors="replace").split()
                if not words:
                    continue
                if words[0] in ("quit", "exit") or self._android.is_off():
                    break
                answer, known = await self._answer(words, known)
                writer.write(answer.encode())
                await writer.drain()
        except ConnectionError:
            pass  # whoever asked has hung up
        finally:
            writer.close()

    async def _answer(self, words: list[str], known: bool) -> tuple[str, bool]:
        if words[0] == "auth":
            if words[1:] == [self._token] or not self._token:
                return f"{_GREETING}\r\nOK\r\n", True
            return "KO: authentication token does not match\r\n", known
        if not known and words[0] != "help":
            return "", known  # whoever has no token gets no answer, not even a refusal
        self._android.commands.append(f"console:{' '.join(words)}")
        try:
            told = await self._run(words)
        except KoError as error:
            return f"KO: {error}\r\n", known
        return (told if words[0] == "kill" else f"{told}OK\r\n"), known

    async def _run(self, words: list[str]) -> str:
        android = self._android
        match words:
            case ["help"]:
                return "Android console commands:\r\n\r\n    help    ping    kill    quit    avd    power\r\n\r\n"
            case ["ping"]:
                return "I am alive!\r\n"
            case ["kill"]:
                android.power_off()
                return "OK: killing emulator, bye bye\r\n"
            case ["avd", "name"]:
                return f"{android.options.avd}\r\n"
            case ["avd", "status"]:
                return "virtual device is running\r\n"
            case ["avd", "snapshot", verb, *rest] if verb in _SNAPSHOTS:
                return await _SNAPSHOTS[verb](android, " ".join(rest))
            case ["power", "capacity", level] if level.isdigit():
                android.guest.battery.level = int(level)
                return ""
            case ["power", "ac", "on" | "off" as state]:
                android.guest.battery.plugged = state == "on"
                return ""
            case _:
                raise KoError("unknown command, try 'help'")


async def _list(android: Android, _name: str) -> str:
    if not android.snapshots:
        return "There is no snapshot available.\r\n"
    columns = "ID        TAG                 VM SIZE                DATE       VM CLOCK"
    head = f"List of snapshots present on all disks:\r\n{columns}\r\n"
    stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime())
    return head + "".join(f"--        {name:<20}  500M {stamp}   00:01:00.000\r\n" for name in android.snapshots)


async def _save(android: Android, name: str) -> str:
    _check(android, name)
    await android.wait(_SNAPSHOT)
    android.save_snapshot(name)
    return ""


async def _load(android: Android, name: str) -> str:
    _check(android, name)
    if name not in android.snapshots:
        raise KoError("Snapshot does not exist")
    await android.wait(_SNAPSHOT)
    android.load_snapshot(name)
    return ""


async def _delete(android: Android, name: str) -> str:
    _check(android, name)
    if android.snapshots.pop(name, None) is None:
        raise KoError("Snapshot does not exist")
    return ""


def _check(android: Android, name: str) -> None:
    if not name:
        raise KoError("missing argument, try 'avd snapshot <name>'")
    if android.faults.stuck_snapshots:
        raise KoError("Device does not support snapshots")


_SNAPSHOTS: Mapping[str, Callable[[Android, str], Awaitable[str]]] = {
    "del": _delete,
    "delete": _delete,
    "list": _list,
    "load": _load,
    "save": _save,
}
