"""(state, action) -> state. Pure: the same two give the same third, chance included.

Verbs of events that the engine knows; an app answers all others:

    app NAME | page PAGE *ARGS | back | focus FIELD | key KEY | dialog *EVENT | close | dismiss ANSWER
"""

from __future__ import annotations

from dataclasses import replace

from distrl_sdk.simphone import apps, keyboard, popups
from distrl_sdk.simphone.scene import Scene, scene_of
from distrl_sdk.simphone.state import HOME, SHADE, Event, PhoneState, Screen
from distrl_sdk.simphone.widgets import HEIGHT
from distrl_sdk.types import Action, Finish, Key, OpenApp, Press, Swipe, Tap, TypeText

_FLING = 1.6
"""How far a body runs on after the finger, as a multiple of the finger's way."""
_TAP_SLOP = 0.02
"""A swipe shorter than this share of the screen scrolls nothing."""
_EDGE = 0.045
"""The upper share of the screen out of which the shade is pulled."""
_LONGEST_DRAFT = 160


def act(state: PhoneState, action: Action) -> PhoneState:
    """The state after an action. `Finish` changes nothing, not even chance."""
    if isinstance(action, Finish):
        return state
    return popups.perhaps(apps.elapse(_answer(state.ticked(), action, scene_of(state))))


def _answer(state: PhoneState, action: Action, seen: Scene) -> PhoneState:
    """`seen`: what was on the screen when the action was chosen; a page that comes with this tick was not."""
    match action:
        case Tap(x, y):
            return react(state, seen.event_at(x, y))
        case Swipe():
            return _swipe(state, action, seen)
        case TypeText(text):
            return _type(state, text)
        case Press(key):
            return _press(state, key)
        case OpenApp(name):
            asked = next((app for app in apps.installed(state) if apps.app(app).title.lower() == name.lower()), "")
            return react(replace(state, popup=""), ("app", asked)) if asked else state
        case _:
            return state


def react(state: PhoneState, event: Event) -> PhoneState:
    """The state after a touch that means `event`."""
    match event:
        case ():
            return state
        case ("app", name):
            opened = Screen(name, focus=apps.app(name).start_focus.get("main", ""))
            return replace(state, stack=(Screen(HOME), opened))
        case ("page", page, *args):
            return open_page(state, Screen(state.top.app, page, tuple(args)))
        case ("back",):
            return _back(state)
        case ("focus", field):
            return state.with_top(replace(state.top, focus=field))
        case ("key", key):
            return _enter(state) if key == "Enter" else _strike(state, key)
        case ("dialog", *what):
            return state.with_top(replace(state.top, dialog=tuple(what), focus=""))
        case ("close",):
            return state.with_top(replace(state.top, dialog=()))
        case ("dismiss", given):
            return popups.answer(state, given)
        case _:
            return apps.app(state.top.app).react(state, event)


def open_page(state: PhoneState, screen: Screen) -> PhoneState:
    """A page on top, with the keyboard on the field that it starts in."""
    return state.push(replace(screen, focus=apps.app(screen.app).start_focus.get(screen.page, "")))


def _press(state: PhoneState, key: Key) -> PhoneState:
    if key is Key.HOME:
        return replace(state, stack=(Screen(HOME),), popup="")
    if key is Key.BACK:
        return replace(state, popup="") if state.popup else _back(state)
    return _enter(state) if key is Key.ENTER and not state.popup else state


def _back(state: PhoneState) -> PhoneState:
    top = state.top
    if top.focus:
        return state.with_top(replace(top, focus=""))
    if top.dialog:
        return state.with_top(replace(top, dialog=()))
    return state.pop()


def _enter(state: PhoneState) -> PhoneState:
    field = state.top.focus
    if not field:
        return state
    after = apps.app(state.top.app).react(state, ("enter", field))
    return after if after is not state else state.with_top(replace(state.top, focus=""))


def _type(state: PhoneState, text: str) -> PhoneState:
    top = state.top
    if state.popup or not top.focus:
        return state
    return state.with_top(top.with_draft(top.focus, (top.draft(top.focus) + text)[:_LONGEST_DRAFT]))


def _strike(state: PhoneState, key: str) -> PhoneState:
    top = state.top
    return state.with_top(top.with_draft(top.focus, keyboard.typed(top.draft(top.focus), key)[:_LONGEST_DRAFT]))


def _swipe(state: PhoneState, swipe: Swipe, scene: Scene) -> PhoneState:
    """A level, the shade from the upper edge, a scroll, or what the app makes of it where nothing can scroll."""
    across, down = swipe.to_x - swipe.x, swipe.to_y - swipe.y
    if state.popup or state.top.dialog or max(abs(across), abs(down)) < _TAP_SLOP:
        return state
    event = scene.event_at(swipe.x, swipe.y, swipe.to_x)
    if event[:1] == ("slide",):
        return react(state, event)
    if swipe.y < _EDGE and down > abs(across) and state.top.app != SHADE:
        return state.push(Screen(SHADE))
    if abs(across) > abs(down):
        return react(state, ("swipe", "left" if across < 0 else "right"))
    if scene.max_scroll:
        return _scroll(state, swipe, scene)
    return react(state, ("swipe", "up" if down < 0 else "down"))


def _scroll(state: PhoneState, swipe: Swipe, scene: Scene) -> PhoneState:
    top, bottom = scene.viewport
    way = swipe.y - swipe.to_y
    if not top <= swipe.y * HEIGHT < bottom:
        return state
    farthest = int(0.85 * (bottom - top))
    moved = max(-farthest, min(farthest, int(way * HEIGHT * _FLING)))
    scroll = max(0, min(scene.max_scroll, scene.scroll + moved))
    return state.with_top(replace(state.top, scroll=scroll)) if scroll != scene.scroll else state
