"""Answers that are kept, and what makes them another question's."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from distrl_sdk.errors import StorageError
from distrl_sdk.judge.cache import KEPT, AnswerCache, Flights
from distrl_sdk.judge.call import ModelReply, ModelRequest, Picture
from distrl_sdk.types import Usage
from tests.judge.model_calls import USAGE, request

HERE = "fake http://127.0.0.1/v1"
REPLY = ModelReply("yes", "m-1", USAGE)
ASKED = request()


def test_an_answer_comes_again_from_another_process_and_costs_nothing(tmp_path: Path) -> None:
    first = AnswerCache(tmp_path / "cache")
    assert first.get(HERE, ASKED) is None
    first.put(HERE, ASKED, REPLY)
    first.close()
    first.close()

    assert AnswerCache(tmp_path / "cache").get(HERE, ASKED) == replace(REPLY, cached=True, cost=0.0)


@pytest.mark.parametrize(
    "other",
    [
        replace(ASKED, model="n"),
        replace(ASKED, system="You judge!"),
        replace(ASKED, parts=("done!", *ASKED.parts[1:])),
        replace(ASKED, parts=(ASKED.parts[0], Picture(b"\x89PNH"))),
        replace(ASKED, parts=(ASKED.parts[0], Picture(b"\x89PNG", "image/jpeg"))),
        replace(ASKED, parts=tuple(reversed(ASKED.parts))),
        replace(ASKED, schema={"type": "array"}),
        replace(ASKED, max_tokens=101),
        replace(ASKED, temperature=0.5),
        replace(ASKED, temperature=None),
        replace(ASKED, sample=1),
    ],
)
def test_whatever_can_change_an_answer_makes_it_another_one(tmp_path: Path, other: ModelRequest) -> None:
    cache = AnswerCache(tmp_path / "cache")
    cache.put(HERE, ASKED, REPLY)

    assert cache.get(HERE, other) is None
    assert cache.get("fake http://127.0.0.1/v2", ASKED) is None
    assert cache.get(HERE, ASKED) is not None


def test_when_another_model_answers_the_old_answers_are_gone_for_that_model_only(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "cache")
    other = replace(ASKED, model="n")
    cache.put(HERE, ASKED, REPLY)
    cache.put(HERE, other, replace(REPLY, served="n-1"))

    cache.put(HERE, replace(ASKED, sample=1), replace(REPLY, served="m-2"))

    assert cache.get(HERE, ASKED) is None
    assert cache.get(HERE, other) is not None
    assert cache.get(HERE, replace(ASKED, sample=1)) is not None


def test_answers_grow_old_and_can_be_forgotten(tmp_path: Path) -> None:
    now = [1e9]
    cache = AnswerCache(tmp_path / "cache", lambda: now[0])
    other = replace(ASKED, sample=1)
    cache.put(HERE, ASKED, REPLY)
    cache.put(HERE, other, ModelReply("no", usage=Usage(1, 2)))
    cache.put(HERE, ASKED, REPLY)
    cache.forget([ASKED.sha256()])
    assert cache.get(HERE, ASKED) is None

    cache.put(HERE, ASKED, REPLY)
    now[0] += KEPT

    assert cache.get(HERE, ASKED) is None


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no database, but long enough to look at" * 100)

    with pytest.raises(StorageError, match=r"opening the cache .*cache: DatabaseError"):
        AnswerCache(tmp_path / "cache")


def test_of_many_that_ask_the_same_at_once_one_works_and_all_get_its_answer() -> None:
    flights: Flights[int] = Flights()
    gate, works = threading.Event(), []

    def work() -> int:
        works.append(1)
        assert gate.wait(20)
        return 7

    with ThreadPoolExecutor(21) as threads:
        asked = [threads.submit(flights.join, "k", work, 20.0) for _ in range(20)]
        other = threads.submit(flights.join, "other", lambda: 8, 20.0)
        assert other.result(20) == (8, True)
        gate.set()
        answers = [each.result(20) for each in asked]

    assert {answer for answer, _ in answers} == {7}
    assert sum(own for _, own in answers) == len(works)
    assert flights.join("k", lambda: 9, 1.0) == (9, True), "what is over is not kept"


def test_what_one_raises_all_get_and_a_wait_has_an_end() -> None:
    flights: Flights[int] = Flights()
    gate, begun = threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        assert gate.wait(20)
        raise ConnectionError("gone")

    with ThreadPoolExecutor(2) as threads:
        leads = threads.submit(flights.join, "k", work, 20.0)
        assert begun.wait(20)
        with pytest.raises(TimeoutError):
            flights.join("k", work, 0.01)
        follows = threads.submit(flights.join, "k", lambda: 1, 20.0)
        gate.set()

        with pytest.raises(ConnectionError, match="gone"):
            leads.result(20)
        assert isinstance(follows.exception(20), ConnectionError) or follows.result() == (1, True)
