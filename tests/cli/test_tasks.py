"""`distrl tasks`, and runs whose task sets are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from refusals import refused

from distrl_sdk import cli


def test_the_sets_are_listed_with_their_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tasks"]) == 0

    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["demo/test", "128", "16"] in rows
    assert ["general/test-apps", "512", "9"] in rows
    assert ["webshop/train", "500", "18"] in rows
    assert not [row for row in rows if row[0] == "demo/test-apps"]
    assert cli.main(["tasks", "webshop"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 8


def test_a_set_is_shown_family_by_family(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    listed = tmp_path / "theirs.txt"
    listed.write_text("Open the mail\nCall Ada\n", encoding="utf-8")

    assert cli.main(["tasks", "demo/test"]) == 0
    assert capsys.readouterr().out.count("\n") == 17
    assert cli.main(["tasks", f"file:{listed}"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split(maxsplit=2) == ["theirs", "2", "Open the mail"]


def test_a_check_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tasks", "demo/test-templates", "--check"]) == 0

    shown = capsys.readouterr().out
    assert "ok: the expert solves 128 of 128\n" in shown
    assert shown.count("ok: ") == 8


def test_what_cannot_be_checked_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "theirs.txt").write_text("Open the mail\n", encoding="utf-8")

    assert "it has no method audit" in refused(capsys, "tasks", f"file:{tmp_path}/theirs.txt", "--check")
    assert "--check needs a split of a task set" in refused(capsys, "tasks", "--check")
    assert "did you mean test-apps?" in refused(capsys, "tasks", "general/test-aps")


def test_a_run_that_would_train_on_its_test_is_refused_before_it_starts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_text("Open the mail\nCall Ada\n", encoding="utf-8")
    Path("test.txt").write_text("call ada!\n", encoding="utf-8")
    lists = ["--tasks=file:train.txt", "--eval_tasks=file:test.txt"]

    checks = refused(capsys, "train", "--dry-run", *lists)
    overlap = refused(capsys, "train", "--dry-run", "--tasks=demo/train", "--eval_tasks=demo/train")

    assert "have no checks, which the judge 'programmatic' reads" in checks
    assert "tasks of 'demo/train' are also held out in 'demo/train'" in overlap
    assert "--overlap drop" in overlap
    assert cli.main(["train", "--dry-run", "--tasks=demo/train", "--eval_tasks=demo/train", "--overlap=allow"]) == 0
    assert [path.name for path in tmp_path.iterdir()] in (["train.txt", "test.txt"], ["test.txt", "train.txt"])
