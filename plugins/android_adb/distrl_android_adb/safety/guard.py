"""The guard: what an action would send, call, pay, delete or uninstall, told from the last look.

It looks at resource ids, roles and packages, which are the same in every language, and at labels in about thirty. It
errs on the side of refusing, and without a UI tree it refuses every touch. It sees what the tree says: in an app that
draws its own buttons, as games do, it is blind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from distrl_android_adb.safety.kinds import Kind, kinds_of
from distrl_android_adb.safety.resource_ids import POSITIVE, dangers_named, is_no, tokens_of
from distrl_android_adb.safety.words import DANGERS, Danger, count_words, dangers_said, says_no
from distrl_sdk.types import Action, Key, LongPress, Observation, Press, Swipe, Tap, TypeText, UiElement

_LABEL = 6
"""Words up to which the text of a row is taken for its label; longer ones are what somebody wrote."""
_LARGE = 0.3
"""Share of the screen from which an element is taken for a container."""
_NUMBER = re.compile(r"^\s*\+?[\d\s()./-]{5,}\s*$")
_KEYPAD = re.compile(r"^\s*[\d*#+](?:\s*,?\s*[A-Z]{0,4}\+?)?\s*$")
_SAFE_ROLES = frozenset(("tab", "field", "switch"))
_SEARCHES = frozenset(("search", "find", "query", "filter", "address", "url", "omnibox"))
_NAVIGATION = frozenset(("up", "back", "navigate", "search", "voice", "tab", "keypad", "dialpad", "digit", "erase"))


@dataclass(frozen=True)
class Guard:
    """Says no to the dangers that are not `allowed`."""

    allowed: frozenset[Danger] = frozenset()

    def objection(self, action: Action, seen: Observation, package: str) -> str:
        """Why the action must not be performed on what was seen, '' when it may be. `package`: what is in front."""
        found = [danger for danger in _dangers(action, seen, kinds_of(package)) if danger not in self.allowed]
        if found == ["unseen"]:
            unguarded = self.allowed.issuperset(DANGERS)
            return "" if unguarded else "guard: without a UI tree nobody knows what it would do"
        return f"guard: it might {found[0]}" if found else ""


def _dangers(action: Action, seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """What an action might do, or 'unseen' where that cannot be told."""
    match action:
        case Tap(x, y) | LongPress(x, y):
            yield from _unseen(seen) or _touch(x, y, seen, kinds)
        case Swipe(x, y, to_x, to_y):
            sideways = abs(to_x - x) > abs(to_y - y)
            yield from _unseen(seen) or _swipe(x, y, sideways, seen, kinds)
        case Press(Key.ENTER):
            yield from _unseen(seen) or _enter(seen, kinds)
        case TypeText(text):
            if "\n" in text or "\r" in text:
                yield from _unseen(seen) or _enter(seen, kinds)
            if "dialer" in kinds and ("*" in text or "#" in text):
                yield "call"  # codes such as *#06# act as soon as their last sign is there


def _unseen(seen: Observation) -> tuple[str, ...]:
    return () if seen.elements else ("unseen",)


def _touch(x: float, y: float, seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    hit = [element for element in seen.elements or () if element.box.holds(x, y) and element.enabled]
    target = next((element for element in reversed(hit) if element.clickable or element.role == "key"), None)
    if target is None and seen.keyboard and all(_area(element) >= _LARGE for element in hit):
        yield from _enter(seen, kinds)  # a key of a keyboard that the tree does not show: perhaps its "send"
    for element in hit:
        if element is target or _area(element) < _LARGE:
            yield from _element(element, seen, kinds)
    if target is not None:
        yield from _place(target, seen, kinds)


def _element(element: UiElement, seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """By what an element is called and says."""
    harmless = {"call"} if element.role == "tab" else set()
    if kinds & {"calculator", "dialer"}:
        harmless.add("delete")  # of a digit
    if element.editable or (element.role == "field"):
        return
    named = dangers_named(element.id)
    labelled = element.role in ("button", "icon", "image", "slider", "key") or count_words(element.text) <= _LABEL
    said = dangers_said(element.text) if labelled else frozenset[Danger]()
    yield from (danger for danger in DANGERS if danger in named | said and danger not in harmless)
    if _NUMBER.match(element.text) and element.clickable and "calculator" not in kinds:
        yield "call"
    if element.role == "key" and tokens_of(element.id)[-1:] in (("enter",), ("go",), ("done",)):
        yield from _enter(seen, kinds)


def _place(target: UiElement, seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """By where it is: in which kind of app, in a dialog, beside a text field."""
    no = is_no(target.id) or says_no(target.text)
    dialog = [element for element in seen.elements or () if element.role == "dialog"]
    if (dialog or target.id in POSITIVE) and not no and not target.editable:
        yield from sorted({danger for element in seen.elements or () for danger in _asked(element)})
    if "installer" in kinds and not no:
        yield "uninstall"
    if "dialer" in kinds and not _dials_nothing(target):
        yield "call"
    if "messenger" in kinds and _beside_a_field(target, seen):
        yield "send"


def _asked(element: UiElement) -> frozenset[Danger]:
    """The dangers that a dialog's text speaks of, wherever in it."""
    return frozenset() if element.editable else dangers_said(element.text)


