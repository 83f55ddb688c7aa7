"""The same tasks before and after training, side by side: the screens one by one, each action marked in its place."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from distrl_sdk.episodes.record import Episode, EpisodeStore
from distrl_sdk.errors import StorageError, blame
from distrl_sdk.evaluate.markup import Html, join, missing, tag
from distrl_sdk.types import Action, Finish, LongPress, OpenApp, Press, Swipe, Tap, TypeText, Wait

WIDTH = 320
"""Pixels of a picture in the page; larger ones are scaled down."""
MOST_PIXELS = 40_000_000
"""Of a picture that is opened at all: pictures come from other machines."""
PHASES = ("before", "after")


class Recorded(NamedTuple):
    """An episode and the key to its pictures."""

    key: str
    episode: Episode


Pair = Mapping[str, Recorded]
"""Phase -> the episode that one task had in it."""


def find_pairs(store: EpisodeStore, count: int = 3) -> tuple[list[Pair], list[str]]:
    """Up to `count` tasks recorded before and after, of different families if possible, and what could not be read.

    Chosen by family and id, never by how they went. Tasks with one phase only come after those with both.
    """
    tasks: dict[tuple[str, str], dict[str, Recorded]] = {}
    broken = []
    for key in store.pinned:
        try:
            episode = store.read(key)
        except StorageError as error:
            broken.append(str(error))
        else:
            if episode.phase in PHASES:
                tasks.setdefault((episode.task.family, episode.task.id), {})[episode.phase] = Recorded(key, episode)
    seen: dict[str, int] = {}
    order = []
    for (family, name), phases in sorted(tasks.items()):
        seen[family] = seen.get(family, 0) + 1
        order.append((-len(phases), seen[family], family, name, phases))
    order.sort(key=lambda entry: entry[:4])
    return [entry[4] for entry in order[:count]], broken


def draw_pairs(store: EpisodeStore, pairs: Sequence[Pair]) -> Html:
    """The pairs, each with one control for both phones (shown where scripts run)."""
    return join(_pair(store, pair) for pair in pairs)


def _pair(store: EpisodeStore, pair: Pair) -> Html:
    task = next(iter(pair.values())).episode.task
    longest = max(len(recorded.episode.actions) for recorded in pair.values())
    control = tag(
        "div",
        tag("button", "Play", type="button"),
        tag("input", type="range", min=0, max=longest, value=longest, aria_label="step"),
        class_="control",
        hidden=True,
    )
    phones = [_phone(store, phase, pair.get(phase)) for phase in PHASES]
    return tag(
        "article",
        tag("h3", task.instruction),
        tag("p", f"{task.family} · {task.id}", class_="about"),
        control,
        tag("div", *phones, class_="phones"),
        class_="pair",
    )


def _phone(store: EpisodeStore, phase: str, recorded: Recorded | None) -> Html:
    title = tag("figcaption", phase)
    if recorded is None:
        return tag("figure", title, missing(f"Missing: not recorded {phase} training."), class_="phone")
    key, episode = recorded
    last = len(episode.actions)
    frames = [_frame(store, key, episode, number, shown=number == last) for number in range(last + 1)]
    listed = tag("ol", *(tag("li", describe(action)) for action in episode.actions))
    actions = tag("details", tag("summary", f"{last} actions"), listed)
    return tag("figure", tag("figcaption", f"{phase} ", _badge(episode)), *frames, actions, class_="phone")


def _badge(episode: Episode) -> Html:
    if episode.end.kind == "aborted":
        return tag("span", f"aborted: {episode.end.blame}", class_="badge unknown")
    success = episode.verdict.success if episode.verdict else None
    if success is None:
        return tag("span", "unjudged", class_="badge unknown")
    return tag("span", "success", class_="badge good") if success else tag("span", "failure", class_="badge bad")


def _frame(store: EpisodeStore, key: str, episode: Episode, number: int, *, shown: bool) -> Html:
    """What the agent saw at one moment, and what it did then."""
    if number < len(episode.actions):
        action = episode.actions[number]
        caption = f"{number + 1}. {describe(action)}{_remark(episode, number)}"
        mark = _mark(action)
    else:
        caption = f"End: {_ending(episode)}"
        mark = Html("")
    name = episode.observations.get(number)
    picture = _picture(store, key, name, caption) if name else missing("no picture was kept")
    return tag(
        "div",
        tag("div", picture, mark, class_="screen"),
        tag("p", caption, class_="caption"),
        class_="frame shown" if shown else "frame",
    )


def describe(action: Action) -> str:
    """An action in a few words."""
    match action:
        case Tap(x, y):
            return f"tap at {x:.2f}, {y:.2f}"
        case LongPress(x, y):
            return f"long press at {x:.2f}, {y:.2f}"
        case Swipe(x, y, to_x, to_y):
            return f"swipe {_direction(to_x - x, to_y - y)}"
        case TypeText(text):
            return f"type “{text}”"
        case Press(button):
            return f"press {button.value}"
        case OpenApp(name):
            return f"open {name}"
        case Wait(seconds):
            return f"wait {seconds:g} s"
        case Finish(success, answer):
            claim = "finish: claims success" if success else "finish: gives up"
            return f"{claim}, answer “{answer}”" if answer else claim


def _direction(right: float, down: float) -> str:
    if abs(right) > abs(down):
        return "right" if right > 0 else "left"
    return "down" if down > 0 else "up"


def _remark(episode: Episode, number: int) -> str:
    if episode.invalid[number]:
        return " (no effect possible)"
    return f" (repeated, {episode.repeats[number]} before)" if episode.repeats[number] else ""


_ENDINGS = {
    "finish": "the agent finished",
    "step_limit": "out of steps",
    "left_app": "the agent left its apps",
    "aborted": "aborted",
}


def _ending(episode: Episode) -> str:
    how = _ENDINGS[episode.end.kind]
    reason = episode.end.message if episode.end.kind == "aborted" else episode.verdict.reason if episode.verdict else ""
    return f"{how}; {reason}" if reason else how


def _mark(action: Action) -> Html:
    """Where the finger was, over the picture, in shares of its size."""
    match action:
        case Tap(x, y):
            marks = [tag("circle", cx=_share(x), cy=_share(y), r=11)]
        case LongPress(x, y):
            marks = [tag("circle", cx=_share(x), cy=_share(y), r=radius) for radius in (11, 16)]
        case Swipe(x, y, to_x, to_y):
            marks = [
                tag("line", x1=_share(x), y1=_share(y), x2=_share(to_x), y2=_share(to_y)),
                tag("circle", cx=_share(to_x), cy=_share(to_y), r=7),
            ]
        case _:
            return Html("")
    return tag("svg", *marks, class_="mark", aria_hidden="true")


def _share(place: float) -> str:
    return f"{100 * place:.1f}%"


def _picture(store: EpisodeStore, key: str, name: str, caption: str) -> Html:
    try:
        kind, content, width, height = shrink(store.picture(key, name))
    except StorageError as error:
        return missing(str(error))
    source = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
    return tag("img", src=source, width=width, height=height, alt=f"screen: {caption}")


def shrink(picture: bytes) -> tuple[str, bytes, int, int]:
    """(kind, bytes, width, height) of a PNG or JPEG made small enough for a page. Raises StorageError."""
    from PIL import Image

    with blame(StorageError, "opening a picture"), Image.open(io.BytesIO(picture), formats=("PNG", "JPEG")) as image:
        if image.width * image.height > MOST_PIXELS:
            raise StorageError(f"a picture of {image.width} × {image.height} is not opened")
        kind = str(image.format).lower()
        small = image.convert("RGB")
        if small.width > WIDTH:
            small = small.resize((WIDTH, max(1, round(small.height * WIDTH / small.width))), Image.Resampling.LANCZOS)
        buffer = io.BytesIO()
        small.save(buffer, format="JPEG", quality=85, subsampling=0, optimize=True)
        if small.width == image.width and len(picture) <= buffer.tell():
            return kind, picture, image.width, image.height
        return "jpeg", buffer.getvalue(), small.width, small.height
