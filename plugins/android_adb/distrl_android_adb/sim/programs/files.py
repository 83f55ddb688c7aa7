"""What a shell has for files. Folders are there as long as something is in them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping

from distrl_android_adb.sim.disk import canonical
from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.shell import Call, Outcome, Program, failed, said

_MISSING = "No such file or directory"


def _split(call: Call) -> tuple[str, list[str]]:
    """(letters of the flags, the other words)"""
    flags = "".join(word[1:] for word in call.arguments if word.startswith("-") and word != "-")
    return flags, [word for word in call.arguments if not word.startswith("-") or word == "-"]


def cat(call: Call) -> Outcome:
    """Files one after the other, or its input."""
    paths = _split(call)[1]
    if not paths:
        return Outcome(call.stdin)
    out, err = b"", ""
    for path in paths:
        file = call.android.disk.get(path)
        if file is None:
            err += f"cat: {path}: {_MISSING}\n"
        else:
            out += file.content
    return Outcome(out, err.encode(), int(bool(err)))


def rm(call: Call) -> Outcome:
    """Files, and folders with -r; with -f what is not there is no mistake."""
    flags, paths = _split(call)
    disk, err = call.android.disk, ""
    for path in paths:
        if path in disk:
            del disk[path]
        elif disk.is_folder(path) and "r" in flags.lower():
            for name in [name for name in disk if name.startswith(f"{canonical(path)}/")]:
                del disk[name]
            disk.remove_folder(path)
        elif disk.is_folder(path):
            err += f"rm: {path}: is a directory\n"
        elif "f" not in flags:
            err += f"rm: {path}: {_MISSING}\n"
    return failed(err) if err else Outcome()


def ls(call: Call) -> Outcome:
    """Names, one a line; -l tells sizes too, -d the folder itself."""
    flags, paths = _split(call)
    disk, out, err = call.android.disk, "", ""
    for path in paths or ["/"]:
        if path in disk or ("d" in flags and disk.is_folder(path)):
            names = {path: path}
        elif disk.is_folder(path):
            names = {name: f"{path}/{name}" for name in disk.names_in(path)}
        else:
            err += f"ls: {path}: {_MISSING}\n"
            continue
        for name, whole in names.items():
            kind, size = ("-rw-r--r--", disk.size(whole)) if whole in disk else ("drwxrwx--x", 4096)
            out += f"{kind} 1 shell shell {size} {name}\n" if "l" in flags else f"{name}\n"
    return Outcome(out.encode(errors="surrogateescape"), err.encode(), int(bool(err)))


def mkdir(call: Call) -> Outcome:
    """Folders; -p makes what is missing above them too."""
    flags, paths = _split(call)
    disk = call.android.disk
    for path in paths:
        if disk.is_folder(path) and "p" not in flags:
            return failed(f"mkdir: '{path}': File exists\n")
        if not disk.is_folder(path.rstrip("/").rpartition("/")[0] or "/") and "p" not in flags:
            return failed(f"mkdir: '{path}': {_MISSING}\n")
        disk.make_folder(path)
    return Outcome()


def _transfer(call: Call, keep: bool) -> Outcome:
    files, paths = call.android.disk, _split(call)[1]
    if len(paths) != 2:
        return failed(f"{call.argv[0]}: Needs 2 arguments\n")
    source, target = paths
    if source not in files:
        return failed(f"{call.argv[0]}: bad '{source}': {_MISSING}\n")
    if target.endswith("/") or files.is_folder(target):
        target = f"{target.rstrip('/')}/{source.rpartition('/')[2]}"
    files[target] = files[source] if keep else files.pop(source)
    return Outcome()


def touch(call: Call) -> Outcome:
    """Make files that are not there."""
    for path in _split(call)[1]:
        call.android.disk.setdefault(path, File(b"", changed=int(call.android.guest.now())))
    return Outcome()


def stat(call: Call) -> Outcome:
    """Sizes with -c %s, else a line about each."""
    words = list(call.arguments)
    form = words[words.index("-c") + 1] if "-c" in words[:-1] else "%n %s"
    paths = [word for word in _split(call)[1] if word != form]
    out = ""
    for path in paths:
        file = call.android.disk.get(path)
        if file is None:
            return failed(f"stat: '{path}': {_MISSING}\n")
        told = {"%n": path, "%s": str(len(file.content)), "%Y": str(file.changed)}
        line = form
        for sign, value in told.items():
            line = line.replace(sign, value)
        out += f"{line}\n"
    return said(out)


def _digest(make: Callable[[bytes], str]) -> Program:
    def program(call: Call) -> Outcome:
        flags, paths = _split(call)
        out = ""
        for path in paths or ["-"]:
            file = call.android.disk.get(path)
            if path != "-" and file is None:
                return failed(f"{call.argv[0]}: {path}: {_MISSING}\n")
            found = make(file.content if file is not None else call.stdin)
            out += f"{found}\n" if "b" in flags else f"{found}  {path}\n"
        return said(out)

    return program


def test(call: Call) -> Outcome:
    """-f, -d, -e PATH; -n, -z TEXT; TEXT = TEXT; N -eq N: code 0 when it holds."""
    words = [word for word in call.arguments if word != "]"]
    negated = words[:1] == ["!"]
    holds = _holds(call, words[negated:])
    return Outcome(code=int(holds == negated))


def _holds(call: Call, words: list[str]) -> bool:
    files = call.android.disk
    match words:
        case ["-f", path]:
            return path in files
        case ["-d", path]:
            return files.is_folder(path)
        case ["-e", path]:
            return path in files or files.is_folder(path)
        case ["-s", path]:
            return path in files and bool(files[path].content)
        case ["-z", text]:
            return not text
        case ["-n", text] | [text]:
            return bool(text)
        case [left, "=" | "==", right]:
            return left == right
        case [left, "!=", right]:
            return left != right
        case [left, "-eq", right]:
            return left.strip() == right.strip()
        case _:
            return False


PROGRAMS: Mapping[str, Program] = {
    "[": test,
    "cat": cat,
    "chmod": lambda _: Outcome(),
    "cp": lambda call: _transfer(call, keep=True),
    "ls": ls,
    "md5sum": _digest(lambda content: hashlib.md5(content, usedforsecurity=False).hexdigest()),
    "mkdir": mkdir,
    "mv": lambda call: _transfer(call, keep=False),
    "rm": rm,
    "sha256sum": _digest(lambda content: hashlib.sha256(content).hexdigest()),
    "stat": stat,
    "test": test,
    "touch": touch,
}
