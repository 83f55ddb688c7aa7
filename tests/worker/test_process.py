"""Whole worker processes, real sockets, a real server: faults cost an episode at most, and nothing counts twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from distrl_sdk.errors import UsageError
from distrl_sdk.types import End, Task, Version
from distrl_sdk.wire.keys import make_keys
from distrl_sdk.worker.__main__ import main
from tests.wire.net import Net, free_port
from tests.wire.samples import Tasks
from tests.worker.learner import PHONES, Learner, named
from tests.worker.waiting import wait_until

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `python -m distrl_sdk.worker`; kills after the test what is still there."""
    made: list[subprocess.Popen[bytes]] = []

    def begin(address: str, *devices: str, name: str = "w", options: tuple[str, ...] = ()) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distrl_sdk.worker", "--connect", address, "--id", name]
        command += ["--outbox", str(tmp_path / name), *(f"--devices={PHONES}:{device}" for device in devices), *options]
        with (tmp_path / f"{name}.log").open("ab") as log:
            made.append(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True)
            )
        return made[-1]

    yield begin
    for process in made:
        process.kill()
        process.wait()
        assert process.stdin is not None
        process.stdin.close()


def text(tmp_path: Path, name: str = "w") -> str:
    return (tmp_path / f"{name}.log").read_text()


def begun(tmp_path: Path) -> int:
    """Episodes that phones with log=.../resets have begun."""
    log = tmp_path / "resets"
    return len(log.read_text().splitlines()) if log.exists() else 0


def kept(tmp_path: Path) -> int:
    """Episodes in the outbox."""
    return len([path for path in (tmp_path / "w").glob("*-*") if path.suffix != ".part"])


def test_a_worker_plays_judges_and_leaves_when_the_learner_says_stop(start: Start, tmp_path: Path) -> None:
    with Learner(6, judge=named("CountJudge", want=3)) as learner:
        process = start(learner.address, "Counter*2")
        wait_until(lambda: len(learner.done) == 6, 30.0)
        learner.server.stop_workers("enough")

        assert process.wait(10.0) == 0

    assert sorted(played.task.id for played in learner.done) == [f"t{n}" for n in range(6)]
    assert all(played.end == End("finish") and played.verdict is not None for played in learner.done)
    assert {played.verdict.success for played in learner.done if played.verdict} == {True}
    assert {tuple(row) for played in learner.done for row in played.version.tolist()} == {(1, 1)}
    assert learner.gone == []
    assert "ended: the learner says stop: enough" in text(tmp_path)
    assert kept(tmp_path) == 0


