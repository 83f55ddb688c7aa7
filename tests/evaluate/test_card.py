"""What a card says, what it does not mind, and how it lies in a file."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from eval_cards import CARD
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import RunError, UsageError
from distrl_sdk.evaluate.card import Card, hash_of, hash_tasks
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.result import FORMAT, EvalResult, RunResult
from distrl_sdk.evaluate.stored import free_name, read_evaluation, write_evaluation
from distrl_sdk.types import Task, Version

RESULT = EvalResult(
    (
        EvalEpisode("t1", "alarm", Outcome.SUCCESS, "finish", claim=True, steps=5, seconds=1.25, trajectory="w/1/1"),
        EvalEpisode("t2", "alarm", Outcome.ABORTED, "aborted", 2, "device", side_effects=("wifi",)),
    ),
    Version(1, 9),
    CARD,
)

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(-1e6, 1e6) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


# --- hashes ---------------------------------------------------------------------------------------------------------


def test_a_hash_is_that_of_canonical_json() -> None:
    # printf '{"a":[1,2.5,null],"b":"é"}' | sha256sum
    expected = "41a039b5a690a0e490a416507920c9993f5d12a59eb496d685026408ea22b407"

    assert hash_of({"b": "é", "a": [1.0, 2.5, None]}) == expected
    assert hash_of({"a": (1, 2.5, None), "b": "é"}) == expected


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine the first one takes a second
@given(plain)
def test_a_hash_survives_a_file(value: Any) -> None:
    assert hash_of(json.loads(json.dumps(value))) == hash_of(value)


def test_every_word_of_a_task_counts_and_so_does_the_order() -> None:
    one, other = Task("t1", "alarm", "set it"), Task("t2", "alarm", "set it", setup={"seed": 3})

    hashes = {
        hash_tasks([one, other]),
        hash_tasks([other, one]),
        hash_tasks([one]),
        hash_tasks([one, replace(other, setup={"seed": 4})]),
        hash_tasks([one, replace(other, instruction="Set it")]),
    }

    assert len(hashes) == 5
    assert hash_tasks(iter([one, other])) in hashes


# --- differences ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"weights": "e" * 64}, "weights: eeeeeeeeeeee now, cccccccccccc on the card"),
        (
            {"tasks_hash": "f" * 64, "count": 3},
            "tasks: general/test 3 ffffffffffff now, general/test 2 aaaaaaaaaaaa on the card",
        ),
        ({"seed": 2}, "seed: 2 now, 1 on the card"),
        (
            {"machine": replace(CARD.machine, torch="2.5.0")},
            "versions: distrl-sdk 0.1.0, torch 2.5.0, python 3.11.4 now, "
            "distrl-sdk 0.1.0, torch 2.4.0, python 3.11.4 on the card",
        ),
        ({"fleet": "sim:4"}, "fleet: sim:4 now, sim:2 on the card"),
        (
            {"judge_options": {"strict": True}},
            "judge: programmatic strict True now, programmatic no options on the card",
        ),
        ({"policy_options": {"width": 32}}, "policy: compact width 32 now, compact width 64 on the card"),
        ({"config": "e" * 64}, "config: eeeeeeeeeeee now, dddddddddddd on the card"),
        ({"attempts": 4}, "attempts: 4 now, 1 on the card"),
        ({"temperature": 0.5}, "temperature: 0.5 now, 0.0 on the card"),
    ],
)
def test_each_difference_is_named_in_a_line(change: dict[str, Any], line: str) -> None:
    assert replace(CARD, **change).changes(CARD) == [line]


def test_where_and_when_are_no_difference() -> None:
    elsewhere = replace(CARD.machine, cpu="another", cores=64, memory=1, system="Darwin")

    assert replace(CARD, machine=elsewhere, date="2030-01-01T00:00:00+00:00", run="/moved").changes(CARD) == []


def test_nothing_of_a_card_is_forgotten_when_it_is_compared() -> None:
    left_out = {"machine", "date", "run"}
    other: dict[str, Any] = {
        field.name: f"{getattr(CARD, field.name)}x" if isinstance(getattr(CARD, field.name), str) else None
        for field in fields(Card)
        if field.name not in left_out
    }

    for name, value in other.items():
        assert len(replace(CARD, **{name: value}).changes(CARD)) == 1, name


# --- files ----------------------------------------------------------------------------------------------------------


def test_an_evaluation_comes_back_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "card.json"
    write_evaluation(file, RESULT)

    assert read_evaluation(file) == RESULT
    written = json.loads(file.read_text())
    assert (written["format"], written["success"], written["n"], written["unjudged"]) == (FORMAT, 1.0, 1, 1)
    assert written["card"]["machine"]["torch"] == "2.4.0"
    assert written["pass_at"] == {"1": 1.0}
    assert written["families"] == {"alarm": {"successes": 1, "n": 1}}
    assert written["endings"] == {"success": 1, "aborted: device": 1}


def test_of_a_run_it_is_the_last_evaluation(tmp_path: Path) -> None:
    before, after = replace(RESULT, version=Version(1, 1)), RESULT
    file = tmp_path / "result.json"
    for result, expected in (
        (RunResult(1, 1, 1.0, before, after), after),
        (RunResult(1, 1, 1.0, before), before),
    ):
        file.write_text(json.dumps(result.to_json()))

        assert read_evaluation(file) == read_evaluation(tmp_path) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{broken", r"is no result of an evaluation \(Expecting property name"),
        ("[]", r"is no result of an evaluation \(it is no mapping\): give a file that `distrl eval` wrote, or a run"),
        ("{}", f"is a result of format None, this distrl-sdk reads {FORMAT}"),
        ('{"format": 99, "episodes": []}', f"is a result of format 99, this distrl-sdk reads {FORMAT}: read it with"),
        (f'{{"format": {FORMAT}, "episodes": 3, "version": [1, 1]}}', r"episodes: expected a list"),
        (f'{{"format": {FORMAT}, "trajectories": 1}}', r"updates is missing"),
    ],
)
def test_what_is_no_evaluation_is_refused_with_its_name(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "card.json"
    file.write_text(content)

    with pytest.raises(RunError, match=message) as refused:
        read_evaluation(file)
    assert str(refused.value).startswith(str(file))


def test_no_file_and_a_run_without_an_evaluation_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="No such file"):
        read_evaluation(tmp_path / "none.json")
    (tmp_path / "result.json").write_text(json.dumps(RunResult(1, 1, 1.0).to_json()))
    with pytest.raises(UsageError, match="holds no evaluation: the run played no held-out tasks"):
        read_evaluation(tmp_path)


def test_a_card_gets_a_name_that_is_free(tmp_path: Path) -> None:
    first = free_name(tmp_path, "general/test-apps")
    first.touch()
    second = free_name(tmp_path, "general/test-apps")

    assert first.name.startswith("eval-general-test-apps-")
    assert first != second
