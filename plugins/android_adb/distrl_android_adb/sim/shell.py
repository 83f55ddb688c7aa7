"""The device's shell: expands words, runs programs, and puts their outputs together."""

from __future__ import annotations

import asyncio
import fnmatch
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from distrl_android_adb.sim.android import Android
from distrl_android_adb.sim.guest import File
from distrl_android_adb.sim.shellwords import Part, Pipeline, Redirect, ShellSyntaxError, Simple, Word, parse

SHELL = "/system/bin/sh"
NEEDS = {
    "am": "activity", "content": "activity", "ime": "input_method", "input": "input", "monkey": "activity",
    "pm": "package", "settings": "settings", "svc": "power", "uiautomator": "window", "wm": "window",
}  # fmt: skip
"""Program -> the service that it talks to."""


class Outcome(NamedTuple):
    """What a program said and how it ended."""

    out: bytes = b""
    err: bytes = b""
    code: int = 0


class Transcript(NamedTuple):
    """All that a command line said, in order: (1 = output or 2 = errors, text)."""

    chunks: tuple[tuple[int, bytes], ...]
    code: int

    def of(self, *descriptors: int) -> bytes:
        """What was said on some of the two."""
        return b"".join(content for descriptor, content in self.chunks if descriptor in descriptors)


def said(text: str, code: int = 0) -> Outcome:
    """Text on standard output."""
    return Outcome(text.encode(errors="surrogateescape"), b"", code)


def failed(text: str, code: int = 1) -> Outcome:
    """Text on standard error."""
    return Outcome(b"", text.encode(errors="surrogateescape"), code)


@dataclass(frozen=True, slots=True)
class Call:
    """A program's arguments, its name first, and what it may use."""

    android: Android
    argv: tuple[str, ...]
    stdin: bytes = b""
    shell: Shell | None = None
    emit: Emit | None = None
    """Says something at once, for a program that goes on; None where its output goes elsewhere."""

    @property
    def arguments(self) -> tuple[str, ...]:
        """Without the program's name."""
        return self.argv[1:]


Emit = Callable[[bytes], Awaitable[None]]
Program = Callable[[Call], Outcome | Awaitable[Outcome]]


