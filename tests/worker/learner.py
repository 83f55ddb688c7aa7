"""A learner for tests of whole workers: the real server, a list of tasks, and an account of what came."""

from __future__ import annotations

import shutil
import tempfile
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save

from distrl_sdk.config import NetworkConfig
from distrl_sdk.types import Assignment, SlotAbout, Task, Trajectory, Version
from distrl_sdk.wire.codec import Frame
from distrl_sdk.wire.server import Server

PHONES = Path(__file__).parent / "phones.py"


def named(name: str, **options: Any) -> dict[str, Any]:
    """Something of phones.py, as the WELCOME names it."""
    return {"name": f"{PHONES}:{name}", "options": options}


class Learner:
    """Hands out `count` tasks, again when they are lost or aborted; keeps what comes."""

    def __init__(
        self,
        count: int,
        *,
        policy: Mapping[str, Any] | None = None,
        judge: Mapping[str, Any] | None = None,
        folder: Path | None = None,
        run: str = "run",
        incarnation: int = 1,
    ) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="wt-"))
        self.todo = deque(Task(f"t{n}", "count", "tap", max_steps=4) for n in range(count))
        self.lane: Mapping[str, Any] = {}
        self.handed: dict[str, Assignment] = {}
        self.got: list[tuple[str, Trajectory]] = []
        self.gone: list[tuple[str, str]] = []
        self._number = 0
        welcome = {"policy": policy or named("Tapper"), "judge": judge, "seed": 1, "other": True}
        network = NetworkConfig(silence=1.5)
        listen = [f"ipc://{self.folder}/s"]
        self.server = Server(listen, self, welcome, run=run, incarnation=incarnation, beat=0.1, network=network)
        self.incarnation = incarnation

    def __enter__(self) -> Learner:
        self.server.start()
        self.publish(1, 0.5)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()
        if self.folder.name.startswith("wt-"):
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self) -> str:
        return f"ipc://{self.folder}/s"

    def publish(self, n: int, weight: float) -> None:
        self.server.weights.publish(Version(self.incarnation, n), save({"weight": torch.tensor([weight])}))

    def add(self, *tasks: Task, **lane: Any) -> None:
        """More tasks, from now on on this lane."""
        self.lane = lane
        self.todo.extend(tasks)
        self.server.changed()

    @property
    def done(self) -> list[Trajectory]:
        """What came and was not aborted."""
        return [played for _, played in self.got if played.end.kind != "aborted"]

    # --- the server's host ---

    def assign(self, slot: SlotAbout) -> Assignment | None:
        if not self.todo:
            return None
        self._number += 1
        made = Assignment(f"{self.incarnation}-{self._number}", self.todo.popleft(), **self.lane)
        self.handed[made.id] = made
        return made

    def receive(self, assignment_id: str, trajectory: Trajectory, frames: Sequence[Frame]) -> None:
        self.got.append((assignment_id, trajectory))
        if trajectory.end.kind == "aborted":
            self.todo.append(trajectory.task)

    def lost(self, assignment: Assignment, why: str) -> None:
        self.gone.append((assignment.id, why))
        self.todo.append(assignment.task)
