"""report.html of a run: one file that opens from a disk, fetches nothing, and says what it lacks.

Instructions, answers, reasons and ids come from other machines, so all text is escaped by construction (markup.py), and
a Content-Security-Policy lets nothing run but the page's own script.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from pathlib import Path

from distrl_sdk.episodes.record import EpisodeStore
from distrl_sdk.errors import DistrlError, StorageError, blame
from distrl_sdk.evaluate import tables
from distrl_sdk.evaluate.animation import draw_pairs, find_pairs
from distrl_sdk.evaluate.comparison import compare
from distrl_sdk.evaluate.curves import draw_curves
from distrl_sdk.evaluate.markup import Html, join, missing, section, tag
from distrl_sdk.evaluate.metrics import Series, read_metrics
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.rundir import FORMAT, RunDirectory, write_whole


def write_report(run: RunDirectory) -> Path:
    """Write the run's report.html from what its directory holds at this moment; returns its path.

    Whatever part is missing or broken is named in the page. Raises StorageError when the page cannot be written.
    """
    page = render_report(run)
    with blame(StorageError, f"writing {run.report}"):
        write_whole(run.report, page)
    return run.report


def render_report(run: RunDirectory) -> Html:
    """The page as text."""
    result, notes = _result(run)
    metrics, more = _metrics(run)
    body = join(
        [
            tag("header", tag("h1", run.path.name), tag("p", _about(run), class_="about")),
            *(missing(note) for note in notes + more),
            _headline(result),
            section("Curves", draw_curves(metrics, result)),
            section("Success by family", tables.families(*_evaluations(result)), tables.measures(result)),
            section("The same tasks before and after", _animations(run)),
            section("How episodes ended", tag("div", tables.endings(result), tables.counts(result), class_="columns")),
            section("Configuration", tag("details", tag("summary", "every setting"), tables.settings(run.config))),
            section("Machine and versions", tables.versions(result.machine if result else None, FORMAT)),
        ]
    )
    return _page(f"{run.path.name}: distrl-sdk report", body)


def _result(run: RunDirectory) -> tuple[RunResult | None, list[str]]:
    try:
        plain = run.read_result()
        return (RunResult.from_json(plain), []) if plain else (None, ["Missing: the run has no result yet."])
    except DistrlError as error:
        return None, [f"Missing: the result cannot be read: {error}"]


def _metrics(run: RunDirectory) -> tuple[dict[str, Series], list[str]]:
    try:
        return read_metrics(run.metrics), []
    except StorageError as error:
        return {}, [f"Missing: the figures cannot be read: {error}"]


def _evaluations(result: RunResult | None) -> tuple[EvalResult | None, EvalResult | None]:
    return (result.before, result.after) if result else (None, None)


def _about(run: RunDirectory) -> str:
    named = [f"{name} {run.config[name]}" for name in ("policy", "fleet", "tasks", "judge") if run.config.get(name)]
    collect = run.config.get("collect") or {}
    return " · ".join([*named, *([f"schedule {collect['schedule']}"] if "schedule" in collect else [])])


def _headline(result: RunResult | None) -> Html:
    if result is None:
        return Html("")
    per_minute = result.trajectories / result.minutes if result.minutes > 0 else 0.0
    return tag(
        "div",
        _success_tile(result.before, result.after),
        _tile(f"{result.trajectories:,}", "trajectories", f"{per_minute:.0f} a minute"),
        _tile(f"{result.minutes:.1f}", "minutes of training", f"{result.updates:,} updates"),
        _tile(str(result.machine.cores), "cores", result.machine.cpu) if result.machine else Html(""),
        class_="headline",
    )


def _success_tile(before: EvalResult | None, after: EvalResult | None) -> Html:
    shown = [result for result in (before, after) if result is not None]
    if not shown:
        return tag("div", tag("b", "–"), missing("Missing: success on held-out tasks was not measured."), class_="tile")
    rates = " → ".join(f"{result.success:.2f}" if result.n else "–" for result in shown)
    label = "success on held-out tasks" + (", before → after training" if len(shown) == 2 else "")
    spans = " → ".join(f"[{result.interval.low:.2f}, {result.interval.high:.2f}]" for result in shown)
    lines = [label, f"95 %: {spans}, n = {shown[-1].n}"]
    if before and after and before.n and after.n:
        lines.append(f"the same tasks: {compare(before, after)}")
    unjudged = sum(result.unjudged for result in shown)
    if unjudged:
        lines.append(f"{unjudged} episodes were aborted or unjudged and enter no rate")
    return _tile(rates, *lines, class_="tile wide")


def _tile(figure: str, *lines: str, class_: str = "tile") -> Html:
    return tag("div", tag("b", figure), *(tag("small", line) for line in lines), class_=class_)


def _animations(run: RunDirectory) -> Html:
    try:
        store = EpisodeStore(run.episodes)
        pairs, broken = find_pairs(store)
        choice = "Chosen from the recorded tasks by family and name, never by how they went."
        drawn = join([tag("p", choice, class_="about"), tag("div", draw_pairs(store, pairs), class_="pairs")])
    except StorageError as error:
        return missing(f"Missing: the recorded episodes cannot be read: {error}")
    notes = [missing(f"Missing: {note}") for note in broken]
    if not pairs:
        return join([*notes, missing("Missing: no held-out task was recorded before or after training.")])
    return join([drawn, *notes])


def _page(title: str, body: Html) -> Html:
    style, script = (
        files(__package__).joinpath(name).read_text(encoding="utf-8") for name in ("report.css", "report.js")
    )
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    head = join(
        [
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", http_equiv="Content-Security-Policy", content=policy),
            tag("title", title),
            tag("style", Html(style)),
        ]
    )
    whole = tag("html", tag("head", head), tag("body", tag("main", body), tag("script", Html(script))), lang="en")
    return Html(f"<!DOCTYPE html>\n{whole}\n")
