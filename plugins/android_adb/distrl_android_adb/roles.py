"""Android's widget classes as the roles of a UiElement: what a thing does for a person, not how it is built."""

from __future__ import annotations

ROLES = {
    "Button": "button",
    "TextView": "text",
    "EditText": "field",
    "AutoCompleteTextView": "field",
    "MultiAutoCompleteTextView": "field",
    "Switch": "switch",
    "ToggleButton": "switch",
    "CheckBox": "switch",
    "RadioButton": "switch",
    "CheckedTextView": "switch",
    "CompoundButton": "switch",
    "ImageButton": "icon",
    "ImageView": "image",
    "SeekBar": "slider",
    "RatingBar": "slider",
    "Tab": "tab",
    "Dialog": "dialog",
    "AlertDialog": "dialog",
    "Key": "key",
}
"""The last part of a class's name -> role; AndroidX and Material put words of their own before it or behind it."""

DIALOG_IDS = frozenset({"android:id/parentPanel", "android:id/aerr_wait", "android:id/aerr_close"})
"""Where the system's own dialogs are built of plain groups."""

_AFFIXES = ("AppCompat", "Material", "Compat")


def role_of(name: str, resource: str, *, clickable: bool, checkable: bool, editable: bool) -> str:
    """The role of a node of class `name`: its class's, or what it can do tells."""
    short = name.rpartition(".")[2].rpartition("$")[2]
    for affix in _AFFIXES:
        short = short.removeprefix(affix).removesuffix(affix)
    if resource in DIALOG_IDS:
        return "button" if clickable else "dialog"
    if editable:
        return "field"
    role = ROLES.get(short, "")
    if not role:
        role = "switch" if checkable else "tab" if short.endswith("TabView") else "item"
    if role == "image" and clickable:
        return "icon"
    return role
