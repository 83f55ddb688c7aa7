"""Recording by the page: real HTTP, a simulated phone, and what is kept of it."""

from __future__ import annotations

import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from distrl_sdk.cli import main
from distrl_sdk.episodes.demonstrations import solutions
from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import UsageError
from distrl_sdk.interfaces import Device
from distrl_sdk.judge.programmatic import ProgrammaticJudge
from distrl_sdk.plugins import task_set
from distrl_sdk.recording.page import RecordPage
from distrl_sdk.recording.recorder import Recorder
from distrl_sdk.simphone.phone import SimOptions, SimPhone
from distrl_sdk.types import ACTION_KINDS, Action, Demonstration, Task
from distrl_sdk.wire.plain import to_plain
from distrl_sdk.worker.lease import Lease
from tests.cli.processes import COMMAND, ENVIRONMENT
from tests.recording.browser import Browser
from tests.worker.phones import Counter

EXPERT = tuple(task_set("demo/train").demonstrations(6, 3))
"""Solutions by which a person of these tests goes."""
CALM = SimOptions(popups=0.0, spinners=0.0)


def calm(demonstration: Demonstration) -> list[Action]:
    return [step.action for step in demonstration.steps]


@contextmanager
def recording(
    tasks: list[Task], folder: Path, opener: Callable[[], Device] = lambda: SimPhone(CALM)
) -> Iterator[tuple[Recorder, Browser]]:
    lease = Lease("sim:0", opener)
    lease.open()
    recorder = Recorder(lease, tasks, EpisodeStore(folder), ProgrammaticJudge())
    page = RecordPage(recorder)
    page.start()
    playing = threading.Thread(target=recorder.play)
    playing.start()
    try:
        yield recorder, Browser(page.address)
    finally:
        recorder.end()
        playing.join(30)
        page.close()
        lease.close()
    assert not playing.is_alive()


def play(browser: Browser, actions: list[Action]) -> dict:
    told = {}
    for action in actions:
        told = browser.told("act", to_plain(action))
    return told


def test_what_is_clicked_is_performed_judged_and_kept_with_all_that_a_policy_sees(tmp_path: Path) -> None:
    shown = EXPERT[0]

    with recording([shown.task], tmp_path) as (recorder, browser):
        start = browser.told("state")
        end = play(browser, calm(shown))

    assert start["task"]["instruction"] == shown.task.instruction
    assert start["moment"]["number"] == 0
    assert end["outcome"] == {"solved": True, "said": "solved: every check holds", "key": end["outcome"]["key"]}
    assert recorder.solved == 1
    (kept,) = solutions(tmp_path)
    phone = SimPhone(CALM)
    seen = [phone.reset(shown.task), *(phone.perform(action) for action in calm(shown))]
    assert kept.about == phone.about
    assert kept.task == shown.task
    assert [step.action for step in kept.steps] == calm(shown)
    for ours, theirs in zip([*(step.observation for step in kept.steps), kept.final], seen, strict=True):
        assert (ours.elements, ours.app, ours.keyboard) == (theirs.elements, theirs.app, theirs.keyboard)
        assert (ours.screenshot.pixels() == theirs.screenshot.pixels()).all()


def test_an_episode_that_did_not_reach_its_goal_is_kept_and_shows_nothing(tmp_path: Path) -> None:
    with recording([EXPERT[0].task], tmp_path) as (_, browser):
        browser.told("state")
        told = browser.told("act", {"kind": "finish", "success": True})

    assert told["outcome"]["solved"] is False
    assert told["outcome"]["said"].startswith("not solved: does not hold")
    assert len(EpisodeStore(tmp_path).keys) == 1
    with pytest.raises(UsageError, match="none of its 1 recorded episodes reached its goal"):
        solutions(tmp_path)


def test_tasks_follow_each_other_or_come_again_and_an_episode_can_be_thrown_away(tmp_path: Path) -> None:
    first, second = EXPERT[0], EXPERT[1]
    with recording([first.task, second.task], tmp_path) as (recorder, browser):
        browser.told("state")
        play(browser, calm(first))
        assert browser.told("again", {})["task"]["id"] == first.task.id
        gone = play(browser, calm(first))
        assert recorder.solved == 2
        thrown = browser.told("discard", {})
        assert browser.told("next", {})["task"]["id"] == second.task.id
        browser.told("discard", {})  # in the middle: it was never kept
        told = browser.told("state")

    assert gone["outcome"]["solved"] is True
    assert thrown["outcome"] == {"solved": False, "said": "thrown away", "key": ""}
    assert told["outcome"]["said"] == "aborted (worker): the person gave the episode up"
    assert recorder.solved == 1
    assert len(EpisodeStore(tmp_path).keys) == 1


def test_it_ends_by_itself_when_enough_is_solved(tmp_path: Path) -> None:
    lease = Lease("sim:0", lambda: SimPhone(CALM))
    lease.open()
    recorder = Recorder(lease, [EXPERT[0].task], EpisodeStore(tmp_path), ProgrammaticJudge())
    page = RecordPage(recorder)
    page.start()
    playing = threading.Thread(target=recorder.play, args=(1,))
    playing.start()

    browser = Browser(page.address)
    browser.told("state")
    play(browser, calm(EXPERT[0]))

    playing.join(30)
    assert not playing.is_alive()
    page.close()
    lease.close()


