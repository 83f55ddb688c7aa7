"""A run's figures over time: appended by the learner to metrics.csv and to TensorBoard, read by the report.

The file has one row a figure: `time,incarnation,step,name,value`. Names may come and go without a header to rewrite, a
crash can tear the last row only, and any table program pivots it. `time` is seconds since 1970, `step` the number of
trajectories received.
"""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from distrl_sdk.errors import StorageError, blame
from distrl_sdk.rundir import RunDirectory

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter

COLUMNS = ("time", "incarnation", "step", "name", "value")


class MetricsWriter:
    """Appends figures to a run. Used from one thread at a time. Every method may raise StorageError."""

    def __init__(
        self,
        run: RunDirectory,
        incarnation: int,
        *,
        tensorboard: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._path = run.metrics
        self._incarnation = incarnation
        self._clock = clock
        self._board: SummaryWriter | None = None
        with blame(StorageError, f"opening {self._path}"):
            _cut_torn_row(self._path)
            # Unbuffered: a row is one write to the end of the file, so a killed process loses none.
            self._file = self._path.open("ab", buffering=0)
            if self._file.tell() == 0:
                self._file.write((",".join(COLUMNS) + "\n").encode())
            if tensorboard:
                from torch.utils.tensorboard import SummaryWriter

                self._board = SummaryWriter(str(run.tensorboard), filename_suffix=f".{incarnation}")

    def write(self, step: int, values: Mapping[str, float]) -> None:
        """Append the figures that hold after `step` trajectories. One that is not finite is kept as it is.

        Raises ValueError for a name that would break the line.
        """
        now = self._clock()
        rows = io.StringIO()
        writer = csv.writer(rows, lineterminator="\n")
        for name, value in values.items():
            if not name.isprintable():
                raise ValueError(f"{name!r} cannot name a figure: it holds control characters")
            writer.writerow((f"{now:.3f}", self._incarnation, step, name, repr(float(value))))
        with blame(StorageError, f"writing {self._path}"):
            self._file.write(rows.getvalue().encode())
            if self._board is not None:
                for name, value in values.items():
                    self._board.add_scalar(name, float(value), step, now)

    def close(self) -> None:
        """Write what is under way. Safe to call twice."""
        self._file.close()
        if self._board is not None:
            self._board.close()
            self._board = None


class Series(NamedTuple):
    """One figure over the run, in order, without the points that are not finite."""

    step: list[int]
    """Trajectories received."""
    minutes: list[float]
    """Of running time: pauses between two starts of the learner are left out."""
    value: list[float]


def read_metrics(path: Path) -> dict[str, Series]:
    """The figures by name; empty when there is no file. A torn last row is left out.

    Where a restarted learner began again at an earlier step, the later run of those steps stands.
    Raises StorageError for a file that is not one of ours.
    """
    if not path.exists():
        return {}
    with blame(StorageError, f"reading {path}"):
        text = path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        reader = csv.reader(io.StringIO(whole))
        if tuple(next(reader, COLUMNS)) != COLUMNS:
            raise StorageError(f"{path} is not a metrics file: its first line is not {','.join(COLUMNS)}")
        rows = [(float(at), int(start), int(step), name, float(value)) for at, start, step, name, value in reader]
    return _series(rows)


def _series(rows: list[tuple[float, int, int, str, float]]) -> dict[str, Series]:
    first: dict[int, tuple[float, int]] = {}
    last: dict[int, float] = {}
    for at, start, step, _, _ in rows:
        first.setdefault(start, (at, step))
        last[start] = at
    offset: dict[int, float] = {}
    superseded: dict[int, float] = {}
    passed = 0.0
    for start in sorted(first):
        offset[start] = passed - first[start][0]
        passed += last[start] - first[start][0]
        superseded[start] = min((first[later][1] for later in first if later > start), default=math.inf)
    series: dict[str, Series] = {}
    for at, start, step, name, value in rows:
        if math.isfinite(value) and step < superseded[start]:
            line = series.setdefault(name, Series([], [], []))
            line.step.append(step)
            line.minutes.append((at + offset[start]) / 60)
            line.value.append(value)
    return series


def _cut_torn_row(path: Path) -> None:
    """A crash may leave half a row at the end; what is appended next must not be glued to it."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole != len(content):
            file.truncate(whole)
