"""What was recorded by hand: kept whole, chosen by how it ended, and where training starts from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from distrl_sdk.config import RunConfig
from distrl_sdk.episodes.demonstrations import is_solution, keep, read, recorded, solutions
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import StorageError, UsageError
from distrl_sdk.plugins import task_set
from distrl_sdk.types import Action, Assignment, Demonstration, End, Finish, Task, Trajectory, Verdict
from distrl_sdk.worker.episode import play
from tests.trainer.pocket import MIDDLE, Pocket, solved
from tests.trainer.runs import learner, named, pocket, trainer
from tests.worker.phones import Scripted

TASKS = task_set(named("counting/train")).tasks


class Shown(Scripted):
    """Remembers what it was shown."""

    def featurize(self, moment):  # type: ignore[no-untyped-def]
        self.moment = moment
        return super().featurize(moment)


def record(folder: Path, task: Task, actions: list[Action], verdict: Verdict | None) -> str:
    phone, person = Pocket(), Shown(*actions)
    played = play(Assignment("a", task, record=True), phone, person)
    seen = [*(step.observation for step in person.moment.history), person.moment.observation]
    key = keep(EpisodeStore(folder), replace(played, id=f"recorded/{task.id}", verdict=verdict), phone.about, seen)
    assert key is not None
    return key


def actions_of(shown: Demonstration) -> list[Action]:
    return [step.action for step in shown.steps]


def test_a_recorded_episode_comes_back_as_a_demonstration(tmp_path: Path) -> None:
    shown = solved(TASKS[1])

    key = record(tmp_path, TASKS[1], actions_of(shown), Verdict(True))

    again = read(EpisodeStore(tmp_path), key)
    assert (again.about, again.task, actions_of(again)) == (shown.about, shown.task, actions_of(shown))
    assert [(s.invalid, s.repeats) for s in again.steps] == [(False, 0)] * len(shown.steps)
    for ours, theirs in zip((*again.steps, again.final), (*shown.steps, shown.final), strict=True):
        one, other = (getattr(each, "observation", each) for each in (ours, theirs))
        assert (one.elements, one.app, one.keyboard) == (other.elements, other.app, other.keyboard)
        np.testing.assert_array_equal(one.screenshot.pixels(), other.screenshot.pixels())
    assert EpisodeStore(tmp_path).pinned == [key]


@pytest.mark.parametrize(
    ("verdict", "last", "solution"),
    [
        (Verdict(True), Finish(False), True),  # the judge goes before the claim
        (Verdict(False), Finish(True), False),
        (Verdict(None), Finish(True), True),
        (None, Finish(True), True),
        (None, Finish(False), False),
        (None, MIDDLE, False),
    ],
)
def test_a_solution_is_what_the_judge_or_else_the_person_says(
    tmp_path: Path, verdict: Verdict | None, last: Action, solution: bool
) -> None:
    key = record(tmp_path, TASKS[0], [MIDDLE, MIDDLE, MIDDLE, last], verdict)

    assert is_solution(EpisodeStore(tmp_path).read(key)) is solution


def test_an_aborted_episode_shows_nothing(tmp_path: Path) -> None:
    key = record(tmp_path, TASKS[0], [MIDDLE, Finish(True)], None)
    episode = EpisodeStore(tmp_path).read(key)

    assert is_solution(replace(episode, end=End("aborted", "device"))) is False


def test_pictures_and_moments_must_agree(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path)
    played: Trajectory = play(Assignment("a", TASKS[0]), Pocket(), Scripted(MIDDLE, Finish()))

    with pytest.raises(StorageError, match="0 pictures of 0 observations"):
        keep(store, replace(played, id="x"), Pocket().about, [])


def test_a_torn_recording_is_refused_by_its_name(tmp_path: Path) -> None:
    key = record(tmp_path, TASKS[0], actions_of(solved(TASKS[0])), None)
    (tmp_path / key / "moments.json").write_text('{"about": 3}')

    with pytest.raises(StorageError, match=rf"{key}/moments.json is not a recorded episode: moments"):
        solutions(tmp_path)


def test_training_starts_from_what_was_recorded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for task in TASKS[:3]:
        record(tmp_path / "demos", task, actions_of(solved(task)), Verdict(True))
    model = learner()

    result = trainer(tmp_path / "run", demos=str(tmp_path / "demos"), max_trajectories=4).fit(model, pocket())

    assert result.trajectories == 4
    assert "warm start from 3 demonstrations" in "".join(capfd.readouterr())


def test_what_is_held_out_is_refused_or_dropped_from_what_was_recorded(tmp_path: Path) -> None:
    tested = task_set(named("counting/test"))
    mine = replace(TASKS[0], id="mine", instruction="press twice", family="9", verify=())
    record(tmp_path, mine, [MIDDLE, MIDDLE, Finish()], Verdict(True))
    record(tmp_path, tested.tasks[0], actions_of(solved(tested.tasks[0])), Verdict(True))
    config = RunConfig(demos=str(tmp_path))

    with pytest.raises(UsageError, match=r"shows the held-out task 'test/0' .*--overlap drop"):
        recorded(config, tested)
    assert [each.task.id for each in recorded(replace(config, overlap="drop"), tested)] == ["mine"]
    assert len(recorded(replace(config, overlap="allow"), tested)) == 2
    assert len(recorded(config, None)) == 2


@pytest.mark.parametrize(("folder", "said"), [("nowhere", "no folder .*nowhere: make one"), ("", "nothing recorded")])
def test_a_folder_that_shows_nothing_is_told_before_anything_is_started(tmp_path: Path, folder: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        trainer(tmp_path / "run", demos=str(tmp_path / folder)).fit(learner(), pocket())
    assert not (tmp_path / "run").exists()
