"""The UI tree that `uiautomator dump` writes, as UiElements. The screen's own size is that of the newest picture.

A row of a list is, in Android, a group that can be clicked and texts in it that cannot: it becomes one element with
the texts of all of them, as a screen reader would say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
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


class TreeError(DeviceError):
    """There is no whole UI tree."""


@dataclass(frozen=True, slots=True)
class Node:
    """What is read of one node."""

    element: UiElement
    package: str
    solid: bool
    """Whether it can be acted on; what cannot lends its text to what can."""


def read_tree(octets: bytes, width: int, height: int) -> tuple[UiElement, ...]:
    """The elements of a dump, in drawing order. Raises TreeError for one that is cut short or no tree."""
    return tuple(node.element for node in _nodes(_root(octets), width, height))


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


def _nodes(root: ElementTree.Element, width: int, height: int) -> list[Node]:
    """Every node that says something or can be acted on, parents before children as they are drawn."""
    found: list[Node] = []
    waiting = [(child, 0) for child in reversed(root)]
    while waiting and len(found) < _MOST:
        xml, depth = waiting.pop()
        node = _read(xml, width, height)
        lends = node is not None and node.solid and not node.element.text and not node.element.scrollable
        if node is not None and lends:
            node = _with_text(node, xml)
        if node is not None and (node.solid or node.element.text or node.element.role == "dialog"):
            found.append(node)
        if depth < _DEEPEST:
            waiting += [(child, depth + 1) for child in reversed(xml) if not (lends and _mute(child))]
    return found


def _read(xml: ElementTree.Element, width: int, height: int) -> Node | None:
    """One node, or None where nothing of it is on the screen."""
    box = _box(xml.get("bounds", ""), width, height)
    if box is None:
        return None
    flag = {name: xml.get(name) == "true" for name in _FLAGS}
    name, resource = xml.get("class", ""), xml.get("resource-id", "")
    clickable = flag["clickable"] or flag["long-clickable"]
    editable = name.endswith(("EditText", "AutoCompleteTextView")) or xml.get("editable") == "true"
    element = UiElement(
        box,
        _said(xml),
        role_of(name, resource, clickable=clickable, checkable=flag["checkable"], editable=editable),
        resource,
        clickable or flag["checkable"] or editable,
        editable,
        flag["scrollable"],
        flag["focused"],
        flag["checked"] if flag["checkable"] else None,
        flag["enabled"],
        flag["password"],
    )
    return Node(element, xml.get("package", ""), element.clickable or element.scrollable)


_FLAGS = ["clickable", "long-clickable", "checkable", "checked", "scrollable", "focused", "enabled", "password"]


def _said(xml: ElementTree.Element) -> str:
    """The node's text, else its description, else the hint of an empty field."""
    return xml.get("text") or xml.get("content-desc") or ""


def _with_text(node: Node, xml: ElementTree.Element) -> Node:
    """The node with the texts of those inside it that cannot be acted on."""
    words = ", ".join(_texts(xml))
    if not words:
        return node
    old = node.element
    element = UiElement(
        old.box, words, old.role, old.id, old.clickable, old.editable, old.scrollable, old.focused, old.checked,
        old.enabled, old.password,
    )  # fmt: skip
    return Node(element, node.package, node.solid)


def _texts(xml: ElementTree.Element) -> Iterator[str]:
    for child in xml:
        if _mute(child):
            if said := _said(child):
                yield said
            yield from _texts(child)


def _mute(xml: ElementTree.Element) -> bool:
    """Whether it cannot be acted on by itself."""
    return not any(xml.get(name) == "true" for name in ("clickable", "long-clickable", "checkable", "scrollable")) and (
        not xml.get("class", "").endswith(("EditText", "AutoCompleteTextView"))
    )


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
