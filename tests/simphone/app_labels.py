"""The labels that apps pass to the page builder and to `say`, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_LABELS = {
    "ask": (0, 1), "bar": (0,), "button": (1,), "check": (1, 4), "field": (1,), "fab": (1,), "header": (0,),
    "input_bar": (1, 2), "option": (1,), "paragraph": (0,), "progress": (0,), "row": (1, 3), "say": (0,),
    "slider": (1,), "stepper": (1,), "switch": (1, 4), "address_bar": (1,), "card": (1, 2),
}  # fmt: skip
"""Method of the page builder -> which of its arguments are labels."""
_BUTTONS = {"ask": 2, "bar": 1, "address_bar": 2, "chips": 0, "tabs": 1}
"""Method -> where its tuples begin that hold a label themselves."""


def labels(source: Path) -> Iterator[tuple[int, str]]:
    """(line, label) of each literal that is passed as a label, also by way of a name, a condition or a loop."""
    tree = ast.parse(source.read_text())
    values = _values(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for text in _passed(node, values):
                yield node.lineno, text


def _passed(call: ast.Call, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    if isinstance(call.func, ast.Name):
        method, arguments = call.func.id, call.args[1:]
        if method != "say":
            return
    elif (
        isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "page"
    ):
        method, arguments = call.func.attr, call.args
    else:
        return
    found = [arguments[at] for at in _LABELS.get(method, ()) if at < len(arguments)]
    found += [keyword.value for keyword in call.keywords if keyword.arg in ("detail", "text", "label")]
    for one in found:
        yield from _literals(one, values)
    for one in arguments[_BUTTONS.get(method, len(arguments)) :]:
        for button in _tuples(one, values):
            yield from _literals(button.elts[0 if method == "tabs" else 1], values)


def _literals(node: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if any(letter.isalpha() for letter in text.replace("{}", "")):
            yield text
        case ast.IfExp():
            yield from _literals(node.body, values)
            yield from _literals(node.orelse, values)
        case ast.BoolOp():
            for one in node.values:
                yield from _literals(one, values)
        case ast.Name(id=name):
            for one in values.get(name, ()):
                yield from _literals(one, {**values, name: []})
        case ast.JoinedStr():  # words belong into a template of `say`; data may be joined
            yield from (text for part in node.values for text in _literals(part, values))
        case _:
            return


def _tuples(node: ast.expr, values: dict[str, list[ast.expr]]) -> Iterator[ast.Tuple]:
    """The label-holding tuples that an argument stands for."""
    match node:
        case ast.Starred():
            yield from _tuples(node.value, values)
        case ast.Name(id=name):
            for one in values.get(name, ()):
                yield from _tuples(one, {**values, name: []})
        case ast.Tuple(elts=[ast.Tuple(), *_]):
            for one in node.elts:
                yield from _tuples(one, values)
        case ast.Tuple(elts=[_, _, *_]):
            yield node
        case ast.GeneratorExp():
            yield from _tuples(node.elt, values)
        case _:
            return


def _values(tree: ast.Module) -> dict[str, list[ast.expr]]:
    """Every name -> what is assigned to it anywhere in the module, or looped over if that is written out."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.setdefault(name, []).append(value)
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=values)):
                found.setdefault(name, []).extend(values)
            case _:
                continue
    return found
