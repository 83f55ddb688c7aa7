import io
import threading
import time
from contextlib import suppress

import pytest
from rich.console import Console

from distrl_sdk.progress import Progress, Status


class Clock:
    def __init__(self) -> None:
        self.now = 500.0

    def __call__(self) -> float:
        return self.now


class Screen:
    """A progress whose output is text here, and whose seconds pass when told."""

    def __init__(self, terminal: bool = False) -> None:
        self.file = io.StringIO()
        self.clock = Clock()
        # Narrow, to see that lines are not broken.
        console = Console(file=self.file, force_terminal=terminal, width=40 if not terminal else 100, color_system=None)
        self.progress = Progress(console, self.clock)

    @property
    def lines(self) -> list[str]:
        return self.file.getvalue().splitlines()

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.progress.tick()


STATUS = Status(
    trajectories=120,
    total=2000,
    success=0.412,
    per_minute=160.0,
    updates=30,
    lag=1.25,
    buffer=118,
    busy=14,
    idle=1,
    broken=1,
    schedule="sync",
    waiting_for="an episode",
)


def test_a_line_tells_everything_every_ten_seconds() -> None:
    screen = Screen()
    screen.progress.update(STATUS)
    screen.wait(9)
    assert screen.lines == []

    screen.wait(1)

    assert screen.lines == [
        "00:10 trajectories 120/2000 · success of the last 100 0.41 · per minute 160 · updates 30 · "
        "versions behind 1.2 · buffer 118 · phones 14 busy, 1 idle, 1 broken · schedule sync · 11:45 left"
    ]
    screen.wait(9)
    assert len(screen.lines) == 1
    screen.wait(1)
    assert len(screen.lines) == 2


def test_what_is_not_known_yet_is_a_dash_and_not_a_zero() -> None:
    screen = Screen()
    screen.progress.update(Status(busy=16))

    screen.wait(10)

    assert screen.lines == [
        "00:10 trajectories 0 · success of the last 100 - · per minute 0 · updates 0 · versions behind - · "
        "buffer 0 · phones 16 busy, 0 idle · schedule async"
    ]


def test_after_thirty_seconds_without_news_it_says_what_it_waits_for_and_again_after_thirty_more() -> None:
    screen = Screen()
    screen.progress.update(Status(waiting_for="the first episode of 16 phones"))

    for _ in range(61):
        screen.wait(1)
        screen.progress.update(Status(waiting_for="the first episode of 16 phones"))

    assert [line for line in screen.lines if "no news" in line] == [
        "00:30 no news for 30 s: waiting for the first episode of 16 phones",
        "01:00 no news for 60 s: waiting for the first episode of 16 phones",
    ]


@pytest.mark.parametrize("news", [Status(trajectories=1), Status(updates=1)])
def test_a_trajectory_or_an_update_is_news(news: Status) -> None:
    screen = Screen()
    screen.progress.update(Status())
    screen.wait(25)

    screen.progress.update(news)

    screen.wait(25)
    assert not [line for line in screen.lines if "no news" in line]
    screen.wait(5)
    assert [line for line in screen.lines if "no news for 30 s" in line]


def test_before_the_first_status_it_waits_for_the_start() -> None:
    screen = Screen()

    screen.wait(30)

    assert screen.lines == ["00:30 no news for 30 s: waiting for the run to start"]


def test_an_event_is_one_line_at_once_and_counts_as_news() -> None:
    screen = Screen()
    screen.wait(20)

    screen.progress.event("worker w2 joined with 8 phones")

    screen.wait(20)
    assert screen.lines == ["00:20 worker w2 joined with 8 phones"]


def test_text_from_outside_keeps_to_its_line_and_draws_nothing() -> None:
    screen = Screen()

    screen.progress.event("worker \x1b[31mred\r\n[bold]joined[/bold] \x07")

    assert screen.lines == ["00:00 worker  [31mred  [bold]joined[/bold]  "]


def test_a_task_counts_its_pieces_and_tells_its_time() -> None:
    screen = Screen()

    with screen.progress.task("warm start", 30) as advance:
        for _ in range(30):
            screen.clock.now += 0.5
            advance()

    assert screen.lines == ["00:10 warm start 20/30", "00:15 warm start 30/30 in 15.0 s"]


def test_a_task_that_stands_still_is_what_is_waited_for() -> None:
    screen = Screen()

    with screen.progress.task("evaluation", 128) as advance:
        advance()
        screen.wait(30)

    assert "00:30 no news for 30 s: waiting for evaluation, 1/128 done" in screen.lines


def test_a_task_that_fails_still_tells_how_far_it_came() -> None:
    screen = Screen()

    with suppress(RuntimeError), screen.progress.task("evaluation", 128) as advance:
        advance()
        raise RuntimeError

    assert screen.lines == ["00:00 evaluation 1/128 in 0.0 s"]


def test_closing_shows_the_last_state_once() -> None:
    screen = Screen()
    with screen.progress as progress:
        progress.update(Status(trajectories=2000, total=2000))

    progress.close()

    assert len(screen.lines) == 1
    assert screen.lines[0].startswith("00:00 trajectories 2000/2000 · ")
    assert "left" not in screen.lines[0]


def test_it_ticks_by_itself_while_it_is_open() -> None:
    screen = Screen()
    deadline = time.monotonic() + 10
    with screen.progress:
        screen.clock.now += 30
        while not screen.lines and time.monotonic() < deadline:
            threading.Event().wait(0.05)

    assert screen.lines == ["00:30 no news for 30 s: waiting for the run to start"]
    assert "progress" not in [thread.name for thread in threading.enumerate()]


def test_a_terminal_shows_a_table_and_bars() -> None:
    screen = Screen(terminal=True)
    console = Console(file=io.StringIO(), width=100, color_system=None)
    screen.progress.update(STATUS)
    screen.clock.now += 75

    with screen.progress.task("evaluation", 128) as advance:
        advance()
        console.print(screen.progress.render())

    assert isinstance(console.file, io.StringIO)
    shown = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    assert shown[0].startswith("evaluation ")
    assert shown[0].endswith(" 1/128")
    assert shown[1].startswith("trajectories 120/2000 ")
    assert shown[2:] == [
        "elapsed 01:15 11:45 left",
        "success of the last 100 0.41",
        "per minute 160",
        "updates 30",
        "versions behind 1.2",
        "buffer 118",
        "phones 14 busy, 1 idle, 1 broken",
        "schedule sync",
    ]


def test_many_threads_may_print_while_a_terminal_redraws() -> None:
    screen = Screen(terminal=True)
    end = time.monotonic() + 1.0  # four redraws
    counts = [0] * 4

    def speak(thread: int) -> None:
        while time.monotonic() < end:
            screen.progress.event(f"event {thread}-{counts[thread]}.")
            screen.progress.update(Status(trajectories=counts[thread], total=50))
            counts[thread] += 1

    with screen.progress:
        threads = [threading.Thread(target=speak, args=(thread,), daemon=True) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)

    content = screen.file.getvalue()
    assert min(counts) > 0
    assert all(f"event {thread}-{number}." in content for thread in range(4) for number in range(counts[thread]))
