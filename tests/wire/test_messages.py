"""Messages as frames and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import WireError
from distrl_sdk.types import Assignment, SlotAbout, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.limits import Limits
from tests.wire import drawn

ALL: dict[str, type[Any]] = {**m.FROM_WORKER, **m.FROM_LEARNER, **m.TO_WEIGHTS, **m.FROM_WEIGHTS}

st.register_type_strategy(Assignment, drawn.assignment)
st.register_type_strategy(SlotAbout, drawn.slot)
st.register_type_strategy(Version, drawn.version)
PARTS = {"specs": st.dictionaries(drawn.text, drawn.plain, max_size=3), "protocol": st.just(m.PROTOCOL)}
BY_TYPE = {"str": drawn.text, "int": st.integers(-(2**63), 2**64 - 1), "float": drawn.number}


def strategy(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any message of a kind."""
    drawn_parts = {field.name: BY_TYPE[field.type] for field in fields(kind) if field.type in BY_TYPE}
    parts = drawn_parts | {field.name: PARTS[field.name] for field in fields(kind) if field.name in PARTS}
    if kind is m.Welcome:
        parts["pulse"] = strategy(m.Pulse)
    return st.builds(kind, **parts)


@settings(deadline=None, max_examples=25)
@given(st.data())
@pytest.mark.parametrize("name", ALL)
def test_a_message_survives_its_frame(name: str, data: st.DataObject) -> None:
    message = data.draw(strategy(ALL[name]))

    assert m.decode(m.encode(message), ALL) == message


def test_every_message_has_a_name_of_its_own() -> None:
    kinds = [kind for kind in vars(m).values() if is_dataclass(kind) and kind.__module__ == m.__name__]

    assert len(ALL) == len(set(ALL.values())) == len(kinds) - 2  # SlotState and WeightsAbout are parts of messages


def test_a_message_for_the_other_side_is_refused() -> None:
    with pytest.raises(WireError, match="not a message that is expected here"):
        m.decode(m.encode(m.Ack(1, 1)), m.FROM_WORKER)


def test_another_protocol_is_named_before_its_fields_are_looked_at() -> None:
    frame = msgpack.packb({"is": "welcome", "protocol": 99, "field of the future": 1})

    with pytest.raises(WireError, match=f"speaks protocol 99, this one {m.PROTOCOL}"):
        m.decode(frame, m.FROM_LEARNER)


def test_a_message_larger_than_the_limit_is_not_parsed() -> None:
    with pytest.raises(WireError, match="header of 1000 bytes, at most 100 are read"):
        m.decode(bytes(1000), ALL, Limits(header_bytes=100))


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=80) | drawn.plain.map(msgpack.packb))
def test_random_frames_raise_nothing_but_a_wire_error(frame: bytes) -> None:
    with pytest.raises(WireError):
        m.decode(frame, ALL)
