"""What a run's journal holds for the learner that goes on with it: what came, and what was not learned from yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from distrl_sdk.replay.journal import Kind, Record, replay
from distrl_sdk.types import Trajectory, Verdict
from distrl_sdk.wire.codec import split_frames, unpack_trajectory
from distrl_sdk.wire.limits import unpack_header
from distrl_sdk.wire.plain import from_plain


@dataclass
class Backlog:
    """One reading of a journal."""

    received: list[str] = field(default_factory=list)
    """The ids of all trajectories in it."""
    counts: Counter[str] = field(default_factory=Counter)
    """received, aborted by blame: of the whole journal."""
    episodes: dict[str, tuple[Trajectory, int]] = field(default_factory=dict)
    """Train episodes that are to be taken in, by id, in the order of their arrival, each with its offset. Those whose
    verdict was not there when the process ended have none."""
    version: int = 0
    """The largest n of a version that acted in any of them."""


def read(path: Path, offset: int = 0, known: Collection[str] = ()) -> Backlog:
    """Read a journal. Episodes are taken from an offset on, without those that are `known`.

    Raises StorageError and WireError for a journal that is none.
    """
    backlog = Backlog()
    for record in replay(path):
        if record.kind is Kind.TRAJECTORY:
            _trajectory(backlog, record, record.offset >= offset, known)
        elif record.kind is Kind.VERDICT:
            name, plain = unpack_header(record.payload)
            if name in backlog.episodes:
                trajectory, start = backlog.episodes[name]
                backlog.episodes[name] = replace(trajectory, verdict=from_plain(Verdict, plain)), start
    return backlog


def _trajectory(backlog: Backlog, record: Record, wanted: bool, known: Collection[str]) -> None:
    frames = split_frames(record.payload)
    header = unpack_header(frames[0])
    backlog.received.append(header["id"])
    backlog.counts["received"] += 1
    if header["end"]["kind"] == "aborted":
        backlog.counts[f"aborted_{header['end']['blame']}"] += 1
    elif wanted and header["lane"] == "train" and header["id"] not in known:
        trajectory = unpack_trajectory(frames)
        backlog.episodes[trajectory.id] = trajectory, record.offset
        backlog.version = max(backlog.version, int(trajectory.version[:, 1].max(initial=0)))
