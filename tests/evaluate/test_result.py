import json
import math
from dataclasses import replace

import pytest
from eval_trajectories import trajectory

from distrl_sdk.errors import RunError, WireError
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.result import FORMAT, EvalResult, RunResult
from distrl_sdk.types import End, Trajectory, Verdict, Version


def episodes(successes: int, failures: int, unjudged: int = 0) -> tuple[EvalEpisode, ...]:
    outcomes = [Outcome.SUCCESS] * successes + [Outcome.STUCK] * failures + [Outcome.UNJUDGED] * unjudged
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


def test_what_is_kept_of_an_episode() -> None:
    verdict = Verdict(False, "the wrong hour", side_effects=("wifi", "volume"))
    played = trajectory([0, 1, 2], claim=True, verdict=verdict, family="alarm", number=7, seconds=0.5)

    assert EvalEpisode.of(played, 3) == EvalEpisode(
        task="alarm-7",
        family="alarm",
        outcome=Outcome.WRONG_GOAL,
        end="finish",
        attempt=3,
        claim=True,
        steps=2,
        seconds=1.5,
        side_effects=("wifi", "volume"),
        trajectory="w/1/7",
    )


@pytest.mark.parametrize(
    ("played", "success", "ending", "false_complete"),
    [
        (trajectory(success=True, claim=True), True, "success", False),
        (trajectory(claim=True), False, "wrong goal", True),
        (trajectory(claim=False), False, "gave up", False),
        (trajectory(success=None, claim=True), None, "unjudged", False),
        (trajectory(success=False, end=End("aborted", "worker")), None, "aborted: worker", False),
    ],
)
def test_an_outcome_is_a_success_a_failure_or_unknown(
    played: Trajectory, success: bool | None, ending: str, false_complete: bool
) -> None:
    episode = EvalEpisode.of(played)

    assert (episode.success, episode.ending, episode.false_complete) == (success, ending, false_complete)


def result_of(*played: Trajectory) -> EvalResult:
    return EvalResult(tuple(map(EvalEpisode.of, played)), Version(1, 4))


def test_false_claims_and_side_effects_are_counted() -> None:
    changed = Verdict(False, side_effects=("wifi", "volume"))
    result = result_of(
        trajectory(claim=True, verdict=changed, number=1),
        trajectory(claim=False, number=2),
        trajectory(success=True, claim=True, number=3),
        trajectory(verdict=replace(changed, side_effects=("wifi",)), number=4),
    )

    assert result.false_completes == 1
    assert (result.with_side_effects, result.side_effects) == (2, {"wifi": 2, "volume": 1})
    assert result.endings() == {"wrong goal": 1, "gave up": 1, "success": 1, "step limit": 1}


def test_families_have_their_own_rates() -> None:
    result = result_of(
        trajectory(family="search", success=True),
        trajectory(family="alarm", success=True, number=1),
        trajectory(family="alarm", number=2),
        trajectory(family="install", success=None, end=End("aborted", "device")),
    )

    rows = {row.family: row for row in result.by_family()}

    assert list(rows) == ["alarm", "install", "search"]
    assert (rows["alarm"].successes, rows["alarm"].n, rows["alarm"].success) == (1, 2, 0.5)
    assert rows["alarm"].interval == pytest.approx((0.0945, 0.9055), abs=5e-5)
    assert rows["install"].n == 0
    assert math.isnan(rows["install"].success)


def test_steps_and_seconds_are_those_of_successes() -> None:
    result = result_of(
        trajectory([0, 1, 2, 3], success=True, seconds=1.0, number=1),
        trajectory([0, 1, 2, 3, 4, 5], success=True, seconds=2.0, number=2),
        trajectory([0] * 10, number=3),
    )

    assert (result.success_steps, result.success_seconds) == (4.0, 8.0)
    assert math.isnan(EvalResult(()).success_steps)


def repeated(*outcomes: str) -> EvalResult:
    """Tasks t0, t1, ... of a family each, with attempts: + success, - failure, ? unjudged."""
    kinds = {"+": Outcome.SUCCESS, "-": Outcome.STUCK, "?": Outcome.UNJUDGED}
    return EvalResult(
        tuple(
            EvalEpisode(f"t{task}", f"f{task}", kinds[each], "finish", attempt=number)
            for task, row in enumerate(outcomes)
            for number, each in enumerate(row, 1)
        )
    )


