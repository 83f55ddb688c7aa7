"""The picture of a simulated Android's display."""

from __future__ import annotations

import io
import struct
from typing import NamedTuple

import numpy as np
from PIL import Image

from distrl_android_adb.sim.display import Display
from distrl_sdk.simphone.paint.picture import paint
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Pixels

_RGBA, _SRGB = 1, 1
_DIM = 0.3
"""Of the light of what a keyguard lies over."""


class View(NamedTuple):
    """All that a picture depends on."""

    display: Display
    dark: bool = False
    """The display is off, or a window does not want to be seen."""
    locked: bool = False


def pixels(state: PhoneState, view: View) -> Pixels:
    """[height, width, 3]"""
    display = view.display
    if view.dark:
        return np.zeros((display.height, display.width, 3), np.uint8)
    drawn = paint(state, display.scale)
    if view.locked:
        drawn = (drawn * _DIM).astype(np.uint8)
    left, top, width, height = display.inner
    if (width, height) == (display.width, display.height):
        return drawn
    whole = np.zeros((display.height, display.width, 3), np.uint8)
    whole[top : top + height, left : left + width] = drawn[:height, :width]
    return whole


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
