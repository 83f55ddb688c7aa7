"""The services that an adb client can open on a phone: shell, shell_v2, exec, sync."""

from __future__ import annotations

import asyncio
import math
import struct

from distrl_android_adb.sim import filesync
from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.options import Canned
from distrl_android_adb.sim.programs import PROGRAMS
from distrl_android_adb.sim.shell import Shell, Transcript
from distrl_android_adb.sim.stream import Stream

_EXIT = 3
_RESTARTS = ("root", "unroot", "remount", "reboot", "tcpip")
_PACKET = struct.Struct("<BI")


async def serve(android: Android, stream: Stream, name: str) -> bool:
    """Answer on a stream until the service is done; False when there is no such service."""
    kind, _, rest = name.partition(":")
    kind, *flags = kind.split(",")
    if kind == "sync":
        stream.accept()
        await filesync.serve(android, stream)
        return True
    if kind in _RESTARTS:
        stream.accept()
        await _restart(android, stream, kind, rest)
        return True
    if kind not in ("shell", "exec"):
        return False
    stream.accept()
    await _command(android, stream, rest, "v2" if "v2" in flags else kind)
    return True


async def _restart(android: Android, stream: Stream, kind: str, rest: str) -> None:
    """root, unroot, remount, reboot, tcpip: most of them end the link."""
    guest = android.guest
    android.commands.append(f"{kind}:{rest}")
    match kind:
        case "root" if android.options.physical:
            told = "adbd cannot run as root in production builds\n"
        case "root" if guest.root:
            told = "adbd is already running as root\n"
        case "root":
            told = "restarting adbd as root\n"
        case "unroot" if not guest.root:
            told = "adbd not running as root\n"
        case "unroot":
            told = "restarting adbd as non root\n"
        case "reboot":
            told = ""
        case _:
            told = f"restarting in TCP mode port: {rest}\n" if kind == "tcpip" else "remount succeeded\n"
    await stream.write(told.encode())
    if kind == "reboot":
        android.power_on()
    elif told.startswith("restarting"):
        guest.root = guest.root if kind == "tcpip" else kind == "root"
        asyncio.get_running_loop().call_later(0.02, android.restart_adbd)  # the answer goes out first


async def _command(android: Android, stream: Stream, line: str, form: str) -> None:
    android.commands.append(line)
    faults = android.faults
    if faults.drop_at:
        faults.drop_at -= 1
        if not faults.drop_at:
            android.drop_links()
            return
    canned = android.canned(line)
    if canned is not None:
        await asyncio.sleep(canned.seconds if canned.seconds < math.inf else 1e6)

    async def emit(content: bytes) -> None:
        await stream.write(_PACKET.pack(1, len(content)) + content if form == "v2" else content)

    outcome = await _outcome(Shell(android, PROGRAMS, emit=emit), line, canned)
    content = _framed(outcome, form, faults.crlf)
    if canned is not None and canned.cut_after is not None:
        content = content[: canned.cut_after]
    await _send(android, stream, content)
    if canned is not None and canned.drop:
        android.drop_links()


async def _outcome(shell: Shell, line: str, canned: Canned | None) -> Transcript:
    if canned is None or canned.out is None:
        return await shell.run(line)
    if canned.act:
        await shell.run(line)
    chunks = tuple((number, content) for number, content in ((1, canned.out), (2, canned.err)) if content)
    return Transcript(chunks, canned.code)


def _framed(outcome: Transcript, form: str, crlf: int) -> bytes:
    if form == "v2":
        packets = [_PACKET.pack(number, len(content)) + content for number, content in outcome.chunks]
        return b"".join((*packets, _PACKET.pack(_EXIT, 1), bytes((outcome.code & 0xFF,))))
    content = outcome.of(1, 2)
    for _ in range(crlf if form == "shell" else 0):
        content = content.replace(b"\n", b"\r\n")
    return content


async def _send(android: Android, stream: Stream, content: bytes) -> None:
    speed = android.faults.bytes_per_second
    if not speed:
        await stream.write(content)
        return
    step = max(1, int(speed / 20))
    for start in range(0, len(content), step):
        await stream.write(content[start : start + step])
        await asyncio.sleep(step / speed)
