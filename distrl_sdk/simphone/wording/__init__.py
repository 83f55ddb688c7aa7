"""The phone's labels in its own words: renamed by a newer version, translated into its language.

A label that no book holds is said as it is: names, texts and products are data, and data is never translated.
"""

from __future__ import annotations

from collections.abc import Mapping

from distrl_sdk.simphone.state import Style
from distrl_sdk.simphone.wording.renamed import RENAMED

BOOKS: Mapping[str, Mapping[str, str]] = {}
"""Locale -> what each English label is in it; `en` needs none."""


def say(style: Style, text: str, *data: object) -> str:
    """A label, with data in the place of every {} in it."""
    if style.version > 1:
        text = RENAMED.get(text, text)
    book = BOOKS.get(style.locale)
    if book is not None:
        text = book.get(text, text)
    return text.format(*data) if data else text
