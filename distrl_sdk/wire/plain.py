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
from typing import Any, Literal, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from distrl_sdk.errors import WireError
from distrl_sdk.types import ACTION_KINDS, ACTIONS, Json

Record = TypeVar("Record")
Reader = Callable[[Any], Any]
"""Plain value -> value. Raises WireError with a message that goes on where the name of the value ends."""

KIND = "kind"
DEPTH = 16
"""How deep plain values may nest."""
INTEGERS = range(-(2**63), 2**64)
"""What msgpack carries."""


def to_plain(record: object, depth: int = DEPTH) -> Json:
    """The plain form of a record or of a plain value. Raises WireError for what has none, NaN and infinity included."""
    write = _WRITERS.get(type(record))
    if write is not None:
        return write(record, depth)
    if isinstance(record, str):  # StrEnum
        return _write_text(str(record), depth)
    if isinstance(record, Mapping):
        return _write_mapping(record, depth)
    if isinstance(record, tuple):  # NamedTuple
        return _write_list(record, depth)
    if isinstance(record, frozenset):
        return sorted(_write_list(tuple(record), depth))
    if dataclasses.is_dataclass(record) and not isinstance(record, type):
        return _write_record(record, depth)
    raise WireError(f"{type(record).__name__} {str(record)[:40]!r} has no plain form")


def from_plain(kind: type[Record], plain: Json, name: str = "") -> Record:
    """The record of type `kind` in a plain value. Raises WireError, naming the field, for whatever is not one.

    `name`: what its messages call the value, instead of the kind.
    """
    try:
        return cast(Record, reader(cast(Any, kind))(plain))
    except WireError as error:
        raise WireError(f"{name or kind.__name__.lower()}{error}") from None


# --- writers --------------------------------------------------------------------------------------------------------


def _write_text(value: str, _: int) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise WireError(f"text that is not unicode: {error.reason}") from error
    return value


def _write_integer(value: int, _: int) -> int:
    if value not in INTEGERS:
        raise WireError(f"a number of {value.bit_length()} bits has no plain form")
    return value


def _write_number(value: float, _: int) -> float:
    if not math.isfinite(value):
        raise WireError(f"{value} has no plain form")
    return value


def _write_list(value: Sequence[Any], depth: int) -> list[Json]:
    if not depth:
        raise WireError(f"nested deeper than {DEPTH}")
    return [to_plain(item, depth - 1) for item in value]


def _write_mapping(value: Mapping[Any, Any], depth: int) -> dict[str, Json]:
    if not depth:
        raise WireError(f"nested deeper than {DEPTH}")
    for name in value:
        if not isinstance(name, str):
            raise WireError(f"the key {str(name)[:40]!r} is not a string")
    return {_write_text(name, 0): to_plain(item, depth - 1) for name, item in value.items()}


def _write_record(record: Any, depth: int) -> dict[str, Json]:
    if not depth:
        raise WireError(f"nested deeper than {DEPTH}")
    plain = {name: to_plain(getattr(record, name), depth - 1) for name in field_names(cast(Any, type(record)))}
    action = ACTION_KINDS.get(type(record))
    return plain if action is None else {KIND: action} | plain


_WRITERS: Mapping[type[Any], Callable[[Any, int], Json]] = {
    type(None): lambda value, _: value,
    bool: lambda value, _: value,
    str: _write_text,
    int: _write_integer,
    float: _write_number,
    list: _write_list,
    tuple: _write_list,
    dict: _write_mapping,
}


