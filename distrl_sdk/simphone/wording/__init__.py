"""The phone's labels in its own words: renamed by a newer version, translated into its language.

A book is a module here with `LABELS`: English -> (German, Chinese), every {} kept. All books are found by themselves.
A label that no book holds is said as it is: names, texts and products are data, and data is never translated.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from distrl_sdk.simphone.state import Style
from distrl_sdk.simphone.wording.renamed import RENAMED

LOCALES = ("en", "de", "zh")

SOURCES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    found.name: import_module(f"{__name__}.{found.name}").LABELS
    for found in pkgutil.iter_modules(__path__)
    if found.name != "renamed"
}
"""The books by the names of their modules."""

BOOKS: Mapping[str, Mapping[str, str]] = {
    locale: {label: words[column] for book in SOURCES.values() for label, words in book.items()}
    for column, locale in enumerate(LOCALES[1:])
}
"""Locale -> what each English label is in it; `en` needs none."""


def say(style: Style, text: str, *data: object) -> str:
    """A label, with data in the place of every {} in it."""
    if style.version > 1:
        text = RENAMED.get(text, text)
    book = BOOKS.get(style.locale)
    if book is not None:
        text = book.get(text, text)
    return text.format(*data) if data else text
