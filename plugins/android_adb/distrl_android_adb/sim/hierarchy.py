"""The UI tree as `uiautomator dump` writes it: of the focused window only, so without the keyboard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import quoteattr

from distrl_android_adb.sim.display import Display
from distrl_android_adb.sim.windows import Window, focused, identifier
from distrl_sdk.simphone.scene import Scene, scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.simphone.widgets import Widget
from distrl_sdk.types import Box, UiElement

_FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable", "password",
    "selected",
)  # fmt: skip
_ROW = ("row", "switch", "check", "card", "progress")
"""Looks of what is a layout with texts in it; every other widget is one view."""
_VIEWS: Mapping[str, str] = {
    "glyph": "ImageButton", "field": "EditText", "image": "ImageView", "slider": "SeekBar", "option": "CheckedTextView",
    "spinner": "ProgressBar", "app": "TextView", "button": "Button",
}  # fmt: skip
"""Look -> class of android.widget; buttons of any look are Buttons, the rest are TextViews."""
_TAB = "androidx.appcompat.app.ActionBar$Tab"
_CHIP = "com.google.android.material.chip.Chip"
_LIST = "androidx.recyclerview.widget.RecyclerView"
_BULLET = "•"
_HINTS = 34
"""The API level from which on a field's hint is told."""


@dataclass(frozen=True, slots=True)
class Node:
    """One view."""

    kind: str
    box: Box
    text: str = ""
    id: str = ""
    description: str = ""
    hint: str = ""
    flags: frozenset[str] = frozenset(("enabled",))
    children: tuple[Node, ...] = field(default=())


def hierarchy(state: PhoneState, display: Display, sdk: int, *, locked: bool = False, compressed: bool = False) -> str:
    """The XML of a state."""
    window = focused(state, locked)
    children = _keyguard() if locked else tuple(_nodes(scene_of(state), window))
    root = Node("android.widget.FrameLayout", Box(0, 0, 1, 1), children=children)
    if compressed:
        root = replace(root, children=tuple(_weighty(root.children)))
    writer = _Writer(window.package, display, sdk)
    return (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        f'<hierarchy rotation="{display.rotation}">{writer.write(root, 0)}</hierarchy>'
    )


def _nodes(scene: Scene, window: Window) -> Iterator[Node]:
    """The views from the back to the front; what scrolls is inside its list, a dialog's buttons inside the dialog."""
    rest = list(_pairs(scene))
    shown = sum(widget is not None and widget in scene.body.widgets for _, _, widget in rest)
    while rest:
        element, name, widget = rest.pop(0)
        if widget is None:
            inside = tuple(_view(*one, window) for one in rest[:shown])
            del rest[:shown]
            yield replace(_plain(element, _LIST, window, name), children=inside)
        elif widget.role == "dialog":
            panel = _plain(element, "android.widget.LinearLayout", window, name)
            texts = _lines(element.box, widget, ("android:id/alertTitle", "android:id/message"))
            yield replace(panel, text="", children=(*texts, *(_view(*one, window) for one in rest)))
            return
        else:
            yield _view(element, name, widget, window)


def _pairs(scene: Scene) -> Iterator[tuple[UiElement, str, Widget | None]]:
    """Each element but the keyboard's, its name in the app, and the widget that it was made of; None for the list."""
    layers = scene.modal[-1:] or (scene.body, *scene.over)
    widgets = iter([widget for layer in layers for widget in layer.widgets if widget.role])
    for element, name in zip(scene.elements, scene.names, strict=True):
        if element.role == "key":
            continue
        if element.scrollable:
            yield element, name, None
            continue
        told = (name, element.text)
        yield element, name, next(each for each in widgets if (each.id, _told(each)) == told)


def _told(widget: Widget) -> str:
    return f"{widget.text}, {widget.detail}" if widget.detail else widget.text


def _plain(element: UiElement, kind: str, window: Window, name: str) -> Node:
    held = {
        "checkable": element.checked is not None,
        "checked": bool(element.checked),
        "clickable": element.clickable,
        "enabled": element.enabled,
        "focusable": element.clickable or element.scrollable,
        "focused": element.focused,
        "scrollable": element.scrollable,
    }
    flags = frozenset(flag for flag, holds in held.items() if holds)
    return Node(kind, element.box, id=identifier(window, name, element.id.removeprefix("id/")), flags=flags)


