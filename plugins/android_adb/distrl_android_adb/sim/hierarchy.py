"""The UI tree as `uiautomator dump` writes it."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

from distrl_android_adb.sim.packages import package_of, slug
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import UiElement

_CLASSES = {
    "button": "android.widget.Button",
    "field": "android.widget.EditText",
    "switch": "android.widget.Switch",
    "icon": "android.widget.TextView",
    "image": "android.widget.ImageView",
    "slider": "android.widget.SeekBar",
    "tab": "android.widget.TextView",
    "dialog": "android.widget.FrameLayout",
    "item": "android.widget.LinearLayout",
}


def hierarchy(state: PhoneState, width: int, height: int) -> str:
    """The XML of a state on a display of so many pixels."""
    package = package_of(state.top.app)
    nodes = [
        _node(index, element, package, width, height)
        for index, element in enumerate(scene_of(state).elements)
        if element.role != "key"
    ]
    return (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
        f'<hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" '
        f'package="{package}" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" '
        f'focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" '
        f'selected="false" bounds="[0,0][{width},{height}]">{"".join(nodes)}</node></hierarchy>'
    )


def _node(index: int, element: UiElement, package: str, width: int, height: int) -> str:
    left, top, right, bottom = element.box
    values = {
        "index": str(index),
        "text": element.text,
        "resource-id": f"{package}:id/{slug(element.id)}" if element.id else "",
        "class": _CLASSES.get(element.role, "android.widget.TextView"),
        "package": package,
        "content-desc": "",
        "checkable": _bool(element.checked is not None),
        "checked": _bool(bool(element.checked)),
        "clickable": _bool(element.clickable),
        "enabled": _bool(element.enabled),
        "focusable": _bool(element.clickable),
        "focused": _bool(element.focused),
        "scrollable": _bool(element.scrollable),
        "long-clickable": "false",
        "password": _bool(element.password),
        "selected": "false",
        "bounds": f"[{round(left * width)},{round(top * height)}][{round(right * width)},{round(bottom * height)}]",
    }
    return f"<node {' '.join(f'{name}={quoteattr(value)}' for name, value in values.items())} />"


def _bool(value: bool) -> str:
    return str(value).lower()
