"""The grammar of the device's shell (mksh), as far as people send it over adb: text -> commands of quoted parts.

Here are words, quotes, `;`, `&`, `&&`, `||`, `|`, redirections, comments, `$NAME`, `$(...)`. Not here: loops,
functions, groups, here-documents and arithmetic, which are refused as syntax errors. Nothing is run here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

SPECIAL = frozenset(" \t\n;&|<>()")
"""What ends an unquoted word."""
_GROUPS = frozenset(("(", ")"))
_RESERVED = frozenset(("if", "then", "for", "while", "until", "case", "do", "done", "fi", "esac", "function", "{", "}"))
_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_ESCAPABLE = frozenset('$`"\\')
"""What a backslash escapes within double quotes; it stays before anything else."""
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b", "\\": "\\", "'": "'", '"': '"'}


class ShellSyntaxError(Exception):
    """The shell would not run this."""


class Part(NamedTuple):
    """A piece of a word."""

    kind: Literal["text", "variable", "command"]
    text: str
    """Literal text, a variable's name, or the command line in `$(...)`."""
    quoted: bool


Word = tuple[Part, ...]


class Redirect(NamedTuple):
    """`2>>FILE`, `<FILE`, or `2>&1`, whose `word` is '1'."""

    descriptor: int
    sign: Literal["<", ">", ">>", ">&"]
    word: Word


@dataclass(frozen=True, slots=True)
class Simple:
    """One command: assignments before it, its words, where its streams go."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands whose output is the next one's input, and what stands before the first: '' | ';' | '&' | '&&' | '||'."""

    joint: str
    commands: tuple[Simple, ...]


def parse(line: str) -> tuple[Pipeline, ...]:
    """The pipelines of a command line. Raises ShellSyntaxError."""
    return _Reader(line).pipelines()


