"""The curves of a run as pictures inside the page: one SVG a panel, in the page's own text colour."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from distrl_sdk.evaluate.markup import Html, join, missing, tag
from distrl_sdk.evaluate.metrics import Series
from distrl_sdk.evaluate.result import EvalResult, RunResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#010203"
"""Drawn where the page's text colour is to be; replaced in the SVG."""
COLOURS = ("#2f81f7", "#e3823a", "#2da44e", "#a371f7", "#d4a72c", "#e5534b", "#39c5cf", "#8b949e")
"""Told apart on light and on dark ground."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: the figures whose names are `figure` or begin with it and '/'."""

    title: str
    unit: str
    figure: str
    main: str
    """What the figure of exactly that name is called beside the others."""
    share: bool = False
    """The axis runs from 0 to 1."""


PANELS = (
    Panel("Success", "share of episodes", "success", "training, last 100", share=True),
    Panel("Trajectories per minute", "episodes / min", "trajectories_per_minute", "lately"),
    Panel("Policy lag", "versions behind", "policy_lag", "mean"),
    Panel("Entropy", "nats", "entropy", "mean"),
    Panel("Loss", "", "loss", "total"),
    Panel("Buffer", "episodes", "buffer", "replay"),
)


def draw_curves(metrics: Mapping[str, Series], result: RunResult | None) -> Html:
    """Every panel that has figures, and one line that names those that have none."""
    drawn, empty = [], []
    for number, panel in enumerate(PANELS):
        lines = {name: line for name, line in metrics.items() if _belongs(name, panel.figure) and line.value}
        if lines:
            drawn.append(tag("figure", _draw(panel, lines, result, f"c{number}-"), class_="curve"))
        else:
            empty.append(panel.title.lower())
    note = missing(f"Missing: no figures were recorded for {', '.join(empty)}.") if empty else Html("")
    return join([tag("div", *drawn, class_="curves") if drawn else Html(""), note])


def _belongs(name: str, figure: str) -> bool:
    return name == figure or name.startswith(f"{figure}/")


def _draw(panel: Panel, lines: Mapping[str, Series], result: RunResult | None, prefix: str) -> Html:
    # Here, because matplotlib takes half a second to load and most who import the report only name it.
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": prefix,
            "text.parse_math": False,
            "text.color": INK,
            "axes.edgecolor": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "font.size": 9,
            "axes.titlesize": 10,
        }
    ):
        figure = Figure(figsize=(4.6, 2.7))
        # A layout engine would draw everything twice.
        axes = figure.add_axes((0.13, 0.17, 0.85, 0.71))
        for colour, (name, line) in zip(_colours(len(lines)), lines.items(), strict=True):
            axes.plot(line.step, line.value, color=colour, linewidth=1.6, label=_label(name, panel))
        if panel.share:
            _draw_evaluations(axes, lines, result)
        _dress(axes, panel)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _inline(buffer.getvalue(), prefix, f"{panel.title} over trajectories")


def _colours(count: int) -> list[str]:
    return [COLOURS[number % len(COLOURS)] for number in range(count)]


def _label(name: str, panel: Panel) -> str:
    return panel.main if name == panel.figure else name.removeprefix(f"{panel.figure}/").replace("_", " ")


def _draw_evaluations(axes: Axes, lines: Mapping[str, Series], result: RunResult | None) -> None:
    """The held-out successes with their intervals, at the start and at the end."""
    if result is None:
        return
    end = max(max(line.step) for line in lines.values())
    evaluations: Sequence[tuple[float, EvalResult | None]] = ((0, result.before), (end, result.after))
    label = "held-out, 95 %"
    for at, evaluation in evaluations:
        if evaluation and evaluation.n:
            low, high = evaluation.interval
            error = [[evaluation.success - low], [high - evaluation.success]]
            axes.errorbar(at, evaluation.success, error, fmt="o", color=INK, capsize=3, markersize=4, label=label)
            label = ""


def _dress(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title, loc="left", fontweight="bold")
    axes.set_xlabel("trajectories")
    axes.set_ylabel(panel.unit)
    axes.grid(alpha=0.2, color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    if panel.share:
        axes.set_ylim(-0.02, 1.02)
    handles, _ = axes.get_legend_handles_labels()
    if len(handles) > 1:
        axes.legend(frameon=False, fontsize=8, ncols=2 if len(handles) > 4 else 1)


def _inline(svg: str, prefix: str, title: str) -> Html:
    """An SVG file as an element: no prologue, ids of its own, the page's text colour."""
    element = svg[svg.index("<svg") :]
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r'\bid="', f'id="{prefix}', element)
    element = re.sub(r'(xlink:href="|url\()#', rf"\g<1>#{prefix}", element)
    element = element.replace(INK, "currentColor")
    return Html(element.replace("<svg", f'<svg role="img" aria-label="{title}"', 1))
