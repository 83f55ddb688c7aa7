"""The verbs that measure: `distrl eval` plays tasks and writes a card, `distrl compare` reads two of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jsonargparse import ArgumentParser, Namespace

from distrl_sdk.cli_run import as_before, check, make, read
from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.errors import RunError, UsageError
from distrl_sdk.evaluate.card import Card
from distrl_sdk.evaluate.comparison import compare, need_same_tasks
from distrl_sdk.evaluate.result import EvalResult
from distrl_sdk.evaluate.stored import free_name, read_evaluation, write_evaluation
from distrl_sdk.fleet import Fleet
from distrl_sdk.learner.exam import check_attempts
from distrl_sdk.rundir import RunDirectory

SHOWN = 20
"""Tasks of another outcome that are named."""


def evaluate(arguments: Sequence[str]) -> int:
    """Play a task set with the newest checkpoint of a run; print the figures and write them down with their card."""
    parsed = parse(_parser(), arguments)
    if parsed.rerun is not None:
        return _rerun(parsed)
    if parsed.run is None:
        raise UsageError("distrl eval needs a run: give its folder, such as runs/NAME")
    check_attempts(parsed.attempts, parsed.temperature)
    run = RunDirectory.open(parsed.run)
    chosen = {"attempts": parsed.attempts, "temperature": parsed.temperature, "seed": parsed.seed}
    result = _play(run, parsed.tasks, parsed.fleet, parsed.episodes, chosen)
    sys.stdout.write(f"{result.table()}\n")
    _write(
        result, Path(parsed.output) if parsed.output else free_name(run.path, result.card.tasks if result.card else "")
    )
    return 0


def compare_two(arguments: Sequence[str]) -> int:
    """Print what the second evaluation solves that the first does not, and the other way round."""
    parser = make_parser("compare", "Compare two evaluations of the same tasks.", "FIRST SECOND")
    for name in ("first", "second"):
        parser.add_argument(
            name, type=str, help="a file that `distrl eval` wrote, or a run's folder: its last evaluation"
        )
    parsed = parse(parser, arguments)
    first, second = read_evaluation(parsed.first), read_evaluation(parsed.second)
    need_same_tasks(first, second, (parsed.first, parsed.second))
    sys.stdout.write(f"{compare(first, second).table()}\n")
    return 0


def _rerun(parsed: Namespace) -> int:
    """Play again what a card says, and name what is unlike it; 0 when every outcome is the same, else 1."""
    old = read_evaluation(parsed.rerun)
    card = old.card
    if card is None:
        raise RunError(f"{parsed.rerun} has no card: it does not say what was played")
    _refuse_beside_rerun(parsed)
    if parsed.run is None and not (card.run and Path(card.run).exists()):
        said = f"the run {card.run}, which is not there" if card.run else "no run"
        raise RunError(f"{parsed.rerun} names {said}: give its folder, distrl eval RUN --rerun {parsed.rerun}")
    run = RunDirectory.open(parsed.run or card.run)
    chosen = {"attempts": card.attempts, "temperature": card.temperature, "seed": card.seed}
    only = {episode.task for episode in old.episodes}
    result = _play(run, card.tasks, parsed.fleet or card.fleet, card.count, {**chosen, "only": only})
    sys.stdout.write(f"{result}\n")
    if parsed.output:
        _write(result, Path(parsed.output))
    return _report(old, card, result)


def _report(old: EvalResult, card: Card, new: EvalResult) -> int:
    for line in new.card.changes(card) if new.card else ():
        sys.stdout.write(f"differs: {line}\n")
    then, now = _outcomes(old), _outcomes(new)
    unlike = [name for name in then | now if then.get(name) != now.get(name)]
    if not unlike:
        sys.stdout.write(f"identical: the outcomes of all {len(now)} episodes\n")
        return 0
    for name in unlike[:SHOWN]:
        sys.stdout.write(
            f"differs: {name}: {now.get(name, 'not played')} now, {then.get(name, 'not played')} on the card\n"
        )
    sys.stdout.write(f"not identical: {len(unlike)} of {len(then | now)} outcomes differ\n")
    return 1


def _outcomes(result: EvalResult) -> dict[str, str]:
    """What came of each episode, by its task and, where there are several, its attempt."""
    several = result.attempts > 1
    return {f"{each.task}{f' attempt {each.attempt}' if several else ''}": each.ending for each in result.episodes}


def _play(
    run: RunDirectory, tasks: str | None, fleet: str | None, episodes: int | None, chosen: dict[str, Any]
) -> EvalResult:
    """The evaluation of a run's newest checkpoint. Loads torch once every name is known to mean something."""
    changed = {"--fleet": fleet, "--eval_tasks": tasks, "--eval_episodes": episodes}
    options = [f"{option}={value}" for option, value in changed.items() if value is not None]
    settings = read([*as_before(run), *options])
    if settings.run.eval_episodes == 0:
        raise UsageError("an evaluation of 0 episodes measures nothing: give --episodes N")
    if settings.run.eval_tasks == "none":
        raise UsageError(f"{run.path} names no held-out tasks: give --tasks, such as general/test")
    phones = Fleet(settings.run.fleet)
    check(settings.run, phones)
    from distrl_sdk import checkpoint
    from distrl_sdk.trainer import Trainer

    place = checkpoint.newest(run.checkpoints)
    if place is None:
        raise RunError(f"{run.path} has no checkpoint yet: go on with `distrl train --resume {run.path}`")
    learner = make(settings)
    learner.load_state_dict(checkpoint.weights(place))
    trainer = Trainer(settings.run, collect=settings.collect)
    return trainer.evaluate(tasks, learner, phones, run=run, **chosen)


def _write(result: EvalResult, file: Path) -> None:
    write_evaluation(file, result)
    sys.stdout.write(f"card: {file}\n")


def _refuse_beside_rerun(parsed: Namespace) -> None:
    """Raise UsageError for an option that the card decides."""
    for option, usual in (("tasks", None), ("episodes", None), ("seed", None), ("attempts", 1), ("temperature", 0.0)):
        if parsed[option] != usual:
            raise UsageError(f"--{option} stands on the card that --rerun plays again: leave it out")


def _parser() -> ArgumentParser:
    parser = make_parser("eval", "Measure the agent of a run on held-out tasks.", "RUN [OPTIONS]")
    parser.add_argument("run", type=str, nargs="?", help="the run's folder, such as runs/NAME")
    parser.add_argument("--tasks", type=str, default=None, help="a task set; the run's own held-out tasks by default")
    parser.add_argument("--fleet", type=str, default=None, help="a fleet spec; the run's own by default")
    parser.add_argument("--episodes", type=int, default=None, help="how many tasks; as in the run by default")
    parser.add_argument("--attempts", type=int, default=1, help="how often each task is played; for pass@k")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 takes the likeliest action, always")
    parser.add_argument("--seed", type=int, default=None, help="of what is drawn by chance; the run's by default")
    parser.add_argument("--output", type=str, default=None, help="the file; RUN/eval-TASKS-DATE.json by default")
    parser.add_argument("--rerun", type=str, default=None, help="a card: play the same again and say what differs")
    return parser
