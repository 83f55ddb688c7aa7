"""Local worker processes: shared devices, restarts with patience, an end in order."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from distrl_sdk.errors import UsageError
from distrl_sdk.fleet import DeviceAddress
from distrl_sdk.launch.local import LocalWorkers, Patience
from tests.worker.waiting import wait_until

PHONES = Path(__file__).parent.parent / "worker" / "phones.py"
PATIENCE = Patience(pause=0.01)
NOBODY = "ipc:///nowhere/learner"
"""Where no learner will ever listen: workers wait there."""


def counters(count: int) -> list[DeviceAddress]:
    return [DeviceAddress("python", f"{PHONES}:Counter#{n}") for n in range(1, count + 1)]


@pytest.fixture
def launched(tmp_path: Path) -> Callable[..., LocalWorkers]:
    """Starts workers, and ends them after the test whatever it did."""
    made: list[LocalWorkers] = []

    def launch(addresses: list[DeviceAddress], count: int = 1, patience: Patience = PATIENCE) -> LocalWorkers:
        made.append(LocalWorkers(addresses, NOBODY, tmp_path, count, patience))
        made[-1].start()
        return made[-1]

    yield launch  # type: ignore[misc]
    for workers in made:
        workers.stop(5.0)
        assert workers.alive() == 0


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")  # a zombie whose new parent has not looked yet is no process any more
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def waiting(log: Path) -> bool:
    return log.exists() and "waiting for a learner" in log.read_text()


def test_devices_are_shared_evenly_and_stop_ends_every_process(
    launched: Callable[..., LocalWorkers], tmp_path: Path
) -> None:
    workers = launched(counters(3), count=2)
    wait_until(lambda: waiting(tmp_path / "worker-0.log") and waiting(tmp_path / "worker-1.log"), 30.0)
    pids = workers.pids
    commands = [Path(f"/proc/{pid}/cmdline").read_text() for pid in pids if Path("/proc").exists()]

    workers.stop(10.0)

    assert len(set(pids)) == 2
    assert [command.count("--device=") for command in commands] in ([2, 1], [])
    assert not any(exists(pid) for pid in pids)
    assert "its parent is gone" in (tmp_path / "worker-0.log").read_text()
    assert (workers.restarts, workers.given_up()) == (0, {})


def test_a_killed_worker_is_started_again(launched: Callable[..., LocalWorkers], tmp_path: Path) -> None:
    workers = launched(counters(1))
    wait_until(lambda: workers.alive() == 1)
    (first,) = workers.pids

    os.kill(first, 9)

    wait_until(lambda: workers.restarts == 1 and workers.alive() == 1)
    assert workers.pids != (first,)
    assert workers.given_up() == {}


def test_a_worker_that_cannot_ever_work_is_given_up_with_its_last_words(
    launched: Callable[..., LocalWorkers],
) -> None:
    workers = launched([DeviceAddress("python", f"{PHONES}:NoSuchPhone#1")])

    wait_until(lambda: workers.alive() == 0 and bool(workers.given_up()), 30.0)

    (reason,) = workers.given_up().values()
    assert reason.startswith("ended 1 times with exit code 2: distrl worker: ")
    assert "NoSuchPhone" in reason
    assert workers.restarts == 0


def test_a_worker_that_crashes_again_and_again_is_given_up(
    launched: Callable[..., LocalWorkers], tmp_path: Path
) -> None:
    (tmp_path / "outbox-0").write_text("in the way")

    workers = launched(counters(1), patience=Patience(crashes=2, pause=0.01))

    wait_until(lambda: bool(workers.given_up()), 60.0)
    assert workers.given_up()["local-0"].startswith("ended 2 times with exit code 1: distrl worker: the outbox")
    assert workers.restarts == 1


def test_a_parent_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    code = f"""
import time
from pathlib import Path
from distrl_sdk.fleet import DeviceAddress
from distrl_sdk.launch.local import LocalWorkers
workers = LocalWorkers([DeviceAddress("python", "{PHONES}:Counter#1")], "{NOBODY}", Path("{tmp_path}"))
workers.start()
while not workers.pids:
    time.sleep(0.01)
print(*workers.pids, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        (pid,) = map(int, parent.stdout.readline().split())
        wait_until(lambda: waiting(tmp_path / "worker-0.log"), 30.0)
        assert exists(pid)
        parent.kill()

    wait_until(lambda: not exists(pid), 15.0)


def test_there_are_never_more_workers_than_devices(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="3 workers cannot share 2 devices"):
        LocalWorkers(counters(2), NOBODY, tmp_path, 3)
