"""What the system throws over the screen now and then, and the chance that rules it."""

from __future__ import annotations

from dataclasses import replace

from distrl_sdk.simphone.page import dialog
from distrl_sdk.simphone.state import PhoneState, Style
from distrl_sdk.simphone.widgets import Widget
from distrl_sdk.simphone.wording import say

_KINDS = {
    "rate": ("Rate this app?", "Tell others what you think of it.", (("rate", "Rate now"), ("later", "Not now"))),
    "permission": ("Allow notifications?", "This app wants to send you notifications.",
                   (("deny", "Don't allow"), ("allow", "Allow"))),
    "update": ("System update", "A new version is ready to install.", (("later", "Remind me later"),)),
    "battery": ("Battery low", "20 % left. Plug in your charger soon.", (("ok", "OK"),)),
    "backup": ("Back up your photos?", "Keep them safe in the cloud.", (("skip", "Skip"), ("on", "Turn on"))),
}  # fmt: skip

KINDS = tuple(_KINDS)


def chance(seed: int, tick: int, salt: int) -> float:
    """A number in [0, 1) that depends on nothing else (SplitMix64's finaliser over the three)."""
    mixed = (seed * 0x9E3779B97F4A7C15 + tick * 0xD1B54A32D192ED03 + salt * 0x8CB92BA72F3D8DD7) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return (mixed ^ (mixed >> 31)) / 2.0**64


def spinner(state: PhoneState) -> int:
    """The tick at which a page that comes from the network is there: at once, or after one action."""
    return state.tick + (chance(state.seed, state.tick, 3) < state.chances.spinners)


def perhaps(state: PhoneState) -> PhoneState:
    """The state, now and then with a pop-up over it."""
    if state.popup or not state.popups_left or chance(state.seed, state.tick, 1) >= state.chances.popups:
        return state
    kind = KINDS[int(chance(state.seed, state.tick, 2) * len(KINDS))]
    return replace(state, popup=kind, popups_left=state.popups_left - 1)


def widgets(kind: str, style: Style) -> tuple[Widget, ...]:
    """The pop-up's panel and buttons; every button sends it away."""
    title, text, buttons = _KINDS[kind]
    made = tuple((f"popup:{name}", say(style, label), ("dismiss", name)) for name, label in buttons)
    return dialog(style, say(style, title), say(style, text), made)


_MASK = (1 << 64) - 1
