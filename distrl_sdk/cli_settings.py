"""Arguments of the command line: typed by the dataclasses of config.py, from a YAML file and from options.

What is wrong with them is a ConfigError of one line that names the key and the nearest or all valid ones.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jsonargparse import ArgumentParser, Namespace, set_parsing_settings

from distrl_sdk.errors import ConfigError, choices

set_parsing_settings(docstring_parse_attribute_docstrings=True)  # the help of a key is the text beside its field


def make_parser(verb: str, about: str, usage: str = "[OPTIONS]") -> ArgumentParser:
    """A parser that raises instead of ending the process. Parse with `parse`."""
    return ArgumentParser(prog=f"distrl {verb}", description=about, usage=f"distrl {verb} {usage}", exit_on_error=False)


def parse(parser: ArgumentParser, arguments: Sequence[str]) -> Namespace:
    """The arguments with dataclasses made of their groups; --max-minutes is --max_minutes.

    Raises ConfigError. --help and --print_config exit.
    """
    given = [_underscored(argument) for argument in arguments]
    try:
        parsed: Namespace = parser.instantiate(parser.parse_args(given))
        return parsed
    except (argparse.ArgumentError, ValueError) as error:
        raise ConfigError(_unknown_key(parser, given) or _plain(str(error))) from error


def _underscored(argument: str) -> str:
    name, equals, value = argument.partition("=")
    return f"--{name[2:].replace('-', '_')}{equals}{value}" if name.startswith("--") else argument


def _unknown_key(parser: ArgumentParser, arguments: Sequence[str]) -> str:
    """What is to be said of the first key that the parser does not have; '' when it has them all."""
    positional = {action.dest for action in parser._actions if not action.option_strings}
    known = {name: value for name, value in parser.get_defaults().as_dict().items() if name not in positional}
    for place, key in _given(arguments):
        parent, name, siblings = _first_wrong(known, key)
        if name:
            shown = f"--{parent}{name}" if place == "" else f"{parent}{name}"
            return f"unknown {'option' if place == '' else f'key in {place}:'} {shown}: {choices(name, siblings)}"
    return ""


def _given(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(file or '', dotted key) of everything that was given."""
    for at, argument in enumerate(arguments):
        if not argument.startswith("--"):
            continue
        name, equals, value = argument[2:].partition("=")
        yield "", name
        file = value if equals else next(iter(arguments[at + 1 :]), "")
        if name == "config":
            yield from ((file, key) for key in _dotted(_read_yaml(Path(file))))


def _read_yaml(file: Path) -> object:
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the configuration {file} cannot be read: {getattr(error, 'strerror', error)}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"the configuration {file} is not YAML: {error}") from error


def _dotted(tree: object, above: str = "") -> Iterator[str]:
    if not isinstance(tree, Mapping):
        return
    for key, value in tree.items():
        yield f"{above}{key}"
        yield from _dotted(value, f"{above}{key}.")


def _first_wrong(known: Mapping[str, Any], key: str) -> tuple[str, str, list[str]]:
    """(parent with its dot, the wrong name, what could stand there); the name is '' when the key is right."""
    here = known
    parent = ""
    for name in key.split("."):
        if name not in here and name not in ("help", "print_config"):
            return parent, name, list(here)
        parent += f"{name}."
        below = here.get(name)
        if not isinstance(below, Mapping) or not below:
            break  # a value, or a free mapping such as policy_options
        here = below
    return parent, "", []


def _plain(message: str) -> str:
    """The parser's own message on one line, types by their plain names."""
    message = re.sub(r'Parser key "(.*?)":\s*', r"\1: ", message)
    message = re.sub(r"<class '(?:\w+\.)*(\w+)'>", r"\1", message)
    message = re.sub(r"typing\.Literal\[(.*?)\]", r"one of \1", message)
    return " ".join(message.replace("Expected a ", "expected ").replace(". Got value: ", ", got ").split())
