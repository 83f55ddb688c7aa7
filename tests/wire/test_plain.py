"""Records and their plain forms."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import WireError
from distrl_sdk.types import Action, Assignment, End, SlotAbout, Tap, Task, Verdict, Version
from distrl_sdk.wire.plain import from_plain, to_plain
from tests.wire import drawn


@dataclass(frozen=True)
class Line:
    """A record with an action in it."""

    action: Action


RECORDS = {
    Task: drawn.task,
    SlotAbout: drawn.slot,
    Assignment: drawn.assignment,
    End: drawn.end,
    Verdict: drawn.verdict,
    Version: drawn.version,
}


@settings(deadline=None, max_examples=40)
@given(st.data())
@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_a_record_survives_json_unchanged(kind: type[Any], data: st.DataObject) -> None:
    record = data.draw(RECORDS[kind])

    assert from_plain(kind, json.loads(json.dumps(to_plain(record)))) == record


@settings(deadline=None, max_examples=60)
@given(drawn.action)
def test_an_action_is_told_by_its_kind(action: Action) -> None:
    assert from_plain(Line, json.loads(json.dumps(to_plain(Line(action))))) == Line(action)


@pytest.mark.parametrize("plain", [None, "tap", {}, {"kind": "explode"}, {"kind": ["tap"]}], ids=repr)
def test_an_action_of_no_kind_is_refused(plain: Any) -> None:
    with pytest.raises(WireError, match=r"^line\.action: expected an action, one of tap, "):
        from_plain(Line, {"action": plain})


def test_a_tap_in_a_file_reads_as_one() -> None:
    assert to_plain(Tap(0.25, 1)) == {"kind": "tap", "x": 0.25, "y": 1}


def test_a_missing_field_takes_its_default_and_a_required_one_is_named() -> None:
    assert from_plain(Verdict, {"success": None}) == Verdict(None)
    with pytest.raises(WireError, match=r"^verdict: success is missing$"):
        from_plain(Verdict, {"reason": "?"})


@pytest.mark.parametrize(
    ("kind", "plain", "reason"),
    [
        (Verdict, {"success": 1}, "verdict.success: expected true or false, not int"),
        (Verdict, {"success": True, "score": "high"}, "verdict.score: expected a number, not str"),
        (Verdict, {"success": True, "score": math.nan}, "verdict.score: nan is not finite"),
        (End, {"kind": "exploded"}, "end.kind: 'exploded' is none of 'finish', 'step_limit', 'left_app', 'aborted'"),
        (Task, {"id": "a", "family": "f", "instruction": b"raw"}, "task.instruction: expected text, not bytes"),
        (Task, {"id": "a", "family": "f", "instruction": "i", "max_steps": True}, "task.max_steps: expected a whole"),
        (Task, {"id": "a", "family": "f", "instruction": "i", "apps": "maps"}, "task.apps: expected a list"),
        (Task, {"id": "a", "family": "f", "instruction": "i", "setup": {"k": b""}}, "task.setup: expected a plain"),
        (Task, {"id": "a", "family": "f", "instruction": "i", "extra": 1}, "task: unknown field 'extra'"),
        (Task, ["a"], "task: expected a mapping, not list"),
        (Version, [1], "version: expected a list of 2, not list"),
    ],
)
def test_what_is_wrong_is_named(kind: type[Any], plain: Any, reason: str) -> None:
    with pytest.raises(WireError) as caught:
        from_plain(kind, plain)

    assert str(caught.value).startswith(reason)


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        {1: "key"},
        b"bytes",
        pytest.param(object(), id="object"),
        2**64,
        "\ud800",
        {"deep": Tap(0, math.nan)},
    ],
    ids=repr,
)
def test_what_has_no_plain_form_is_refused_by_the_sender(value: Any) -> None:
    with pytest.raises(WireError):
        to_plain(value)


def test_nesting_is_bounded_on_both_sides() -> None:
    deep: Any = "end"
    for _ in range(100):
        deep = [deep]

    with pytest.raises(WireError, match="nested deeper than 16"):
        to_plain(deep)
    with pytest.raises(WireError, match="nested deeper than 16"):
        from_plain(Task, {"id": "a", "family": "f", "instruction": "i", "setup": {"deep": deep}})


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(list(RECORDS)), drawn.plain)
def test_no_plain_value_raises_anything_but_a_wire_error(kind: type[Any], plain: Any) -> None:
    try:
        from_plain(kind, plain)
    except WireError:
        return
