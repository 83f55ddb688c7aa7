"""Android's widget classes as the roles of a UiElement: what a thing does for a person, not how it is built."""

from __future__ import annotations

ROLES = {
    "Button": "button",
    "ImageButton": "button",
    "Chip": "button",
    "TextView": "text",
    "EditText": "field",
    "AutoCompleteTextView": "field",
    "MultiAutoCompleteTextView": "field",
    "Switch": "switch",
    "ToggleButton": "switch",
    "CheckBox": "switch",
    "RadioButton": "switch",
    "CompoundButton": "switch",
    "CheckedTextView": "item",
    "ImageView": "image",
    "SeekBar": "slider",
    "RatingBar": "slider",
    "Tab": "tab",
    "TabView": "tab",
    "Dialog": "dialog",
    "AlertDialog": "dialog",
    "ProgressBar": "image",
}
"""The last part of a class's name -> role; AndroidX and Material put words of their own before it or behind it."""

_AFFIXES = ("AppCompat", "Material", "Compat")


def role_of(name: str, *, clickable: bool, checkable: bool, labelled: bool) -> str:
    """The role of a node of class `name`. `labelled`: it shows a text and is described by the same text."""
    short = name.rpartition(".")[2].rpartition("$")[2]
    for affix in _AFFIXES:
        short = short.removeprefix(affix).removesuffix(affix)
    role = ROLES.get(short, "")
    if not role:
        return "field" if short.endswith("EditText") else "switch" if checkable else "item"
    if role == "text" and checkable:
        return "switch"
    if role == "text" and clickable:
        return "icon" if labelled else "item"  # a launcher's icons are described by their labels
    return role
