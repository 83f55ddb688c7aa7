"""`distrl train` and `distrl eval` as processes, from start to exit status."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
import yaml
from processes import COMMAND, ENVIRONMENT, SMALL, distrl


def told(ran: subprocess.CompletedProcess[str]) -> str:
    """What a refused command said last; nothing of it is a traceback."""
    assert ran.returncode == 2, ran
    assert "Traceback" not in ran.stderr
    return ran.stderr.splitlines()[-1]


def workers_of(folder: Path) -> list[int]:
    """The pids of worker processes whose command line names the folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = place.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it has ended in the meantime
        if "distrl_sdk.worker" in command and str(folder) in " ".join(command):
            found.append(int(place.parent.name))
    return found


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `run` is the folder of a short run."""
    folder = tmp_path_factory.mktemp("trained")
    ran = distrl(folder, "train", "--run-dir", str(folder / "run"), *SMALL)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == f"report: {folder / 'run' / 'report.html'}"
    return folder


def test_a_run_leaves_its_settings_its_result_and_its_report(trained: Path) -> None:
    config = yaml.safe_load((trained / "run" / "config.yaml").read_text())

    assert config["fleet"] == "sim:2"
    assert config["learner"]["batch"] == 2
    assert (trained / "run" / "report.html").exists()
    assert (trained / "run" / "result.json").exists()
    assert list((trained / "run" / "checkpoints").glob("step-*/learner.ckpt"))


def test_eval_measures_the_newest_checkpoint(trained: Path) -> None:
    ran = distrl(trained, "eval", "run", "--episodes", "4", "--tasks", "general/test")

    assert ran.returncode == 0, ran.stderr
    first, *_, last = ran.stdout.splitlines()
    assert re.fullmatch(r"success \d\.\d\d \[\d\.\d\d, \d\.\d\d\], n = 4", first)
    (card,) = (trained / "run").glob("eval-general-test-*.json")
    assert last == f"card: {card.relative_to(trained)}"


@pytest.mark.long
def test_a_resumed_run_knows_its_settings_and_goes_on(trained: Path) -> None:
    shutil.copytree(trained / "run", trained / "again")

    ran = distrl(trained, "train", "--resume", "again", "--max-trajectories", "8")

    assert ran.returncode == 0, ran.stderr
    assert int(re.search(r"(\d+) trajectories", ran.stdout)[1]) >= 8  # type: ignore[index]


def test_a_run_of_another_format_is_refused_with_a_remedy(trained: Path) -> None:
    other = trained / "other"
    shutil.copytree(trained / "run", other)
    (other / "format.json").write_text('{"format": 99}')

    for arguments in (["train", "--resume", "other"], ["eval", "other"]):
        line = told(distrl(trained, *arguments))
        assert line.startswith("distrl: other has run format 99, this distrl-sdk reads 3: use the distrl-sdk that")


def test_a_port_in_use_is_told_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"

        ran = distrl(tmp_path, "train", *SMALL, f"--network.listen={address}", "--network.insecure=true")

    assert told(ran) == f"distrl: {address} is in use: stop what listens there or choose another port"
    assert workers_of(tmp_path) == []


def test_ctrl_c_ends_everything_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    many = [*SMALL, "--max-trajectories=1000000", "--run-dir", str(folder)]
    output = tmp_path / "output"
    with output.open("w") as file:
        running = subprocess.Popen([*COMMAND, "train", *many], env=ENVIRONMENT, stdout=file, stderr=file)
    try:
        deadline = time.monotonic() + 60
        while "joined" not in output.read_text():
            assert running.poll() is None, output.read_text()
            assert time.monotonic() < deadline, output.read_text()
            time.sleep(0.05)
        assert len(workers_of(folder)) == 1

        running.send_signal(signal.SIGINT)

        assert running.wait(40) == 130, output.read_text()
    finally:
        running.kill()
        running.wait()
    assert "Traceback" not in output.read_text()
    assert workers_of(folder) == []
    assert list(folder.glob("checkpoints/step-*/learner.ckpt")), "what was learned must be kept"
