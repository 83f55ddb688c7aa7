"""`distrl tasks`: what a task set holds, and whether its splits are honest."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from distrl_sdk import plugins
from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.cli_table import write_table
from distrl_sdk.errors import DistrlError, UsageError
from distrl_sdk.interfaces import Audited

_SPLITS = ("train", "validation", "test", "test-instances", "test-templates", "test-apps", "test-version")
"""Those that a set may have by our own habit; it may have others."""


def tasks(arguments: Sequence[str]) -> int:
    """Print the sets, or one set's families; with --check look for what would make its figures worthless."""
    parser = make_parser("tasks", "List the task sets, or what one holds, or whether it is honest.", "[SET] [--check]")
    parser.add_argument("set", type=str, nargs="?", help="such as general/train or file:instructions.txt")
    parser.add_argument("--check", action="store_true", help="solve every task, and play every task at random")
    parsed = parse(parser, arguments)
    known = plugins.names("task set")
    if parsed.set is None or parsed.set in known:
        if parsed.check:
            raise UsageError("--check needs a split of a task set, such as general/train")
        write_table(("task set", "tasks", "families"), _sets(known if parsed.set is None else [parsed.set]))
        return 0
    found = plugins.task_set(parsed.set)
    if parsed.check:
        if not isinstance(found, Audited):
            raise UsageError(f"task set {parsed.set!r} offers no check of itself: it has no method audit")
        return _report(found)
    counts = Counter(task.family for task in found.tasks)
    example = {task.family: task.instruction for task in reversed(found.tasks)}
    write_table(("family", "tasks", "such as"), [(name, str(n), example[name]) for name, n in sorted(counts.items())])
    return 0


def _sets(known: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for name in (f"{whole}/{split}" for whole in known for split in _SPLITS):
        try:
            found = plugins.task_set(name)
        except DistrlError:
            continue  # it has no such split
        yield name, str(len(found.tasks)), str(len({task.family for task in found.tasks}))


def _report(found: Audited) -> int:
    findings = list(found.audit())
    for each in findings:
        sys.stdout.write(f"{each.state}: {each.what}{f'; {each.remedy}' if each.remedy else ''}\n")
    return 1 if any(each.state == "problem" for each in findings) else 0
