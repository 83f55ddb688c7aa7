"""The guard: dangers by id, role, package and label, in any language; and what it lets pass."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from distrl_android_adb.safety.guard import Guard
from distrl_android_adb.safety.words import DANGERS, NO, PHRASES, Danger, dangers_said, says_no
from hypothesis import given
from hypothesis import strategies as st

from distrl_sdk.types import (
    Action,
    Box,
    Finish,
    Key,
    LongPress,
    Observation,
    OpenApp,
    Press,
    Screenshot,
    Swipe,
    Tap,
    TypeText,
    UiElement,
    Wait,
)

GUARD = Guard()
APP = "com.example.app"
DIALER = "com.google.android.dialer"
SMS = "com.google.android.apps.messaging"
MAIL = "com.google.android.gm"
SCREEN = Screenshot(4, 8, draw=lambda: np.zeros((8, 4, 3), np.uint8))
PLACE = Box(0.4, 0.4, 0.6, 0.5)
BESIDE = Box(0.0, 0.4, 0.4, 0.5)
TAP = Tap(*PLACE.centre)


def shown(*elements: UiElement, keyboard: bool = False) -> Observation:
    return Observation(SCREEN, elements, keyboard=keyboard)


def button(text: str = "", resource: str = "", role: str = "button", box: Box = PLACE) -> UiElement:
    return UiElement(box, text, role, resource, clickable=True)


def field(resource: str = "x:id/text") -> UiElement:
    return UiElement(BESIDE, "", "field", resource, clickable=True, editable=True, focused=True)


FIELD = field()


@pytest.mark.parametrize(
    ("resource", "danger"),
    [
        ("com.whatsapp:id/send", "send"),
        ("com.example:id/btnSendMessage", "send"),
        ("com.example:id/submit_button", "send"),
        ("com.example:id/sendbtn", "send"),
        ("com.example:id/dialpad_floating_action_button_call", "call"),
        ("com.example:id/VideoCall", "call"),
        ("buy-now", "pay"),
        ("com.example:id/placeOrder", "pay"),
        ("org.distrl.sim.browser:id/order", "pay"),
        ("com.example:id/checkoutBtn", "pay"),
        ("com.example:id/menu_delete", "delete"),
        ("com.example:id/action_clear_all", "delete"),
        ("com.example:id/uninstall_button", "uninstall"),
        ("com.example:id/app_uninstaller_uninstall", "uninstall"),
    ],
)
def test_an_id_tells_the_danger_whatever_the_label_says(resource: str, danger: Danger) -> None:
    for text in ("", "ཉོ་བ།", "იყიდე", "ግዛ", "\u200f", "🎉"):
        assert GUARD.objection(TAP, shown(button(text, resource)), APP) == f"guard: it might {danger}"


@pytest.mark.parametrize(
    "name",
    [
        "sender_name", "recall", "order_history", "bookmark", "call_log", "end_call_button", "undo_delete", "payload",
        "postal_code", "callout", "removed_items", "orders",
    ],
)  # fmt: skip
def test_names_that_only_look_dangerous_pass(name: str) -> None:
    assert GUARD.objection(TAP, shown(button("Næste", f"com.example:id/{name}")), APP) == ""


def test_a_label_is_known_in_every_language_of_the_list() -> None:
    labels = [
        (danger, label)
        for danger in DANGERS
        for phrase in PHRASES[danger]
        for label in (phrase, phrase.upper(), f"{phrase}!", f"1 {phrase} (2)")
    ]

    assert len(labels) > 1800
    assert {label for danger, label in labels if danger not in dangers_said(label)} == set()
    assert {label for _, label in labels if not GUARD.objection(TAP, shown(button(label)), APP)} == set()


@pytest.mark.parametrize(
    ("label", "danger"),
    [
        ("Jetzt kostenpflichtig bestellen", "pay"), ("Nachricht löschen", "delete"), ("LÖSCHEN", "delete"),
        ("App deinstallieren", "uninstall"), ("S’abonner", "pay"), ("Satın Al", "pay"), ("立即购买", "pay"),
        ("メッセージを送信", "send"), ("전화하기", "call"), ("أَرْسِل", "send"), ("ถอนการติดตั้งแอป", "uninstall"),
        ("Pay $3.99 with a card that ends in 4102", "pay"), ("अनइंस्टॉल करें", "uninstall"), ("Отправить", "send"),
    ],
)  # fmt: skip
def test_labels_as_phones_write_them(label: str, danger: Danger) -> None:
    assert danger in dangers_said(label)
    assert GUARD.objection(TAP, shown(button(label)), APP) == f"guard: it might {danger}"


@pytest.mark.parametrize(
    "label", ["Wi-Fi", "Weiter", "Add to cart", "In den Warenkorb", "Orders", "Nachrichten", "搜索", "Silver"]
)
def test_labels_that_do_no_harm_pass(label: str) -> None:
    assert GUARD.objection(TAP, shown(button(label)), APP) == ""


def test_no_word_for_no_is_a_danger() -> None:
    assert {word for word in NO if dangers_said(word)} == set()
    assert {word for word in NO if not says_no(word.upper())} == set()


def test_what_somebody_wrote_in_a_row_is_no_label() -> None:
    row = button("Ada: please delete the old photos when you are home, and call your aunt", role="item")

    assert GUARD.objection(TAP, shown(row), APP) == ""
    assert GUARD.objection(TAP, shown(replace(row, text="Delete conversation")), APP) == "guard: it might delete"


@pytest.mark.parametrize(
    ("element", "passes"),
    [
        (button("Ada Lovelace, Missed call", role="item"), False),  # calls at once
        (button("", "x:id/fab"), False),
        (button("5", "x:id/five"), True),
        (button("2, ABC", "x:id/two"), True),
        (button("*", "x:id/star"), True),
        (button("Anrufliste", "x:id/call_log", role="tab"), True),
        (button("Nach oben", "x:id/navigate_up"), True),
        (button("", "x:id/deleteButton"), False),  # nothing tells it from a call but its name
        (button("Auflegen", "x:id/end_call"), True),
        (replace(FIELD, box=PLACE), True),
    ],
)
def test_in_a_dialer_only_what_surely_does_not_call_passes(element: UiElement, passes: bool) -> None:
    objection = GUARD.objection(TAP, shown(element), DIALER)

    assert (objection == "") is passes
    assert passes or objection == "guard: it might call"


def test_a_telephone_number_calls_in_any_app() -> None:
    assert GUARD.objection(TAP, shown(button("+49 30 901820", role="item")), APP) == "guard: it might call"
    assert GUARD.objection(TAP, shown(button("12.04.2026 18:30")), APP) == ""


def test_what_stands_behind_a_messengers_line_sends() -> None:
    arrow = button("", "x:id/q7")

    assert GUARD.objection(TAP, shown(FIELD, arrow), SMS) == "guard: it might send"
    assert GUARD.objection(TAP, shown(FIELD, arrow), APP) == ""
    assert GUARD.objection(TAP, shown(field("x:id/search_box"), arrow), SMS) == ""


@pytest.mark.parametrize(
    ("seen", "package", "objection"),
    [
        (shown(FIELD), SMS, "guard: it might send"),
        (shown(FIELD), DIALER, "guard: it might call"),
        (shown(field(), button("", "x:id/send")), MAIL, "guard: it might send"),
        (shown(field(), button("Kaufen")), APP, "guard: it might pay"),
        (shown(field("x:id/search_query"), button("", "x:id/send")), APP, ""),
        (shown(field("x:id/title")), APP, ""),
        (shown(replace(button("", "x:id/delete"), focused=True)), APP, "guard: it might delete"),
    ],
)
def test_enter_sends_what_a_field_holds_and_presses_what_has_the_focus(
    seen: Observation, package: str, objection: str
) -> None:
    assert GUARD.objection(Press(Key.ENTER), seen, package) == objection
    assert GUARD.objection(TypeText("hello\n"), seen, package) == objection
    assert GUARD.objection(TypeText("hello"), seen, package) == ""


def test_a_key_of_a_keyboard_that_the_tree_does_not_show_may_be_its_enter_key() -> None:
    seen = shown(FIELD, keyboard=True)

    assert GUARD.objection(Tap(0.95, 0.95), seen, SMS) == "guard: it might send"
    assert GUARD.objection(Tap(0.95, 0.95), seen, APP) == ""
    assert GUARD.objection(Tap(0.95, 0.95), replace(seen, keyboard=False), SMS) == ""


@pytest.mark.parametrize("text", ["*#06#", "##002#", "*100#"])
def test_codes_that_a_dialer_runs_as_they_are_typed_are_refused(text: str) -> None:
    assert GUARD.objection(TypeText(text), shown(FIELD), DIALER) == "guard: it might call"
    assert GUARD.objection(TypeText(text), shown(FIELD), APP) == ""


def test_a_dialog_that_speaks_of_danger_can_only_be_left() -> None:
    dialog = UiElement(Box(0.1, 0.3, 0.9, 0.7), "", "dialog")
    text = UiElement(Box(0.1, 0.3, 0.9, 0.4), "Diese Unterhaltung löschen?", "text")
    yes, no = button("OK", "android:id/button1"), button("Abbrechen", "android:id/button2")
    third = button("Mehr", "x:id/q")

    for answer, objection in ((yes, "guard: it might delete"), (third, "guard: it might delete"), (no, "")):
        assert GUARD.objection(TAP, shown(dialog, text, answer), APP) == objection
    assert GUARD.objection(TAP, shown(text, yes), APP) == "guard: it might delete"
    assert GUARD.objection(TAP, shown(dialog, replace(text, text="Neue Version"), yes), APP) == ""


def test_the_package_installer_only_takes_a_no() -> None:
    installer = "com.google.android.packageinstaller"

    assert GUARD.objection(TAP, shown(button("ok", "android:id/button1")), installer) == "guard: it might uninstall"
    assert GUARD.objection(TAP, shown(button("", "android:id/button2")), installer) == ""


def test_rows_are_not_swiped_away_and_sliders_not_slid() -> None:
    row = button("Ada", role="item", box=Box(0.0, 0.4, 1.0, 0.5))
    slider = button("Slide to pay", role="slider", box=Box(0.1, 0.4, 0.9, 0.5))

    for package, objection in ((MAIL, "delete"), (SMS, "delete"), (DIALER, "call")):
        assert GUARD.objection(Swipe(0.8, 0.45, 0.2, 0.45), shown(row), package) == f"guard: it might {objection}"
        assert GUARD.objection(Swipe(0.5, 0.45, 0.5, 0.2), shown(row), package) == ""
    assert GUARD.objection(Swipe(0.8, 0.45, 0.2, 0.45), shown(row), APP) == ""
    assert GUARD.objection(Swipe(0.2, 0.45, 0.9, 0.45), shown(slider), APP) == "guard: it might pay"


@pytest.mark.parametrize("elements", [None, ()])
def test_without_a_tree_nothing_is_touched(elements: tuple[UiElement, ...] | None) -> None:
    seen = Observation(SCREEN, elements)
    refused = "guard: without a UI tree nobody knows what it would do"

    for action in (TAP, LongPress(0.5, 0.5), Swipe(0.5, 0.8, 0.5, 0.2), Press(Key.ENTER), TypeText("a\n")):
        assert GUARD.objection(action, seen, APP) == refused
    for harmless in (Press(Key.BACK), Press(Key.HOME), Wait(), Finish(), OpenApp("Clock"), TypeText("a")):
        assert GUARD.objection(harmless, seen, APP) == ""


def test_what_is_allowed_passes_and_nothing_else() -> None:
    guard = Guard(frozenset(("delete",)))

    assert guard.objection(TAP, shown(button("Löschen")), APP) == ""
    assert guard.objection(TAP, shown(button("Senden")), APP) == "guard: it might send"
    assert Guard(frozenset(DANGERS)).objection(TAP, shown(), APP) == ""


TEXTS = st.text(max_size=30)
ELEMENTS = st.builds(
    UiElement,
    st.tuples(st.floats(0, 0.9), st.floats(0, 0.9), st.floats(0.01, 0.1), st.floats(0.01, 0.1)).map(
        lambda t: Box(t[0], t[1], t[0] + t[2], t[1] + t[3])
    ),
    TEXTS,
    st.sampled_from(["button", "text", "item", "icon", "tab", "dialog", "switch"]),
    TEXTS,
    clickable=st.booleans(),
    focused=st.booleans(),
)
POINTS = st.floats(0, 1, exclude_max=True)
ACTIONS = st.one_of(
    st.builds(Tap, POINTS, POINTS),
    st.builds(LongPress, POINTS, POINTS),
    st.builds(Swipe, POINTS, POINTS, POINTS, POINTS),
    st.just(Press(Key.ENTER)),
    st.builds(TypeText, TEXTS),
)


@given(st.lists(ELEMENTS, max_size=5), ACTIONS, st.sampled_from([APP, SMS, DIALER, MAIL]))
def test_any_screen_can_be_judged(elements: list[UiElement], action: Action, package: str) -> None:
    assert GUARD.objection(action, shown(*elements), package).startswith(("", "guard: "))


@given(
    st.lists(ELEMENTS, max_size=5), ELEMENTS, st.sampled_from(["send", "buy_now", "btn_delete", "call", "uninstall"])
)
def test_no_neighbour_talks_the_guard_out_of_a_dangerous_button(
    others: list[UiElement], place: UiElement, name: str
) -> None:
    dangerous = replace(place, id=f"com.example:id/{name}", role="button", clickable=True, enabled=True)

    assert GUARD.objection(Tap(*dangerous.box.centre), shown(*others, dangerous), APP) != ""


@given(st.lists(ELEMENTS, min_size=1, max_size=5), ACTIONS, st.sampled_from(DANGERS))
def test_to_allow_a_danger_never_forbids_anything(elements: list[UiElement], action: Action, danger: Danger) -> None:
    if GUARD.objection(action, shown(*elements), SMS) == "":
        assert Guard(frozenset((danger,))).objection(action, shown(*elements), SMS) == ""
