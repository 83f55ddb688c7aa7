"""The picture of a simulated Android's display."""

from __future__ import annotations

import io
import struct

import numpy as np
from PIL import Image

from distrl_android_adb.sim.android import Android
from distrl_sdk.simphone.paint.picture import paint
from distrl_sdk.types import Pixels

_RGBA, _SRGB = 1, 1


def pixels(android: Android) -> Pixels:
    """[height, width, 3]; black while the display is off."""
    if not android.guest.awake:
        width, height = android.size()
        return np.zeros((height, width, 3), np.uint8)
    return paint(android.phone, android.options.scale)


def as_png(drawn: Pixels) -> bytes:
    """PNG bytes."""
    buffer = io.BytesIO()
    Image.fromarray(drawn).save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def as_raw(drawn: Pixels, words: int) -> bytes:
    """What screencap writes without -p: width, height, format and, in a header of four words, the colour space."""
    height, width, _ = drawn.shape
    header = struct.pack(f"<{words}I", *(width, height, _RGBA, _SRGB)[:words])
    return header + np.dstack([drawn, np.full((height, width), 255, np.uint8)]).tobytes()
