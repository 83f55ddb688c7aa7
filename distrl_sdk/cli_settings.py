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
    return ArgumentParser(
        prog=f"distrl {verb}",
        description=about,
        usage=f"distrl {verb} {usage}".rstrip(),
        exit_on_error=False,
        allow_abbrev=False,
    )


def parse(parser: ArgumentParser, arguments: Sequence[str]) -> Namespace:
    """The arguments with dataclasses made of their groups; --max-minutes is --max_minutes.

    Raises ConfigError. --help and --print_config exit.
    """
    given = [_underscored(argument) for argument in arguments]
    _check_files(parser, given)
    try:
        parsed = parser.parse_args(given)
        made: Namespace = parser.instantiate(parsed)
        return made
    except (argparse.ArgumentError, ValueError) as error:
        raise ConfigError(_unknown_key(parser, given) or _plain(str(error))) from error


def told(arguments: Sequence[str], key: str) -> str:
    """The value of a key of the top level, in an option or in a YAML file, the last one; '' when it was not given.

    For what has to be known before there is a parser. Raises ConfigError for a file that cannot be read.
    """
    value = ""
    for name, given in _options([_underscored(argument) for argument in arguments]):
        if name == key:
            value = given
        elif name == "config" and given:
            tree = _read_yaml(Path(given))
            value = str(tree[key]) if isinstance(tree, Mapping) and tree.get(key) else value
    return value


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


def _check_files(parser: ArgumentParser, arguments: Sequence[str]) -> None:
    """Raise ConfigError for what the parser would take from a file as if it were not there: no settings, no value."""
    usual = parser.get_defaults().as_dict()
    for file in (value for name, value in _options(arguments) if name == "config" and value):
        tree = _read_yaml(Path(file))
        if not isinstance(tree, Mapping):
            raise ConfigError(f"the configuration {file} holds no settings: write KEY: VALUE as --print_config does")
        for key, value in _flat(tree):
            default = _at(usual, key)
            if isinstance(default, Mapping) and not isinstance(value, Mapping):
                raise ConfigError(f"{key} in {file} is a section, not {value!r}: its keys stand indented below it")
            if default is not None and value is None:
                raise ConfigError(f"{key} in {file} has no value: leave it out for the usual {default!r}")


def _options(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(name, value) of every option; the value is '' where none follows."""
    for at, argument in enumerate(arguments):
        if argument.startswith("--"):
            name, equals, value = argument[2:].partition("=")
            follows = next((after for after in arguments[at + 1 : at + 2] if not after.startswith("--")), "")
            yield name, value if equals else follows


def _given(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(file or '', dotted key) of everything that was given."""
    for name, value in _options(arguments):
        yield "", name
        if name == "config" and value:
            yield from ((value, key) for key, _ in _flat(_read_yaml(Path(value))))


def _read_yaml(file: Path) -> object:
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the configuration {file} cannot be read: {getattr(error, 'strerror', error)}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"the configuration {file} is not YAML: {error}") from error


def _flat(tree: object, above: str = "") -> Iterator[tuple[str, object]]:
    """(dotted key, value) of everything in a tree, sections too."""
    if not isinstance(tree, Mapping):
        return
    for key, value in tree.items():
        yield f"{above}{key}", value
        yield from _flat(value, f"{above}{key}.")


def leaves(tree: Mapping[str, object], above: str = "") -> Iterator[tuple[str, object]]:
    """(dotted key, value) of everything in a tree that is not a section."""
    return ((key, value) for key, value in _flat(tree, above) if not isinstance(value, Mapping))


def _at(tree: object, key: str) -> object:
    """What stands at a dotted key; None when there is nothing."""
    for name in key.split("."):
        tree = tree.get(name) if isinstance(tree, Mapping) else None
    return tree


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
