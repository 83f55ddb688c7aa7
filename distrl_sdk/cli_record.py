"""The verb that records: `distrl record`, where a person shows an agent how tasks are done."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import UsageError, choices
from distrl_sdk.fleet import expand, open_device
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.plugins import make_judge, task_set
from distrl_sdk.recording.page import RecordPage
from distrl_sdk.recording.recorder import Recorder
from distrl_sdk.tasks.curriculum import fits, spread
from distrl_sdk.types import DeviceAbout, Task
from distrl_sdk.worker.lease import Lease

MEGABYTES = 1e6
"""What somebody recorded by hand is never dropped for room."""


def record(arguments: Sequence[str]) -> int:
    """Open a phone, serve the page, keep what is played; returns when the person ends it."""
    parser = make_parser("record", "Show how tasks are done: play them by hand on a page of this machine.")
    parser.add_argument("--fleet", type=str, default="sim:1", help="a fleet spec; its first phone is played on")
    parser.add_argument("--tasks", type=str, default="general/train", help="the task set")
    parser.add_argument("--task", type=str, default="", help="the id of a task, or a family; all in turn by default")
    parser.add_argument("--output", type=str, default="demos", help="the folder that `distrl train --demos` takes")
    parser.add_argument("--episodes", type=int, default=0, help="end after so many that reached their goal; 0: never")
    parser.add_argument(
        "--judge", type=str, default="programmatic", help="who says whether a goal was reached, or none"
    )
    parser.add_argument("--port", type=int, default=0, help="of the page; 0: any that is free")
    parsed = parse(parser, arguments)
    address, tasks = expand(parsed.fleet)[0], chosen(task_set(parsed.tasks), parsed.task)
    judge = make_judge(parsed.judge) if parsed.judge != "none" else None
    store = EpisodeStore(Path(parsed.output).expanduser(), MEGABYTES)
    lease = Lease(str(address), partial(open_device, address))
    try:
        playable = fitting(tasks, lease.open(), parsed.tasks)
        recorder = Recorder(lease, playable, store, judge)
        page = RecordPage(recorder, parsed.port)
        page.start()
        sys.stdout.write(f"open {page.address}\n")
        sys.stdout.flush()
        try:
            recorder.play(parsed.episodes)
        finally:
            page.close()
        sys.stdout.write(
            f"{recorder.solved} solved episodes are in {parsed.output}: distrl train --demos {parsed.output}\n"
        )
    finally:
        lease.close()
        if judge is not None:
            judge.close()
    return 0


def chosen(tasks: TaskSet, name: str) -> list[Task]:
    """The task of an id, those of a family, or all of them, the families in turn. Raises UsageError."""
    known = list(tasks.tasks)
    found = [task for task in known if name in (task.id, task.family)] if name else known
    if not found:
        names = [task.id for task in known] + [task.family for task in known]
        raise UsageError(f"{tasks.name!r} has no task or family {name!r}: {choices(name, set(names))[:300]}")
    return spread(found, len(found))


def fitting(tasks: Sequence[Task], about: DeviceAbout, name: str) -> list[Task]:
    """Those of the tasks that the phone can play. Raises UsageError when there is none."""
    found = [task for task in tasks if fits(task, about)]
    if not found:
        first = tasks[0]
        needs = first.platform if first.platform not in ("", about.platform) else f"the apps {', '.join(first.apps)}"
        raise UsageError(
            f"no task of {name!r} can be played on this {about.platform} phone: {first.id!r} needs {needs}"
        )
    return found
