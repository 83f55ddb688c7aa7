"""The UI tree that `uiautomator dump` writes, as UiElements. The screen's own size is that of the newest picture.

A row of a list is, in Android, a group that can be clicked and texts in it that cannot: it becomes one element with
the texts of all of them, as a screen reader would say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from distrl_android_adb.roles import role_of
from distrl_sdk.errors import DeviceError
from distrl_sdk.types import Box, UiElement

_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFERENCES = re.compile(r"(?:&#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6});)+")
_MOST = 5000
"""Nodes of one screen: a page of a browser can have more, and none needs them."""
_DEEPEST = 400
_DIALOG = frozenset(("android:id/alertTitle", "android:id/message"))
_ROW = frozenset(("android:id/title", "android:id/summary"))
"""What the system calls the texts of its dialogs and of a row of two lines."""


class TreeError(DeviceError):
    """There is no whole UI tree."""


def read_tree(octets: bytes, width: int, height: int) -> tuple[UiElement, ...]:
    """The elements of a dump, in drawing order. Raises TreeError for one that is cut short or no tree."""
    return tuple(_elements(_root(octets), width, height))


def _root(octets: bytes) -> ElementTree.Element:
    text = octets.decode(errors="replace")
    start, end = text.find("<hierarchy"), text.rfind("</hierarchy>")
    if start < 0:
        raise TreeError(f"no UI tree but {text.strip()[:120]!r}")
    if end < 0:
        if re.match(r"<hierarchy[^>]*/>", text[start:]) is None:
            raise TreeError(f"the UI tree was cut short after {len(octets)} bytes")
        return ElementTree.Element("hierarchy")
    cleaned = _REFERENCES.sub(_sound, _NO_XML.sub("", text[start : end + len("</hierarchy>")]))
    try:
        return ElementTree.fromstring(cleaned)
    except ElementTree.ParseError as error:
        raise TreeError(f"the UI tree cannot be read: {error}") from error


def _sound(match: re.Match[str]) -> str:
    """References as XML allows them: Android writes a letter beyond 16 bits as two, and control characters too."""
    numbers = (int(f"0{name}", 16 if name[0] in "xX" else 10) for name in re.findall(r"&#(\w+);", match[0]))
    written = "".join(chr(number) for number in numbers if number <= 0x10FFFF)
    joined = written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return "".join(f"&#{ord(letter)};" for letter in _NO_XML.sub("", joined))


def _elements(root: ElementTree.Element, width: int, height: int) -> list[UiElement]:
    """Every node that says something or can be acted on, parents before children as they are drawn."""
    found: list[UiElement] = []
    waiting = [(child, 0) for child in reversed(root)]
    while waiting and len(found) < _MOST:
        xml, depth = waiting.pop()
        whole = _is_whole(xml)
        element = _read(xml, width, height, whole)
        if element is not None and (element.text or element.clickable or element.scrollable):
            found.append(element)
        if depth < _DEEPEST:
            waiting += [(child, depth + 1) for child in reversed(xml) if not (whole and _mute(child))]
    return found


def _is_whole(xml: ElementTree.Element) -> bool:
    """Whether it and what it holds are one thing for a person: a row of a list, a dialog."""
    if _on(xml, "scrollable") or _said(xml):
        return False
    held = {child.get("resource-id") for child in xml}
    return _touchable(xml) or bool(held & _DIALOG) or held >= _ROW


def _read(xml: ElementTree.Element, width: int, height: int, whole: bool) -> UiElement | None:
    """One node, or None where nothing of it is on the screen."""
    box = _box(xml.get("bounds", ""), width, height)
    if box is None:
        return None
    marks = [mark for mark in xml.iter() if _on(mark, "checkable") and (mark is xml or _mute(mark))] if whole else [xml]
    checkable = any(_on(mark, "checkable") for mark in marks)
    name, editable = xml.get("class", ""), _editable(xml)
    labelled = bool(xml.get("text")) and xml.get("text") == xml.get("content-desc")
    role = role_of(name, clickable=_touchable(xml), checkable=checkable, labelled=labelled)
    if whole and any(child.get("resource-id") in _DIALOG for child in xml):
        role = "dialog"
    checked = any(_on(mark, "checked") for mark in marks) if checkable else None
    return UiElement(
        box,
        ", ".join(_texts(xml)) if whole else _label(xml, role),
        role,
        xml.get("resource-id", ""),
        _touchable(xml),
        editable,
        _on(xml, "scrollable"),
        _on(xml, "focused"),
        _on(xml, "selected") if role == "tab" else checked,
        _on(xml, "enabled"),
        _on(xml, "password"),
    )


def _label(xml: ElementTree.Element, role: str) -> str:
    """What it says; a field its hint too, a slider where it stands too."""
    said = _said(xml)
    named = xml.get("hint") if role == "field" else xml.get("content-desc") if role == "slider" else ""
    return f"{named}, {said}" if named and named != said else said


def _said(xml: ElementTree.Element) -> str:
    """The node's text, else its description."""
    return xml.get("text") or xml.get("content-desc") or ""


def _texts(xml: ElementTree.Element) -> Iterator[str]:
    """Of the nodes inside it that cannot be acted on by themselves."""
    for child in xml:
        if _mute(child):
            if said := _said(child):
                yield said
            yield from _texts(child)


def _mute(xml: ElementTree.Element) -> bool:
    """Whether a touch on it means what is around it."""
    return not (_touchable(xml) or _on(xml, "scrollable") or _editable(xml))


def _touchable(xml: ElementTree.Element) -> bool:
    return _on(xml, "clickable") or _on(xml, "long-clickable") or _editable(xml)


def _editable(xml: ElementTree.Element) -> bool:
    return xml.get("class", "").endswith(("EditText", "AutoCompleteTextView"))


def _on(xml: ElementTree.Element, flag: str) -> bool:
    return xml.get(flag) == "true"


def _box(bounds: str, width: int, height: int) -> Box | None:
    """Bounds in pixels as a box on the screen, clipped; None when nothing is left of it."""
    match = _BOUNDS.fullmatch(bounds)
    if match is None:
        return None
    left, top, right, bottom = (int(match[at]) for at in range(1, 5))
    left, right = max(0, left), min(width, right)
    top, bottom = max(0, top), min(height, bottom)
    if left >= right or top >= bottom:
        return None
    return Box(left / width, top / height, right / width, bottom / height)
