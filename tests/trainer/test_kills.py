"""kill -9 of workers and of the learner, and a disk without room: a run goes on, and counts everything once."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import lightning
import pytest

from distrl_sdk import Fleet, checkpoint
from distrl_sdk.cli import main
from distrl_sdk.config import CollectConfig, NetworkConfig
from distrl_sdk.errors import StorageError
from distrl_sdk.wire.keys import make_keys
from tests.trainer.runs import (
    Running,
    assert_counted_once,
    journaled,
    learner,
    named,
    pocket,
    result,
    trained,
    trainer,
    workers_of,
)
from tests.trainer.waiting import wait_until

PARENT = Path(__file__).parents[2]


class StopWhen(lightning.Callback):
    """Ends training from outside."""

    def __init__(self) -> None:
        self.now = False

    def on_train_batch_end(self, trainer: lightning.Trainer, *_: object) -> None:
        trainer.should_stop = trainer.should_stop or self.now


def by_hand(folder: Path, name: str, connect: str, *options: str) -> subprocess.Popen[bytes]:
    """What `distrl worker` in another terminal is."""
    command = [sys.executable, "-c", "import sys; from distrl_sdk.cli import main; sys.exit(main())", "worker"]
    command += ["--connect", connect, "--id", name, "--devices", f"{named('Pocket')}?pause=0.03*2"]
    command += ["--outbox", str(folder / name), *options]
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def from_worker(run: Path) -> Counter[str]:
    """How many whole train episodes each worker process has delivered."""
    return Counter(each.id.rpartition("/")[0] for each in trained(run))


def test_a_killed_worker_costs_its_episodes_only_and_others_join_by_hand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, log, stop = tmp_path / "r", tmp_path / "resets", StopWhen()
    make_keys(tmp_path / "keys", ["friend"])
    network = NetworkConfig(listen="tcp://127.0.0.1:*", keys=str(tmp_path / "keys"))
    made = trainer(run, CollectConfig(), network, max_trajectories=0, callbacks=[stop])
    running = Running(lambda: made.fit(learner(), pocket(2, pause=0.1, log=log)))
    friends: list[subprocess.Popen[bytes]] = []
    said: list[str] = []

    def told() -> str:
        said.append(capsys.readouterr().err)
        return "".join(said)

    try:
        wait_until(lambda: running.over or len(trained(run)) >= 3, what=told, every=0.2)
        ((pid, command),) = workers_of(run).items()
        os.kill(pid, signal.SIGKILL)
        tcp = re.search(r"--connect (tcp://[\d.:]+)", told())
        assert tcp is not None
        friends = [
            by_hand(tmp_path, "friend", tcp[1], "--key", str(tmp_path / "keys" / "friend.key")),
            by_hand(tmp_path, "neighbour", command[command.index("--connect") + 1]),
        ]
        begun = {line.split()[1] for line in log.read_text().splitlines() if line.startswith(f"{pid} ")}
        wait_until(
            lambda: len(from_worker(run)) == 4 and begun <= {each.task.id for each in trained(run)},
            what=told,
            every=0.2,
        )
        stop.now = True
        outcome = running.join()
    finally:
        stop.now = True
        for friend in friends:
            friend.kill()
            friend.wait()

    assert_counted_once(run)
    assert outcome.counts["lost"] >= 1
    assert sorted(name.split("/")[0] for name in from_worker(run)) == ["friend", "local-0", "local-0", "neighbour"]
    for line in ("local-0 joined with 2 phones", "friend joined with 2 phones", "neighbour joined with 2 phones"):
        assert line in told()
    assert workers_of(tmp_path) == {}


@pytest.mark.long
def test_without_a_launcher_the_learner_waits_for_workers_with_a_key_and_sends_them_home(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, keys = tmp_path / "r", tmp_path / "keys"
    assert main(["keys", "friend", "--folder", str(keys)]) == 0
    network = NetworkConfig(listen="tcp://127.0.0.1:*", keys=str(keys))
    made = trainer(run, CollectConfig(), network)
    running = Running(lambda: made.fit(learner(), Fleet(f"{named('Pocket')}*2", launcher="none")))
    said: list[str] = []
    wait_until(lambda: said.append(capsys.readouterr().err) or "--connect" in "".join(said), every=0.1)
    address = re.search(r"--connect (tcp://[\d.:]+)", "".join(said))
    assert address is not None
    friend = by_hand(tmp_path, "friend", address[1], "--key", str(keys / "friend.key"))
    try:
        outcome = running.join()
        assert friend.wait(20) == 0
    finally:
        friend.kill()
        friend.wait()

    assert_counted_once(run)
    assert 12 <= outcome.trajectories <= 13
    assert "ended: the learner says stop" in (tmp_path / "friend.log").read_text()


# --- the learner ----------------------------------------------------------------------------------------------------

SCRIPT = """
import sys
from pathlib import Path
from tests.trainer.runs import learner, pocket, trainer
run = Path(sys.argv[1])
options = {"max_trajectories": 100_000, "checkpoint_minutes": float(sys.argv[2])}
trainer(run, **options).fit(learner(), pocket(3, pause=0.02))
"""


def killed(folder: Path, minutes: float) -> Path:
    """The run of a learner in a process of its own, after kill -9, with the workers ended by themselves.

    `minutes` between two checkpoints; it is killed when it has made one, unless that takes an hour.
    """
    run, log, script = folder / "r", folder / "output", folder / "script.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([str(PARENT), os.environ.get("PYTHONPATH", "")])
    few = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, str(script), str(run), str(minutes)], env=few, stdout=output, stderr=output
        )
    try:
        wait_until(
            lambda: (
                process.poll() is not None
                or (len(trained(run)) >= 20 and (minutes >= 60 or checkpoint.newest(run / "checkpoints")))
            ),
            what=log.read_text,
            every=0.2,
        )
        assert len(workers_of(run)) == 1, log.read_text()
    finally:
        process.kill()
        process.wait()
    wait_until(lambda: workers_of(run) == {}, every=0.2)
    return run


@pytest.mark.parametrize(
    "minutes", [pytest.param(0.01, id="after a checkpoint"), pytest.param(60.0, id="before", marks=pytest.mark.long)]
)
def test_a_killed_learner_leaves_no_process_and_its_run_goes_on_with_every_episode_once(
    tmp_path: Path, minutes: float
) -> None:
    run = killed(tmp_path, minutes)
    left = trained(run)
    before = [each.id for each in left]
    place = checkpoint.newest(run / "checkpoints")
    position = checkpoint.position_of(place) if place is not None else checkpoint.Position()
    assert (place is None) == (minutes == 60.0)
    assert position.trajectories <= len(before)

    outcome = trainer(None, max_trajectories=len(before) + 10).fit(learner(), pocket(3), resume=run)

    assert_counted_once(run)
    assert {*before} <= {each.id for each in trained(run)}
    assert len(before) + 10 <= outcome.trajectories <= len(trained(run))
    versions = [tuple(row) for each in trained(run) for row in each.version.tolist()]
    assert {incarnation for incarnation, _ in versions} == {1, 2}
    # An outbox may bring more of the first incarnation later, of weights that the journal had not heard of.
    known = max(int(each.version[:, 1].max()) for each in left)
    assert known < max(n for incarnation, n in versions if incarnation == 2), "numbers of versions go on rising"
    assert outcome.updates > position.updates


def test_without_room_for_the_journal_the_run_ends_and_what_it_acknowledged_is_there(tmp_path: Path) -> None:
    run, model = tmp_path / "r", learner(ballast=20_000)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, usual[1]))
    try:
        with pytest.raises(StorageError) as ended:
            trainer(run, max_trajectories=0).fit(model, pocket(3))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    said = str(ended.value)
    assert said.startswith("cannot append to journal")
    assert said.endswith("File too large; what workers have finished stays with them: make room and resume the run")
    assert workers_of(run) == {}
    assert_counted_once(run)
    assert 400_000 < (run / "journal" / "journal").stat().st_size <= 600_000
    before = [each.id for each in journaled(run)]

    trainer(None, max_trajectories=len(before) + 20).fit(model, pocket(3), resume=run)

    assert_counted_once(run)
    names = [each.id for each in journaled(run)]
    assert names[: len(before)] == before
    assert from_worker(run)[before[0].rpartition("/")[0]] > len(before), "what had no room came from the outbox"
    assert result(run).trajectories >= len(before) + 20
