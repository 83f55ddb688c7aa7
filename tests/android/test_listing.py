from __future__ import annotations

import pytest
from distrl_android_adb.listing import Row, read_rows


def test_a_serial_with_a_blank_is_read_whole() -> None:
    long = "adb-0123456789AB-CDdefg (2)._adb-tls-connect._tcp device product:p model:M device:d transport_id:3\n"
    short = "adb-0123456789AB-CDdefg (2)._adb-tls-connect._tcp\tdevice\n"

    serial = "adb-0123456789AB-CDdefg (2)._adb-tls-connect._tcp"
    assert read_rows(long) == [Row(serial, "device", model="M", transport="3")]
    assert read_rows(short) == [Row(serial, "device")]


def test_what_the_server_says_of_itself_is_no_device() -> None:
    listed = (
        "List of devices attached\n"
        "adb server version (32) doesn't match this client (36); killing...\n"
        "* daemon started successfully *\n"
        "SERIAL1\tdevice\n"
    )

    assert read_rows(listed) == [Row("SERIAL1", "device")]


def test_a_mute_phone_is_named_with_its_socket() -> None:
    (row,) = read_rows("R58M00TEST             offline usb:1-4.2 transport_id:9\n")

    assert (row.serial, row.state, row.usb, row.ready) == ("R58M00TEST", "offline", "1-4.2", False)
    assert row.trouble.startswith("R58M00TEST (USB 1-4.2) is offline: ")


def test_a_state_of_many_words_stays_one_state() -> None:
    (row,) = read_rows(
        "0123456789ABCDEF       no permissions (user in plugdev group; are your udev rules wrong?); "
        "see [http://developer.android.com/tools/device.html] usb:3-1 transport_id:2\n"
    )

    assert (row.serial, row.state, row.usb) == ("0123456789ABCDEF", "no permissions", "3-1")
    assert "udev" in row.trouble


@pytest.mark.parametrize("state", ["offline", "unauthorized", "authorizing", "connecting", "recovery", "sideload"])
def test_every_state_has_a_remedy(state: str) -> None:
    (row,) = read_rows(f"SERIAL1\t{state}\n")

    said, _, remedy = row.trouble.partition(f" is {state}: ")
    assert said == "SERIAL1"
    assert remedy


def test_a_state_that_nobody_knows_is_shown_as_it_is() -> None:
    (row,) = read_rows("SERIAL1                dreaming usb:1-1\n")

    assert (row.serial, row.state, row.ready) == ("SERIAL1", "dreaming", False)
