"""Records as plain values (dicts, lists, strings, numbers: what JSON and msgpack both carry) and back, strictly.

Driven by the types of the records' fields, so a new field travels without a line here. An action is a dict with its
kind beside its fields; a NamedTuple is a list; a field that is missing takes its default, an unknown one is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from distrl_sdk.errors import WireError
from distrl_sdk.types import ACTION_KINDS, ACTIONS, Action, Json

Record = TypeVar("Record")
Reader = Callable[[Any, str], Any]

KIND = "kind"
DEPTH = 16
"""How deep plain values may nest."""
INTEGERS = range(-(2**63), 2**64)
"""What msgpack carries."""


def to_plain(record: object, depth: int = DEPTH) -> Json:
    """The plain form of a record or of a plain value. Raises WireError for what has none, NaN and infinity included."""
    if record is None or isinstance(record, bool):
        return record
    if isinstance(record, str):
        return _text(str(record))
    if isinstance(record, int) and record in INTEGERS:
        return int(record)
    if isinstance(record, float) and math.isfinite(record):
        return float(record)
    if depth == 0:
        raise WireError(f"nested deeper than {DEPTH}")
    if isinstance(record, Mapping):
        return {_key(name): to_plain(value, depth - 1) for name, value in record.items()}
    if isinstance(record, list | tuple):
        return [to_plain(value, depth - 1) for value in record]
    if isinstance(record, frozenset):
        return sorted(to_plain(value, depth - 1) for value in record)
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        plain = {name: to_plain(getattr(record, name), depth - 1) for name in _names(type(record))}
        action = ACTION_KINDS.get(type(record))
        return plain if action is None else {KIND: action} | plain
    raise WireError(f"{type(record).__name__} {str(record)[:40]!r} has no plain form")


def from_plain(kind: type[Record], plain: Json, name: str = "") -> Record:
    """The record of type `kind` in a plain value. Raises WireError, naming the field, for whatever is not one.

    `name`: what its messages call the value, instead of the kind.
    """
    read: Callable[[Any, str], Record] = _reader(cast(Any, kind))
    return read(plain, name or kind.__name__.lower())


def action_from_plain(plain: Json) -> Action:
    """The action in a plain value. Raises WireError for whatever is not one."""
    action: Action = _reader(Action)(plain, "action")
    return action


@functools.cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


def _text(value: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise WireError(f"text that is not unicode: {error.reason}") from error
    return value


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise WireError(f"the key {str(name)[:40]!r} is not a string")
    return _text(name)


def _expected(what: str, value: object, path: str) -> WireError:
    return WireError(f"{path}: expected {what}, not {type(value).__name__}")


# --- readers: one for each type of field ----------------------------------------------------------------------------


@functools.cache
def _reader(kind: Any) -> Reader:
    """A function (plain value, path) -> value of type `kind`."""
    origin = get_origin(kind)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if origin in (Union, types.UnionType):
        return _union(get_args(kind))
    if origin is Literal:
        return _literal(get_args(kind))
    if origin is tuple:
        return _sequence(get_args(kind)[0], tuple)
    if origin is frozenset:
        return _sequence(get_args(kind)[0], frozenset)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _enum(kind)
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named_tuple(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind)
    raise TypeError(f"{kind} has no plain form")


def _string(value: Any, path: str) -> str:
    if type(value) is not str:
        raise _expected("text", value, path)
    return value


def _integer(value: Any, path: str) -> int:
    if type(value) is not int:
        raise _expected("a whole number", value, path)
    return value


def _number(value: Any, path: str) -> float:
    if type(value) is not float and type(value) is not int:
        raise _expected("a number", value, path)
    if not math.isfinite(value):
        raise WireError(f"{path}: {value} is not finite")
    return float(value)


def _boolean(value: Any, path: str) -> bool:
    if type(value) is not bool:
        raise _expected("true or false", value, path)
    return value


def _nothing(value: Any, path: str) -> None:
    if value is not None:
        raise _expected("nothing", value, path)


def _json(value: Any, path: str, depth: int = DEPTH) -> Json:
    """Any plain value: bytes and msgpack extensions are none."""
    if depth == 0:
        raise WireError(f"{path}: nested deeper than {DEPTH}")
    if type(value) is list:
        return [_json(item, path, depth - 1) for item in value]
    if type(value) is dict:
        return {_string(name, path): _json(item, path, depth - 1) for name, item in value.items()}
    if type(value) is float:
        return _number(value, path)
    if value is not None and type(value) not in (bool, int, str):
        raise _expected("a plain value", value, path)
    return value


def _mapping(value: Any, path: str) -> dict[str, Json]:
    if type(value) is not dict:
        raise _expected("a mapping", value, path)
    plain: dict[str, Json] = _json(value, path)
    return plain


_SCALARS: Mapping[Any, Reader] = {
    str: _string,
    int: _integer,
    float: _number,
    bool: _boolean,
    type(None): _nothing,
    Any: _json,
}


def _literal(allowed: tuple[Any, ...]) -> Reader:
    def read(value: Any, path: str) -> Any:
        if type(value) is not str or value not in allowed:
            raise WireError(f"{path}: {str(value)[:40]!r} is none of {', '.join(map(repr, allowed))}")
        return value

    return read


def _enum(kind: type[StrEnum]) -> Reader:
    among = _literal(tuple(member.value for member in kind))
    return lambda value, path: kind(among(value, path))


def _sequence(item: Any, build: Callable[[Sequence[Any]], Any]) -> Reader:
    read_item = _reader(item)

    def read(value: Any, path: str) -> Any:
        if type(value) is not list:
            raise _expected("a list", value, path)
        return build([read_item(element, path) for element in value])

    return read


def _named_tuple(kind: Any) -> Reader:
    readers = [_reader(hint) for hint in get_type_hints(kind).values()]

    def read(value: Any, path: str) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise _expected(f"a list of {len(readers)}", value, path)
        return kind(*(reader(element, path) for reader, element in zip(readers, value, strict=True)))

    return read


def _union(members: tuple[Any, ...]) -> Reader:
    """The reader of `X | None`, or of actions told apart by their kind."""
    if all(member in ACTION_KINDS for member in members):
        return _read_action
    others = [member for member in members if member is not type(None)]
    if len(others) != 1:
        raise TypeError(f"{members} cannot be told apart")
    read = _reader(others[0])
    return lambda value, path: None if value is None else read(value, path)


def _read_action(value: Any, path: str) -> Any:
    kind = value.get(KIND) if type(value) is dict else None
    if type(kind) is not str or kind not in ACTIONS:
        raise WireError(f"{path}: expected an action, one of {', '.join(ACTIONS)}")
    return _reader(cast(Any, ACTIONS[kind]))(
        {name: field for name, field in value.items() if name != KIND}, f"{path}.{kind}"
    )


def _record(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}
    required = [
        field.name
        for field in dataclasses.fields(kind)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]

    def read(value: Any, path: str) -> Any:
        if type(value) is not dict:
            raise _expected("a mapping", value, path)
        fields = {}
        for name, plain in value.items():
            if name not in readers:
                raise WireError(f"{path}: unknown field {str(name)[:40]!r}")
            fields[name] = readers[name](plain, f"{path}.{name}")
        for name in required:
            if name not in fields:
                raise WireError(f"{path}: {name} is missing")
        return kind(**fields)

    return read
