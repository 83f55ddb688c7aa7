"""What a user sees of a command that asks for something that cannot be."""

from __future__ import annotations

import pytest

from distrl_sdk import cli


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a command was refused."""
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("distrl: ")
    assert shown.err.count("\n") == 1
    return shown.err
