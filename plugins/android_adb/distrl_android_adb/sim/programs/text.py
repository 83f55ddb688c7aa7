"""What a shell has for text, and the shell itself."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from distrl_android_adb.sim.shell import Call, Outcome, Program, failed, said

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def echo(call: Call) -> Outcome:
    """Its arguments, and a newline unless the first is -n."""
    words = call.arguments
    plain = words[:1] == ("-n",)
    return said(" ".join(words[1:] if plain else words) + ("" if plain else "\n"))


def printf(call: Call) -> Outcome:
    """%s and %d, and escapes, in its first argument."""
    if not call.arguments:
        return failed("printf: Needs 1 argument\n")
    form, *values = call.arguments
    form = re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[0]), form)
    left = list(values)
    return said(re.sub(r"%[sd]", lambda _: left.pop(0) if left else "", form).replace("%%", "%"))


def base64_(call: Call) -> Outcome:
    """Its input or a file, encoded in lines of 76 characters, or decoded with -d."""
    paths = [word for word in call.arguments if not word.startswith("-")]
    content = call.stdin
    if paths:
        file = call.android.disk.get(paths[0])
        if file is None:
            return failed(f"base64: {paths[0]}: No such file or directory\n")
        content = file.content
    if "-d" in call.arguments:
        try:
            return Outcome(base64.b64decode(content))
        except ValueError:
            return failed("base64: bad base64\n")
    return Outcome(base64.encodebytes(content))


def _input(call: Call, words: list[str]) -> bytes:
    """The files that are named, or the input."""
    files = call.android.disk
    return b"".join(files[path].content for path in words if path in files) if words else call.stdin


def grep(call: Call) -> Outcome:
    """Lines that fit; -i, -v, -E, -F, -c, -q, -o."""
    flags = "".join(word[1:] for word in call.arguments if word.startswith("-"))
    words = [word for word in call.arguments if not word.startswith("-")]
    if not words:
        return failed("grep: no REGEX\n", 2)
    pattern = re.escape(words[0]) if "F" in flags else words[0]
    try:
        wanted = re.compile(pattern, re.IGNORECASE if "i" in flags else 0)
    except re.error:
        return failed("grep: bad REGEX\n", 2)
    lines = _input(call, words[1:]).decode(errors="surrogateescape").splitlines()
    found = [line for line in lines if (wanted.search(line) is None) == ("v" in flags)]
    if "o" in flags:
        found = [match[0] for line in found for match in wanted.finditer(line)]
    code = int(not found)
    if "q" in flags:
        return Outcome(code=code)
    return said(f"{len(found)}\n" if "c" in flags else "".join(f"{line}\n" for line in found), code)


def _some(call: Call, first: bool) -> Outcome:
    words = list(call.arguments)
    unit, count = "-n", 10
    if words and re.fullmatch(r"-\d+", words[0]):
        count = int(words.pop(0)[1:])
    elif len(words) > 1 and words[0] in ("-n", "-c") and words[1].lstrip("+-").isdigit():
        unit, count = words[0], int(words[1].lstrip("+-"))
        del words[:2]
    content = _input(call, words)
    if unit == "-c":
        return Outcome(content[:count] if first else content[max(0, len(content) - count) :])
    lines = content.splitlines(keepends=True)
    return Outcome(b"".join(lines[:count] if first else lines[max(0, len(lines) - count) :]))


def wc(call: Call) -> Outcome:
    """-l lines, -c bytes."""
    words = [word for word in call.arguments if not word.startswith("-")]
    content = _input(call, words)
    return said(f"{content.count(chr(10).encode()) if '-l' in call.arguments else len(content)}\n")


async def sh(call: Call) -> Outcome:
    """`sh -c LINE`, or what comes in."""
    if call.shell is None:
        return Outcome(code=1)
    line = call.arguments[1] if call.arguments[:1] == ("-c",) and len(call.arguments) > 1 else call.stdin.decode()
    told = await call.shell.child().run(line)
    return Outcome(told.of(1), told.of(2), told.code)


async def sleep(call: Call) -> Outcome:
    """Seconds."""
    try:
        await call.android.wait(float(call.arguments[0]))
    except (IndexError, ValueError):
        return failed("sleep: bad time\n")
    return Outcome()


PROGRAMS: Mapping[str, Program] = {
    "base64": base64_,
    "echo": echo,
    "false": lambda _: Outcome(code=1),
    "grep": grep,
    "head": lambda call: _some(call, first=True),
    "printf": printf,
    "sh": sh,
    "sleep": sleep,
    "tail": lambda call: _some(call, first=False),
    "true": lambda _: Outcome(),
    "wc": wc,
}