def test_a_worker_with_another_learners_key_says_so_while_it_waits(start: Start, tmp_path: Path) -> None:
    make_keys(tmp_path / "keys")
    (theirs,) = make_keys(tmp_path / "theirs")
    with ExitStack() as stack:
        net = Net(f"tcp://127.0.0.1:{free_port()}", tmp_path, stack)
        net.started(Tasks(0))

        start(net.address, "Counter", options=("--key", str(theirs)))

        wait_until(lambda: "is the key file that of another learner?" in text(tmp_path), 30.0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_worker_in_order_at_its_next_step(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    with Learner(1) as learner:
        process = start(learner.address, f"Counter?pause=0.3&log={tmp_path}/resets")
        wait_until(lambda: begun(tmp_path) == 1, 30.0)

        process.send_signal(number)

        assert process.wait(10.0) == 0
        wait_until(lambda: len(learner.got) == 1)
    assert learner.got[0][1].end == End("aborted", "worker", "the worker was stopped")
    assert f"ended: {number.name}" in text(tmp_path)


def test_a_worker_killed_mid_episode_loses_its_assignment_only_and_nothing_counts_twice(
    start: Start, tmp_path: Path
) -> None:
    with Learner(4) as learner:
        first = start(learner.address, "Counter?pause=0.1")
        wait_until(lambda: len(learner.done) == 1 and len(learner.handed) == 2, 30.0)
        first.kill()
        first.wait()
        wait_until(lambda: len(learner.gone) == 1)

        start(learner.address, "Counter*2")
        wait_until(lambda: len(learner.done) == 4, 30.0)

    assert "worker w" in learner.gone[0][1]
    assert sorted(played.task.id for played in learner.done) == ["t0", "t1", "t2", "t3"]
    assert len({played.id for played in learner.done}) == 4
    assert len({played.id.split("/")[1] for played in learner.done}) == 2


def test_what_a_silent_learner_did_not_take_is_kept_and_sent_again_to_its_next_process(
    start: Start, tmp_path: Path
) -> None:
    with Learner(2) as learner:
        start(learner.address, f"Counter?pause=0.1&log={tmp_path}/resets*2")
        wait_until(lambda: begun(tmp_path) == 2, 30.0)
        learner.server.close()
        wait_until(lambda: kept(tmp_path) == 2)

        with Learner(0, folder=learner.folder, incarnation=2) as again:
            wait_until(lambda: len(again.done) == 2 and kept(tmp_path) == 0)
            again.add(Task("new", "count", "tap", max_steps=3))
            wait_until(lambda: len(again.done) == 3)

    assert sorted(name for name, _ in again.got[:2]) == ["1-1", "1-2"]
    assert again.done[2].version[-1].tolist() == [2, 1]


def test_what_a_killed_process_left_is_sent_by_the_next_one_to_its_own_run_only(start: Start, tmp_path: Path) -> None:
    with Learner(1) as learner:
        first = start(learner.address, f"Counter?pause=0.1&log={tmp_path}/resets")
        wait_until(lambda: begun(tmp_path) == 1, 30.0)
        learner.server.close()
        wait_until(lambda: kept(tmp_path) == 1)
        first.kill()
        first.wait()

        with Learner(1, run="other") as other:
            second = start(other.address, "Counter")
            wait_until(lambda: len(other.got) == 1, 30.0)
            second.terminate()
            second.wait()
        with Learner(0, folder=learner.folder, incarnation=2) as again:
            start(again.address, "Counter")
            wait_until(lambda: len(again.got) == 1, 30.0)

    incarnations = [int(played.id.split("/")[1]) for _, played in (*again.got, *other.got)]
    assert incarnations == sorted(set(incarnations))
    assert again.got[0][0] == "1-1"
    assert "1 episodes of other runs stay in the outbox" in text(tmp_path)


def test_phones_that_raise_or_hang_cost_their_episodes_and_the_others_go_on(start: Start, tmp_path: Path) -> None:
    with Learner(12) as learner:
        start(
            learner.address, "Counter?fail=raise&at=2", "Counter?fail=hang&at=1", "Counter", options=("--deadline=0.3",)
        )
        wait_until(lambda: len(learner.done) == 12, 40.0)
        wait_until(lambda: sum(worker.broken for worker in learner.server.workers()) == 2)
        (worker,) = learner.server.workers()

    aborted = [played for _, played in learner.got if played.end.kind == "aborted"]
    assert {played.end.blame for played in aborted} == {"device"}
    assert any("the cable fell out" in played.end.message for played in aborted)
    assert any("tap gave no answer for 0.3 s" in played.end.message for played in aborted)
    assert {slot.id: slot.state for slot in worker.slots}["w:2"] == "idle"
    assert text(tmp_path).count("Traceback") == 1


def test_a_judge_that_raises_leaves_episodes_unjudged_and_they_are_kept(start: Start) -> None:
    with Learner(2, judge=named("CountJudge", fail="raise")) as learner:
        start(learner.address, "Counter")
        wait_until(lambda: len(learner.done) == 2, 30.0)

    verdicts = [played.verdict for played in learner.done]
    assert [verdict.success for verdict in verdicts if verdict is not None] == [None, None]
    assert all(verdict and verdict.reason == "ConnectionError: no route to the judge" for verdict in verdicts)


def test_new_weights_reach_the_train_lane_and_the_eval_lane_keeps_its_own(start: Start) -> None:
    with Learner(1) as learner:
        start(learner.address, "Counter")
        wait_until(lambda: len(learner.done) == 1, 30.0)
        learner.server.weights.pin(Version(1, 1))
        learner.publish(2, 0.75)
        wait_until(lambda: [worker.version for worker in learner.server.workers()] == [Version(1, 2)])
        learner.add(Task("e", "count", "tap", max_steps=2), lane="eval", temperature=0.0, version=Version(1, 1))
        wait_until(lambda: len(learner.done) == 2)
        learner.add(Task("t", "count", "tap", max_steps=2), lane="train")
        wait_until(lambda: len(learner.done) == 3)

    evaluated, trained = learner.done[1:]
    assert (evaluated.lane, evaluated.version.tolist(), evaluated.temperature) == ("eval", [[1, 1]] * 2, 0.0)
    assert trained.version.tolist() == [[1, 2]] * 2
    np.testing.assert_array_equal(evaluated.log_pi, np.float32([0.5, 0.5]))
    np.testing.assert_array_equal(trained.log_pi, np.float32([0.75, 0.75]))


def test_a_worker_whose_parent_dies_ends_by_itself(start: Start, tmp_path: Path) -> None:
    with Learner(1) as learner:
        process = start(learner.address, "Counter?pause=0.2", options=("--with-parent",))
        wait_until(lambda: len(learner.handed) == 1, 30.0)
        assert process.stdin is not None

        process.stdin.close()

        assert process.wait(10.0) == 0
    assert "ended: its parent is gone" in text(tmp_path)


def test_a_worker_never_imports_lightning(tmp_path: Path) -> None:
    code = f"""
import sys
from queue import SimpleQueue
from pathlib import Path
from distrl_sdk.fleet import expand
from distrl_sdk.worker.run import run
from distrl_sdk.worker.specs import WorkerConfig
from distrl_sdk.worker.__main__ import main
from tests.worker.learner import Learner, PHONES
with Learner(2) as learner:
    ends = SimpleQueue()
    import threading
    def stop():
        while len(learner.done) < 2: threading.Event().wait(0.01)
        ends.put("done")
    threading.Thread(target=stop, daemon=True).start()
    run(WorkerConfig(learner.address, expand(str(PHONES) + ":Counter"), "w", Path({str(tmp_path)!r})), ends)
assert len(learner.done) == 2
print(sorted(name for name in sys.modules if name.split(".")[0] in ("lightning", "transformers", "matplotlib")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--devices", "sim:1"], "the following arguments are required: --connect"),
        (["--connect", "ipc:///x"], "a worker needs devices: --devices sim:4"),
        (["--connect", "ipc:///x", "--devices", "sin:4"], "did you mean sim"),
        (["--connect", "ipc:///x", "--devices", "sim:1", "--id", "a/b"], "'a/b' is no worker id"),
        (["--connect", "ipc:///x", "--devices", "sim:1", "--key", "/no/file"], "no key in /no/file"),
        (["--connect", "ipc:///x", "--devices", "sim:1", "--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_arguments_that_cannot_be_are_told_before_anything_is_started(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        main(arguments)


def test_a_usage_error_is_one_line_and_status_2_and_loads_no_torch(tmp_path: Path) -> None:
    code = f"""
import sys
from distrl_sdk.cli import main
status = main(["worker", "--connect", "ipc:///x", "--devices", "{PHONES}:Counter", "--nonsense"])
print(status, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)

    assert done.stdout == "2 False\n"
    assert done.stderr == "distrl: unrecognized arguments: --nonsense (`distrl worker --help` lists the options)\n"
