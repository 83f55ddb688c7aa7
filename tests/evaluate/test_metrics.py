import csv
import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import StorageError
from distrl_sdk.evaluate.metrics import MetricsWriter, read_metrics
from distrl_sdk.rundir import RunDirectory


class Clock:
    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return RunDirectory.create(tmp_path / "run", {})


def test_figures_come_back_by_name_over_steps_and_minutes(run: RunDirectory) -> None:
    clock = Clock(1000.0)
    writer = MetricsWriter(run, 1, tensorboard=False, clock=clock)
    writer.write(10, {"success": 0.25})
    clock.now += 90
    writer.write(20, {"success": 0.5, "loss/policy, clipped": -1.5})
    writer.close()

    figures = read_metrics(run.metrics)

    assert figures["success"] == ([10, 20], [0.0, 1.5], [0.25, 0.5])
    assert figures["loss/policy, clipped"] == ([20], [1.5], [-1.5])


def test_the_file_is_a_plain_long_table(run: RunDirectory) -> None:
    writer = MetricsWriter(run, 3, tensorboard=False, clock=Clock(12.5))
    writer.write(7, {"lag": 2})
    writer.close()

    with run.metrics.open(newline="") as file:
        rows = list(csv.DictReader(file))

    assert rows == [{"time": "12.500", "incarnation": "3", "step": "7", "name": "lag", "value": "2.0"}]


def test_rows_are_on_disk_before_the_writer_closes(run: RunDirectory) -> None:
    writer = MetricsWriter(run, 1, tensorboard=False)

    writer.write(1, {"lag": 1.0})

    assert read_metrics(run.metrics)["lag"].value == [1.0]
    writer.close()


def test_pauses_between_two_starts_do_not_count_as_minutes(run: RunDirectory) -> None:
    clock = Clock(0.0)
    for incarnation, begin in ((1, 0.0), (2, 100_000.0)):
        writer = MetricsWriter(run, incarnation, tensorboard=False, clock=clock)
        for minute in (0, 1):
            clock.now = begin + 60 * minute
            writer.write(10 * incarnation + minute, {"buffer": 1.0})
        writer.close()

    assert read_metrics(run.metrics)["buffer"].minutes == [0.0, 1.0, 1.0, 2.0]


def test_steps_that_a_restarted_learner_did_again_stand_once(run: RunDirectory) -> None:
    first = MetricsWriter(run, 1, tensorboard=False)
    for step in (1, 2, 3, 4):
        first.write(step, {"loss": 1.0})
    first.close()
    second = MetricsWriter(run, 2, tensorboard=False)
    for step in (3, 4, 5):
        second.write(step, {"loss": 2.0})
    second.close()

    series = read_metrics(run.metrics)["loss"]

    assert series.step == [1, 2, 3, 4, 5]
    assert series.value == [1.0, 1.0, 2.0, 2.0, 2.0]


def test_a_row_torn_by_a_crash_is_cut_off(run: RunDirectory) -> None:
    writer = MetricsWriter(run, 1, tensorboard=False)
    writer.write(1, {"loss": 1.0})
    writer.close()
    with run.metrics.open("a") as file:
        file.write("17000.0,1,2,loss,0.")

    assert read_metrics(run.metrics)["loss"].value == [1.0]
    again = MetricsWriter(run, 2, tensorboard=False)
    again.write(3, {"loss": 3.0})
    again.close()

    assert read_metrics(run.metrics)["loss"].value == [1.0, 3.0]


def test_what_is_not_finite_is_written_and_left_out_of_curves(run: RunDirectory) -> None:
    writer = MetricsWriter(run, 1, tensorboard=False)
    writer.write(1, {"loss": math.nan, "success": 1.0})
    writer.write(2, {"loss": math.inf})
    writer.close()

    assert "nan" in run.metrics.read_text()
    assert set(read_metrics(run.metrics)) == {"success"}


def test_no_file_means_no_figures_and_a_strange_file_is_refused(tmp_path: Path) -> None:
    assert read_metrics(tmp_path / "none.csv") == {}

    (tmp_path / "metrics.csv").write_text("epoch,loss\n1,2\n")

    with pytest.raises(StorageError, match="not a metrics file"):
        read_metrics(tmp_path / "metrics.csv")


def test_tensorboard_gets_the_same_figures(run: RunDirectory) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    writer = MetricsWriter(run, 1, clock=Clock(1000.0))
    writer.write(5, {"success": 0.5})
    writer.write(9, {"success": 0.75})
    writer.close()

    board = EventAccumulator(str(run.tensorboard))
    board.Reload()

    assert [(event.step, event.value) for event in board.Scalars("success")] == [(5, 0.5), (9, 0.75)]


names = st.text(min_size=1).filter(str.isprintable)


@settings(deadline=None, max_examples=25)
@given(st.dictionaries(names, st.floats(allow_nan=False, allow_infinity=False)))
def test_any_name_and_any_number_come_back_exactly(values: dict[str, float]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = RunDirectory.create(Path(folder) / "run", {})
        writer = MetricsWriter(run, 1, tensorboard=False)
        writer.write(1, values)
        writer.close()

        figures = read_metrics(run.metrics)

    assert {name: series.value for name, series in figures.items()} == {name: [value] for name, value in values.items()}


def test_a_name_that_would_break_the_line_is_refused(run: RunDirectory) -> None:
    writer = MetricsWriter(run, 1, tensorboard=False)

    with pytest.raises(ValueError, match="control characters"):
        writer.write(1, {"a\nb": 1.0})

    writer.close()
