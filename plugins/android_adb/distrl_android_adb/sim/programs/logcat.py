"""logcat: what the system and the apps tell of themselves."""

from __future__ import annotations

import asyncio
import re
import time

from distrl_android_adb.sim.android import LogLine
from distrl_android_adb.sim.shell import Call, Outcome

_ORDER = "VDIWEFS"
_EVERY = 0.05
"""Seconds between two looks at what is new."""
_VALUED = ("-b", "-v", "-t", "-T", "-e", "-m", "--pid")


async def logcat(call: Call) -> Outcome:
    """-d and -t N print what there is; without them it goes on. -c clears, -s and TAG:P filter, -e is a pattern."""
    words = list(call.arguments)
    if "-c" in words:
        call.android.logcat.clear()
        return Outcome()
    given, specs = _options(words)
    form = given.get("-v", "threadtime")
    pattern = re.compile(given.get("-e", ""))
    lines = [line for line in call.android.logcat if _fits(line, specs, "-s" in words) and pattern.search(line.text)]
    if given.get("-t", "").isdigit():
        lines = lines[len(lines) - min(len(lines), int(given["-t"])) :]
    head = b"--------- beginning of main\n" if form != "raw" else b""
    out = head + b"".join(_shown(line, form) for line in lines)
    if call.emit is None or "-d" in words or "-t" in given:
        return Outcome(out)
    await call.emit(out)
    last = call.android.logcat[-1] if call.android.logcat else None
    while True:
        await asyncio.sleep(_EVERY)
        new = _after(list(call.android.logcat), last)
        last = new[-1] if new else last
        fitting = (line for line in new if _fits(line, specs, "-s" in words) and pattern.search(line.text))
        text = b"".join(_shown(line, form) for line in fitting)
        if text:
            await call.emit(text)


def _options(words: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """(options that have a value, tag -> least priority)"""
    given: dict[str, str] = {}
    specs: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _VALUED and rest:
            given[word] = rest.pop(0)
        elif not word.startswith("-"):
            tag, _, least = word.partition(":")
            specs[tag] = least or "V"
    return given, specs


def _fits(line: LogLine, specs: dict[str, str], only: bool) -> bool:
    least = specs.get(line.tag, specs.get("*", "S" if only else "V"))
    return _ORDER.index(line.priority) >= _ORDER.find(least) and least != "S"


def _after(lines: list[LogLine], last: LogLine | None) -> list[LogLine]:
    places = [place for place, line in enumerate(lines) if line is last]
    return lines[places[0] + 1 :] if places else lines


def _shown(line: LogLine, form: str) -> bytes:
    moment = time.gmtime(line.time)
    stamp = f"{time.strftime('%m-%d %H:%M:%S', moment)}.{int(line.time * 1000) % 1000:03d}"
    match form:
        case "raw":
            text = line.text
        case "brief":
            text = f"{line.priority}/{line.tag}( 1000): {line.text}"
        case "tag":
            text = f"{line.priority}/{line.tag}: {line.text}"
        case "time":
            text = f"{stamp} {line.priority}/{line.tag}( 1000): {line.text}"
        case _:
            text = f"{stamp}  1000  1000 {line.priority} {line.tag}: {line.text}"
    return f"{text}\n".encode(errors="surrogateescape")
