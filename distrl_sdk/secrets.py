"""Secrets of a task: {{secret:NAME}} in what is typed stands for an environment variable of the worker.

The value exists between `reveal` and the phone only. Whatever comes back from there goes through `conceal`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from distrl_sdk.errors import UsageError
from distrl_sdk.types import Box, Observation, Pixels, Screenshot, Task

SECRET = re.compile(r"\{\{secret:(\w+)\}\}")
COVER = 96
"""The grey of what is covered in a picture, of each colour."""


def reveal(text: str, task: Task | None) -> str:
    """`text` with each {{secret:NAME}} replaced from the environment. Raises UsageError for one that is not there."""

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if task is None or name not in task.secrets:
            raise UsageError(f"{match.group(0)} is typed, but task {task.id if task else '?'} does not declare it")
        if name not in os.environ:
            raise UsageError(f"the environment variable {name} of {match.group(0)} is not set on this worker")
        return os.environ[name]

    return SECRET.sub(value, text)


def conceal(text: str, task: Task | None) -> str:
    """`text` with the value of each of the task's secrets turned back into its placeholder."""
    for name, value in _values(task):
        text = text.replace(value, f"{{{{secret:{name}}}}}")
    return text


def concealed(observation: Observation, task: Task | None) -> Observation:
    """The observation without the task's secrets: placeholders in the UI tree, grey in the picture.

    A secret that is drawn on a screen without a UI tree cannot be found; type those into password fields only.
    """
    values = [value for _, value in _values(task)]
    showing = [each for each in observation.elements or () if any(value in each.text for value in values)]
    if not showing:
        return observation
    elements = tuple(
        replace(each, text=conceal(each.text, task)) if each in showing else each for each in observation.elements or ()
    )
    picture = covered(observation.screenshot, [each.box for each in showing])
    return replace(observation, elements=elements, screenshot=picture)


def covered(picture: Screenshot, boxes: Iterable[Box]) -> Screenshot:
    """The picture with these rectangles grey; it is drawn when somebody looks."""
    places = tuple(boxes)

    def draw() -> Pixels:
        pixels = picture.pixels().copy()
        height, width, _ = pixels.shape
        for box in places:
            # outwards to whole pixels: half a pixel of a letter is still one
            top, bottom = max(0, int(np.floor(box.top * height))), int(np.ceil(box.bottom * height))
            left, right = max(0, int(np.floor(box.left * width))), int(np.ceil(box.right * width))
            pixels[top : max(top, bottom), left : max(left, right)] = COVER
        return pixels

    return Screenshot(picture.width, picture.height, draw=draw) if places else picture


def _values(task: Task | None) -> Iterator[tuple[str, str]]:
    """(name, value), longer values first: one may be a part of another."""
    names = task.secrets if task else ()
    found = [(name, value) for name in names if (value := os.environ.get(name))]
    yield from sorted(found, key=lambda pair: -len(pair[1]))