@dataclass(slots=True)
class Shell:
    """One session: its variables die with it."""

    android: Android
    programs: Mapping[str, Program]
    variables: dict[str, str] = field(default_factory=lambda: {"HOME": "/", "PATH": "/system/bin", "USER": "shell"})
    code: int = 0
    """$?"""
    emit: Emit | None = None
    """Where a program that goes on says something at once."""

    def child(self) -> Shell:
        """A session of its own, with the same variables."""
        return replace(self, variables=dict(self.variables), emit=None)

    async def run(self, line: str, stdin: bytes = b"") -> Transcript:
        """All that a command line says; the code is that of what ran last."""
        try:
            pipelines = parse(line)
        except ShellSyntaxError as error:
            return Transcript(((2, f"{SHELL}: syntax error: {error}\n".encode()),), 1)
        chunks: list[tuple[int, bytes]] = []
        for pipeline in pipelines:
            if (pipeline.joint == "&&" and self.code) or (pipeline.joint == "||" and not self.code):
                continue
            outcome = await self._pipeline(pipeline, stdin)
            chunks += [(number, content) for number, content in ((1, outcome.out), (2, outcome.err)) if content]
            self.code = outcome.code
        return Transcript(tuple(chunks), self.code)

    async def _pipeline(self, pipeline: Pipeline, stdin: bytes) -> Outcome:
        err = bytearray()
        outcome = Outcome(stdin)
        for simple in pipeline.commands:
            outcome = await self._simple(simple, outcome.out, self.emit if len(pipeline.commands) == 1 else None)
            err += outcome.err
        return outcome._replace(err=bytes(err))

    async def _simple(self, simple: Simple, stdin: bytes, emit: Emit | None) -> Outcome:
        argv = [text for word in simple.words for text in await self._expand(word)]
        while argv and _is_assignment(argv[0]):
            name, _, value = argv.pop(0).partition("=")
            self.variables[name] = value
        for redirect in simple.redirects:
            if redirect.sign == "<":
                (name,) = await self._expand(redirect.word)
                if name not in self.android.disk:
                    return failed(f"{SHELL}: can't open {name}: No such file or directory\n")
                stdin = self.android.disk[name].content
        outcome = await self.call(tuple(argv), stdin, None if simple.redirects else emit) if argv else Outcome()
        for redirect in simple.redirects:
            if redirect.sign != "<":
                outcome = await self._redirected(outcome, redirect)
        return outcome

    async def call(self, argv: tuple[str, ...], stdin: bytes = b"", emit: Emit | None = None) -> Outcome:
        """Run one program."""
        name = argv[0].rpartition("/")[2] if argv[0].startswith("/system/") else argv[0]
        program = self.programs.get(name)
        if program is None:
            return failed(f"{SHELL}: {argv[0]}: inaccessible or not found\n", 127)
        service = NEEDS.get(name)
        if service is not None and not self.android.has(service):
            return failed(f"cmd: Can't find service: {service}\n", 20)
        await asyncio.sleep(self.android.options.seconds.get(name, 0.0))
        made = program(Call(self.android, argv, stdin, self, emit))
        outcome = await made if inspect.isawaitable(made) else made
        return outcome._replace(out=self.android.faults.noise.get(name, b"") + outcome.out)

    async def _redirected(self, outcome: Outcome, redirect: Redirect) -> Outcome:
        (target,) = await self._expand(redirect.word)
        if redirect.sign == ">&":
            if redirect.descriptor == 2:
                return outcome._replace(out=outcome.out + outcome.err, err=b"")
            return outcome._replace(out=b"", err=outcome.err + outcome.out)
        moved = outcome.out if redirect.descriptor == 1 else outcome.err
        left = outcome._replace(out=b"") if redirect.descriptor == 1 else outcome._replace(err=b"")
        if target != "/dev/null":
            files = self.android.disk
            before = files[target].content if redirect.sign == ">>" and target in files else b""
            files[target] = File(before + moved, changed=int(self.android.guest.now()))
        return left

    async def _expand(self, word: Word) -> list[str]:
        """The words that a word becomes: one, unless an unquoted variable holds none or several, or a pattern fits."""
        fields: list[list[tuple[str, bool]]] = [[]]
        for place, part in enumerate(word):
            if part.kind == "text":
                text = part.text
                if place == 0 and not part.quoted and (text == "~" or text.startswith("~/")):
                    text = self.variables["HOME"].rstrip("/") + text[1:] or "/"
                fields[-1].append((text, part.quoted))
                continue
            value = await self._value(part)
            if part.quoted:
                fields[-1].append((value, True))
                continue
            pieces = value.split()
            if value[:1].isspace() and fields[-1]:
                fields.append([])
            for number, piece in enumerate(pieces):
                if number:
                    fields.append([])
                fields[-1].append((piece, False))
            if pieces and value[-1:].isspace():
                fields.append([])
        return [text for pieces in fields if pieces for text in self._paths(pieces)]

    async def _value(self, part: Part) -> str:
        if part.kind == "command":
            inner = await self.child().run(part.text)
            return inner.of(1).decode(errors="surrogateescape").rstrip("\n")
        return str(self.code) if part.text == "?" else self.variables.get(part.text, "")

    def _paths(self, pieces: list[tuple[str, bool]]) -> Iterable[str]:
        """The files that a pattern fits; the pattern itself when it fits none, or when it is no pattern."""
        text = "".join(text for text, _ in pieces)
        if not any(sign in text for text, quoted in pieces if not quoted for sign in "*?["):
            return [text]
        pattern = "".join(_literal(text) if quoted else text for text, quoted in pieces)
        return sorted(fnmatch.filter(self.android.disk, pattern)) or [text]


def _literal(text: str) -> str:
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in text)


def _is_assignment(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.isidentifier()
