"""What a user sees of a run while it runs: a live table on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

SILENCE = 30.0
"""Seconds without news after which the user is told what is waited for."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a training run at one moment."""

    trajectories: int = 0
    total: int = 0
    """Trajectories at which it ends; 0 when another limit ends it."""
    success: float | None = None
    """Of the last 100 judged trajectories, None before the first."""
    per_minute: float = 0.0
    """Trajectories, lately."""
    updates: int = 0
    """Gradient steps."""
    lag: float | None = None
    """Mean versions that the newest trajectories were behind, None before the first."""
    buffer: int = 0
    """Episodes in the replay."""
    busy: int = 0
    """Phones that play."""
    idle: int = 0
    broken: int = 0
    schedule: str = "async"
    """async or sync."""
    waiting_for: str = ""
    """What would be the next news: 'the first episode of 16 phones', 'a verdict', 'a worker'."""


@dataclass(slots=True)
class _Bar:
    """One piece of work with a known size, such as an evaluation."""

    name: str
    total: int
    since: float
    printed: float
    done: int = 0


class Progress:
    """Shows a run's status. Every method may be called from any thread. Use it as a context manager.

    `interval` is in seconds between two plain lines. Text from outside is shown without its control characters.
    """

    def __init__(
        self,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
        interval: float = 10.0,
        silence: float = SILENCE,
    ) -> None:
        self._console = console or Console(stderr=True)
        self._clock = clock
        self._interval = interval
        self._silence = silence
        self._lock = threading.RLock()
        self._status: Status | None = None
        self._shown: Status | None = None
        self._bars: list[_Bar] = []
        self.waiting_for = "the run to start"
        """What would be the first news, before there is a status."""
        self._since = self._news = self._printed = self._warned = clock()
        self._live: Live | None = None
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Progress:
        if self._console.is_terminal:
            self._live = Live(get_renderable=self.render, console=self._console, refresh_per_second=4, transient=False)
            self._live.start()
        self._thread = threading.Thread(target=self._watch, name="progress", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Show the last state and stop. Safe to call twice."""
        self._done.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self._live is not None:
            self._live.stop()
            self._live = None
        elif self._status is not None and self._status is not self._shown:
            self._print(_line(self._status))
        self._status = None

    def update(self, status: Status) -> None:
        """Take over the present state; cheap enough for every gradient step."""
        with self._lock:
            old = self._status
            if old is None or (old.trajectories, old.updates) != (status.trajectories, status.updates):
                self._heard()
            self._status = status
        self.tick()

    def event(self, text: str) -> None:
        """One line for what happened once: a worker joined, an episode was aborted, a warning."""
        with self._lock:
            self._heard()
            self._print(text)

    @contextmanager
    def task(self, name: str, total: int) -> Iterator[Callable[[], None]]:
        """A bar for `total` pieces of work; call what it yields after each piece."""
        now = self._clock()
        bar = _Bar(name, total, now, now)

        def advance() -> None:
            with self._lock:
                bar.done += 1
                self._heard()
            self.tick()

        with self._lock:
            self._bars.append(bar)
            self._heard()
        try:
            yield advance
        finally:
            with self._lock:
                self._bars.remove(bar)
                self._heard()
                self._print(f"{name} {bar.done}/{total} in {self._clock() - bar.since:.1f} s")

    def tick(self) -> None:
        """Print what is due at this moment. Called by itself once a second between `enter` and `close`."""
        with self._lock:
            now = self._clock()
            if now - max(self._news, self._warned) >= self._silence:
                self._warned = now
                self._print(f"no news for {now - self._news:.0f} s: waiting for {self._waiting_for()}")
            if self._live is not None:
                return
            if self._status is not None and not self._bars and now - self._printed >= self._interval:
                self._printed = now
                self._shown = self._status
                self._print(_line(self._status))
            for bar in self._bars:
                if now - bar.printed >= self._interval:
                    bar.printed = now
                    self._print(f"{bar.name} {bar.done}/{bar.total}")

    def render(self) -> RenderableType:
        """The live picture of a terminal."""
        # Takes no lock: rich calls it under a lock of its own, which a print of ours waits for.
        status = self._status
        parts: list[RenderableType] = [_bar_row(bar.name, bar.done, bar.total) for bar in tuple(self._bars)]
        if status is not None:
            parts.append(_table(status, self._clock() - self._since))
        return Group(*parts)

    def _heard(self) -> None:
        self._news = self._warned = self._clock()

    def _waiting_for(self) -> str:
        if self._bars:
            bar = self._bars[-1]
            return f"{bar.name}, {bar.done}/{bar.total} done"
        return (self._status.waiting_for if self._status else "") or self.waiting_for

    def _print(self, text: str) -> None:
        shown = "".join(letter if letter.isprintable() else " " for letter in text)
        line = Text(f"{_span(self._clock() - self._since)} {shown}")
        self._console.print(line, soft_wrap=True, highlight=False)

    def _watch(self) -> None:
        while not self._done.wait(1.0):
            self.tick()


def _figures(status: Status) -> list[tuple[str, str]]:
    """(name, value) of what is shown beside the count of trajectories."""
    phones = f"{status.busy} busy, {status.idle} idle"
    return [
        ("success of the last 100", "-" if status.success is None else f"{status.success:.2f}"),
        ("per minute", f"{status.per_minute:.0f}"),
        ("updates", f"{status.updates}"),
        ("versions behind", "-" if status.lag is None else f"{status.lag:.1f}"),
        ("buffer", f"{status.buffer}"),
        ("phones", phones + (f", {status.broken} broken" if status.broken else "")),
        ("schedule", status.schedule),
    ]


def _line(status: Status) -> str:
    count = f"{status.trajectories}/{status.total}" if status.total else f"{status.trajectories}"
    figures = " · ".join(f"{name} {value}" for name, value in _figures(status))
    return f"trajectories {count} · {figures}{_eta(status, ' · ')}"


def _eta(status: Status, before: str) -> str:
    left = status.total - status.trajectories
    return f"{before}{_span(60 * left / status.per_minute)} left" if left > 0 and status.per_minute > 0 else ""


def _table(status: Status, elapsed: float) -> Table:
    table = Table.grid(padding=(0, 2))
    count = f"{status.trajectories}/{status.total}" if status.total else f"{status.trajectories}"
    bar = ProgressBar(total=status.total, completed=status.trajectories, width=30) if status.total else Text("")
    table.add_row(Text("trajectories", style="dim"), Text(count, style="bold"), bar)
    table.add_row(Text("elapsed", style="dim"), Text(_span(elapsed)), Text(_eta(status, "")))
    for name, value in _figures(status):
        table.add_row(Text(name, style="dim"), Text(value), Text(""))
    return table


def _bar_row(name: str, done: int, total: int) -> Table:
    row = Table.grid(padding=(0, 2))
    row.add_row(Text(name, style="dim"), ProgressBar(total=total, completed=done, width=30), Text(f"{done}/{total}"))
    return row


def _span(seconds: float) -> str:
    """12:34, or 1:02:03 from an hour on."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"
