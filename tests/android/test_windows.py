from __future__ import annotations

import pytest
from distrl_android_adb.focus import DumpError, Focus, read_focus


def test_the_app_that_agrees_with_the_window_is_in_front() -> None:
    dump = (
        "  mFocusedApp=null\n"
        "  mFocusedApp=ActivityRecord{a1 u0 com.android.systemui/.subscreen.SubHomeActivity t7}\n"
        "  mFocusedApp=ActivityRecord{a2 u0 com.example/.act.Main t285}\n"
        "  mCurrentFocus=null\n"
        "  mCurrentFocus=Window{a3 u0 com.example/com.example.act.Main}\n"
    )

    assert read_focus(dump) == Focus("com.example", "com.example.act.Main")


def test_the_dialog_of_an_app_that_does_not_respond_blocks() -> None:
    focus = read_focus("  mCurrentFocus=Window{b1 u0 Application Not Responding: com.android.systemui}\n")

    assert focus == Focus("com.android.systemui", "", "not responding")
    assert focus.blocked


def test_the_dialog_of_an_app_that_crashed_blocks() -> None:
    dump = (
        "  mCurrentFocus=Window{b1 u0 Application Error: com.example.shop}\n"
        "  mFocusedApp=ActivityRecord{a2 u0 com.example.shop/.Main t285}\n"
    )

    assert read_focus(dump) == Focus("com.example.shop", "", "crashed")


@pytest.mark.parametrize(
    ("title", "focus"),
    [
        ("NotificationShade", Focus("com.android.systemui", "", "shade")),
        ("StatusBar", Focus("com.android.systemui", "", "shade")),
        ("Keyguard", Focus("com.android.systemui", "", "keyguard")),
        ("PopupWindow:3d1f", Focus("com.example", "com.example.Main", "popup")),
        ("com.other/.Main", Focus("com.other", "com.other.Main")),
    ],
)
def test_windows_that_are_no_focused_activity_are_told_apart(title: str, focus: Focus) -> None:
    dump = f"  mCurrentFocus=Window{{5d u0 {title}}}\n  mFocusedApp=ActivityRecord{{a2 u0 com.example/.Main t285}}\n"

    assert read_focus(dump) == focus


def test_between_two_windows_nothing_has_the_focus() -> None:
    dump = "  mCurrentFocus=null\n  mFocusedApp=AppWindowToken{9 token=Token{1 ActivityRecord{2 u0 com.a/b.Main t1}}}\n"

    assert read_focus(dump) == Focus("com.a", "b.Main", "nothing")


def test_a_dump_that_the_system_gave_up_is_not_believed() -> None:
    dump = (
        "  mCurrentFocus=Window{a3 u0 com.example/com.example.Main}\n"
        "*** SERVICE 'window' DUMP TIMEOUT (10000ms) EXPIRED ***\n"
    )

    with pytest.raises(DumpError, match="gave up"):
        read_focus(dump)


def test_a_dump_without_any_focus_is_an_error_not_an_empty_screen() -> None:
    with pytest.raises(DumpError, match="names no focus"):
        read_focus("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n")
