"""Text that the first font lacks is drawn with the second, and whatever the phone says can be drawn."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

from distrl_sdk.simphone.paint.lettering import SECOND, first, length, second, shown_by, write
from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import LIGHT
from distrl_sdk.simphone.wording import BOOKS


def drawn(text: str, pixels: int = 20, anchor: str = "lm") -> np.ndarray:
    canvas = Image.new("L", (300, 60))
    write(canvas, (150 if anchor[0] == "m" else 20, 30), text, pixels, 255, anchor)  # type: ignore[arg-type]
    return np.asarray(canvas)


@pytest.mark.parametrize("locale", sorted(BOOKS))
def test_every_sign_of_every_book_can_be_drawn(locale: str) -> None:
    signs = {sign for said in BOOKS[locale].values() for sign in said}
    lacking = {sign for sign in signs if not shown_by(first(20), sign) and not shown_by(second(20), sign)}

    assert not lacking, (
        f"{SECOND.name} lacks {''.join(sorted(lacking))}: {SECOND.parent.name}/README.md says how to add"
    )


def test_the_first_font_draws_what_it_can() -> None:
    canvas = Image.new("L", (300, 60))
    ImageDraw.Draw(canvas).text((20, 30), "Wi-Fi", 255, first(20), "lm")

    np.testing.assert_array_equal(drawn("Wi-Fi"), np.asarray(canvas))


@pytest.mark.parametrize("text", ["öffnen", "Größe", "设置", "打开 Wi-Fi", "第 1 页"])
def test_a_line_of_two_fonts_is_as_long_as_its_ink(text: str) -> None:
    ink = np.flatnonzero(drawn(text).any(0))

    assert ink[0] == pytest.approx(20, abs=3)
    assert ink[-1] - 20 == pytest.approx(length(text, 20), abs=3)
    assert length(text, 20) == pytest.approx(sum(length(sign, 20) for sign in text), abs=2)


@pytest.mark.parametrize("text", ["Open", "öffnen", "设置"])
def test_anchors_mean_the_same_with_both_fonts(text: str) -> None:
    across, along = (np.flatnonzero(drawn(text, anchor="mm").any(axis)) for axis in (0, 1))

    assert (across[0] + across[-1]) / 2 == pytest.approx(150, abs=2)
    assert (along[0] + along[-1]) / 2 == pytest.approx(30, abs=3)


def test_chinese_text_is_broken_without_blanks_and_cut_with_an_ellipsis() -> None:
    pen = Pen((100, 200), 1.0, LIGHT)
    pen.wrapped((0, 0, 100, 200), "请输入时和分，例如 07:30。", 20, (0, 0, 0))

    rows = np.flatnonzero((np.asarray(pen.finish().convert("L")) < 200).any(1))

    assert rows[-1] - rows[0] > 50
    assert Pen((100, 30), 1.0, LIGHT).text((0, 15), "请输入时和分", 20, (0, 0, 0), width=60) <= 60
