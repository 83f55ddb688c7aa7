"""The whole screen: background, body, what lies over it, status strip, scrims with what is modal, a toast."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image

from distrl_sdk.simphone import keyboard
from distrl_sdk.simphone.measure import cells
from distrl_sdk.simphone.paint.pen import Pen
from distrl_sdk.simphone.paint.theme import Colour, Theme, theme_of, tint
from distrl_sdk.simphone.paint.tiles import tile
from distrl_sdk.simphone.scene import Layer, scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.simphone.widgets import FOOT_BOTTOM, HEIGHT, STATUS_BOTTOM, WIDTH, Rect, Widget
from distrl_sdk.types import Pixels

_SCRIM = [round(value * 0.42) for value in range(256)] * 3


def paint(state: PhoneState, scale: float) -> Pixels:
    """[round(2400 scale), round(1080 scale), 3]: the picture of a state."""
    scene, settings = scene_of(state), state.apps["Settings"]
    theme = theme_of(bool(settings.get("dark_mode")), state.style.version)
    ground = _ground(str(settings.get("wallpaper")) if scene.surface == "wallpaper" else "", theme, scale)
    canvas = ground.copy()
    top, bottom = (round(edge * scale) for edge in scene.viewport)
    _put(canvas, scene.body, scale, theme)
    canvas.paste(ground.crop((0, 0, canvas.width, top)), (0, 0))
    canvas.paste(ground.crop((0, bottom, canvas.width, canvas.height)), (0, bottom))
    for layer in scene.over:
        _put(canvas, layer, scale, theme)
    if scene.keyboard:
        canvas.paste(_keyboard(scale, theme, state.style.locale), (0, round(keyboard.TOP * scale)))
    canvas.paste(_status(_signs(state), scene.surface == "wallpaper", theme, scale), (0, 0))
    for layer in scene.modal:
        canvas = canvas.point(_SCRIM)
        _put(canvas, layer, scale, theme)
    if state.toast:
        half = min(WIDTH // 2 - 30, 40 + 12 * cells(state.toast))
        foot = min(2200, scene.viewport[1] - 24)
        box = Rect(WIDTH // 2 - half, foot - 120, WIDTH // 2 + half, foot)
        _put(canvas, Layer(0, (Widget(box, "toast", state.toast),)), scale, theme)
    return np.asarray(canvas)


def _put(canvas: Image.Image, layer: Layer, scale: float, theme: Theme) -> None:
    """Paste those of a layer's widgets that touch the screen."""
    for widget in layer.widgets:
        box = widget.box
        top, bottom = round((box.top + layer.down) * scale), round((box.bottom + layer.down) * scale)
        if bottom <= 0 or top >= canvas.height:
            continue
        left, right = round(box.left * scale), round(box.right * scale)
        drawn = tile(widget, (right - left, bottom - top), scale, theme)
        canvas.paste(drawn, (left, top), drawn if drawn.mode == "RGBA" else None)


@lru_cache(maxsize=12)
def _ground(wallpaper: str, theme: Theme, scale: float) -> Image.Image:
    width, height = round(WIDTH * scale), round(HEIGHT * scale)
    if not wallpaper:
        ground = Image.new("RGB", (width, height), theme.page)
        _pill(ground, theme.faint, scale)
        return ground
    ends = np.array([tint(wallpaper, 0.22), tint(wallpaper + wallpaper, 0.45)], float)
    share = np.linspace(0, 1, height)[:, None, None]
    rows = (1 - share) * ends[0] + share * ends[1]
    ground = Image.fromarray(np.broadcast_to(rows.astype(np.uint8), (height, width, 3)).copy())
    _pill(ground, (230, 230, 230), scale)
    return ground


def _pill(ground: Image.Image, colour: Colour, scale: float) -> None:
    """The handle of the home gesture."""
    left, top, right, bottom = (round(edge * scale) for edge in (380, FOOT_BOTTOM + 26, 700, FOOT_BOTTOM + 38))
    ground.paste(colour, (left, top, right, max(bottom, top + 1)))


@lru_cache(maxsize=4)
def _keyboard(scale: float, theme: Theme, locale: str) -> Image.Image:
    top, bottom = round(keyboard.TOP * scale), round(FOOT_BOTTOM * scale)
    picture = Image.new("RGB", (round(WIDTH * scale), bottom - top))
    for widget in keyboard.board(locale):
        left, upper, right, lower = (round(edge * scale) for edge in widget.box)
        picture.paste(tile(widget, (right - left, lower - upper), scale, theme), (left, upper - top))
    return picture


def _signs(state: PhoneState) -> str:
    """The clock and the signs of the status strip."""
    minute = (state.seed + state.tick // 4) % 1440
    settings = state.apps["Settings"]
    signs = [name for key, name in _SIGNS if settings.get(key)]
    return "|".join((f"{minute // 60}:{minute % 60:02d}", "  ".join(signs)))


_SIGNS = (("airplane", "AIR"), ("bluetooth", "BT"), ("wifi", "WIFI"), ("battery_saver", "SAVE"))


@lru_cache(maxsize=64)
def _status(signs: str, wallpaper: bool, theme: Theme, scale: float) -> Image.Image:
    if wallpaper:
        theme = theme_of(True, 1)
    pen = Pen((round(WIDTH * scale), round(STATUS_BOTTOM * scale)), scale, theme)
    pen.fill(theme.bar if not wallpaper else (24, 26, 34))
    clock, _, right = signs.partition("|")
    pen.text((48, 46), clock, 40, theme.ink)
    pen.text((WIDTH - 140, 46), right, 34, theme.ink, "rm")
    pen.box((WIDTH - 112, 28, WIDTH - 48, 62), None, 8, theme.ink)
    pen.box((WIDTH - 104, 36, WIDTH - 68, 54), theme.ink)
    return pen.finish()
