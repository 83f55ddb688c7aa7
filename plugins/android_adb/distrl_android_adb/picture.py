"""What `screencap` sends, made a picture or refused: noise before it, line ends of old phones, cut streams, raw pixels.

A stream that was cut gives no error at all, so a picture counts only if it is whole.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass
from functools import partial

import numpy as np

from distrl_sdk.errors import DeviceError
from distrl_sdk.types import Pixels, Screenshot

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MANGLED = {b"\x89PNG\r\r\n\x1a\r\n": b"\r\n", b"\x89PNG\r\r\r\n\x1a\r\r\n": b"\r\r\n"}
"""The signature after a terminal has turned LF into CR LF, once or twice -> what stands for each LF."""
_NOISE = 8192
"""Bytes of warnings that may stand before the picture."""
_CHUNKS = 4096
"""More chunks than any screen has."""
_MOST_PIXELS = 1 << 26
_FORMATS = {1: 4, 2: 4, 3: 3, 4: 2}
"""RGBA8888, RGBX8888, RGB888, RGB565 -> bytes a pixel."""
_PLAIN = 0.01
"""Encoded bytes a pixel below which a PNG may be of one colour; a black one has 0.003."""


class PictureError(DeviceError):
    """What came is no whole picture."""


def read_picture(stream: bytes) -> Screenshot:
    """The picture in what `screencap` or `screencap -p` sent. Raises PictureError when it is not all there."""
    if not stream:
        raise PictureError("the device sent no picture at all")
    head = stream[:_NOISE]
    start = head.find(SIGNATURE)
    if start >= 0:
        return _png(stream[start:] if start else stream)
    for mangled, line_end in _MANGLED.items():
        start = head.find(mangled)
        if start >= 0:
            return _png(stream[start:].replace(line_end, b"\n"))
    return _raw(stream)


def is_plain(picture: Screenshot) -> bool:
    """Whether all of the picture has one colour."""
    if len(picture.encoded()) > _PLAIN * picture.width * picture.height + 1024:
        return False
    pixels = picture.pixels()
    return bool((pixels == pixels[0, 0]).all())


def is_black(picture: Screenshot) -> bool:
    """Whether it shows nothing at all: screen off, a secure window, or a screen not drawn yet."""
    return is_plain(picture) and not picture.pixels()[0, 0].any()


def _png(stream: bytes) -> Screenshot:
    end = _whole(stream)
    width, height = struct.unpack(">II", stream[16:24])
    if not 0 < width * height <= _MOST_PIXELS:
        raise PictureError(f"the picture says that it is {width} x {height}")
    return Screenshot(width, height, encoded=stream[:end])


def _whole(stream: bytes) -> int:
    """Where the PNG ends. Raises PictureError unless every chunk up to IEND is there and sound."""
    at = len(SIGNATURE)
    view = memoryview(stream)
    for number in range(_CHUNKS):
        if at + 12 > len(stream):
            break
        length = int.from_bytes(stream[at : at + 4], "big")
        kind, end = stream[at + 4 : at + 8], at + 12 + length
        if number == 0 and (kind != b"IHDR" or length != 13):
            raise PictureError("the picture has no header")
        if end > len(stream):
            break
        if zlib.crc32(view[at + 4 : end - 4]) != int.from_bytes(view[end - 4 : end], "big"):
            raise PictureError(f"the picture is damaged at byte {at}")
        if kind == b"IEND":
            return end
        at = end
    raise PictureError(f"the picture was cut short after {len(stream)} bytes")


@dataclass(frozen=True, slots=True)
class _Raw:
    width: int
    height: int
    format: int
    pixels: bytes


def _raw(stream: bytes) -> Screenshot:
    """Three numbers (four from Android 9 on) and rows without padding; lines of warnings may stand before them."""
    starts = [0, *(match.end() for match in re.finditer(rb"\n", stream[:_NOISE]))]
    for start in starts:
        found = _raw_at(stream, start)
        if found is not None:
            return Screenshot(found.width, found.height, draw=partial(_draw, found))
    said = stream[:200].decode(errors="replace").strip()
    raise PictureError(f"{len(stream)} bytes came that are no whole picture, starting with {said!r}")


def _raw_at(stream: bytes, start: int) -> _Raw | None:
    if len(stream) - start < 16:
        return None
    width, height, form = struct.unpack_from("<III", stream, start)
    size = _FORMATS.get(form, 0) * width * height
    for head in (12, 16):
        if 0 < size <= 4 * _MOST_PIXELS and len(stream) - start - head == size:
            return _Raw(width, height, form, stream[start + head :])
    return None


def _draw(raw: _Raw) -> Pixels:
    if raw.format == 4:
        packed = np.frombuffer(raw.pixels, "<u2").reshape(raw.height, raw.width)
        red, green, blue = packed >> 11, packed >> 5 & 63, packed & 31
        return np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], -1).astype(np.uint8)
    pixels = np.frombuffer(raw.pixels, np.uint8).reshape(raw.height, raw.width, _FORMATS[raw.format])
    return np.ascontiguousarray(pixels[:, :, :3])
