"""Colours of the light and the dark theme, and a colour for every name."""

from __future__ import annotations

import colorsys
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """The colours and the corners of one theme."""

    page: Colour
    panel: Colour
    bar: Colour
    ink: Colour
    faint: Colour
    line: Colour
    accent: Colour
    on_accent: Colour
    key: Colour
    plate: Colour
    round: float = 1.0
    """By how much corners are rounder than in version 1."""


LIGHT = Theme(
    page=(250, 250, 252),
    panel=(255, 255, 255),
    bar=(232, 238, 248),
    ink=(28, 28, 34),
    faint=(108, 110, 120),
    line=(212, 214, 222),
    accent=(28, 96, 214),
    on_accent=(255, 255, 255),
    key=(255, 255, 255),
    plate=(222, 225, 232),
)
DARK = Theme(
    page=(20, 21, 26),
    panel=(44, 46, 54),
    bar=(32, 35, 44),
    ink=(236, 237, 242),
    faint=(160, 163, 174),
    line=(66, 69, 80),
    accent=(132, 176, 255),
    on_accent=(12, 24, 48),
    key=(70, 73, 84),
    plate=(38, 40, 48),
)

_SECOND = replace(
    LIGHT, page=(246, 247, 240), bar=(246, 247, 240), accent=(20, 116, 84), plate=(226, 232, 222), round=0.35
)
_SECOND_DARK = replace(
    DARK, page=(16, 22, 20), bar=(16, 22, 20), accent=(126, 214, 178), on_accent=(6, 40, 28), round=0.35
)


def theme_of(dark: bool, version: int) -> Theme:
    """The theme of a phone; always the same object for the same phone."""
    if version > 1:
        return _SECOND_DARK if dark else _SECOND
    return DARK if dark else LIGHT


@lru_cache(maxsize=2048)
def tint(name: str, light: float = 0.52) -> Colour:
    """A colour that belongs to a name."""
    hue = zlib.crc32(name.encode()) % 360 / 360
    red, green, blue = colorsys.hls_to_rgb(hue, light, 0.55)
    return round(255 * red), round(255 * green), round(255 * blue)
