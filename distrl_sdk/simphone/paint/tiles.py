"""Drawn widgets, kept for the next picture: the least recently pasted go when they take too much memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

from PIL import Image

from distrl_sdk.simphone.paint.looks import LOOKS, SEE_THROUGH
from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import Theme
from distrl_sdk.simphone.widgets import Widget

_BOUND = 64 << 20
"""Bytes of pixels, shared by all phones of a process."""

_lock = threading.Lock()
_tiles: OrderedDict[Hashable, Image.Image] = OrderedDict()
_held = 0


def tile(widget: Widget, size: tuple[int, int], scale: float, theme: Theme) -> Image.Image:
    """The widget in a size in pixels, wherever it stands: RGB, or RGBA where its corners show what lies behind."""
    key = (
        widget.look, widget.text, widget.detail, widget.icon, widget.checked, widget.focused, widget.level,
        widget.tap == (), size, scale, theme,
    )  # fmt: skip
    with _lock:
        found = _tiles.get(key)
        if found is not None:
            _tiles.move_to_end(key)
            return found
    pen = Pen(size, scale, theme, clear=widget.look in SEE_THROUGH)
    LOOKS[widget.look](pen, widget)
    drawn = pen.finish()
    _keep(key, drawn)
    return drawn


def held() -> int:
    """Bytes of the pixels that are kept."""
    return _held


def _keep(key: Hashable, drawn: Image.Image) -> None:
    global _held
    with _lock:
        if key not in _tiles:
            _tiles[key] = drawn
            _held += _bytes(drawn)
        while _held > _BOUND:
            _held -= _bytes(_tiles.popitem(last=False)[1])


def _bytes(image: Image.Image) -> int:
    return image.width * image.height * 4  # Pillow keeps RGB in four bytes a pixel