def _view(element: UiElement, name: str, widget: Widget | None, window: Window) -> Node:
    if widget is None:
        return _plain(element, _LIST, window, name)
    look, text = widget.look, widget.text
    if look in _ROW:
        return _row(element, name, widget, window)
    node = _plain(element, f"android.widget.{_VIEWS.get(look, _VIEWS.get(widget.role, 'TextView'))}", window, name)
    if widget.role == "field":
        return _field(node, widget)
    if widget.role == "tab":
        chosen = frozenset(("selected",)) if element.checked else frozenset[str]()
        return replace(node, kind=_TAB, description=text, flags=(node.flags - {"checkable", "checked"}) | chosen)
    if look == "chip":
        return replace(node, kind=_CHIP, text=_told(widget))
    if look == "slider":
        return replace(node, text=widget.detail, description=text)
    if look in ("glyph", "image", "spinner"):
        return replace(node, description=_told(widget))
    return replace(node, text=_told(widget), description=text if look == "app" else "")


def _field(node: Node, widget: Widget) -> Node:
    """What is in it, or its hint while it is empty; of a password nothing but its length."""
    secret = widget.id == "password"
    shown = _BULLET * len(widget.detail) if secret else widget.detail
    flags = node.flags | {"long-clickable", *(("password",) if secret else ())}
    return replace(node, text=shown or widget.text, hint=widget.text, flags=flags)


def _row(element: UiElement, name: str, widget: Widget, window: Window) -> Node:
    """A layout that feels the touch, with a text or two in it, and a switch or a box that shows how it stands."""
    layout = _plain(element, "android.widget.LinearLayout", window, name)
    texts = _lines(element.box, widget, ("android:id/title", "android:id/summary"))
    if element.checked is None:
        return replace(layout, children=texts)
    kind, known = ("Switch", "switch_widget") if widget.look == "switch" else ("CheckBox", "checkbox")
    box = element.box
    at = box._replace(left=box.left + 0.8 * (box.right - box.left))
    marks = frozenset(("enabled", "checkable", *(("checked",) if element.checked else ())))
    mark = Node(f"android.widget.{kind}", at, id=f"android:id/{known}", flags=marks)
    return replace(layout, flags=layout.flags - {"checkable", "checked"}, children=(*texts, mark))


def _lines(box: Box, widget: Widget, ids: tuple[str, str]) -> tuple[Node, ...]:
    """A title, and a smaller text below it where there is one."""
    middle = (box.top + box.bottom) / 2 if widget.detail else box.bottom
    inner = box._replace(left=box.left + 0.05 * (box.right - box.left), right=box.left + 0.78 * (box.right - box.left))
    title = Node("android.widget.TextView", inner._replace(bottom=middle), widget.text, ids[0])
    if not widget.detail:
        return (title,)
    return title, Node("android.widget.TextView", inner._replace(top=middle), widget.detail, ids[1])


def _keyguard() -> tuple[Node, ...]:
    label = "com.android.systemui:id/keyguard_indication_text"
    return (Node("android.widget.TextView", Box(0.2, 0.9, 0.8, 0.95), "Swipe up to open", label),)


def _weighty(nodes: Sequence[Node]) -> Iterator[Node]:
    """Without layouts that only hold others."""
    for node in nodes:
        inner = tuple(_weighty(node.children))
        if node.text or node.description or node.id or node.flags - {"enabled"}:
            yield replace(node, children=inner)
        else:
            yield from inner


@dataclass(frozen=True, slots=True)
class _Writer:
    package: str
    display: Display
    sdk: int

    def write(self, node: Node, index: int) -> str:
        left, top, right, bottom = self._bounds(node, index)
        values = {
            "index": str(index),
            "text": node.text,
            "resource-id": node.id,
            "class": node.kind,
            "package": self.package,
            "content-desc": node.description,
            **{flag: str(flag in node.flags).lower() for flag in _FLAGS},
            "bounds": f"[{left},{top}][{right},{bottom}]",
            **({"hint": node.hint} if self.sdk >= _HINTS else {}),
        }
        opened = "<node " + " ".join(f"{name}={quoteattr(value)}" for name, value in values.items())
        if not node.children:
            return f"{opened} />"
        return f"{opened}>{''.join(self.write(child, place) for place, child in enumerate(node.children))}</node>"

    def _bounds(self, node: Node, index: int) -> tuple[int, int, int, int]:
        whole = node.box == Box(0, 0, 1, 1) and index == 0
        return (0, 0, self.display.width, self.display.height) if whole else self.display.bounds(node.box)
