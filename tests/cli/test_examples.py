"""The YAML files under examples/: each can be read, and changes what it names and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from distrl_sdk.cli_run import read
from distrl_sdk.cli_settings import leaves

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.rglob("*.yaml"))


def settled(arguments: list[str]) -> dict[str, Any]:
    """Every setting by its dotted key, as it would stand in a file."""
    settings = asdict(read(arguments))
    return dict(leaves({**settings.pop("run"), **settings}))


def named(tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in leaves(tree) if key != "algorithm")


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(EXAMPLES)) for file in FILES])
def test_a_file_changes_what_it_names_and_nothing_else(file: Path) -> None:
    written = yaml.safe_load(file.read_text())
    usual = settled(["--algorithm", written.get("algorithm", "a-ride")])

    changed = {key: value for key, value in settled(["--config", str(file)]).items() if value != usual[key]}

    assert changed == dict(named(written)), "a file that repeats a default would hide when the default changes"
    assert file.read_text().startswith("# "), "the first line says what it is for"
