"""The command line: `distrl VERB ...`. Here are the verbs, exit statuses and messages; the work is done elsewhere.

Plugins bring more verbs, of one word or two; the built-in ones are found without loading any plugin.

Exit status: 0 done, 1 failed, 2 asked for something that cannot be, 130 interrupted.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from typing import TextIO, cast

from distrl_sdk.errors import DistrlError, UsageError, choices
from distrl_sdk.imports import load

VERBS = {
    "train": ("distrl_sdk.cli_run:train", "train an agent on a fleet of phones"),
    "record": ("distrl_sdk.cli_record:record", "show an agent how tasks are done: play them by hand on a page"),
    "worker": ("distrl_sdk.worker.__main__:main", "play episodes for a learner, on this or another machine"),
    "eval": ("distrl_sdk.cli_eval:evaluate", "measure the agent of a run on held-out tasks, or measure it again"),
    "compare": ("distrl_sdk.cli_eval:compare_two", "say what one evaluation solves that another does not"),
    "tasks": ("distrl_sdk.cli_tasks:tasks", "list the task sets, and check that one is honest"),
    "devices": ("distrl_sdk.cli_look:devices", "open the devices that a fleet spec means and say what they are"),
    "plugins": ("distrl_sdk.cli_look:show_plugins", "list the plugins, what they offer and why one cannot be used"),
    "doctor": ("distrl_sdk.cli_look:doctor", "look for what is missing on this machine"),
    "keys": ("distrl_sdk.cli_look:keys", "make the keys with which workers on other machines log in"),
}
"""Verb -> (where it is: a callable from arguments to exit status, what it does)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Prints a DistrlError as one line, without a traceback."""
    warnings.showwarning = _warn
    try:
        return _dispatch(list(sys.argv[1:] if arguments is None else arguments))
    except DistrlError as error:
        sys.stderr.write(f"distrl: {one_line(str(error))}\n")
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        sys.stderr.write("distrl: interrupted\n")
        return 130


def one_line(text: str) -> str:
    """The text with every run of white space made one space."""
    return " ".join(text.split())


def _dispatch(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(_help())
        return 0 if arguments else 2
    verb, *rest = arguments
    if verb == "--version":
        sys.stdout.write(f"distrl-sdk {metadata.version('distrl-sdk')}\n")
        return 0
    if verb in VERBS and (not rest or rest[0].startswith("-")):
        return _built_in(verb, rest)
    from distrl_sdk import plugins

    offered = plugins.names("command")
    if rest and f"{verb} {rest[0]}" in offered:
        return plugins.make_command(f"{verb} {rest[0]}").run(rest[1:])
    if verb in VERBS:
        return _built_in(verb, rest)
    if verb in offered:
        return plugins.make_command(verb).run(rest)
    raise UsageError(f"unknown command {verb!r}: {choices(verb, [*VERBS, *offered])}")


def _built_in(verb: str, arguments: list[str]) -> int:
    return cast(Callable[[list[str]], int], load(VERBS[verb][0]))(arguments)


def _brought() -> Iterator[tuple[str, str]]:
    """The verbs of plugins and what they do."""
    from distrl_sdk import plugins

    for name in plugins.names("command"):
        if name in VERBS:
            yield name, "cannot be used: a command of this name is built in"
            continue
        try:
            yield name, plugins.make_command(name).about
        except DistrlError as error:
            yield name, f"cannot be used: {one_line(str(error))}"


def _help() -> str:
    listed = [*((verb, what) for verb, (_, what) in VERBS.items()), *_brought()]
    width = max(len(verb) for verb, _ in listed) + 2
    lines = [f"  {verb:<{width}}{what}" for verb, what in listed]
    return "\n".join(
        [
            "usage: distrl COMMAND ...",
            "",
            "Train agents to operate phones by asynchronous distributed reinforcement learning.",
            "",
            *lines,
            "",
            "`distrl COMMAND --help` tells more; `distrl --version` tells the version.",
            "",
        ]
    )


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    from distrl_sdk.plugins import PluginWarning

    if issubclass(category, PluginWarning):
        text = f"distrl: warning: {one_line(str(message))}\n"
    else:
        text = warnings.formatwarning(message, category, filename, lineno, line)
    (file or sys.stderr).write(text)
