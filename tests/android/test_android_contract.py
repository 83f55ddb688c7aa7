"""The contract of every Device, kept by a simulated Android behind a real adb server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from distrl_android_adb.sim.adb_server import AdbServer
from distrl_android_adb.sim.options import AndroidOptions
from distrl_android_adb.source import AndroidSource

from distrl_sdk.interfaces import Device
from distrl_sdk.simphone.state import Chances
from distrl_sdk.testing.device import DeviceContract


class TestAndroidDevice(DeviceContract):
    exact_reset = False  # an app that was stopped keeps what it has stored

    @pytest.fixture
    def device(
        self, adb_server: AdbServer, make_shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> Iterator[Device]:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
        (serial,) = make_shelf(AndroidOptions(pace=0.0, scale=0.2, chances=Chances())).serials
        source = AndroidSource()
        yield source.open(f"{serial}?server={adb_server.port}&pause=0")
        source.close()
