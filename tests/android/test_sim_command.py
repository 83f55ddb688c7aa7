"""`distrl sim adb`: a shelf for users, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from distrl_android_adb.sim.adb_server import AdbServer

from distrl_sdk import cli

RUN = "import sys; from distrl_sdk.cli import main; sys.exit(main())"


@contextmanager
def sim_adb(*options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The process and the serials that it tells."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "sim", "adb", *options],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        serials = []
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.match(r"adb connect (\S+)", line):
                serials.append(found[1])
            if line.startswith("listening"):
                break
        yield process, serials
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()


def test_a_shelf_of_phones_serves_until_ctrl_c(adb_server: AdbServer) -> None:
    with sim_adb("--phones", "2", "--sdk", "33", "--locale", "de") as (process, serials):
        for serial in serials:
            adb_server.connect(serial)
        numbers = [adb_server.run("-s", serial, "shell", "getprop ro.serialno").stdout for serial in serials]
        listed = adb_server.run("-s", serials[0], "shell", "cmd package query-activities -a android.intent.action.MAIN")
        for serial in serials:
            adb_server.run("disconnect", serial)

        process.send_signal(signal.SIGINT)

        assert process.wait(20) == 0
    assert numbers == [b"SIM0000\n", b"SIM0001\n"]
    assert "nonLocalizedLabel=Einstellungen" in listed.stdout.decode()


def test_a_fault_of_the_command_line_is_there(adb_server: AdbServer) -> None:
    with sim_adb("--faults", "unauthorized") as (_, serials):
        said = adb_server.run("connect", serials[0]).stdout.decode()
        adb_server.run("disconnect", serials[0])

    assert "failed to authenticate" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--phones", "0"], "--phones must be 1 to 256, not 0"),
        (["--faults", "mut"], "unknown fault 'mut': did you mean mute? known: "),
        (["--faults", "drop_at=soon"], "the fault drop_at cannot be 'soon': it is of the kind int"),
        (["--locale", "fr"], "unknown locale 'fr': known: de, en, zh"),
        (["--port", "65535"], "--port must be a port with room above it"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["sim", "adb", *arguments]) == 2

    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
