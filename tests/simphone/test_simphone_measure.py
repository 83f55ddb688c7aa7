"""Room is measured without fonts, and is never less than what the picture needs by much."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.simphone.measure import cells, lines, pieces
from distrl_sdk.simphone.wording import BOOKS


@given(st.text())
def test_pieces_joined_are_the_text_without_line_ends(text: str) -> None:
    flat = "".join(sign for sign in text if sign <= "\uffff")

    assert "".join(pieces(flat)) == flat


def test_a_chinese_sign_is_as_wide_as_two_letters() -> None:
    assert (cells("Wi-Fi"), cells("设置"), cells("打开 TV")) == (5, 4, 7)


def test_words_are_kept_together_and_chinese_is_broken_anywhere() -> None:
    assert lines("", 10) == 1
    assert lines("one two three", 13) == 1
    assert lines("one two three", 12) == 2
    assert lines("incomprehensibilities", 10) == 1
    assert lines("请输入时和分", 12) == 1
    assert lines("请输入时和分", 6) == 2
    assert lines("请输入，时和分", 6) == 3, "a comma follows its sign"


def test_labels_of_one_line_stay_short() -> None:
    assert all(cells(said) < 80 for book in BOOKS.values() for said in book.values())
