"""Rules that no linter knows: nothing that runs foreign bytes, files and functions of a readable size, honest names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = sorted([*(ROOT / "distrl_sdk").rglob("*.py"), *(ROOT / "plugins").rglob("*.py")])
WRITTEN = sorted(
    file
    for folder in ("distrl_sdk", "plugins", "tests", "benchmarks", "examples")
    for file in (ROOT / folder).rglob("*.py")
)

FOREIGN_CODE = {"pickle", "cPickle", "cloudpickle", "dill", "shelve", "marshal", "joblib"}
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "core", "misc", "manager", "handler", "data", "info"}


ONE_PIECE = {"distrl_sdk/types.py"}
"""The vocabulary of records is read as a whole."""


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _faults(tree: ast.Module) -> Iterator[str]:
    """What could run or load bytes of a stranger."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.split(".")[0] in FOREIGN_CODE)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FOREIGN_CODE:
            yield str(node.module)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            if called in ("eval", "exec", "os.system", "os.popen"):
                yield called
            if called == "torch.load" and keywords.get("weights_only") != "True":
                yield "torch.load without weights_only=True"
            if keywords.get("shell") == "True" or keywords.get("allow_pickle") == "True":
                yield ast.unparse(node)


@pytest.mark.parametrize(
    "source",
    [
        "import pickle",
        "from pickle import loads",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "numpy.load(path, allow_pickle=True)",
        "subprocess.run(command, shell=True)",
        "eval(text)",
    ],
)
def test_the_search_for_foreign_code_finds_it(source: str) -> None:
    assert list(_faults(ast.parse(source))) != []


def test_nothing_loads_or_runs_foreign_bytes() -> None:
    faults = {f"{file.relative_to(ROOT)}: {fault}" for file in SHIPPED for fault in _faults(_tree(file))}
    assert faults == set()


def test_files_and_functions_have_a_readable_size() -> None:
    long_files = {
        name
        for file in SHIPPED
        if len(file.read_text(encoding="utf-8").splitlines()) > 300
        and (name := str(file.relative_to(ROOT))) not in ONE_PIECE
    }
    long_functions = {
        f"{file.relative_to(ROOT)}: {function.name}: {lines} lines"
        for file in SHIPPED
        for function in _functions(_tree(file))
        if (lines := (function.end_lineno or 0) - function.lineno + 1) > 40
    }
    assert long_files | long_functions == set()


def test_names_say_what_is_there() -> None:
    vague = {str(file.relative_to(ROOT)) for file in WRITTEN if file.stem in VAGUE}
    vague |= {
        f"{file.relative_to(ROOT)}: {function.name}"
        for file in SHIPPED
        for function in _functions(_tree(file))
        if function.name.lstrip("_").startswith(("process_", "do_"))
    }
    assert vague == set()
