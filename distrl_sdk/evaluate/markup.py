"""HTML that is escaped by construction: whatever is not already Html is text. No page, no style here."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

_VOID = frozenset({"img", "input", "meta"})
"""Elements without an end tag."""


class Html(str):
    """Finished markup. Only this module, and what is written by hand in the report's own files, makes it."""

    __slots__ = ()


def escape(content: str) -> Html:
    """Text as markup: content itself when it is markup already. Control characters become a visible sign."""
    if isinstance(content, Html):
        return content
    shown = "".join(
        letter if letter.isprintable() or letter in "\n\t" else "\N{REPLACEMENT CHARACTER}" for letter in content
    )
    return Html(html.escape(shown))


def tag(name: str, /, *children: str, **attributes: str | float | bool | None) -> Html:
    """One element. `class_` stands for class, `data_x` for data-x; None and False leave an attribute out."""
    written = []
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            written.append(f" {attribute}")
        elif value is not None and value is not False:
            written.append(f' {attribute}="{escape(str(value))}"')
    start = f"<{name}{''.join(written)}>"
    return Html(start if name in _VOID else f"{start}{join(children)}</{name}>")


def join(parts: Iterable[str]) -> Html:
    """Markup and text one after the other."""
    return Html("".join(escape(part) for part in parts))


def section(title: str, *children: str) -> Html:
    """A part of the page under its heading."""
    return tag("section", tag("h2", title), *children)


def missing(text: str) -> Html:
    """Says what the page would show here, and why it cannot."""
    return tag("p", text, class_="missing")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], foot: Sequence[str] = (), class_: str = "") -> Html:
    """A table whose first column names the row."""
    body = join(_row(row, "td") for row in rows)
    return tag(
        "div",
        tag(
            "table",
            tag("thead", _row(head, "th")),
            tag("tbody", body),
            tag("tfoot", _row(foot, "td")) if foot else "",
            class_=class_ or None,
        ),
        class_="wide",
    )


def _row(cells: Sequence[str], kind: str) -> Html:
    first = tag("th", cells[0], scope="col" if kind == "th" else "row")
    return tag("tr", first, *(tag(kind, cell, scope="col" if kind == "th" else None) for cell in cells[1:]))