@functools.cache
def field_names(kind: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields, in order."""
    return tuple(field.name for field in dataclasses.fields(kind))


# --- readers: one for each type of field ----------------------------------------------------------------------------


@functools.cache
def reader(kind: Any) -> Reader:
    """The reader of a type."""
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
        return _read_mapping
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _enum(kind)
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named_tuple(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind)
    raise TypeError(f"{kind} has no plain form")


def _expected(what: str, value: object) -> NoReturn:
    raise WireError(f": expected {what}, not {type(value).__name__}")


def _read_text(value: Any) -> str:
    return value if type(value) is str else _expected("text", value)


def _read_integer(value: Any) -> int:
    return value if type(value) is int else _expected("a whole number", value)


def _read_number(value: Any) -> float:
    if type(value) is not float and type(value) is not int:
        _expected("a number", value)
    if not math.isfinite(value):
        raise WireError(f": {value} is not finite")
    return float(value)


def _read_boolean(value: Any) -> bool:
    return value if type(value) is bool else _expected("true or false", value)


def _read_nothing(value: Any) -> None:
    return None if value is None else _expected("nothing", value)


def _read_json(value: Any, depth: int = DEPTH) -> Json:
    """Any plain value: bytes and msgpack extensions are none."""
    if not depth:
        raise WireError(f": nested deeper than {DEPTH}")
    if type(value) is list:
        return [_read_json(item, depth - 1) for item in value]
    if type(value) is dict:
        return {_read_text(name): _read_json(item, depth - 1) for name, item in value.items()}
    if type(value) is float:
        return _read_number(value)
    if value is not None and type(value) not in (bool, int, str):
        _expected("a plain value", value)
    return value


def _read_mapping(value: Any) -> dict[str, Json]:
    return cast(dict[str, Json], _read_json(value)) if type(value) is dict else _expected("a mapping", value)


_SCALARS: Mapping[Any, Reader] = {
    str: _read_text,
    int: _read_integer,
    float: _read_number,
    bool: _read_boolean,
    type(None): _read_nothing,
    Any: _read_json,
}


def _literal(allowed: tuple[Any, ...]) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not str or value not in allowed:
            raise WireError(f": {str(value)[:40]!r} is none of {', '.join(map(repr, allowed))}")
        return value

    return read


def _enum(kind: type[StrEnum]) -> Reader:
    among = _literal(tuple(member.value for member in kind))
    return lambda value: kind(among(value))


def _sequence(item: Any, build: Callable[[Sequence[Any]], Any]) -> Reader:
    read_item = reader(item)
    return lambda value: build(list(map(read_item, value))) if type(value) is list else _expected("a list", value)


def _named_tuple(kind: Any) -> Reader:
    readers = [reader(hint) for hint in get_type_hints(kind).values()]

    def read(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            _expected(f"a list of {len(readers)}", value)
        return kind(*(read_item(item) for read_item, item in zip(readers, value, strict=True)))

    return read


def _union(members: tuple[Any, ...]) -> Reader:
    """The reader of `X | None`, or of actions told apart by their kind."""
    if all(member in ACTION_KINDS for member in members):
        return _read_action
    others = [member for member in members if member is not type(None)]
    if len(others) != 1:
        raise TypeError(f"{members} cannot be told apart")
    read = reader(others[0])
    return lambda value: None if value is None else read(value)


def _read_action(value: Any) -> Any:
    kind = value.get(KIND) if type(value) is dict else None
    if type(kind) is not str or kind not in ACTIONS:
        raise WireError(f": expected an action, one of {', '.join(ACTIONS)}")
    return reader(cast(Any, ACTIONS[kind]))({name: item for name, item in value.items() if name != KIND})


def _record(kind: Any) -> Reader:
    hints = typing.get_type_hints(kind)
    readers = {name: reader(hints[name]) for name in field_names(kind)}
    required = [
        field.name
        for field in dataclasses.fields(kind)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]

    def read(value: Any) -> Any:
        if type(value) is not dict:
            _expected("a mapping", value)
        fields = {}
        for name, plain in value.items():
            if name not in readers:
                raise WireError(f": unknown field {str(name)[:40]!r}")
            try:
                fields[name] = readers[name](plain)
            except WireError as error:
                raise WireError(f".{name}{error}") from None
        for name in required:
            if name not in fields:
                raise WireError(f": {name} is missing")
        return kind(**fields)

    return read
