"""The report is parsed as a browser would, and looked at for what it must hold and must not."""

import base64
import hashlib
import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import StorageError
from distrl_sdk.evaluate.animation import WIDTH, describe, shrink
from distrl_sdk.evaluate.episode import EvalEpisode
from distrl_sdk.evaluate.failures import Outcome
from distrl_sdk.evaluate.machine import Machine
from distrl_sdk.evaluate.markup import Html, escape, tag
from distrl_sdk.evaluate.metrics import MetricsWriter
from distrl_sdk.evaluate.report import write_report
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.rundir import RunDirectory
from distrl_sdk.types import (
    Action,
    End,
    Finish,
    Key,
    LongPress,
    OpenApp,
    Press,
    Swipe,
    Tap,
    Task,
    Trajectory,
    TypeText,
    Verdict,
    Version,
    Wait,
)

HOSTILE = "\"'><script>alert(1)</script><img src=http://evil.example/x onerror=alert(2)> & \x1b[31m"
FIGURES = dict.fromkeys(("success", "trajectories_per_minute", "policy_lag", "entropy", "loss", "buffer"), 0.5)


class Page(HTMLParser):
    """The elements, the text and the nesting of a page; an element left open or closed twice is a failure."""

    VOID = frozenset({"img", "input", "meta"})

    def __init__(self, content: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def having(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [found for name, found in self.elements if name == tag and wanted.items() <= found.items()]


def picture(width: int = 27, height: int = 60) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (10, 20, 30)).save(buffer, format="PNG")
    return buffer.getvalue()


def trajectory(
    task: Task, actions: tuple[Action, ...], success: bool | None, pictures: int | None = None
) -> Trajectory:
    steps = len(actions)
    return Trajectory(
        id=f"w1/1/{task.id}",
        task=task,
        lane="eval",
        temperature=0.0,
        features={},
        code=np.zeros((steps, 1), np.int32),
        log_mu=np.zeros(steps, np.float32),
        log_pi=np.zeros(steps, np.float32),
        version=np.ones((steps, 2), np.int32),
        invalid=np.zeros(steps, np.bool_),
        repeats=np.zeros(steps, np.int32),
        seconds=np.ones(steps + 1, np.float32),
        screens=np.arange(steps + 1, dtype=np.uint32),
        actions=actions,
        end=End("finish"),
        verdict=Verdict(success, "because"),
        pictures=(picture(),) * (steps + 1 if pictures is None else pictures),
    )


OUTCOMES = {True: Outcome.SUCCESS, False: Outcome.STUCK, None: Outcome.UNJUDGED}


def evaluation(family_outcomes: dict[str, list[bool | None]]) -> EvalResult:
    return EvalResult(
        tuple(
            EvalEpisode(f"{family}-{number}", family, OUTCOMES[outcome], "finish", claim=True)
            for family, outcomes in family_outcomes.items()
            for number, outcome in enumerate(outcomes)
        ),
        Version(1, 9),
    )


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return RunDirectory.create(tmp_path / "mine", {"fleet": "sim:16", "learner": {"trace": {"decay": 0.95}}})


def fill(run: RunDirectory, instruction: str = "Set an alarm for 7:30") -> None:
    """Everything that a report can show, with `instruction` wherever text from outside can stand."""
    writer = MetricsWriter(run, 1, tensorboard=False)
    for step in range(5):
        writer.write(step, FIGURES)
    writer.close()
    before = evaluation({"alarm": [True, False, False, False], instruction: [False, None]})
    after = evaluation({"alarm": [True] * 4, instruction: [True, True]})
    run.write_result(RunResult(200, 50, 4.0, before, after, Machine.here(), {instruction: 3.0}).to_json())
    store = EpisodeStore(run.episodes)
    for number, family in enumerate(("alarm", "cart", "zoom", "message")):
        task = Task(id=f"{family}-{number}", family=family, instruction=instruction)
        for phase, actions in (
            ("before", (Tap(0.25, 0.5), Swipe(0.5, 0.8, 0.5, 0.2), TypeText(instruction))),
            ("after", (LongPress(0.1, 0.9), Finish(True, instruction))),
        ):
            played = trajectory(task, actions, phase == "after")
            played = replace(played, verdict=Verdict(phase == "after", instruction))
            store.save(played, phase=phase, pinned=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    """A run with nothing missing, its report written."""
    run = RunDirectory.create(tmp_path_factory.mktemp("runs") / "mine", {"fleet": "sim:16"})
    fill(run)
    write_report(run)
    return run


@pytest.fixture(scope="module")
def page(whole: RunDirectory) -> Page:
    return Page(whole.report.read_text(encoding="utf-8"))


def parsed(run: RunDirectory) -> Page:
    return Page(write_report(run).read_text(encoding="utf-8"))


def test_the_page_tells_what_training_achieved(page: Page) -> None:
    assert "0.20 → 1.00" in page.text
    assert "95 %: [0.04, 0.62] → [0.61, 1.00], n = 6" in page.text
    assert "1 episodes were aborted or unjudged" in page.text
    assert "200 trajectories 50 a minute" in page.text
    assert "4.0 minutes of training 50 updates" in page.text
    assert f"{Machine.here().cores} cores" in page.text
    assert "Missing" not in page.text


def test_families_stand_in_a_table_with_their_intervals(page: Page) -> None:
    text = page.text

    assert "alarm 0.25 [0.05, 0.70] 1/4 1.00 [0.51, 1.00] 4/4 +0.75 [+0.09, +0.95]" in text
    assert "all 0.20 [0.04, 0.62] 1/5 1.00 [0.61, 1.00] 6/6" in text


def test_how_episodes_failed_and_what_else_was_measured_is_shown(page: Page) -> None:
    text = page.text

    assert "how it ended before after share success 1 6 stuck 4 0 unjudged 1 0" in text
    assert len(page.having("svg", class_="bars")) == 3
    assert "the same tasks: change +0.80 [+0.40, +1.00], won 4, lost 0, tied 1, p = 0.12, n = 5" in text
    assert "false completes 4 0" in text
    assert "episodes with side effects 0 0" in text
    assert "[0.04, 0.62] Wilson [0.61, 1.00] Wilson" in text
    assert "bootstrap over tasks" in text


def test_every_figure_has_its_curve_and_no_two_elements_share_an_id(page: Page) -> None:
    labels = [found["aria-label"] for found in page.having("svg", role="img")]
    assert len(labels) == 6
    assert "Success over trajectories" in labels
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))