def quote(text: str) -> str:
    """The text as one word of the device's shell, whatever is in it."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


class _Reader:
    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0

    def pipelines(self) -> tuple[Pipeline, ...]:
        found: list[Pipeline] = []
        joint = ""
        while True:
            commands = self._commands()
            after = self._operator()
            if not commands:
                if after == "" and joint in ("", ";", "&"):
                    return tuple(found)
                if after != "\n" or joint in ("&&", "||"):
                    raise ShellSyntaxError(f"unexpected '{after or 'newline'}'")
            else:
                found.append(Pipeline(joint, commands))
            if after == "":
                return tuple(found)
            if commands:
                joint = ";" if after == "\n" else after

    def _commands(self) -> tuple[Simple, ...]:
        commands: list[Simple] = []
        while True:
            simple = self._simple()
            if simple is None:
                if commands:
                    raise ShellSyntaxError("unexpected '|'")
                return ()
            commands.append(simple)
            if self._peek() != "|" or self._line.startswith("||", self._at):
                return tuple(commands)
            self._at += 1

    def _operator(self) -> str:
        for sign in ("&&", "||", ";", "&", "\n", "(", ")"):
            if self._line.startswith(sign, self._at):
                if sign in _GROUPS:
                    raise ShellSyntaxError(f"unexpected '{sign}'")
                self._at += len(sign)
                return sign
        return ""

    def _simple(self) -> Simple | None:
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self._skip_blanks()
            if (redirect := self._redirect()) is not None:
                redirects.append(redirect)
                continue
            if self._at >= len(self._line) or self._peek() in SPECIAL:
                break
            word = self._word()
            if not words and len(word) == 1 and not word[0].quoted and word[0].text in _RESERVED:
                raise ShellSyntaxError(f"unexpected '{word[0].text}'")
            words.append(word)
        return Simple(tuple(words), tuple(redirects)) if words or redirects else None

    def _skip_blanks(self) -> None:
        while self._at < len(self._line):
            if self._line[self._at] in " \t":
                self._at += 1
            elif self._line.startswith("\\\n", self._at):
                self._at += 2
            elif self._line[self._at] == "#":
                end = self._line.find("\n", self._at)
                self._at = len(self._line) if end < 0 else end
            else:
                return

    def _redirect(self) -> Redirect | None:
        at, descriptor = self._at, -1
        if self._line[at : at + 1] in ("0", "1", "2") and self._line[at + 1 : at + 2] in ("<", ">"):
            descriptor, at = int(self._line[at]), at + 1
        for text, sign in ((">>", ">>"), (">&", ">&"), (">", ">"), ("<", "<")):
            if self._line.startswith(text, at):
                if self._line.startswith("<<", at):
                    raise ShellSyntaxError("unexpected '<<'")
                self._at = at + len(text)
                self._skip_blanks()
                word = self._word()
                if not word:
                    raise ShellSyntaxError(f"unexpected '{self._peek() or 'newline'}'")
                descriptor = (0 if sign == "<" else 1) if descriptor < 0 else descriptor
                return Redirect(descriptor, sign, word)  # type: ignore[arg-type]
        return None

    def _peek(self) -> str:
        return self._line[self._at : self._at + 1]

    def _word(self) -> Word:
        parts: list[Part] = []
        while self._at < len(self._line) and self._peek() not in SPECIAL:
            parts += self._part()
        return tuple(parts)

    def _part(self) -> list[Part]:
        match self._peek():
            case "'":
                return [Part("text", self._until("'", "'"), True)]
            case '"':
                return self._double()
            case "$":
                return [self._dollar(quoted=False)]
            case "`":
                return [Part("command", self._until("`", "`"), False)]
            case "\\":
                self._at += 2
                escaped = self._line[self._at - 1 : self._at]
                return [] if escaped == "\n" else [Part("text", escaped or "\\", True)]
            case _:
                start = self._at
                while self._at < len(self._line) and self._peek() not in SPECIAL and self._peek() not in "'\"$`\\":
                    self._at += 1
                return [Part("text", self._line[start : self._at], False)]

    def _until(self, opening: str, closing: str) -> str:
        """What stands between two signs; `_at` is on the first."""
        end = self._line.find(closing, self._at + len(opening))
        if end < 0:
            raise ShellSyntaxError(f"no closing quote '{closing}'")
        found = self._line[self._at + len(opening) : end]
        self._at = end + len(closing)
        return found

    def _double(self) -> list[Part]:
        self._at += 1
        parts = [Part("text", "", True)]
        text = ""
        while True:
            here = self._peek()
            if here == "":
                raise ShellSyntaxError("no closing quote '\"'")
            if here == '"':
                self._at += 1
                return [*parts, Part("text", text, True)]
            if here in "$`":
                found = self._dollar(True) if here == "$" else Part("command", self._until("`", "`"), True)
                parts += [Part("text", text, True), found]
                text = ""
            elif here == "\\":
                follows = self._line[self._at + 1 : self._at + 2]
                text += "" if follows == "\n" else follows if follows in _ESCAPABLE else f"\\{follows}"
                self._at += 2
            else:
                text += here
                self._at += 1

    def _dollar(self, quoted: bool) -> Part:
        follows = self._line[self._at + 1 : self._at + 2]
        if follows == "(":
            return Part("command", self._nested(), quoted)
        if follows == "{":
            return Part("variable", self._until("${", "}"), quoted)
        if follows == "'" and not quoted:
            return Part("text", self._ansi(), True)
        if follows and follows in "?$#@*0123456789!-":
            self._at += 2
            return Part("variable", follows, quoted)
        end = self._at + 1
        while end < len(self._line) and self._line[end] in (_NAME if end > self._at + 1 else _NAME_START):
            end += 1
        name, self._at = self._line[self._at + 1 : end], end
        return Part("variable", name, quoted) if name else Part("text", "$", quoted)

    def _nested(self) -> str:
        """The inside of `$(...)`: brackets within quotes do not count."""
        start = self._at + 2
        if self._line.startswith("$((", self._at):
            raise ShellSyntaxError("unexpected '$(('")
        depth, quote_sign = 1, ""
        for at in range(start, len(self._line)):
            sign = self._line[at]
            if quote_sign:
                quote_sign = "" if sign == quote_sign else quote_sign
            elif sign in "'\"":
                quote_sign = sign
            elif sign in "()":
                depth += 1 if sign == "(" else -1
                if not depth:
                    self._at = at + 1
                    return self._line[start:at]
        raise ShellSyntaxError("no closing ')'")

    def _ansi(self) -> str:
        """`$'a\\nb'`, with the escapes that C knows."""
        self._at += 2
        text = ""
        while (here := self._peek()) != "'":
            if not here:
                raise ShellSyntaxError("no closing quote '''")
            if here == "\\":
                follows = self._line[self._at + 1 : self._at + 2]
                text += _ANSI.get(follows, f"\\{follows}")
                self._at += 2
            else:
                text += here
                self._at += 1
        self._at += 1
        return text
