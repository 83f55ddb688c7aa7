"""Two evaluations of the same tasks, task by task."""

from __future__ import annotations

from dataclasses import replace

import pytest
from eval_cards import CARD

from distrl_sdk.errors import UsageError
from distrl_sdk.evaluate.comparison import compare, need_same_tasks
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.result import EvalResult

KINDS = {"+": Outcome.SUCCESS, "-": Outcome.STUCK, "?": Outcome.UNJUDGED}


def result(**families: str) -> EvalResult:
    """One task a letter: + success, - failure, ? unjudged."""
    return EvalResult(
        tuple(
            EvalEpisode(f"{family}-{n}", family, KINDS[each], "finish")
            for family, row in families.items()
            for n, each in enumerate(row)
        )
    )


def test_tasks_are_paired_and_counted() -> None:
    found = compare(result(alarm="+-+-", search="--"), result(alarm="++--", search="+-"))

    whole = found.whole
    assert (whole.n, whole.won, whole.lost) == (6, 2, 1)
    assert (whole.first, whole.second) == pytest.approx((2 / 6, 3 / 6))
    assert whole.difference == pytest.approx(1 / 6)
    assert found.p == 1.0
    assert [(row.family, row.n, row.won, row.lost) for row in found.families] == [
        ("alarm", 4, 1, 1),
        ("search", 2, 1, 0),
    ]


def test_a_task_that_was_not_judged_both_times_is_no_pair() -> None:
    found = compare(result(alarm="+?-+"), result(alarm="++?"))

    assert (found.whole.n, found.whole.won, found.whole.lost) == (1, 0, 0)
    assert str(compare(result(alarm="?"), result(alarm="+"))) == "no task was judged both times"


def test_without_clusters_to_speak_of_the_difference_is_that_of_single_tasks() -> None:
    # 30 won, 10 lost of 100: sd of the mean of +1 (30), -1 (10), 0 (60) is sqrt(.4 - .04) / 10 = .06
    found = compare(result(alarm="+" * 10 + "-" * 90), result(alarm="-" * 10 + "+" * 30 + "-" * 60))

    assert found.whole.difference == pytest.approx(0.2)
    assert found.whole.interval == pytest.approx((0.2 - 1.96 * 0.06, 0.2 + 1.96 * 0.06), abs=0.012)
    # 2 * P(at most 10 of 40 fair coins)
    assert found.p == pytest.approx(0.002221, abs=1e-6)


def test_families_that_change_as_one_make_the_interval_wide() -> None:
    before = result(**{f"f{n}": "-" * 20 for n in range(10)})
    after = result(**{f"f{n}": ("+" if n < 5 else "-") * 20 for n in range(10)})

    low, high = compare(before, after).whole.interval

    # As uncertain as 5 of 10, not as 100 of 200.
    assert (low, high) == pytest.approx((0.2, 0.8), abs=0.01)


def test_a_family_whose_tasks_all_change_is_still_uncertain() -> None:
    (row,) = compare(result(alarm="----"), result(alarm="++++")).families

    assert row.difference == 1.0
    # Newcombe's for 4 of 4 against 0 of 4: 1 - sqrt(2) * 0.4899
    assert row.interval == pytest.approx((0.307, 1.0), abs=1e-3)


def test_turned_around_the_difference_turns_around() -> None:
    one, other = result(alarm="+-+-+", search="--+"), result(alarm="++--+", search="++-")

    there, back = compare(one, other), compare(other, one)

    assert (there.whole.won, there.whole.lost, there.p) == (back.whole.lost, back.whole.won, back.p)
    assert there.whole.difference == pytest.approx(-back.whole.difference)
    assert there.whole.interval == pytest.approx((-back.whole.interval.high, -back.whole.interval.low), abs=0.02)


def test_several_attempts_at_a_task_count_with_their_rate() -> None:
    def tried(*rows: str) -> EvalResult:
        return EvalResult(
            tuple(
                EvalEpisode(f"t{task}", "f", KINDS[each], "finish", attempt=number)
                for task, row in enumerate(rows)
                for number, each in enumerate(row, 1)
            )
        )

    found = compare(tried("+-", "--", "++"), tried("++", "--", "+-"))

    assert (found.whole.n, found.whole.won, found.whole.lost) == (3, 1, 1)
    assert found.whole.difference == 0.0
    assert found.whole.interval == pytest.approx((-0.5, 0.5), abs=0.2)


def test_the_table_of_a_comparison() -> None:
    found = compare(result(alarm="--", search="+-"), result(alarm="+-", search="+-"))

    assert str(found) == "change +0.25 [+0.00, +0.75], won 1, lost 0, tied 3, p = 1, n = 4"
    assert found.table().splitlines() == [
        str(found),
        "",
        "family  n  first  second  won  lost  difference            95 %",
        "alarm   2   0.00    0.50    1     0       +0.50  [-0.27, +0.91]",
        "search  2   0.50    0.50    0     0       +0.00  [-0.57, +0.57]",
        "all     4   0.25    0.50    1     0       +0.25  [+0.00, +0.75]",
    ]


def test_other_tasks_are_refused_in_one_line() -> None:
    one = replace(result(alarm="+"), card=CARD)
    other = replace(one, card=replace(CARD, tasks="shop/test", count=7, tasks_hash="b" * 64))

    need_same_tasks(one, one, ("one", "one"))
    with pytest.raises(UsageError) as refused:
        need_same_tasks(one, other, ("one.json", "other.json"))
    assert str(refused.value) == (
        "one.json played 2 tasks of general/test (aaaaaaaaaaaa), other.json 7 of shop/test (bbbbbbbbbbbb): play the "
        "same ones with `distrl eval RUN --tasks general/test --episodes 2`"
    )
    with pytest.raises(UsageError, match=r"other\.json has no card"):
        need_same_tasks(one, result(alarm="+"), ("one.json", "other.json"))
