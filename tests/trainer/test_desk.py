"""Verdicts beside the learner: judges that are slow, wrong, or gone."""

from __future__ import annotations

import hashlib
import io
import threading
from collections.abc import Callable
from queue import SimpleQueue

import pytest
from PIL import Image

from distrl_sdk.errors import StorageError
from distrl_sdk.learner.desk import Desk, Pile, drained
from distrl_sdk.types import JudgeRequest, Trajectory, Verdict
from tests.trainer.episodes import episode
from tests.trainer.waiting import wait_until


class Judge:
    needs_device = False

    def __init__(self, ask: Callable[[JudgeRequest], Verdict]) -> None:
        self._ask = ask
        self.closed = 0

    def judge(self, request: JudgeRequest) -> Verdict:
        return self._ask(request)

    def close(self) -> None:
        self.closed += 1


def answers(ask: Callable[[JudgeRequest], Verdict], *asked: Trajectory) -> list[Trajectory]:
    desk = Desk(Judge(ask))
    try:
        for each in asked:
            desk.submit(each)
        taken: list[Trajectory] = []
        wait_until(lambda: taken.extend(desk.take()) or len(taken) == len(asked))
        return taken
    finally:
        desk.close()


def grey(level: int) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 90), (level, level, level)).save(file, "PNG")
    return file.getvalue()


def test_the_judge_sees_task_actions_end_and_the_end_states_picture_and_its_verdict_stays_with_the_episode() -> None:
    def ask(request: JudgeRequest) -> Verdict:
        assert request.final is not None
        assert (request.final.screenshot.width, request.final.screenshot.height) == (40, 90)
        assert (request.task.id, len(request.actions), request.end.kind) == ("t1", 2, "step_limit")
        assert [frame.step for frame in request.frames] == list(range(3 - len(request.frames), 3))
        assert request.frames[-1].sha256 == hashlib.sha256(request.final.screenshot.encoded()).hexdigest()
        assert (request.episode, request.frames[-1].mime) == ("w/1/1", "image/png")
        return Verdict(bool(request.final.screenshot.pixels()[0, 0, 0] == 77), "as seen")

    for pictures, success in (((grey(77),), True), ((grey(77), grey(77), grey(5)), False)):
        (judged,) = answers(ask, episode(1, None, pictures=pictures))
        assert judged.verdict is not None
        assert (judged.verdict.success, judged.verdict.reason) == (success, "as seen")


def unjudged(ask: Callable[[JudgeRequest], Verdict], pictures: tuple[bytes, ...] = ()) -> str:
    (judged,) = answers(ask, episode(1, None, pictures=pictures))
    assert judged.verdict is not None
    assert judged.verdict.success is None, "it never becomes a failure"
    return judged.verdict.reason


def test_a_judge_that_fails_in_any_way_gives_no_verdict() -> None:
    def raising(request: JudgeRequest) -> Verdict:
        raise ConnectionError("no route to the judge")

    assert unjudged(raising) == "ConnectionError: no route to the judge"
    assert unjudged(lambda _: True) == "JudgeError: it returned bool instead of a Verdict"  # type: ignore[arg-type,return-value]
    assert "nan has no plain form" in unjudged(lambda _: Verdict(True, score=float("nan")))
    assert "UnidentifiedImageError" in unjudged(lambda _: Verdict(True), (b"no picture",))


def test_a_reason_for_no_verdict_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: JudgeRequest) -> Verdict:
        raise RuntimeError("the quota is used up")

    unjudged = answers(fail, *(episode(number) for number in range(30)))

    assert [each.verdict.success for each in unjudged if each.verdict] == [None] * 30
    assert 1 <= caplog.text.count("the quota is used up") <= 4, "four threads may find it out at the same time"


def test_every_verdict_is_noted_before_anybody_gets_it() -> None:
    noted: dict[str, Verdict] = {}
    desk = Desk(Judge(lambda _: Verdict(True)), note=noted.__setitem__)
    for n in range(20):
        desk.submit(episode(n, None))

    taken: list[Trajectory] = []
    wait_until(lambda: taken.extend(desk.take()) or len(taken) == 20)
    desk.close()

    assert {each.id: each.verdict for each in taken} == noted


def test_a_verdict_that_cannot_be_noted_is_raised_and_its_episode_does_not_come() -> None:
    def note(name: str, verdict: Verdict) -> None:
        raise StorageError("the disk is full")

    desk = Desk(Judge(lambda _: Verdict(True)), note=note)
    desk.check()
    desk.submit(episode(1, None))

    def failed() -> bool:
        try:
            desk.check()
        except StorageError:
            return True
        return False

    wait_until(failed)
    assert desk.take() == []
    desk.close()


def test_an_evaluation_has_a_pile_of_its_own() -> None:
    desk = Desk(Judge(lambda _: Verdict(False)))
    pile: Pile = SimpleQueue()
    desk.submit(episode(1, None), pile)
    desk.submit(episode(2, None))

    own: list[Trajectory] = []
    usual: list[Trajectory] = []
    wait_until(lambda: own.extend(drained(pile)) or own)
    wait_until(lambda: usual.extend(desk.take()) or usual)
    desk.close()

    assert [each.id for each in own + usual] == ["w/1/1", "w/1/2"]


def test_several_episodes_are_judged_at_once_and_a_slow_one_holds_up_nobody() -> None:
    gate = threading.Event()

    def ask(request: JudgeRequest) -> Verdict:
        if request.task.id == "t0":
            assert gate.wait(20)
        return Verdict(True)

    desk = Desk(Judge(ask))
    for n in range(8):
        desk.submit(episode(n, None))
    taken: list[Trajectory] = []
    wait_until(lambda: taken.extend(desk.take()) or len(taken) == 7)
    gate.set()
    wait_until(lambda: taken.extend(desk.take()) or len(taken) == 8)
    desk.close()

    assert taken[-1].task.id == "t0"


def test_closing_waits_for_no_judge_closes_it_once_and_leaves_no_verdict_behind() -> None:
    gate, began = threading.Event(), threading.Event()

    def ask(request: JudgeRequest) -> Verdict:
        began.set()
        assert gate.wait(20)
        return Verdict(True)

    noted: dict[str, Verdict] = {}
    others = set(threading.enumerate())
    judge = Judge(ask)
    desk = Desk(judge, threads=1, note=noted.__setitem__)
    desk.submit(episode(1, None))
    desk.submit(episode(2, None))
    assert began.wait(20)

    desk.close()
    desk.close()
    gate.set()
    for thread in set(threading.enumerate()) - others:
        thread.join(20)

    assert (noted, desk.take(), judge.closed) == ({}, [], 1)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_desk_does_not_keep_a_process_from_ending(threads: int) -> None:
    others = set(threading.enumerate())
    desk = Desk(Judge(lambda _: Verdict(True)), threads=threads)

    own = set(threading.enumerate()) - others
    assert [each.daemon for each in own] == [True] * threads
    desk.close()
    wait_until(lambda: not any(each.is_alive() for each in own))
