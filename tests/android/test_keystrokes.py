from __future__ import annotations

import shlex

import pytest
from distrl_android_adb.gestures import gesture
from distrl_android_adb.keystrokes import CHUNK, Foreign, KeyPress, Words, strokes
from distrl_android_adb.link import LONGEST, command
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.errors import UsageError
from distrl_sdk.types import Key, LongPress, Press, Swipe, Tap


def typed(argument: str) -> str:
    """What Android's `input text` types for an argument."""
    return argument.replace("%s", " ")


def received(plan: tuple[Words | KeyPress | Foreign, ...]) -> str:
    """The text that arrives."""
    keys = {66: "\n", 61: "\t"}
    parts = []
    for stroke in plan:
        match stroke:
            case Words(argument):
                parts.append(typed(argument))
            case KeyPress(code):
                parts.append(keys[code])
            case Foreign(text):
                parts.append(text)
    return "".join(parts)


def test_an_empty_text_is_no_command() -> None:
    assert strokes("") == ()


def test_a_literal_percent_s_is_split() -> None:
    assert strokes("100%safe") == (Words("100%"), Words("safe"))


def test_line_ends_are_keys() -> None:
    assert strokes("a\r\nb\tc\n") == (Words("a"), KeyPress(66), Words("b"), KeyPress(61), Words("c"), KeyPress(66))


def test_text_that_is_not_ascii_never_goes_to_input() -> None:
    assert strokes("Тест") == (Foreign("Тест"),)
    assert strokes("Müller 5%s") == (Foreign("Müller 5%s"),)


@given(st.text(st.one_of(st.characters(min_codepoint=32, max_codepoint=126), st.sampled_from("%s \n\t")), max_size=300))
def test_every_ascii_text_arrives_as_it_is(text: str) -> None:
    plan = strokes(text)

    assert received(plan) == text
    assert all(len(stroke.argument.replace("%s", " ")) <= CHUNK for stroke in plan if isinstance(stroke, Words))


@given(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r"), max_size=200))
def test_every_text_arrives_but_for_control_characters(text: str) -> None:
    kept = "".join(letter for letter in text if letter in "\n\t" or not letter.isascii() or letter.isprintable())

    assert received(strokes(text)) == kept


@pytest.mark.parametrize("text", ["#general", "~/notes", "a$HOME b", "it's", "*#06#", "`id`", "a;b&&c|d>e", '"', "\\n"])
def test_what_a_shell_would_read_is_quoted(text: str) -> None:
    line = command(("input", "text", text))

    assert shlex.split(line) == ["input", "text", text]
    assert line == "input text " + shlex.quote(text)


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40), min_size=1))
def test_words_never_become_shell(words: list[str]) -> None:
    assert shlex.split(command(tuple(words))) == words


def test_a_command_that_would_end_the_server_is_refused() -> None:
    with pytest.raises(UsageError, match="too long for a phone"):
        command(("echo", "x" * LONGEST))
    with pytest.raises(UsageError, match="zero byte"):
        command(("echo", "a\0b"))


def test_gestures_are_whole_pixels_on_the_screen() -> None:
    assert gesture(Tap(0.5, 0.25), 1080, 2400) == ("input", "tap", "540", "600")
    assert gesture(Tap(1.0, -0.1), 1080, 2400) == ("input", "tap", "1079", "0")
    assert gesture(LongPress(0.5, 0.5), 100, 200) == ("input", "swipe", "50", "100", "50", "100", "1000")
    assert gesture(Swipe(0.5, 0.75, 0.5, 0.25), 100, 200) == ("input", "swipe", "50", "150", "50", "50", "300")
    assert gesture(Press(Key.RECENTS), 100, 200) == ("input", "keyevent", "187")


def test_a_swipe_across_keeps_off_the_edges_where_it_would_mean_back() -> None:
    assert gesture(Swipe(0.0, 0.5, 1.0, 0.5), 100, 200) == ("input", "swipe", "2", "100", "98", "100", "300")
