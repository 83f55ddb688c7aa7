"""Episodes that can be learned from by imitation: recorded with all that a policy looks at, not only the pictures.

Beside such an episode lies moments.json: what the device is, and of each of its T + 1 observations the UI tree, the app
and the keyboard. The pictures are those of the episode.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from distrl_sdk.config import RunConfig
from distrl_sdk.episodes.record import Episode, EpisodeStore
from distrl_sdk.errors import StorageError, UsageError, WireError, blame
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.tasks.overlap import shared
from distrl_sdk.types import Demonstration, DeviceAbout, Finish, Observation, Screenshot, Step, Trajectory, UiElement
from distrl_sdk.wire.plain import from_plain, to_plain

MOMENTS = "moments.json"


@dataclass(frozen=True, slots=True)
class Seen:
    """What an observation showed beside its picture."""

    width: int
    """Of the picture."""
    height: int
    elements: tuple[UiElement, ...] | None
    app: str
    keyboard: bool
    seconds: float
    refused: str = ""
    left: str = ""

    @classmethod
    def of(cls, observation: Observation) -> Seen:
        """All of it but the pixels."""
        picture, o = observation.screenshot, observation
        return cls(picture.width, picture.height, o.elements, o.app, o.keyboard, o.seconds, o.refused, o.left)

    def observation(self, picture: bytes) -> Observation:
        """The observation again."""
        screenshot = Screenshot(self.width, self.height, encoded=picture)
        return Observation(screenshot, self.elements, self.app, self.keyboard, self.seconds, self.refused, self.left)


@dataclass(frozen=True, slots=True)
class Moments:
    """What lies beside an episode."""

    about: DeviceAbout
    seen: tuple[Seen, ...]
    """[T + 1]"""


def keep(store: EpisodeStore, trajectory: Trajectory, about: DeviceAbout, seen: Sequence[Observation]) -> str | None:
    """Record an episode with its T + 1 observations, never to be dropped for room; returns its key.

    Its pictures must be those of the observations. Raises StorageError.
    """
    if len(trajectory.pictures) != len(seen) or len(seen) != len(trajectory) + 1:
        raise StorageError(f"{trajectory.id} has {len(trajectory.pictures)} pictures of {len(seen)} observations")
    moments = to_plain(Moments(about, tuple(map(Seen.of, seen))))
    return store.save(
        trajectory, phase="recorded", pinned=True, beside={MOMENTS: json.dumps(moments, ensure_ascii=False)}
    )


def read(store: EpisodeStore, key: str) -> Demonstration:
    """An episode that was kept with its moments. Raises StorageError when it is none, or not whole."""
    episode = store.read(key)
    where = store.folder / key / MOMENTS
    with blame(StorageError, f"reading {where}"):
        try:
            moments = from_plain(Moments, json.loads(store.text(key, MOMENTS)))
        except WireError as error:
            raise StorageError(f"{where} is not a recorded episode: {error}") from error
    pictures = [store.picture(key, name) for name in episode.pictures]
    if not len(pictures) == len(moments.seen) == len(episode.actions) + 1:
        raise StorageError(f"{where} tells {len(moments.seen)} moments of {len(episode.actions)} actions")
    seen = [each.observation(picture) for each, picture in zip(moments.seen, pictures, strict=True)]
    steps = zip(seen, episode.actions, episode.invalid, episode.repeats, strict=False)
    return Demonstration(moments.about, episode.task, tuple(Step(*step) for step in steps), seen[-1])


def is_solution(episode: Episode) -> bool:
    """Whether it shows how a task is done: a judge says so, or, where none could tell, the person who played it."""
    if episode.end.kind == "aborted":
        return False
    if episode.verdict is not None and episode.verdict.success is not None:
        return episode.verdict.success
    last = episode.actions[-1] if episode.actions else None
    return isinstance(last, Finish) and last.success


def solutions(folder: Path) -> list[Demonstration]:
    """The solved episodes of a folder. Raises UsageError when there is none, StorageError for a torn one."""
    if not folder.is_dir():
        raise UsageError(f"no folder {folder}: make one with `distrl record --output {folder}`")
    store = EpisodeStore(folder)
    recorded = [key for key in store.keys if store.has(key, MOMENTS)]
    solved = [key for key in recorded if is_solution(store.read(key))]
    if not solved:
        what = f"none of its {len(recorded)} recorded episodes reached its goal" if recorded else "nothing recorded"
        raise UsageError(f"{folder} shows no solution: {what}; record some with `distrl record --output {folder}`")
    return [read(store, key) for key in solved]


def recorded(config: RunConfig, held_out: TaskSet | None) -> tuple[Demonstration, ...]:
    """The solutions that a run starts from, none when it names no folder. Raises UsageError, StorageError.

    Those of tasks that are held out are treated as `config.overlap` says.
    """
    if not config.demos:
        return ()
    shown = solutions(Path(config.demos).expanduser())
    twins = shared([each.task for each in shown], held_out.tasks) if held_out and config.overlap != "allow" else []
    if twins and config.overlap == "refuse":
        first = twins[0][0]
        raise UsageError(
            f"{config.demos} shows the held-out task {first.id!r} ({first.instruction!r}): "
            "leave it out with --overlap drop, or insist with --overlap allow"
        )
    dropped = {task.id for task, _ in twins}
    left = tuple(each for each in shown if each.task.id not in dropped)
    if not left:
        raise UsageError(f"{config.demos} shows held-out tasks only: there is nothing to start from")
    return left
