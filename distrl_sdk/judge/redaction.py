"""Values that must stand in no file and no message: keys of servers, secrets that an agent types."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from distrl_sdk.types import Json

SHORTEST = 8
"""Characters of a value that is looked for unasked: shorter ones stand everywhere by chance."""

_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
"""How the names of environment variables end that hold such values."""


class Redaction:
    """Replaces the values of environment variables by [NAME]: of those that are named like keys, and of `names`."""

    def __init__(self, names: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> None:
        known = os.environ if environment is None else environment
        like_keys = {name for name, value in known.items() if _NAMES.search(name) and len(value) >= SHORTEST}
        values = {known[name]: name for name in sorted(like_keys | set(names)) if known.get(name)}
        self._names = values
        longest_first = sorted(values, key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, longest_first))) if values else None

    def text(self, text: str) -> str:
        """The text without any of the values."""
        if self._values is None:
            return text
        return self._values.sub(lambda match: f"[{self._names[match[0]]}]", text)

    def plain(self, value: Json) -> Json:
        """A plain value whose every text, names included, is without them."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(name)): self.plain(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(each) for each in value]
        return value