def test_references_inside_a_curve_find_their_target(whole: RunDirectory) -> None:
    content = whole.report.read_text()

    ids = set(re.findall(r'\bid="([^"]+)"', content))
    used = set(re.findall(r'(?:xlink:href="|url\()#([^")]+)', content))
    assert used
    assert used <= ids


def test_three_tasks_of_different_families_are_shown_before_and_after(page: Page) -> None:
    assert len(page.having("article", class_="pair")) == 3
    assert [about for about in ("alarm-0", "cart-1", "message-3", "zoom-2") if about in page.text] == [
        "alarm-0",
        "cart-1",
        "message-3",
    ]
    # Four pictures before (three actions and the end), three after.
    assert len(page.having("img")) == 3 * (4 + 3)
    assert len(page.having("span", class_="badge good")) == 3
    assert len(page.having("span", class_="badge bad")) == 3


def test_taps_are_marked_at_their_place(page: Page) -> None:
    assert len(page.having("circle", cx="25.0%", cy="50.0%")) == 3
    assert len(page.having("line", x1="50.0%", y1="80.0%", x2="50.0%", y2="20.0%")) == 3
    assert len(page.having("circle", cx="10.0%", cy="90.0%")) == 6


def test_without_scripts_the_last_screen_of_each_phone_is_shown(page: Page) -> None:
    assert len(page.having("div", class_="frame shown")) == 6
    assert len(page.having("div", class_="control", hidden="")) == 0
    assert all("hidden" in found for found in page.having("div", class_="control"))
    assert page.text.count("End: the agent finished; Set an alarm for 7:30") == 6


def test_the_page_is_one_file_and_refers_to_nothing_outside(whole: RunDirectory, page: Page) -> None:
    for name, attributes in page.elements:
        assert name not in ("link", "iframe", "object", "embed", "base", "form", "a")
        for attribute, value in attributes.items():
            if attribute in ("src", "href", "xlink:href", "srcset", "action", "poster", "data"):
                assert str(value).startswith(("data:image/", "#"))
            if attribute == "style":
                assert "url(" not in str(value) or "url(#" in str(value)
            assert not attribute.startswith("on")
    style = next(iter(re.findall(r"<style>(.*?)</style>", whole.report.read_text(), re.DOTALL)))
    assert "url(" not in style
    assert "@import" not in style


def test_only_the_pages_own_script_may_run(whole: RunDirectory, page: Page) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", whole.report.read_text(), re.DOTALL)
    assert len(scripts) == 1
    policy = str(page.having("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"])
    hashed = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert policy == f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'"


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "mine", {"fleet": HOSTILE, HOSTILE: {HOSTILE: HOSTILE}})
    fill(run, instruction=HOSTILE)

    page = parsed(run)

    assert len(page.having("script")) == 1
    assert all(str(found["src"]).startswith("data:image/") for found in page.having("img"))
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert "<script>alert(1)</script>" in page.text
    assert "\x1b" not in run.report.read_text()


