"""Every kind of screen of a simulated phone on one picture: `python -m distrl_sdk.simphone.contact_sheet sheet.png`.

The screens are found by driving the phone: every sort of thing that can be touched is touched once, every field filled.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from PIL import Image

from distrl_sdk.simphone import apps, engine, popups
from distrl_sdk.simphone.paint.picture import paint
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import CALM, PhoneState, Screen, Style
from distrl_sdk.simphone.widgets import HEIGHT, WIDTH
from distrl_sdk.simphone.wording import LOCALES
from distrl_sdk.types import Action, Key, OpenApp, Press, Swipe, Tap, TypeText

Sort: TypeAlias = tuple[object, ...]

SEED = 3
_DEPTH = 5
"""Touches from the start of an app."""
_MOST = 16
"""Screens of one page of an app from which the phone is driven on."""
_GAP = 12
_GROUND = (120, 124, 134)
_TYPED = ("red mug", "07:35", "anna")


def screens(style: Style) -> list[PhoneState]:
    """One state for each kind of screen, app by app, then the pop-ups and a page that has not come yet."""
    home = apps.fresh(SEED, CALM, style)
    found: dict[Sort, PhoneState] = {}
    _explore(home, found)
    _explore(engine.act(home, Swipe(0.5, 0.01, 0.5, 0.5)), found)
    for name in apps.installed(home)[: len(apps.BUILT_IN) + 1]:
        _explore(engine.act(home, OpenApp(apps.app(name).title)), found)
    late = home.push(Screen("Store", ready=home.tick + 1))
    front = engine.act(home, OpenApp("Contacts"))
    return [*found.values(), late, *(replace(front, popup=f"{kind}:Contacts") for kind in popups.KINDS)]


def sheet(style: Style, scale: float = 0.25, columns: int = 16) -> Image.Image:
    """The screens side by side, in rows, in few colours."""
    shown = screens(style)
    width, height = round(WIDTH * scale) + _GAP, round(HEIGHT * scale) + _GAP
    whole = Image.new("RGB", (columns * width + _GAP, -(-len(shown) // columns) * height + _GAP), _GROUND)
    for index, state in enumerate(shown):
        place = _GAP + index % columns * width, _GAP + index // columns * height
        whole.paste(Image.fromarray(paint(state, scale)), place)
    return whole.quantize(128, dither=Image.Dither.NONE)


def _explore(start: PhoneState, found: dict[Sort, PhoneState]) -> None:
    """Breadth first, within the app of the start."""
    app, states = start.top.app, [start]
    pages: Counter[Sort] = Counter()
    seen: set[Sort] = set()
    for _ in range(_DEPTH + 1):
        fresh = []
        for state in states:
            top, sort = state.top, _sort(state)
            if top.app != app or (top.place, sort) in seen or pages[top.page, top.dialog[:1]] == _MOST:
                continue
            seen.add((top.place, sort))
            pages[top.page, top.dialog[:1]] += 1
            found.setdefault(sort, state)
            fresh.append(state)
        states = [engine.act(state, action) for state in fresh for action in _actions(state)]


def _sort(state: PhoneState) -> Sort:
    """Screens of the same app and page are of one kind where the same sorts of things can be touched."""
    top, scene = state.top, scene_of(state)
    things = {name.partition(":")[0] for name in scene.names if not name.startswith("key:")}
    return top.app, top.page, top.dialog[:1], bool(top.drafts), bool(state.toast), frozenset(things)


def _actions(state: PhoneState) -> Iterator[Action]:
    """A touch on everything, a text and Enter where the keyboard is open, and swipes."""
    scene = scene_of(state)
    for name, element in zip(scene.names, scene.elements, strict=True):
        if element.clickable and name != "back" and not name.startswith("key:"):
            yield Tap(*element.box.centre)
    if scene.keyboard:
        yield from (TypeText(text) for text in _TYPED if not state.top.draft(state.top.focus))
        yield Press(Key.ENTER)
    yield from (Swipe(0.8, 0.6, 0.2, 0.6), Swipe(0.5, 0.7, 0.5, 0.3))


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(prog="python -m distrl_sdk.simphone.contact_sheet", description=__doc__)
    parser.add_argument("file", type=Path, help="a PNG")
    parser.add_argument("--version", type=int, choices=(1, 2), default=1, help="of the phone's software")
    parser.add_argument("--locale", choices=LOCALES, default="en")
    parser.add_argument("--dark", action="store_true", help="dark mode")
    asked = parser.parse_args()
    sheet(Style(asked.version, asked.locale, asked.dark)).save(asked.file, optimize=True)


if __name__ == "__main__":
    main()
