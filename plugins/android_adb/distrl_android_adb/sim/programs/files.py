"""What a shell has for text and files."""

from __future__ import annotations

import base64
from collections.abc import Mapping

from distrl_android_adb.sim.shell import Call, Outcome, Program, failed, said


def echo(call: Call) -> Outcome:
    """Its arguments, and a newline unless the first is -n."""
    words = call.arguments
    plain = words[:1] == ("-n",)
    return said(" ".join(words[1:] if plain else words) + ("" if plain else "\n"))


def cat(call: Call) -> Outcome:
    """Files one after the other, or its input."""
    if not call.arguments:
        return Outcome(call.stdin)
    out, err = b"", ""
    for path in call.arguments:
        file = call.android.guest.files.get(path)
        if file is None:
            err += f"cat: {path}: No such file or directory\n"
        else:
            out += file.content
    return Outcome(out, err.encode(), int(bool(err)))


def rm(call: Call) -> Outcome:
    """Files, and folders with -r; with -f what is not there is no mistake."""
    flags = "".join(word for word in call.arguments if word.startswith("-"))
    files, err = call.android.guest.files, ""
    for path in (word for word in call.arguments if not word.startswith("-")):
        doomed = [name for name in files if name == path or ("r" in flags and name.startswith(f"{path.rstrip('/')}/"))]
        for name in doomed:
            del files[name]
        if not doomed and "f" not in flags:
            err += f"rm: {path}: No such file or directory\n"
    return failed(err) if err else Outcome()


def base64_(call: Call) -> Outcome:
    """Its input, encoded in lines of 76 characters, or decoded with -d."""
    if "-d" in call.arguments:
        return Outcome(base64.b64decode(call.stdin))
    return Outcome(base64.encodebytes(call.stdin))


PROGRAMS: Mapping[str, Program] = {
    "base64": base64_,
    "cat": cat,
    "echo": echo,
    "false": lambda _: Outcome(code=1),
    "rm": rm,
    "true": lambda _: Outcome(),
}
