"""Evaluations in files: the card of `distrl eval`, and those inside a run's result.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from distrl_sdk.errors import RunError, StorageError, UsageError, WireError, blame
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.rundir import write_whole


def read_evaluation(place: str | Path) -> EvalResult:
    """The evaluation in a file; of a run's folder or result.json the last one, after training if there is one.

    Raises RunError for what is none, or of another format.
    """
    path = Path(place)
    file = path / "result.json" if path.is_dir() else path
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        found = _evaluation(plain)
    except (OSError, ValueError, WireError) as error:
        why = getattr(error, "strerror", None) or " ".join(str(error).split())
        raise RunError(
            f"{file} is no result of an evaluation ({why}): give a file that `distrl eval` wrote, or a run's folder"
        ) from error
    except RunError as error:
        raise RunError(f"{file} is {error}") from error
    if found is None:
        raise UsageError(f"{file} holds no evaluation: the run played no held-out tasks; measure it with `distrl eval`")
    return found


def write_evaluation(file: Path, result: EvalResult) -> None:
    """Write the result with its card as a whole. Raises StorageError."""
    with blame(StorageError, f"writing {file}"):
        write_whole(file, json.dumps(result.to_json(), indent=1, allow_nan=False) + "\n")


def free_name(folder: Path, tasks: str) -> Path:
    """eval-TASKS-DATE-TIME.json in the folder, with a number behind it if that is taken."""
    stem = f"eval-{''.join(letter if letter.isalnum() else '-' for letter in tasks)}-{datetime.now(UTC):%Y%m%d-%H%M%S}"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.json" for number in range(1, 1000))
    return next(folder / name for name in names if not (folder / name).exists())


def _evaluation(plain: object) -> EvalResult | None:
    if not isinstance(plain, Mapping):
        raise WireError("it is no mapping")
    if "episodes" in plain:
        return EvalResult.from_json(plain)
    run = RunResult.from_json(plain)
    return run.after or run.before
