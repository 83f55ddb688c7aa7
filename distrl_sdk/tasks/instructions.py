"""Instruction lists of other people's benchmarks: a text file with an instruction a line, or JSON.

`file:general_train.txt` is such a list; so are the files of the public AitW and DigiRL sets. The tasks have no checks:
they want a judge that looks at the screen.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from distrl_sdk.errors import UsageError, blame, choices
from distrl_sdk.types import Demonstration, Json, Task

PREFIX = "file:"
_KEYS = ("instruction", "goal", "goal_info", "task")
"""Where an object of a JSON list may keep its instruction; the first that is there counts."""


@dataclass(frozen=True)
class InstructionList:
    """A TaskSet of instructions alone."""

    name: str
    tasks: tuple[Task, ...]

    def demonstrations(self, count: int, seed: int) -> Sequence[Demonstration]:  # noqa: ARG002
        """None: a list of instructions shows no solution."""
        return ()


def instruction_list(name: str) -> InstructionList:
    """The tasks of `file:PATH` or `file:PATH?max_steps=20`; PATH ends with .txt, .json or .jsonl.

    Instructions that come twice are taken once. Raises UsageError for a file that is no such list.
    """
    place, _, query = name.removeprefix(PREFIX).partition("?")
    path = Path(place).expanduser()
    steps = _max_steps(query, name)
    with blame(UsageError, f"task set {name!r}"):
        text = path.read_text(encoding="utf-8")
    found = list(dict.fromkeys(_instructions(path, text)))
    if not found:
        raise UsageError(f"task set {name!r} holds no instruction")
    tasks = tuple(
        Task(f"{path.stem}/{number}", path.stem, instruction, steps) for number, instruction in enumerate(found)
    )
    return InstructionList(name, tasks)


def _instructions(path: Path, text: str) -> list[str]:
    match path.suffix:
        case ".txt":
            items: list[Json] = text.splitlines()
        case ".jsonl":
            items = [_parsed(line, path) for line in text.splitlines() if line.strip()]
        case ".json":
            parsed = _parsed(text, path)
            if not isinstance(parsed, list):
                raise UsageError(f"{path} must hold a list of instructions, not {type(parsed).__name__}")
            items = parsed
        case other:
            raise UsageError(
                f"{path}: {other!r} is no list of instructions: {choices(other, ('.txt', '.json', '.jsonl'))}"
            )
    return [said for item in items if (said := _said(item, path))]


def _said(item: Json, path: Path) -> str:
    if isinstance(item, dict):
        item = next((item[key] for key in _KEYS if key in item), None)
    if not isinstance(item, str):
        raise UsageError(f"{path}: an instruction is a string, or an object with one of {', '.join(_KEYS)}")
    return " ".join(item.split())


def _parsed(text: str, path: Path) -> Json:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error


def _max_steps(query: str, name: str) -> int:
    key, _, value = query.partition("=")
    if not query:
        return 10
    if key != "max_steps" or not value.isdecimal() or int(value) < 1:
        raise UsageError(f"task set {name!r}: {query!r} is no option of an instruction list; write ?max_steps=20")
    return int(value)