def _dials_nothing(target: UiElement) -> bool:
    """Whether a thing of a dialer surely only writes, erases or leads elsewhere."""
    tokens = frozenset(tokens_of(target.id))
    if target.role in _SAFE_ROLES or _KEYPAD.match(target.text):
        return True
    return bool(tokens & _NAVIGATION) or says_no(target.text) or "end" in tokens


def _beside_a_field(target: UiElement, seen: Observation) -> bool:
    """Whether a button stands at the end of a line to write on, where messengers send."""
    if target.editable or target.role in _SAFE_ROLES:
        return False
    for field in seen.elements or ():
        overlap = min(field.box.bottom, target.box.bottom) - max(field.box.top, target.box.top)
        if field.editable and overlap > 0 and not _is_search(field) and target.box.left >= field.box.centre[0]:
            return True
    return False


def _swipe(x: float, y: float, sideways: bool, seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """Sliders to slide for paying, and rows that a swipe sends away or calls."""
    for element in seen.elements or ():
        if element.box.holds(x, y) and _area(element) < _LARGE and element.clickable:
            yield from (danger for danger in DANGERS if danger in dangers_named(element.id) | _slid(element))
            if sideways and kinds & {"messenger", "mail", "dialer", "contacts"}:
                yield "call" if kinds & {"dialer", "contacts"} else "delete"


def _slid(element: UiElement) -> frozenset[Danger]:
    return dangers_said(element.text) if element.role in ("slider", "button") else frozenset()


def _enter(seen: Observation, kinds: frozenset[Kind]) -> Iterator[str]:
    """What the enter key might do: it presses what has the focus, or sends what a field holds."""
    elements = seen.elements or ()
    focused = [element for element in elements if element.focused]
    for element in focused:
        if not element.editable:
            yield from _element(element, seen, kinds)
            yield from _place(element, seen, kinds)
    writes = seen.keyboard or any(element.editable for element in focused)
    if not writes or (focused and all(_is_search(element) for element in focused)):
        return
    if "dialer" in kinds:
        yield "call"
    if "messenger" in kinds:
        yield "send"
    for element in elements:
        if element.clickable and not element.editable and element.role != "key":
            said = dangers_said(element.text) if element.role == "button" else frozenset[Danger]()
            yield from (danger for danger in ("send", "pay") if danger in dangers_named(element.id) | said)


def _is_search(element: UiElement) -> bool:
    return element.editable and bool(_SEARCHES.intersection(tokens_of(element.id)))


def _area(element: UiElement) -> float:
    box = element.box
    return (box.right - box.left) * (box.bottom - box.top)
