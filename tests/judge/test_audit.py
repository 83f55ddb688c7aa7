"""What is written down of calls and verdicts, and what must never be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl_sdk.judge.audit import RAW, Audit, read, spent
from distrl_sdk.judge.budget import Spend
from distrl_sdk.judge.call import CallError, ModelReply
from distrl_sdk.judge.redaction import Redaction
from tests.judge.model_calls import USAGE, request

NOTHING = Redaction(environment={})


def test_a_call_its_answer_and_the_verdict_are_lines_that_belong_together(tmp_path: Path) -> None:
    audit = Audit(tmp_path / "a", NOTHING)
    asked = request()

    number = audit.call("fake", asked, Spend(1, 500, 0.1))
    audit.answer(number, ModelReply("x" * 2 * RAW, "m-1", USAGE), Spend(1, 60, 0.01))
    audit.verdict({"episode": "w/1/1", "success": None})
    audit.close()
    audit.close()

    call, answer, verdict = read(tmp_path / "a")
    assert (call["request"], call["frames"]) == (asked.sha256(), [part.sha256 for part in asked.parts[1:]])  # type: ignore[union-attr]
    assert (answer["number"], answer["served"], len(answer["raw"])) == (call["number"], "m-1", RAW)
    assert (verdict["kind"], verdict["episode"], verdict["success"]) == ("verdict", "w/1/1", None)


def test_what_was_spent_is_what_was_settled_and_what_never_was(tmp_path: Path) -> None:
    for _ in range(2):  # the numbers of two processes differ
        audit = Audit(tmp_path / "a", NOTHING)
        audit.answer(audit.call("fake", request(), Spend(1, 500, 0.5)), ModelReply("yes"), Spend(1, 60, 0.25))
        audit.answer(audit.call("fake", request(), Spend(1, 500, 0.5)), CallError("rate", "slowly"), Spend(1))
        audit.call("fake", request(), Spend(1, 500, 0.5))
        audit.close()

    assert spent(tmp_path / "a") == Spend(6, 1120, 1.5)
    assert spent(tmp_path / "none") == Spend()


def test_a_torn_line_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "a"
    audit = Audit(path, NOTHING)
    audit.verdict({"episode": "1"})
    audit.close()
    with path.open("ab") as file:
        file.write(b'{"kind": "verd')

    audit = Audit(path, NOTHING)
    audit.verdict({"episode": "2"})

    assert [each["episode"] for each in read(path)] == ["1", "2"]


def test_keys_and_secrets_are_in_no_line(tmp_path: Path) -> None:
    planted = 'AIza"planted\\key\u00e9'
    redaction = Redaction(["PIN"], {"MY_API_KEY": planted, "PIN": "4711", "HOME": "/root/secrets", "X_TOKEN": "short"})
    audit = Audit(tmp_path / "a", redaction)

    number = audit.call("fake", request(f"is {planted} 4711?"), Spend())
    audit.answer(number, ModelReply(f"the key is {planted}, short"), Spend())
    audit.answer(number, CallError("transport", f"GET ?key={planted} failed"), Spend())
    audit.verdict({"reason": ["4711", {planted: planted}], "seconds": 4711})

    text = (tmp_path / "a").read_text(encoding="utf-8")
    assert planted not in text
    assert json.dumps(planted)[1:-1] not in text
    assert json.dumps(planted, ensure_ascii=False)[1:-1] not in text
    lines = list(read(tmp_path / "a"))
    assert lines[1]["raw"] == "the key is [MY_API_KEY], short"
    assert lines[2]["failed"] == "transport: GET ?key=[MY_API_KEY] failed"
    assert lines[3]["reason"] == ["[PIN]", {"[MY_API_KEY]": "[MY_API_KEY]"}]


def test_without_anything_to_hide_a_text_stays_as_it_is() -> None:
    assert NOTHING.text("/root/secrets") == "/root/secrets"


@pytest.mark.parametrize("content", ["", "\n", "garbage\n[1]\n"])
def test_lines_that_are_none_are_left_out(tmp_path: Path, content: str) -> None:
    (tmp_path / "a").write_text(content)

    assert list(read(tmp_path / "a")) == []
