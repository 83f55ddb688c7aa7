"""What the compact policy remembers of one moment: small integer arrays, and a small picture when there is no UI tree.

Everything that training needs is made here once, on the worker; the learner never sees a screen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from distrl_sdk.policy.grammar import ELEMENTS, NEEDS, PLACES, Kind
from distrl_sdk.policy.words import ELEMENT_WORDS, Goal, bucket, read_goal, split
from distrl_sdk.types import ACTION_KINDS, ACTIONS, Features, LongPress, Moment, Observation, Step, Tap, UiElement

ROLES = ("button", "text", "field", "switch", "item", "icon", "image", "slider", "tab", "dialog")
PICTURE = (90, 40)
"""Height and width of the small picture: 5 x 5 pixels a cell of the tap grid."""
HISTORY = 4
"""Past actions that the policy sees."""
ELEMENT_FLAGS = 12
WORD_FLAGS = 7
STEP_FLAGS = 4
SCALARS = 8
NO_ELEMENTS = 6
"""Which of the scalars says that the device gives no UI tree: then there is a picture."""

_NO_PICTURE = np.zeros((*PICTURE, 3), np.uint8)
_STEP_KINDS = {name: 1 + at for at, name in enumerate(ACTIONS)}


def featurize(moment: Moment) -> Features:
    """The arrays of one moment; every moment gives the same names, shapes and types."""
    goal = read_goal(moment.task.instruction)
    shown = visible(moment.observation)
    picture, cells = _NO_PICTURE, 0
    if moment.observation.elements is None:
        picture, cells = small_picture(moment.observation), 1
    places = np.zeros(PLACES, np.uint8)
    places[: len(shown)] = [tappable(element) for element in shown]
    places[ELEMENTS:] = cells
    return {
        **_goal_features(goal, shown),
        **_element_features(goal, shown),
        **_step_features(moment.history),
        "places": places,
        "kinds": _legal_kinds(moment, goal, places),
        "picture": picture,
        "scalars": _scalars(moment, shown),
        "app": np.array([bucket(moment.observation.app) if moment.observation.app else 0], np.uint16),
    }


def tappable(element: UiElement) -> bool:
    """Whether a tap on it can do anything."""
    return element.enabled and (element.clickable or element.editable)


def visible(observation: Observation) -> tuple[UiElement, ...]:
    """At most ELEMENTS elements in drawing order: keys of the keyboard left out, mute ones first to go."""
    elements = tuple(e for e in observation.elements or () if e.role != "key")
    spare = len(elements) - ELEMENTS
    if spare <= 0:
        return elements
    mute = [at for at, e in enumerate(elements) if not tappable(e)][::-1][:spare]
    dropped = set(mute)
    return tuple(e for at, e in enumerate(elements) if at not in dropped)[:ELEMENTS]


def small_picture(observation: Observation) -> npt.NDArray[np.uint8]:
    """[90, 40, 3]: the screen, averaged down."""
    from PIL import Image

    image = Image.fromarray(observation.screenshot.pixels())
    return np.asarray(image.resize(PICTURE[::-1], Image.Resampling.BOX))


def _element_features(goal: Goal, shown: tuple[UiElement, ...]) -> dict[str, npt.NDArray[Any]]:
    words = np.zeros((ELEMENTS, ELEMENT_WORDS), np.uint16)
    flags = np.zeros((ELEMENTS, ELEMENT_FLAGS), np.uint8)
    box = np.zeros((ELEMENTS, 4), np.float32)
    role = np.zeros(ELEMENTS, np.uint8)
    wanted = frozenset(goal.words)
    sentence = f" {' '.join(goal.words)} "
    for at, element in enumerate(shown):
        text = split(element.text)
        ids = [bucket(word) for word in text[:ELEMENT_WORDS]]
        words[at, : len(ids)] = ids
        common = sum(word in wanted for word in text)
        flags[at] = (
            element.clickable,
            element.editable,
            element.scrollable,
            element.focused,
            element.checked is True,
            element.checked is False,
            element.enabled,
            element.password,
            not text,
            min(255, 20 * common),
            255 * common // len(text) if text else 0,
            bool(text) and f" {' '.join(text)} " in sentence,
        )
        role[at] = 1 + ROLES.index(element.role) if element.role in ROLES else 0
        box[at] = element.box
    return {"words": words, "flags": flags, "box": box, "role": role}


def _goal_features(goal: Goal, shown: tuple[UiElement, ...]) -> dict[str, npt.NDArray[Any]]:
    on_screen = {word for element in shown for word in split(element.text)}
    in_field = {word for element in shown if element.editable for word in split(element.text)}
    flags = np.zeros((len(goal.ids), WORD_FLAGS), np.uint8)
    flags[:, :4] = goal.shape
    for at, word in enumerate(goal.words):
        flags[at, 4:] = 1, word in on_screen, word in in_field
    return {"goal": goal.ids, "goal_flags": flags, "goal_span": goal.span, "goal_raw": goal.raw}


def _step_features(history: tuple[Step, ...]) -> dict[str, npt.NDArray[Any]]:
    words = np.zeros((HISTORY, ELEMENT_WORDS), np.uint16)
    kind = np.zeros(HISTORY, np.uint8)
    flags = np.zeros((HISTORY, STEP_FLAGS), np.uint8)
    for at, step in enumerate(history[: -HISTORY - 1 : -1]):
        kind[at] = _STEP_KINDS[ACTION_KINDS[type(step.action)]]
        ids = [bucket(word) for word in _touched(step)[:ELEMENT_WORDS]]
        words[at, : len(ids)] = ids
        flags[at] = step.invalid, min(step.repeats, 255), bool(ids), 1
    return {"step_words": words, "step_kind": kind, "step_flags": flags}


def _touched(step: Step) -> tuple[str, ...]:
    """The words of what a past action touched or typed."""
    if isinstance(step.action, Tap | LongPress):
        for element in reversed(step.observation.elements or ()):
            if element.box.holds(step.action.x, step.action.y) and tappable(element):
                return split(element.text)
        return ()
    return split(getattr(step.action, "text", "") or getattr(step.action, "key", ""))


def _legal_kinds(moment: Moment, goal: Goal, places: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """[len(Kind)]: what the device supports and what could have an effect here."""
    supported = moment.about.actions
    legal = np.array([NEEDS[kind] in supported for kind in Kind], np.uint8)
    if "tap" not in supported:
        places[:] = 0
    if not places.any():
        legal[Kind.LONG_PRESS] = 0
    elements = moment.observation.elements
    takes_text = elements is None or moment.observation.keyboard or any(e.focused and e.editable for e in elements)
    if not goal.words or not takes_text:
        legal[Kind.TYPE] = 0
    if not legal.any() and not places.any():
        legal[Kind.FINISH] = 1  # nothing else can be done: say so
    return legal


def _scalars(moment: Moment, shown: tuple[UiElement, ...]) -> npt.NDArray[np.float32]:
    observation, history = moment.observation, moment.history
    same = sum(step.observation.elements == observation.elements for step in history) if shown else 0
    return np.array(
        [
            moment.steps_left / moment.task.max_steps,
            min(moment.steps_left, 20) / 20,
            min(len(history), 20) / 20,
            observation.keyboard,
            len(shown) / ELEMENTS,
            min(same, 5) / 5,
            observation.elements is None,
            any(e.role == "dialog" for e in shown),
        ],
        np.float32,
    )
