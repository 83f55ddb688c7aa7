from __future__ import annotations

import pytest
from distrl_android_adb.tree import TreeError, read_tree
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.types import Box, UiElement

HEAD = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"


def node(inside: str = "", **attributes: str) -> str:
    known = {"class": "android.view.View", "bounds": "[0,0][100,50]"}
    known |= {name.replace("_", "-").removesuffix("-"): value for name, value in attributes.items()}
    listed = " ".join(f'{name}="{value}"' for name, value in known.items())
    return f"<node {listed}>{inside}</node>"


def tree(inside: str) -> bytes:
    return f"{HEAD}{inside}</hierarchy>".encode()


def test_a_button_is_an_element_with_a_relative_box() -> None:
    button = node(
        class_="android.widget.Button", text="Save", resource_id="com.a:id/save", clickable="true", enabled="true"
    )

    assert read_tree(tree(button), 200, 100) == (
        UiElement(Box(0.0, 0.0, 0.5, 0.5), "Save", "button", "com.a:id/save", clickable=True),
    )


def test_a_row_says_what_the_texts_in_it_say() -> None:
    texts = node(class_="android.widget.TextView", text="Wi-Fi") + node(class_="android.widget.TextView", text="Off")
    row = node(texts, class_="android.widget.LinearLayout", clickable="true", enabled="true")

    (element,) = read_tree(tree(row), 100, 100)

    assert (element.text, element.role, element.clickable) == ("Wi-Fi, Off", "item", True)


def test_a_row_with_a_switch_that_feels_no_touch_of_its_own_is_a_switch() -> None:
    texts = node(class_="android.widget.TextView", text="Wi-Fi")
    switch = node(class_="android.widget.Switch", checkable="true", checked="true")
    row = node(texts + switch, class_="android.widget.LinearLayout", clickable="true", enabled="true")

    (element,) = read_tree(tree(row), 100, 100)

    assert (element.text, element.role, element.checked, element.clickable) == ("Wi-Fi", "switch", True, True)


def test_a_dialog_says_its_title_and_message_and_its_buttons_stay() -> None:
    texts = node(class_="android.widget.TextView", text="Delete?", resource_id="android:id/alertTitle")
    texts += node(class_="android.widget.TextView", text="For ever.", resource_id="android:id/message")
    button = node(class_="android.widget.Button", text="OK", clickable="true", resource_id="android:id/button1")

    dialog, ok = read_tree(tree(node(texts + button, class_="android.widget.LinearLayout")), 100, 100)

    assert (dialog.text, dialog.role, dialog.clickable) == ("Delete?, For ever.", "dialog", False)
    assert (ok.text, ok.role) == ("OK", "button")


def test_a_field_says_its_hint_and_what_is_in_it() -> None:
    empty = node(class_="android.widget.EditText", text="Search", hint="Search")
    filled = node(class_="android.widget.EditText", text="cats", hint="Search")

    assert [element.text for element in read_tree(tree(empty + filled), 100, 100)] == ["Search", "Search, cats"]


def test_what_can_be_touched_in_a_row_stays_an_element_of_its_own() -> None:
    texts = node(class_="android.widget.TextView", text="Wi-Fi")
    switch = node(class_="android.widget.Switch", checkable="true", checked="true", clickable="true", text="On")
    row = node(texts + switch, class_="android.widget.LinearLayout", clickable="true")

    first, second = read_tree(tree(row), 100, 100)

    assert first.text == "Wi-Fi"
    assert (second.role, second.checked, second.text) == ("switch", True, "On")


def test_what_neither_speaks_nor_acts_is_left_out() -> None:
    assert read_tree(tree(node(node(class_="android.widget.FrameLayout"))), 100, 100) == ()


def test_a_list_is_an_element_and_lends_no_text() -> None:
    inside = node(class_="android.widget.TextView", text="One")
    elements = read_tree(tree(node(inside, class_="android.widget.ListView", scrollable="true")), 100, 100)

    assert [(each.text, each.role, each.scrollable) for each in elements] == [
        ("", "item", True),
        ("One", "text", False),
    ]


@pytest.mark.parametrize(
    ("name", "flags", "role"),
    [
        ("android.widget.EditText", {}, "field"),
        ("androidx.appcompat.widget.SwitchCompat", {"checkable": "true"}, "switch"),
        ("com.google.android.material.button.MaterialButton", {"clickable": "true"}, "button"),
        ("androidx.appcompat.widget.AppCompatImageView", {"clickable": "true"}, "image"),
        ("android.widget.ImageView", {}, "image"),
        ("android.widget.SeekBar", {}, "slider"),
        ("com.google.android.material.tabs.TabLayout$TabView", {"clickable": "true"}, "tab"),
        ("android.app.AlertDialog", {}, "dialog"),
        ("android.widget.ImageButton", {"clickable": "true"}, "button"),
        ("android.widget.TextView", {"clickable": "true"}, "item"),
        ("android.widget.TextView", {"clickable": "true", "content_desc": "x"}, "icon"),
        ("android.widget.TextView", {"checkable": "true"}, "switch"),
        ("android.widget.CheckedTextView", {"checkable": "true", "clickable": "true"}, "item"),
        ("android.view.ViewGroup", {"clickable": "true"}, "item"),
        ("android.view.View", {"checkable": "true"}, "switch"),
    ],
)
def test_classes_are_roles(name: str, flags: dict[str, str], role: str) -> None:
    (element,) = read_tree(tree(node(class_=name, text="x", **flags)), 100, 100)

    assert element.role == role


def test_boxes_are_clipped_and_what_lies_outside_is_left_out() -> None:
    inside = node(text="half", bounds="[-50,50][50,150]") + node(text="out", bounds="[0,100][100,200]")

    elements = read_tree(tree(inside + node(text="flat", bounds="[0,10][100,10]")), 100, 100)

    assert [(each.text, each.box) for each in elements] == [("half", Box(0.0, 0.5, 0.5, 1.0))]


def test_a_description_stands_for_a_text_that_is_missing() -> None:
    (element,) = read_tree(tree(node(class_="android.widget.ImageButton", content_desc="Back", clickable="true")), 9, 9)

    assert (element.text, element.role) == ("Back", "button")


@given(st.integers(min_value=0, max_value=len(tree(node(text="x"))) - 1))
def test_a_tree_that_was_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(TreeError):
        read_tree(tree(node(text="x"))[:length], 100, 100)


@pytest.mark.parametrize("said", [b"ERROR: null root node returned by UiTestAutomationBridge.\n", b"", b"Killed\n"])
def test_what_is_no_tree_is_refused(said: bytes) -> None:
    with pytest.raises(TreeError, match="no UI tree"):
        read_tree(said, 100, 100)


def test_characters_that_xml_forbids_do_not_cost_the_tree() -> None:
    octets = tree(node(text="a&#0;b&#x1;c&#55296;d\x02e&#60;&#55357;&#56832;"))

    assert [element.text for element in read_tree(octets, 100, 100)] == ["abcde<😀"]


def test_an_empty_tree_has_no_elements() -> None:
    assert read_tree(tree(""), 100, 100) == ()
    assert read_tree(f"{HEAD[:-1]}/>".encode(), 100, 100) == ()


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=30))
def test_any_text_can_stand_on_the_screen(text: str) -> None:
    from xml.sax.saxutils import quoteattr

    octets = f"{HEAD}<node class='android.widget.TextView' bounds='[0,0][9,9]' text={quoteattr(text)}/></hierarchy>"

    read_tree(octets.encode(), 100, 100)