def test_an_empty_run_still_renders_and_says_what_is_missing(run: RunDirectory) -> None:
    page = parsed(run)

    for words in (
        "the run has no result yet",
        "no figures were recorded for success, trajectories per minute, policy lag, entropy, loss, buffer",
        "the held-out tasks were not played, neither before nor after",
        "no held-out task was recorded",
        "the run did not note its machine",
    ):
        assert f"Missing: {words}" in page.text
    assert "learner.trace.decay 0.95" in page.text


def test_a_run_without_the_evaluation_before_says_so(run: RunDirectory) -> None:
    run.write_result(RunResult(10, 2, 0.5, None, evaluation({"alarm": [True, False]})).to_json())

    text = parsed(run).text

    assert "Missing: the held-out tasks were not played before training." in text
    assert "0.50 success on held-out tasks 95 %: [0.09, 0.91], n = 2" in text


def test_an_evaluation_that_nobody_judged_is_no_zero(run: RunDirectory) -> None:
    nothing = evaluation({"alarm": [None, None]})
    run.write_result(RunResult(10, 2, 0.0, nothing, nothing).to_json())

    text = parsed(run).text

    assert "– → – success on held-out tasks" in text
    assert "0.00 [" not in text


@pytest.mark.parametrize("broken", ["result.json", "metrics.csv"])
def test_a_broken_file_is_named_in_the_page(run: RunDirectory, broken: str) -> None:
    fill(run)
    (run.path / broken).write_text("{broken\n")

    text = parsed(run).text

    assert "Missing: the " in text
    assert broken in text


def test_an_episode_that_cannot_be_read_does_not_hide_the_others(run: RunDirectory) -> None:
    fill(run)
    store = EpisodeStore(run.episodes)
    (run.episodes / store.keys[0] / "episode.json").write_text("torn")
    (run.episodes / store.keys[2] / "001.png").write_bytes(b"\x89PNG\r\n\x1a\ntorn")
    (run.episodes / store.keys[3] / "002.png").unlink()

    page = parsed(run)

    assert len(page.having("article", class_="pair")) == 3
    assert store.keys[0] in page.text
    assert "opening a picture" in page.text
    assert "002.png" in page.text


def test_a_task_that_was_recorded_once_is_shown_beside_a_gap(run: RunDirectory) -> None:
    store = EpisodeStore(run.episodes)
    task = Task(id="alarm-1", family="alarm", instruction="Set an alarm")
    store.save(trajectory(task, (Tap(0.5, 0.5),), None, pictures=0), phase="after", pinned=True)

    text = parsed(run).text

    assert "Missing: not recorded before training." in text
    assert "after unjudged" in text
    assert "no picture was kept" in text


def test_text_is_escaped_unless_it_is_markup() -> None:
    assert tag("p", "a < b", Html("<b>c</b>"), title='"x"') == '<p title="&quot;x&quot;">a &lt; b<b>c</b></p>'
    assert escape("line\x00\x07") == "line\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Tap(0.25, 0.5), "tap at 0.25, 0.50"),
        (LongPress(0.25, 0.5), "long press at 0.25, 0.50"),
        (Swipe(0.5, 0.8, 0.5, 0.2), "swipe up"),
        (Swipe(0.5, 0.2, 0.5, 0.8), "swipe down"),
        (Swipe(0.2, 0.5, 0.8, 0.6), "swipe right"),
        (Swipe(0.8, 0.5, 0.2, 0.6), "swipe left"),
        (TypeText("hi"), "type “hi”"),
        (Press(Key.BACK), "press BACK"),
        (OpenApp("Clock"), "open Clock"),
        (Wait(1.5), "wait 1.5 s"),
        (Finish(True), "finish: claims success"),
        (Finish(False, "none"), "finish: gives up, answer “none”"),
    ],
)
def test_every_action_has_words(action: Action, words: str) -> None:
    assert describe(action) == words


def test_large_pictures_are_made_small_and_small_ones_are_left_alone() -> None:
    small = picture(27, 60)

    assert shrink(small) == ("png", small, 27, 60)
    kind, content, width, height = shrink(picture(1080, 2400))
    assert (kind, width, height) == ("jpeg", WIDTH, round(2400 * WIDTH / 1080))
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (width, height)


def test_a_picture_that_would_fill_the_memory_is_not_opened() -> None:
    buffer = io.BytesIO()
    Image.new("1", (8_000, 8_000)).save(buffer, format="PNG")

    with pytest.raises(StorageError, match="8000 × 8000 is not opened"):
        shrink(buffer.getvalue())
