import json
import math

import numpy as np
import pytest

from distrl_sdk.errors import WireError
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.result import EvalEpisode, EvalResult, RunResult
from distrl_sdk.types import Action, End, Finish, Tap, Task, Trajectory, Verdict, Version


def trajectory(family: str, end: End, verdict: Verdict | None, last: Action) -> Trajectory:
    return Trajectory(
        id="w/1/1",
        task=Task(id=f"{family}-1", family=family, instruction="do it"),
        lane="eval",
        temperature=0.0,
        features={},
        code=np.zeros((2, 1), np.int32),
        log_mu=np.zeros(2, np.float32),
        log_pi=np.zeros(2, np.float32),
        version=np.zeros((2, 2), np.int32),
        invalid=np.zeros(2, np.bool_),
        repeats=np.zeros(2, np.int32),
        seconds=np.array([0.5, 0.25, 0.25], np.float32),
        actions=(Tap(0.5, 0.5), last),
        end=end,
        verdict=verdict,
    )


def episodes(successes: int, failures: int, unjudged: int = 0) -> tuple[EvalEpisode, ...]:
    outcomes = [True] * successes + [False] * failures + [None] * unjudged
    return tuple(EvalEpisode(f"t{n}", "alarm", outcome, "finish") for n, outcome in enumerate(outcomes))


def test_a_result_prints_its_rate_its_interval_and_its_n() -> None:
    # Wilson for 91 of 128 by hand: (91/128 + 3.8415/256 ± 1.96 √(.7109 · .2891/128 + 3.8415/65536)) / (1 + 3.8415/128)
    assert str(EvalResult(episodes(91, 37))) == "success 0.71 [0.63, 0.78], n = 128"


def test_unjudged_episodes_enter_no_rate() -> None:
    result = EvalResult(episodes(1, 1, unjudged=2))

    assert (result.success, result.n, result.unjudged) == (0.5, 2, 2)
    assert str(result).endswith("n = 2, 2 unjudged")


def test_without_a_verdict_success_is_unknown_and_not_zero() -> None:
    result = EvalResult(episodes(0, 0, unjudged=3))

    assert math.isnan(result.success)
    assert result.interval == (0.0, 1.0)
    assert str(result) == "success unknown, none of 3 episodes was judged"
    assert result.to_json()["success"] is None


@pytest.mark.parametrize(
    ("end", "verdict", "last", "success", "outcome"),
    [
        (End("finish"), Verdict(True), Finish(True), True, "success"),
        (End("finish"), Verdict(False), Finish(True), False, "false finish"),
        (End("finish"), Verdict(False), Finish(False), False, "gave up"),
        (End("finish"), Verdict(None, "budget"), Finish(True), None, "unjudged"),
        (End("finish"), None, Finish(True), None, "unjudged"),
        (End("step_limit"), Verdict(False), Tap(0.1, 0.1), False, "step limit"),
        (End("step_limit"), Verdict(True), Tap(0.1, 0.1), True, "success"),
        (End("aborted", "device"), None, Tap(0.1, 0.1), None, "aborted: device"),
        # Whatever a judge said of it: an aborted episode is nobody's failure.
        (End("aborted", "worker"), Verdict(False), Tap(0.1, 0.1), None, "aborted: worker"),
    ],
)
def test_every_way_to_end_has_its_name(
    end: End, verdict: Verdict | None, last: Action, success: bool | None, outcome: str
) -> None:
    episode = EvalEpisode.of(trajectory("alarm", end, verdict, last))

    assert (episode.success, episode.outcome) == (success, outcome)
    assert (episode.steps, episode.seconds) == (2, 1.0)


def test_a_false_claim_is_counted_and_an_honest_one_is_not() -> None:
    result = EvalResult.of(
        [
            trajectory("alarm", End("finish"), Verdict(False), Finish(True)),
            trajectory("alarm", End("finish"), Verdict(False), Finish(False)),
            trajectory("alarm", End("finish"), Verdict(True), Finish(True)),
            trajectory("alarm", End("step_limit"), Verdict(False), Tap(0.1, 0.1)),
        ],
        Version(1, 4),
    )

    assert result.false_finishes == 1
    assert result.version == (1, 4)
    assert result.outcomes() == {"false finish": 1, "gave up": 1, "success": 1, "step limit": 1}


def test_families_have_their_own_rates() -> None:
    result = EvalResult.of(
        [
            trajectory("search", End("finish"), Verdict(True), Finish(True)),
            trajectory("alarm", End("finish"), Verdict(True), Finish(True)),
            trajectory("alarm", End("finish"), Verdict(False), Finish(True)),
            trajectory("install", End("aborted", "device"), None, Tap(0.1, 0.1)),
        ],
        Version(1, 1),
    )

    rows = {row.family: row for row in result.by_family()}

    assert list(rows) == ["alarm", "install", "search"]
    assert (rows["alarm"].successes, rows["alarm"].n, rows["alarm"].success) == (1, 2, 0.5)
    assert rows["alarm"].interval == pytest.approx((0.0945, 0.9055), abs=5e-5)
    assert rows["install"].n == 0
    assert math.isnan(rows["install"].success)


def test_results_survive_a_json_file() -> None:
    before = EvalResult(episodes(3, 4, unjudged=1), Version(1, 0))
    result = RunResult(200, 50, 5.5, before, None, Machine.here(), {"aborted": 2.0})

    again = RunResult.from_json(json.loads(json.dumps(result.to_json(), allow_nan=False)))

    assert again == result
    assert EvalResult.from_json(json.loads(json.dumps(before.to_json()))) == before


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"trajectories": 1, "updates": 1, "minutes": "long"},
        {"trajectories": 1, "updates": 1, "minutes": 1.0, "before": 3},
        {"trajectories": 1, "updates": 1, "minutes": 1.0, "after": {"episodes": [{"task": 1}], "version": [1, 1]}},
        {"trajectories": 1, "updates": 1, "minutes": 1.0, "mood": "good"},
    ],
)
def test_what_is_no_result_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(WireError):
        RunResult.from_json(plain)


def test_this_machine_is_described() -> None:
    machine = Machine.here()

    assert machine.cores >= 1
    assert machine.memory > 2**28
    assert machine.python.startswith("3.")
    assert machine.torch.split(".")[0].isdigit()
    assert machine.distrl == "0.1.0"
