import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from distrl_sdk.errors import RunError, StorageError
from distrl_sdk.rundir import FORMAT, RunDirectory, write_whole

HOLD = """
import sys
from distrl_sdk.rundir import RunDirectory
run = RunDirectory.open(sys.argv[1])
print(run.start(), flush=True)
sys.stdin.read()
"""


def hold(run: RunDirectory) -> subprocess.Popen[str]:
    """Another process that has started the run and holds it until its stdin closes or it is killed."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_new_run_has_its_places_and_its_configuration(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {"fleet": "sim:16", "trace": {"decay": 0.95}, "sizes": (1, 2)})

    again = RunDirectory.open(tmp_path / "mine")

    assert again.config == {"fleet": "sim:16", "trace": {"decay": 0.95}, "sizes": [1, 2]}
    assert all(place.is_dir() for place in (run.checkpoints, run.journal, run.episodes, run.workers, run.tensorboard))
    assert json.loads((run.path / "format.json").read_text()) == {"format": FORMAT}


def test_runs_without_a_path_are_numbered(tmp_path: Path) -> None:
    first = RunDirectory.create(None, {}, name="general", parent=tmp_path / "runs")
    second = RunDirectory.create(None, {}, name="general", parent=tmp_path / "runs")

    assert first.path.name.startswith("general-")
    assert first.path.name.endswith("-1")
    assert second.path.name == first.path.name[:-1] + "2"


def test_creating_into_a_run_names_the_remedy(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path / "mine", {})

    with pytest.raises(RunError, match=r"already a run: continue it with --resume .*mine, or choose another name"):
        RunDirectory.create(tmp_path / "mine", {})


def test_creating_into_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")

    with pytest.raises(RunError, match="not empty and not a run"):
        RunDirectory.create(tmp_path, {})


def test_creating_where_the_disk_refuses_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match="creating the run directory"):
        RunDirectory.create(tmp_path / "file" / "run", {})


@pytest.mark.parametrize("content", [None, "", "[]", '{"format', '{"other": 1}'])
def test_what_is_not_a_run_directory_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "format.json").write_text(content)

    with pytest.raises(
        RunError, match=r"is not a run directory .*: give the folder that `distrl train` made"
    ) as caught:
        RunDirectory.open(tmp_path)

    assert "\n" not in str(caught.value)


def test_a_broken_configuration_is_one_line(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    (run.path / "config.yaml").write_text("a: [1\nb: {")

    with pytest.raises(RunError, match="not a run directory") as caught:
        RunDirectory.open(run.path)

    assert "\n" not in str(caught.value)


def test_a_run_of_another_format_names_both_and_the_remedy(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    (run.path / "format.json").write_text('{"format": 7}')

    with pytest.raises(RunError, match=f"run format 7, this distrl-sdk reads {FORMAT}: use the distrl-sdk that wrote"):
        RunDirectory.open(run.path)


def test_two_processes_never_hold_one_run(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    with hold(run) as other:
        assert said(other) == "1"

        with pytest.raises(RunError, match=f"in use by the learner with pid {other.pid}: stop it, or choose another"):
            run.start()

        other.communicate(input="")
    assert run.start() == 2
    run.release()


def test_a_killed_process_lets_go_of_its_run(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    with hold(run) as other:
        assert said(other) == "1"
        other.kill()
        other.wait(10)

    assert run.start() == 2
    run.release()


def test_the_lock_holds_within_a_process_too(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    assert run.start() == 1

    with pytest.raises(RunError, match=f"pid {os.getpid()}"):
        RunDirectory.open(run.path).start()
    with pytest.raises(RunError, match="already started"):
        run.start()

    run.release()
    run.release()
    assert run.start() == 2
    run.release()


def test_the_incarnation_rises_with_every_start(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path / "mine", {})

    incarnations = []
    for _ in range(3):
        run = RunDirectory.open(tmp_path / "mine")
        incarnations.append(run.start())
        run.release()

    assert incarnations == [1, 2, 3]


def test_a_broken_incarnation_lets_go_of_the_lock(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    (run.path / "incarnation").write_text("many")

    with pytest.raises(StorageError, match="counting the starts"):
        run.start()

    (run.path / "incarnation").write_text("4")
    assert run.start() == 5
    run.release()


def test_a_result_comes_back_as_it_was(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    assert run.read_result() is None

    run.write_result({"minutes": 5.5, "after": None})

    assert run.read_result() == {"minutes": 5.5, "after": None}


def test_a_broken_result_is_named(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    run.result.write_text('{"minutes":')

    with pytest.raises(StorageError, match=r"reading .*result\.json"):
        run.read_result()


def test_a_failed_write_leaves_the_old_content_and_nothing_beside(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {})
    run.write_result({"minutes": 1.0})

    with pytest.raises(StorageError, match="writing"):
        run.write_result({"minutes": float("nan")})

    assert run.read_result() == {"minutes": 1.0}


def test_writing_a_file_whole_leaves_no_other_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", "one")
    write_whole(tmp_path / "a", b"two")

    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"two"
