"""A simulated Android behind a real adb server: what the adb program and adbutils get from it."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import adbutils
from distrl_android_adb.sim.adb_server import AdbServer
from distrl_android_adb.sim.options import AndroidOptions
from PIL import Image

from distrl_sdk.simphone.scene import scene_of


def test_the_adb_program_runs_commands_and_gets_their_exit_codes(adb_server: AdbServer, make_shelf) -> None:
    (serial,) = make_shelf(AndroidOptions(serial="TEST7", pace=0.0)).serials

    good = adb_server.run("-s", serial, "shell", "getprop", "ro.serialno")
    bad = adb_server.run("-s", serial, "shell", "nonsense")

    assert (good.returncode, good.stdout) == (0, b"TEST7\n")
    assert bad.returncode == 127
    assert bad.stderr == b"/system/bin/sh: nonsense: inaccessible or not found\n"


def test_a_screenshot_is_what_simphone_draws(adb_server: AdbServer, make_shelf) -> None:
    (serial,) = make_shelf(AndroidOptions(scale=0.25, pace=0.0)).serials

    png = adb_server.run("-s", serial, "exec-out", "screencap", "-p").stdout
    raw = adb_server.run("-s", serial, "exec-out", "screencap").stdout

    picture = Image.open(io.BytesIO(png))
    assert picture.size == (270, 600)
    assert raw[:16] == bytes.fromhex("0e010000 58020000 01000000 01000000")
    assert Image.frombytes("RGBA", picture.size, raw[16:]).convert("RGB").tobytes() == picture.tobytes()


def test_a_tap_on_an_element_of_the_tree_does_what_it_says(adb_server: AdbServer, make_shelf) -> None:
    shelf = make_shelf(AndroidOptions(pace=0.0))
    device = adbutils.AdbClient(port=adb_server.port).device(shelf.serials[0])
    device.shell("am start -n org.distrl.sim.settings/.MainActivity")
    before = shelf.phones[0].phone.apps["Settings"].get("airplane")

    device.shell("uiautomator dump /sdcard/tree.xml")
    tree = ElementTree.fromstring(device.sync.read_bytes("/sdcard/tree.xml").decode())
    (node,) = [each for each in tree.iter("node") if each.get("text") == "Airplane mode"]
    left, top, right, bottom = map(int, node.get("bounds").replace("][", ",").strip("[]").split(","))
    device.shell(f"input tap {(left + right) // 2} {(top + bottom) // 2}")

    assert shelf.phones[0].phone.apps["Settings"].get("airplane") is not before
    assert "org.distrl.sim.settings/org.distrl.sim.settings.MainActivity" in device.shell("dumpsys window displays")


def test_text_goes_into_the_field_with_the_focus(adb_server: AdbServer, make_shelf) -> None:
    shelf = make_shelf()
    device = adbutils.AdbClient(port=adb_server.port).device(shelf.serials[0])
    (box,) = [each.box for each in scene_of(shelf.phones[0].phone).elements if each.id == "search"]
    x, y = box.centre

    device.shell(f"input tap {round(x * 540)} {round(y * 1200)}")
    device.shell(["input", "text", "it's%s50% off #1"])

    assert shelf.phones[0].phone.top.draft("search") == "it's 50% off #1"


def test_files_are_pushed_and_pulled(adb_server: AdbServer, make_shelf, tmp_path: Path) -> None:
    (serial,) = make_shelf().serials
    sent, got = tmp_path / "sent", tmp_path / "got"
    sent.write_bytes(bytes(range(256)) * 5000)

    adb_server.run("-s", serial, "push", str(sent), "/sdcard/Download/it")
    adb_server.run("-s", serial, "pull", "/sdcard/Download/it", str(got))

    assert got.read_bytes() == sent.read_bytes()
