"""Instruction lists of other benchmarks: what is read, and what is refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from distrl_sdk.errors import UsageError
from distrl_sdk.plugins import task_set

LINES = ["What's on Reddit this week?", "Install the app  Yelp", "", "Install the app Yelp", "Go to walmart.com"]
SAID = ["What's on Reddit this week?", "Install the app Yelp", "Go to walmart.com"]


def test_a_text_file_has_an_instruction_a_line_and_each_once(tmp_path: Path) -> None:
    path = tmp_path / "general_train.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")

    found = task_set(f"file:{path}")

    assert [task.instruction for task in found.tasks] == SAID
    assert [task.id for task in found.tasks] == ["general_train/0", "general_train/1", "general_train/2"]
    assert {(task.family, task.max_steps, task.platform, task.verify) for task in found.tasks} == {
        ("general_train", 10, "", ())
    }
    assert not found.demonstrations(5, 1)


def test_json_lists_hold_strings_or_objects(tmp_path: Path) -> None:
    whole, lines = tmp_path / "web.json", tmp_path / "web.jsonl"
    items = [SAID[0], {"goal": SAID[1]}, {"episode": 3, "goal_info": SAID[2]}]
    whole.write_text(json.dumps(items), encoding="utf-8")
    lines.write_text("\n".join(json.dumps(item) for item in items), encoding="utf-8")

    for path in (whole, lines):
        found = task_set(f"file:{path}?max_steps=20")
        assert [task.instruction for task in found.tasks] == SAID
        assert {task.max_steps for task in found.tasks} == {20}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "\n \n", "holds no instruction"),
        ("a.csv", "x", r"'.csv' is no list of instructions: .*\.txt"),
        ("a.json", "{", "is not JSON"),
        ("a.json", '{"goal": "x"}', "must hold a list of instructions, not dict"),
        ("a.json", "[3]", "an instruction is a string, or an object with one of instruction, goal"),
        ("a.json", '[{"aim": "x"}]', "an instruction is a string, or an object with one of"),
        ("a.txt?steps=3", "x", r"'steps=3' is no option of an instruction list; write \?max_steps=20"),
        ("a.txt?max_steps=0", "x", "write"),
    ],
)
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name.partition("?")[0]).write_text(content, encoding="utf-8")

    with pytest.raises(UsageError, match=message):
        task_set(f"file:{tmp_path / name}")


def test_a_file_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe\x00")

    for name in ("a.txt", "b.txt"):
        with pytest.raises(UsageError, match=name):
            task_set(f"file:{tmp_path / name}")
