"""Moments and judge requests made by hand, different in every way that their types allow."""

from __future__ import annotations

import numpy as np

from distrl_sdk.types import (
    Box,
    DeviceAbout,
    End,
    Finish,
    JudgeRequest,
    Key,
    Moment,
    Observation,
    OpenApp,
    Press,
    Screenshot,
    Step,
    Swipe,
    Tap,
    Task,
    TypeText,
    UiElement,
)

TASK = Task("contract/message", "contract", "Write 'see you at 7' to Ada Lovelace", max_steps=6)
ABOUT = DeviceAbout("contract", "drawing", "1", 90, 200, apps=("Messages", "Clock"))


def observation(shade: int, elements: tuple[UiElement, ...] | None, keyboard: bool = False) -> Observation:
    """A grey picture of 90 x 200 with these elements."""
    pixels = np.full((200, 90, 3), shade, np.uint8)
    return Observation(Screenshot(90, 200, draw=lambda: pixels), elements, app="Messages", keyboard=keyboard)


def sample_moments() -> tuple[Moment, ...]:
    """With a full UI tree, an empty one and none; at the first and at the last step; on a device that can do little."""
    form = (
        UiElement(Box(0.0, 0.0, 1.0, 0.1), "Messages", role="text"),
        UiElement(Box(0.0, 0.1, 1.0, 0.2), "Ada Lovelace", role="item", clickable=True),
        UiElement(Box(0.0, 0.8, 0.8, 0.9), "", role="field", clickable=True, editable=True, focused=True),
        UiElement(Box(0.8, 0.8, 1.0, 0.9), "Send", role="button", clickable=True),
        UiElement(Box(0.0, 0.9, 1.0, 1.0), "Wi-Fi", role="switch", clickable=True, checked=False),
    )
    many = tuple(
        UiElement(Box(0.0, at / 100, 1.0, (at + 1) / 100), f"Row {at}", role="item", clickable=at % 2 == 0)
        for at in range(100)
    )
    past = (
        Step(observation(10, form), Tap(0.5, 0.15)),
        Step(observation(20, form, keyboard=True), TypeText("see you"), repeats=0),
        Step(observation(20, None), Swipe(0.5, 0.8, 0.5, 0.2), invalid=True),
        Step(observation(30, ()), Press(Key.BACK), repeats=1),
        Step(observation(40, many), OpenApp("Messages")),
    )
    little = DeviceAbout("contract", "drawing", "1", 90, 200, actions=frozenset({"tap", "press", "finish"}))
    wordless = Task("contract/wordless", "contract", "", max_steps=1)
    return (
        Moment(ABOUT, TASK, observation(10, form)),
        Moment(ABOUT, TASK, observation(20, form, keyboard=True), past[:1]),
        Moment(ABOUT, TASK, observation(30, None), past[:2]),
        Moment(ABOUT, TASK, observation(40, ()), past[:3]),
        Moment(ABOUT, TASK, observation(50, many), past),
        Moment(little, TASK, observation(60, form), past[:1]),
        Moment(little, TASK, observation(70, None), past[:1]),
        Moment(ABOUT, wordless, observation(80, form)),
    )


def sample_requests() -> tuple[JudgeRequest, ...]:
    """Of finished, cut off and aborted episodes; with and without the end state's picture and the device's facts."""
    checked = Task("contract/wifi", "contract", "Turn Wi-Fi on", verify=({"fact": "settings.wifi", "equals": True},))
    final = observation(10, ())
    actions = (Tap(0.5, 0.5), Finish())
    return (
        JudgeRequest(TASK, actions, End("finish"), final, {"settings.wifi": True}),
        JudgeRequest(checked, actions, End("finish"), final, {"settings.wifi": True}),
        JudgeRequest(checked, actions[:1], End("step_limit"), final, {"settings.wifi": False}),
        JudgeRequest(checked, actions, End("finish"), final, None),
        JudgeRequest(checked, actions, End("finish"), None, None),
        JudgeRequest(checked, (), End("step_limit"), None, {}),
        JudgeRequest(checked, (), End("aborted", "device", "the cable fell out"), None, None),
    )