def test_the_page_and_its_pictures_are_served(tmp_path: Path) -> None:
    with recording([EXPERT[0].task], tmp_path) as (_, browser):
        browser.told("state")
        page = browser.ask("")
        picture = browser.ask("screen/1/0")

        assert page[0] == 200
        assert b"<title>distrl record</title>" in page[2]
        assert page[1]["Cache-Control"] == "no-store"
        assert picture[1]["Content-Type"] == "image/png"
        assert picture[2].startswith(b"\x89PNG")
        assert [browser.ask(f"screen/{place}")[0] for place in ("1/1", "2/0", "1/x", "1")] == [404] * 4


def test_who_knows_no_token_or_comes_from_elsewhere_is_refused(tmp_path: Path) -> None:
    with recording([EXPERT[0].task], tmp_path) as (recorder, browser):
        browser.told("state")
        tap = {"kind": "tap", "x": 0.5, "y": 0.5}
        own = f"{browser.host}:{browser.port}"
        statuses = [
            browser.ask_at("/")[0],
            browser.ask_at("/state")[0],
            browser.ask_at("/wrong-token/act", tap)[0],
            browser.ask_at(browser.path[:-2] + "/act", tap)[0],
            browser.ask("act", tap, {"Host": "evil.example"})[0],
            browser.ask("state", None, {"Host": f"evil.example:{browser.port}"})[0],
            browser.ask("act", tap, {"Host": own, "Origin": "http://evil.example"})[0],
        ]
        welcome = browser.ask("act", tap, {"Host": own, "Origin": f"http://{own}"})[0]

        assert statuses == [404, 404, 404, 404, 403, 403, 403]
        assert welcome == 200
        assert len(recorder.person.seen) == 2


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"kind": "explode"}, 400),
        ([], 400),
        ({"kind": "tap", "x": "left", "y": 0}, 400),
        ({"kind": "tap", "x": 0.5}, 400),
        ({"kind": "press", "key": "POWER"}, 400),
        ({"kind": "type", "text": "x" * 200_000}, 413),
    ],
)
def test_what_is_no_action_is_refused_and_changes_nothing(tmp_path: Path, body: object, status: int) -> None:
    with recording([EXPERT[0].task], tmp_path) as (recorder, browser):
        browser.told("state")

        answer = browser.ask("act", body)

        assert answer[0] == status
        assert json.loads(answer[2])["error"]
        assert len(recorder.person.seen) == 1
        assert browser.ask("next", {})[0] == 409


def test_a_phone_that_fails_is_opened_again_and_its_episode_is_not_kept(tmp_path: Path) -> None:
    phones: list[Counter] = []

    def opener() -> Counter:
        phones.append(Counter(fail="raise" if not phones else "", at=1))
        return phones[-1]

    task = Task("count-3", "count", "tap three times", 6)
    with recording([task], tmp_path, opener) as (_, browser):
        browser.told("state")
        told = browser.told("act", {"kind": "tap", "x": 0.5, "y": 0.5})
        browser.told("again", {})
        again = browser.told("act", {"kind": "tap", "x": 0.5, "y": 0.5})

    assert told["outcome"]["said"] == "aborted (device): sim:0: tap: RuntimeError: the cable fell out"
    assert again["moment"]["number"] == 1
    assert len(phones) == 2
    assert EpisodeStore(tmp_path).keys == []


def test_distrl_record_serves_the_page_until_enough_is_kept(tmp_path: Path) -> None:
    shown = EXPERT[0]
    arguments = ["record", "--fleet=sim:1?popups=0&spinners=0", "--tasks=demo/train", f"--task={shown.task.id}"]
    process = subprocess.Popen(
        [*COMMAND, *arguments, "--episodes=1"], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    browser = Browser(process.stdout.readline().removeprefix("open ").strip())

    browser.told("state")
    told = play(browser, calm(shown))
    said, _ = process.communicate(timeout=60)

    assert told["outcome"]["solved"] is True
    assert (process.returncode, said) == (0, "1 solved episodes are in demos: distrl train --demos demos\n")
    assert len(solutions(tmp_path / "demos")) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task=nothing"], "'demo/train' has no task or family 'nothing'"),
        (["--fleet=tests.worker.phones:Counter"], "no task of 'demo/train' can be played on this test phone"),
        (["--judge=nobody"], "unknown judge 'nobody'"),
        (["--fleet=sim:0"], "'0' is no number of phones"),
        (["--outptu=x"], "unknown option --outptu: did you mean output"),
    ],
)
def test_mistakes_of_the_verb_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    status = main(["record", "--tasks=demo/train", f"--output={tmp_path}", *arguments])

    told = capsys.readouterr().err
    assert (status, told.count("\n")) == (2, 1)
    assert said in told


def test_a_port_that_is_taken_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status = main(["record", "--tasks=demo/train", f"--output={tmp_path}", f"--port={port}"])

    assert status == 2
    assert f"port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err


def test_kinds_of_actions_have_the_same_names_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "distrl_sdk" / "recording" / "page.html").read_text(encoding="utf-8")

    assert {name for name in ACTION_KINDS.values() if f'"{name}"' in page} == set(ACTION_KINDS.values())
