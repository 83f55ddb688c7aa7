"""The scripted expert: looks at the state, knows the family's route, and gives the next action, from wherever it is."""

from __future__ import annotations

from distrl_sdk.judge.checks import holds
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.families import family_of, start_state
from distrl_sdk.simphone.families.family import Await, Count, Dismiss, Enter, Fill, Hit, Move, Open, Pull, Turn
from distrl_sdk.simphone.popups import LEADS_AWAY
from distrl_sdk.simphone.scene import Scene, scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Action, Finish, Key, Press, Swipe, Tap, Task, TypeText, Wait

SWIPE_UP = Swipe(0.5, 0.7, 0.5, 0.3)
SWIPE_DOWN = Swipe(0.5, 0.3, 0.5, 0.7)
_LEADS_AWAY = ("dialog", *(f"popup:{answer}" for answer in LEADS_AWAY))


def next_action(state: PhoneState, task: Task) -> Action:
    """One step nearer to the task's goal: a Tap at the centre of an element, a Swipe, TypeText, Press or Finish."""
    scene = scene_of(state)
    if state.popup:
        away = (name for name in reversed(scene.names) if name not in _LEADS_AWAY)
        return _touch(next(away), scene)
    if state.top.ready > state.tick:
        return Wait()
    if all(holds(check, facts_of(state, start_state(task, state.chances, state.style))) for check in task.verify):
        return Finish(True)
    route = family_of(task).route(task.setup["params"])
    top = state.top
    moves = route.get((*top.place, "!") if top.dialog else top.place)
    if moves is None:
        onward = any(screen.place in route for screen in state.stack[1:-1]) or top.dialog
        return Press(Key.BACK if onward else Key.HOME)
    for move in moves:
        action = _make(move, state, scene)
        if action is not None:
            return action
    return Press(Key.BACK)


def _make(move: Move, state: PhoneState, scene: Scene) -> Action | None:
    """The action for a move; None if it is done."""
    top = state.top
    match move:
        case Fill(field, text):
            if top.draft(field) == text:
                return None
            if top.draft(field):
                return Press(Key.BACK)  # leaving the page is the way to an empty field
            return TypeText(text) if top.focus == field else _touch(field, scene)
        case Enter(field):
            return Press(Key.ENTER) if top.focus == field else _touch(field, scene)
        case Pull():
            return SWIPE_DOWN
        case Hit(name):
            return _touch(name, scene)
        case Open(app):
            name = f"app:{app}"
            return _touch(name if scene.find(name) or scene.top_of(name) is not None else "drawer", scene)
        case _:
            return _settle(move, scene)


def _settle(move: Await | Turn | Dismiss | Count, scene: Scene) -> Action | None:
    """The action for a move that looks at what its widget shows already."""
    element = scene.find(move.id)
    match move:
        case Await(name):
            return Wait() if scene.top_of(name) is not None else None
        case Dismiss(name):
            return _touch(name, scene) if element is not None else None
        case Turn(name, on):
            return None if element is not None and element.checked == on else _touch(name, scene)
        case Count(name, number):
            if element is None:
                return _touch(name, scene)
            less = int(element.text) - number
            return _touch(f"{name}:less" if less > 0 else f"{name}:more", scene) if less else None


def _touch(name: str, scene: Scene) -> Action:
    element = scene.find(name)
    if element is not None and scene.topmost_at(*element.box.centre) is element:
        return Tap(*element.box.centre)
    if scene.keyboard:
        return Press(Key.BACK)
    where = scene.top_of(name)
    if where is None:
        return Press(Key.BACK)
    return SWIPE_DOWN if where < scene.viewport[0] else SWIPE_UP
