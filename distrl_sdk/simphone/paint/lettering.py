"""Lines of text, put together sign by sign from two fonts: the second has what the first lacks.

The first is Pillow's bundled font (Aileron: ASCII and little more), the second lies in fonts/ (its README says more).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from distrl_sdk.simphone.paint.theme import Colour

SECOND = Path(__file__).parent / "fonts" / "NotoSansSC-subset.otf"
_NO_SIGN = "\uffff"
"""A place in Unicode that no font fills: fonts show their sign for what they lack."""


@lru_cache(maxsize=64)
def first(pixels: int) -> ImageFont.FreeTypeFont:
    """Pillow's bundled font in a size."""
    found = ImageFont.load_default(max(6, pixels))
    assert isinstance(found, ImageFont.FreeTypeFont)  # Pillow falls back to a bitmap only without FreeType
    return found


@lru_cache(maxsize=64)
def second(pixels: int) -> ImageFont.FreeTypeFont:
    """The font of umlauts and Chinese signs in a size, which is no smaller than they can be told apart."""
    return ImageFont.truetype(str(SECOND), max(9, pixels))


@lru_cache(maxsize=4096)
def shown_by(font: ImageFont.FreeTypeFont, sign: str) -> bool:
    """Whether a font has a picture of a sign."""
    return sign.isspace() or bytes(font.getmask(sign)) != bytes(font.getmask(_NO_SIGN))


def length(text: str, pixels: int) -> float:
    """Pixels from the line's beginning to its end."""
    return sum(_advance(font, run, pixels) for font, run in _runs(text, pixels))


def write(image: Image.Image, at: tuple[float, float], text: str, pixels: int, colour: Colour, anchor: str) -> None:
    """Draw a line; `anchor` is l, m or r, then m or a, as Pillow has it, of the first font."""
    ascent, descent = first(pixels).getmetrics()
    runs = [(font, run, _advance(font, run, pixels)) for font, run in _runs(text, pixels)]
    left = at[0] - {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]] * sum(advance for _, _, advance in runs)
    baseline = at[1] + (ascent if anchor[1] == "a" else (ascent - descent) / 2)
    for font, run, advance in runs:
        if run != " ":
            mask, across, down = _stamp(font, run)
            image.paste(colour, (round(left) + across, round(baseline) + down), mask)
        left += advance


@lru_cache(maxsize=4096)
def _stamp(font: ImageFont.FreeTypeFont, run: str) -> tuple[Image.Image, int, int]:
    """A word as a mask, and where it lies from its place on the baseline; words come again and again."""
    left, top, right, bottom = (round(edge) for edge in font.getbbox(run, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), run, 255, font, "ls")
    return mask, left, top


@lru_cache(maxsize=16384)
def _advance(font: ImageFont.FreeTypeFont, run: str, pixels: int) -> float:
    """How far a run leads on. A blank is wide enough to part words where letters are small."""
    return round(0.3 * pixels) if run == " " else font.getlength(run)


def _runs(text: str, pixels: int) -> list[tuple[ImageFont.FreeTypeFont, str]]:
    """The line in stretches of one font, each blank by itself."""
    found: list[tuple[ImageFont.FreeTypeFont, str]] = []
    main, known = first(pixels), first(20)
    for number, word in enumerate(text.split(" ")):
        if number:
            found.append((main, " "))
        if word.isascii():
            found.append((main, word))
            continue
        for plain, signs in groupby(word, lambda sign: sign.isascii() or shown_by(known, sign)):
            found.append((main if plain else second(pixels), "".join(signs)))
    return found
