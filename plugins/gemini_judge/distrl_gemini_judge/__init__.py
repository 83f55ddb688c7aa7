"""Gemini as a judge: the name only; the judge comes with a later version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

from distrl_sdk.errors import PluginError
from distrl_sdk.hookspecs import hookimpl


@hookimpl
def distrl_judges() -> Mapping[str, Callable[..., NoReturn]]:
    """The judge `gemini`."""
    return {"gemini": gemini_judge}


def gemini_judge(**_options: object) -> NoReturn:
    """Raises PluginError."""
    raise PluginError("the judge gemini is not available in version 0.1.0 yet; available: programmatic")