def test_pass_at_k_is_a_mean_over_tasks() -> None:
    result = repeated("+---", "++--", "----")

    assert result.pass_at(1) == pytest.approx((1 / 4 + 2 / 4 + 0) / 3)
    # 1 - C(3, 2) / C(4, 2) = 1/2 and 1 - C(2, 2) / C(4, 2) = 5/6
    assert result.pass_at(2) == pytest.approx((1 / 2 + 5 / 6 + 0) / 3)
    assert result.pass_at(4) == pytest.approx(2 / 3)
    assert math.isnan(result.pass_at(5))


def test_a_task_with_too_few_judged_attempts_says_nothing_of_pass_at_k() -> None:
    result = repeated("+?", "-+")

    assert result.pass_at(1) == pytest.approx((1 + 0.5) / 2)
    assert result.pass_at(2) == 1.0


def test_attempts_at_one_task_are_no_independent_tasks() -> None:
    once, often = repeated("+", "+", "-", "-"), repeated("+" * 50, "+" * 50, "-" * 50, "-" * 50)

    assert (often.success, often.n) == (0.5, 200)
    assert often.interval == once.interval
    assert often.clusters == "tasks"
    assert often.clustered == once.clustered


def test_clusters_are_families_unless_there_are_few() -> None:
    many = evaluation({f"f{n}": [n < 3] * 10 for n in range(5)})
    few = evaluation({"a": [True] * 10, "b": [False] * 10})

    assert (many.clusters, few.clusters) == ("families", "tasks")
    # Five families that are all or nothing, three of them solved: far wider than Wilson's of 30 in 50.
    assert many.clustered == pytest.approx((0.2, 1.0))
    assert many.interval == pytest.approx((0.462, 0.724), abs=1e-3)


def evaluation(families: dict[str, list[bool]]) -> EvalResult:
    return EvalResult(
        tuple(
            EvalEpisode(f"{family}-{n}", family, Outcome.SUCCESS if success else Outcome.STEP_LIMIT, "finish")
            for family, outcomes in families.items()
            for n, success in enumerate(outcomes)
        )
    )


def test_the_table_shows_every_figure() -> None:
    changed = Verdict(False, side_effects=("wifi",))
    result = result_of(
        trajectory([0, 1, 2], success=True, claim=True, family="alarm", number=1),
        trajectory([0, 1, 1, 1, 1], family="alarm", number=2),
        trajectory([0, 1], claim=True, verdict=changed, family="search", number=3),
        trajectory(success=None, end=End("aborted", "device"), family="search", number=4),
    )

    assert result.table().splitlines() == [
        "success 0.33 [0.06, 0.79], n = 3, 1 unjudged",
        "",
        "family  n  success          95 %",
        "alarm   2     0.50  [0.09, 0.91]",
        "search  1     0.00  [0.00, 0.79]",
        "all     3     0.33  [0.06, 0.79]",
        "",
        "clustered       [0.00, 1.00] (95 %, bootstrap over tasks)",
        "failures        2 of 3: 1 wrong goal, 1 stuck",
        "false completes 1",
        "side effects    1 (wifi 1)",
        "a success takes 2 steps, 0.750 s of the phone (medians)",
        "left out        1 aborted: device",
    ]


def test_the_table_shows_pass_at_k_for_several_attempts() -> None:
    assert "attempts        pass@1 0.50, pass@2 0.67, pass@3 0.75" in repeated("+--", "-++", "+++", "---").table()


def test_a_table_of_nothing_is_no_error() -> None:
    assert EvalResult(()).table().startswith("success unknown, none of 0 episodes was judged")


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
        {
            "trajectories": 1,
            "updates": 1,
            "minutes": 1.0,
            "after": {"format": FORMAT, "episodes": [{"task": 1}], "version": [1, 1], "card": None},
        },
        {"trajectories": 1, "updates": 1, "minutes": 1.0, "mood": "good"},
    ],
)
def test_what_is_no_result_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(WireError):
        RunResult.from_json({"format": FORMAT, **plain})


@pytest.mark.parametrize("plain", [{}, {"format": 1}, {"format": FORMAT + 1}, {"format": None}])
def test_a_result_of_another_format_is_refused_with_a_remedy(plain: dict[str, object]) -> None:
    for kind in (RunResult, EvalResult):
        with pytest.raises(
            RunError, match=f"this distrl-sdk reads {FORMAT}: read it with the distrl-sdk that wrote it"
        ):
            kind.from_json(plain)


def test_this_machine_is_described() -> None:
    machine = Machine.here()

    assert machine.cores >= 1
    assert machine.memory > 2**28
    assert machine.python.startswith("3.")
    assert machine.torch.split(".")[0].isdigit()
    assert machine.distrl == "0.1.0"
