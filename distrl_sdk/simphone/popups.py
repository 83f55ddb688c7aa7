"""What the system throws over the screen now and then, and the chance that rules it."""

from __future__ import annotations

from dataclasses import replace

from distrl_sdk.simphone.page import Button, dialog
from distrl_sdk.simphone.state import HOME, SHADE, PhoneState, Screen, Style
from distrl_sdk.simphone.widgets import STATUS_BOTTOM, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say

_KINDS = {
    "rate": ("Rate this app?", "Tell others what you think of it.", (("rate", "Rate now"), ("later", "Not now"))),
    "permission": ("Allow notifications?", "This app wants to send you notifications.",
                   (("deny", "Don't allow"), ("allow", "Allow"))),
    "update": ("System update", "A new version is ready to install.", (("later", "Remind me later"),)),
    "battery": ("Battery low", "20 % left. Plug in your charger soon.", (("ok", "OK"),)),
    "backup": ("Back up your photos?", "Keep them safe in the cloud.", (("skip", "Skip"), ("on", "Turn on"))),
    "storage": ("Storage almost full", "Free up some space to keep the phone fast.",
                (("manage", "Manage"), ("later", "Not now"))),
    "call": ("Incoming call", "{}", (("decline", "Decline"), ("answer", "Pick up"))),
    "stuck": ("{} isn't responding", "Wait for it, or close it.", (("close", "Close app"), ("wait", "Wait"))),
    "location": ("Location access", "Allow {} to access your location?",
                 (("deny", "Don't allow"), ("while", "While using"))),
    "camera": ("Camera access", "Allow {} to take pictures?",
               (("deny", "Don't allow"), ("allow", "Allow"))),
}  # fmt: skip
"""Kind -> title, text, (answer, label) of each button; {} is the app on top, or the person who calls."""

KINDS = tuple(_KINDS)
TEXTS = tuple(text for title, text, buttons in _KINDS.values() for text in (title, text, *(one[1] for one in buttons)))
"""Every label of theirs."""
LEADS_AWAY = ("rate", "manage", "answer", "close")
"""Answers after which another page is shown than before."""
_ANYWHERE = tuple(kind for kind in KINDS if kind not in ("stuck", "location", "camera"))
_STRANGER = "500000000"
"""Who calls a phone without contacts."""


def chance(seed: int, tick: int, salt: int) -> float:
    """A number in [0, 1) that depends on nothing else (SplitMix64's finaliser over the three)."""
    mixed = (seed * 0x9E3779B97F4A7C15 + tick * 0xD1B54A32D192ED03 + salt * 0x8CB92BA72F3D8DD7) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return (mixed ^ (mixed >> 31)) / 2.0**64


def spinner(state: PhoneState) -> int:
    """The tick at which a page that comes from the network is there: at once, or after one action."""
    return state.tick + (state.delays_left > 0 and chance(state.seed, state.tick, 3) < state.chances.spinners)


def perhaps(state: PhoneState) -> PhoneState:
    """The state, now and then with a pop-up over it, while chance may cost it anything more."""
    if state.top.ready > state.tick:
        return replace(state, delays_left=state.delays_left - 1)
    if state.popup or not state.delays_left:
        return state
    kinds = _ANYWHERE if state.top.app in (HOME, SHADE) else KINDS
    if "stuck" in kinds and chance(state.seed, state.tick, 9) < state.chances.stuck:
        kind = "stuck"
    elif chance(state.seed, state.tick, 1) < state.chances.popups:
        kind = kinds[int(chance(state.seed, state.tick, 2) * len(kinds))]
    else:
        return state
    return replace(state, popup=f"{kind}:{_subject(state, kind)}", delays_left=state.delays_left - 1)


def _subject(state: PhoneState, kind: str) -> str:
    if kind != "call":
        return state.top.app
    people = state.apps["Contacts"].people
    return people[int(chance(state.seed, state.tick, 4) * len(people))].name if people else _STRANGER


def answer(state: PhoneState, given: str) -> PhoneState:
    """The state after a pop-up's button: it is gone, and what it offered is shown."""
    subject = state.popup.partition(":")[2]
    state = replace(state, popup="")
    match given:
        case "rate":
            return state.push(Screen("Store"))
        case "manage":
            return state.push(Screen("Settings", "section", ("Storage",)))
        case "answer":
            return state.push(Screen("Phone", "call", (subject,)))
        case "close":
            return replace(state, stack=(Screen(HOME),))
        case _:
            return state


def widgets(popup: str, style: Style) -> tuple[Widget, ...]:
    """The panel and the buttons of 'KIND:SUBJECT'; every button sends it away. A call comes as a banner at the top."""
    kind, _, subject = popup.partition(":")
    title, text, buttons = _KINDS[kind]
    title, text = (say(style, one, *([say(style, subject)] if "{}" in one else [])) for one in (title, text))
    made = tuple((f"popup:{name}", say(style, label), ("dismiss", name)) for name, label in buttons)
    return dialog(style, title, text, made) if kind != "call" else _banner(title, text, made)


def _banner(title: str, text: str, buttons: tuple[Button, ...]) -> tuple[Widget, ...]:
    panel = Rect(24, STATUS_BOTTOM + 12, WIDTH - 24, STATUS_BOTTOM + 452)
    width = (panel.right - panel.left - 72) // len(buttons)
    found = [Widget(panel, "panel", title, text, "dialog", "dialog")]
    for index, (name, label, event) in enumerate(buttons):
        left = panel.left + 36 + index * width
        box = Rect(left + 12, panel.bottom - 170, left + width - 12, panel.bottom - 36)
        found.append(Widget(box, "flat", label, "", name, "button", event))
    return tuple(found)


_MASK = (1 << 64) - 1
