from __future__ import annotations

import pytest
from distrl_android_adb.health import Battery, read_battery
from distrl_android_adb.screen import (
    Viewport,
    is_awake,
    is_secure,
    keyboard_shown,
    plain_digits,
    read_displays,
    read_size,
    read_turn,
    read_viewport,
)

from distrl_sdk.errors import DeviceError


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Physical size: 1440x2560\r\nOverride size: 1080x1920\r\n", (1080, 1920)),
        ("Physical size: 1080x2400\n", (1080, 2400)),
        ("SettingsProvider: noise of a vendor: 1x1\nPhysical size: 720x1600\n", (720, 1600)),
    ],
)
def test_the_last_size_counts_whatever_the_line_ends(text: str, size: tuple[int, int]) -> None:
    assert read_size(text) == size


def test_no_size_is_an_error_that_shows_what_came() -> None:
    with pytest.raises(DeviceError, match="cmd: Can't find service: window"):
        read_size("cmd: Can't find service: window\n")


def test_rotation_is_read_from_the_viewport() -> None:
    dump = (
        "    Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation=1, "
        "logicalFrame=[0, 0, 2400, 1080], physicalFrame=[0, 0, 2400, 1080], deviceSize=[2400, 1080], isActive=[1]\n"
    )

    assert read_viewport(dump) == Viewport(1, 2400, 1080, "0")


def test_of_two_panels_the_one_in_use_counts() -> None:
    line = (
        "    Viewport INTERNAL: displayId={n}, uniqueId=local:{n}, port=0, orientation=0, "
        "logicalFrame=[0, 0, 9, 9], isActive=[{on}]\n"
    )

    assert read_viewport(line.format(n=17, on=0) + line.format(n=18, on=1)) == Viewport(0, 9, 9, "18")


@pytest.mark.parametrize(
    ("dump", "turns"),
    [("mCurrentRotation=ROTATION_90", 1), ("mRotation=ROTATION_270", 3), ("mRotation=2", 2), ("nothing", None)],
)
def test_rotation_is_read_from_the_windows_where_there_is_no_viewport(dump: str, turns: int | None) -> None:
    assert read_viewport(dump) is None
    assert read_turn(dump) == turns


def test_displays_are_listed_by_number() -> None:
    text = (
        'Display 4619827259835644672 (HWC display 0): port=0 pnpId=GGL displayName="EMU_display_0"\n'
        'Display 4619827551948147201 (HWC display 1): port=1 pnpId=GGL displayName="EMU_display_1"\n'
    )

    assert read_displays(text) == ["4619827259835644672", "4619827551948147201"]


def test_wakefulness_and_keyboard_are_told() -> None:
    assert is_awake("  mWakefulness=Awake\n")
    assert not is_awake("  mWakefulness=Dozing\n")
    assert keyboard_shown("  mShowRequested=true mShowExplicitlyRequested=false mInputShown=true\n")
    assert not keyboard_shown("  mInputShown=false\n")


def test_only_the_window_in_front_makes_the_screen_secure() -> None:
    windows = (
        "  Window #1 Window{aa u0 com.bank/com.bank.Main}:\n    mAttrs={(0,0) fl=LAYOUT_IN_SCREEN SECURE}\n"
        "  Window #0 Window{bb u0 com.notes/com.notes.Main}:\n    mAttrs={(0,0) fl=LAYOUT_IN_SCREEN}\n"
    )

    assert is_secure(f"{windows}  mCurrentFocus=Window{{aa u0 com.bank/com.bank.Main}}\n")
    assert not is_secure(f"{windows}  mCurrentFocus=Window{{bb u0 com.notes/com.notes.Main}}\n")


def test_digits_of_another_script_are_digits() -> None:
    assert plain_digits("firstInstallTime=٢٠٢٥-١١-٢٧ ٠٠:٥٢:١٦") == "firstInstallTime=2025-11-27 00:52:16"
    assert plain_digits("२०२५") == "2025"
    assert read_battery("  level: ٤٢\n  temperature: ٣١٠\n  AC powered: true\n") == Battery(42, 31.0, True)


def test_a_battery_that_is_not_told_is_unknown() -> None:
    assert read_battery("Can't find service: battery\n") == Battery(None, None, False)
