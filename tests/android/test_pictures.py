from __future__ import annotations

import struct

import numpy as np
import pytest
from android_pictures import png, terminal
from distrl_android_adb.picture import PictureError, is_black, read_picture
from hypothesis import given
from hypothesis import strategies as st

WARNING = b"[Warning] Multiple displays were found, but no display id was specified! Defaulting to the first.\n"


def test_warnings_before_a_picture_are_dropped() -> None:
    picture = read_picture(WARNING * 2 + png(5, 7))

    assert picture.encoded() == png(5, 7)
    assert (picture.width, picture.height) == (5, 7)


@pytest.mark.parametrize("times", [0, 1, 2])
def test_line_ends_are_mended_only_where_the_signature_was_broken(times: int) -> None:
    clean = png(64, 64)
    assert b"\r\n" in clean  # of the signature: repairing what is sound would break it

    assert read_picture(terminal(clean, times)).encoded() == clean


@given(st.integers(min_value=0, max_value=len(png(9, 9)) - 1))
def test_a_picture_that_was_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(PictureError):
        read_picture(png(9, 9)[:length])


@given(st.integers(min_value=8, max_value=len(png(9, 9)) - 1), st.integers(min_value=1, max_value=255))
def test_a_damaged_byte_is_noticed(at: int, change: int) -> None:
    octets = bytearray(png(9, 9))
    octets[at] ^= change

    with pytest.raises(PictureError):
        read_picture(bytes(octets))


def test_noise_behind_a_picture_is_dropped() -> None:
    assert read_picture(png() + b"exit 0\n").encoded() == png()


@pytest.mark.parametrize("numbers", [3, 4])
def test_raw_pixels_of_old_and_new_android_are_read(numbers: int) -> None:
    pixels = bytes(range(2 * 3 * 4))
    head = struct.pack("<III", 2, 3, 1) + (struct.pack("<I", 1) if numbers == 4 else b"")

    picture = read_picture(WARNING + head + pixels)

    assert (picture.width, picture.height) == (2, 3)
    np.testing.assert_array_equal(picture.pixels(), np.frombuffer(pixels, np.uint8).reshape(3, 2, 4)[:, :, :3])


def test_sixteen_bit_pixels_become_the_colours_that_they_mean() -> None:
    white, red, green, blue = 0xFFFF, 0xF800, 0x07E0, 0x001F

    picture = read_picture(struct.pack("<III4H", 4, 1, 4, white, red, green, blue))

    assert picture.pixels().tolist() == [[[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255]]]


def test_raw_pixels_that_were_cut_are_refused() -> None:
    with pytest.raises(PictureError, match="no whole picture"):
        read_picture(struct.pack("<III", 2, 2, 1) + bytes(15))


@pytest.mark.parametrize("stream", [b"", b"error: device offline\n", b"\x89PNG\r\n\x1a\n", bytes(40)])
def test_what_is_no_picture_is_refused(stream: bytes) -> None:
    with pytest.raises(PictureError):
        read_picture(stream)


def test_black_is_told_from_dark_and_from_white() -> None:
    assert is_black(read_picture(png(300, 600, (0, 0, 0))))
    assert not is_black(read_picture(png(300, 600, (18, 18, 18))))
    assert not is_black(read_picture(png(300, 600, (255, 255, 255))))
