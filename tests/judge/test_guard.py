"""What stands around every call of a model: one call for the same question, caps that hold, limits that are kept."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from distrl_sdk.judge.audit import read
from distrl_sdk.judge.budget import Spend
from distrl_sdk.judge.call import CallError, ModelReply, ModelRequest
from distrl_sdk.judge.config import BudgetConfig, DeskConfig
from tests.judge.model_calls import PRICES, USAGE, Model, request, says, till


def failing(reason: str, **told: float) -> object:
    def answer(_: ModelRequest) -> ModelReply:
        raise CallError(reason, "not now", **told)  # type: ignore[arg-type]

    return answer


def test_a_hundred_identical_questions_at_once_are_one_call(tmp_path: Path) -> None:
    gate = threading.Event()

    def answer(_: ModelRequest) -> ModelReply:
        assert gate.wait(20)
        return ModelReply("yes", "m-1", USAGE)

    model = Model(answer)
    guarded = till(tmp_path, DeskConfig(budget=BudgetConfig(calls=1, prices=PRICES))).guard(model)
    with ThreadPoolExecutor(100) as threads:
        asked = [threads.submit(guarded.ask, request(), 20.0) for _ in range(100)]
        gate.set()
        replies = [each.result(20) for each in asked]

    assert len(model.asked) == 1
    assert [reply.text for reply in replies] == ["yes"] * 100
    assert sorted(reply.cost or 0.0 for reply in replies) == [0.0] * 99 + [pytest.approx(0.0016)]
    assert sum(not reply.cached for reply in replies) == 1


def test_the_answer_is_kept_for_the_next_process_of_the_run(tmp_path: Path) -> None:
    for expected in (False, True):
        counter, model = till(tmp_path), Model(says())
        reply = counter.guard(model).ask(request(), 5.0)
        counter.close()

        assert (reply.cached, len(model.asked)) == (expected, int(not expected))


def test_two_hundred_calls_at_once_of_a_server_that_reports_no_usage_never_pass_the_cap(tmp_path: Path) -> None:
    cap = 0.05
    counter = till(tmp_path, DeskConfig(concurrency=200, budget=BudgetConfig(usd=cap, prices=PRICES)))
    each = counter.rates.most(request("000")).usd
    seen: list[float] = []

    def answer(_: ModelRequest) -> ModelReply:
        seen.append(counter.budget.committed.usd)
        return ModelReply("yes", usage=None)

    model = Model(answer)
    guarded = counter.guard(model)

    def ask(number: int) -> str:
        try:
            return guarded.ask(request(f"{number:03}"), 5.0).text
        except CallError as error:
            return error.reason

    with ThreadPoolExecutor(200) as threads:
        answers = list(threads.map(ask, range(200)))

    afforded = int(cap / each)
    assert 3 < afforded < 200
    assert max(seen) <= cap
    assert counter.budget.spent.usd == pytest.approx(afforded * each)
    assert (answers.count("yes"), answers.count("budget"), len(model.asked)) == (afforded, 200 - afforded, afforded)
    assert "raise --desk.budget.usd" in counter.budget.used_up


def test_a_call_that_fails_is_not_kept_and_costs_what_it_may_have_cost(tmp_path: Path) -> None:
    reserved = till(tmp_path / "0").rates.most(request())
    expected = {"rate": Spend(1), "config": Spend(1), "transport": reserved, "truncated": reserved}
    for reason, spent in expected.items():
        counter, model = till(tmp_path / reason), Model(failing(reason))  # type: ignore[arg-type]
        guarded = counter.guard(model)
        for _ in range(2):
            with pytest.raises(CallError, match="not now") as caught:
                guarded.ask(request(), 5.0)
            assert caught.value.reason == reason

        assert counter.budget.spent == spent + spent
        assert counter.budget.committed == counter.budget.spent
        assert [line["kind"] for line in read(tmp_path / reason / "audit.jsonl")] == ["call", "answer"] * 2


def test_usage_of_a_failed_call_is_believed(tmp_path: Path) -> None:
    counter = till(tmp_path)
    guarded = counter.guard(Model(failing("truncated", usage=USAGE)))  # type: ignore[arg-type]

    with pytest.raises(CallError):
        guarded.ask(request(), 5.0)

    assert counter.budget.spent == Spend(1, 1060, pytest.approx(0.0016))


def test_no_more_calls_are_under_way_at_once_than_allowed(tmp_path: Path) -> None:
    def answer(_: ModelRequest) -> ModelReply:
        time.sleep(0.005)  # so that calls overlap if they can
        return ModelReply("yes", usage=USAGE)

    model = Model(answer)
    guarded = till(tmp_path, DeskConfig(concurrency=3)).guard(model)
    with ThreadPoolExecutor(20) as threads:
        list(threads.map(lambda number: guarded.ask(request(str(number)), 20.0), range(40)))

    assert (len(model.asked), model.most_at_once) == (40, 3)


def test_calls_beyond_the_limit_of_a_minute_are_refused_when_their_turn_would_come_too_late(tmp_path: Path) -> None:
    model = Model(says())
    counter = till(tmp_path, DeskConfig(requests_per_minute=2))
    guarded = counter.guard(model)
    for number in range(2):
        guarded.ask(request(str(number)), 1.0)

    with pytest.raises(CallError, match="own limit of requests a minute") as caught:
        guarded.ask(request("more"), 1.0)

    assert (caught.value.reason, len(model.asked), counter.budget.committed.calls) == ("rate", 2, 2)


def test_a_model_that_breaks_its_promise_leaves_nothing_reserved_and_no_line_taken(tmp_path: Path) -> None:
    def answer(asked: ModelRequest) -> ModelReply:
        raise RuntimeError("not a CallError")

    counter = till(tmp_path, DeskConfig(concurrency=1))
    guarded = counter.guard(Model(answer))
    for number in range(3):
        with pytest.raises(RuntimeError):
            guarded.ask(request(str(number)), 1.0)

    assert counter.budget.committed == counter.budget.spent


def test_the_guard_is_as_its_model(tmp_path: Path) -> None:
    model = Model(says())
    guarded = till(tmp_path).guard(model)
    guarded.close()

    assert (guarded.address, model.closed) == (model.address, 1)
