"""`Trainer.fit` and `Trainer.evaluate`: the one place that wires learner, fleet, tasks and run directory together."""

from __future__ import annotations

import contextlib
import inspect
import signal
import tempfile
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from types import FrameType
from typing import Any

import lightning
import torch

from distrl_sdk.config import CollectConfig, LearnerConfig, NetworkConfig, RunConfig
from distrl_sdk.episodes.demonstrations import recorded
from distrl_sdk.errors import ConfigError, RunError, StorageError, UsageError, choices
from distrl_sdk.evaluate.report import write_report
from distrl_sdk.evaluate.result import EvalResult, RunResult
from distrl_sdk.examination import Origin, Plan, examine
from distrl_sdk.fleet import Fleet
from distrl_sdk.interfaces import TaskSet
from distrl_sdk.learner.exam import check_attempts
from distrl_sdk.matching import need_playable, playable
from distrl_sdk.plugins import check_name
from distrl_sdk.progress import Progress
from distrl_sdk.rundir import RunDirectory
from distrl_sdk.session import Session, Setting
from distrl_sdk.tasks.chosen import checked, chosen, held_out
from distrl_sdk.tasks.curriculum import spread
from distrl_sdk.training import Training


class Trainer:
    """Trains a learner on a fleet.

    Settings of RunConfig may be given by name (`Trainer(max_trajectories=200)`), and so may lightning.Trainer's own
    arguments. After `fit`, `run` is the run directory.
    """

    def __init__(
        self,
        config: RunConfig | None = None,
        *,
        collect: CollectConfig | None = None,
        network: NetworkConfig | None = None,
        run_dir: str | Path | None = None,
        name: str = "run",
        **options: Any,
    ) -> None:
        own = {field.name for field in fields(RunConfig)}
        for_lightning = set(inspect.signature(lightning.Trainer.__init__).parameters) - {"self"}
        if unknown := sorted(set(options) - own - for_lightning):
            raise ConfigError(f"unknown argument {unknown[0]!r}: {choices(unknown[0], own | for_lightning)}")
        given = {key: value for key, value in options.items() if key in own}
        self.config = replace(config or RunConfig(), **given)
        self.collect = collect or CollectConfig()
        self.network = network or NetworkConfig()
        self.run: RunDirectory | None = None
        self._run_dir = run_dir
        self._name = name
        self._lightning = {key: value for key, value in options.items() if key not in own}
        self._last: tuple[Any, Fleet] | None = None

    def fit(
        self, learner: Any, fleet: Fleet | str | None = None, tasks: str | None = None, resume: str | Path | None = None
    ) -> RunResult:
        """Train until a limit is reached; evaluate before and after; write the report.

        `learner` plays the Learner role; `resume` is the run directory to go on with. Raises UsageError for what
        cannot be, before anything is started; KeyboardInterrupt after Ctrl-C, when everything has been put away.
        """
        fleet = fleet if isinstance(fleet, Fleet) else Fleet(fleet or self.config.fleet)
        self.config = replace(self.config, fleet=fleet.spec, tasks=tasks or self.config.tasks)
        train, tested = chosen(self.config)
        shown = recorded(self.config, tested)
        check_name("judge", self.config.judge)
        fleet.addresses()
        self._last = (learner, fleet)
        self.run = run = self._open_run(learner, resume)
        incarnation = run.start()
        try:
            with contextlib.ExitStack() as stack:
                stack.callback(run.release)
                stack.enter_context(_one_thread())
                progress = stack.enter_context(Progress())
                progress.event(f"run {run.path}")
                setting = self._setting(learner, fleet, train, run.workers, run.path.name, incarnation)
                setting = replace(setting, recorded=shown)
                training = stack.enter_context(Training(setting, run, progress, self._lightning))
                stack.enter_context(_interruptible(training.session))
                result = training.go(tested)
        except BaseException:
            if run.result.exists():
                with contextlib.suppress(StorageError):  # why the run ended is what has to be told
                    write_report(run)
            raise
        write_report(run)
        return result

    def evaluate(
        self,
        tasks: str | None = None,
        learner: Any = None,
        fleet: Fleet | str | None = None,
        *,
        episodes: int | None = None,
        attempts: int = 1,
        temperature: float = 0.0,
        seed: int | None = None,
        only: Collection[str] | None = None,
        run: RunDirectory | None = None,
    ) -> EvalResult:
        """Play held-out tasks, greedily unless given a temperature. Learner and fleet are those of the last `fit`.

        `episodes`: how many tasks, the families in turn; `only`: the ids of the tasks instead. Each is played
        `attempts` times. `seed`: every attempt's own seed follows from it; the run's by default. `run`: where the
        learner comes from, for the card. Raises UsageError for what cannot be.
        """
        if self._last is None and (learner is None or fleet is None):
            raise UsageError("evaluate needs a learner and a fleet, or a fit before it")
        run = self.run if run is None and learner is None else run
        learner = learner if learner is not None else self._last[0] if self._last else None
        chosen = fleet if fleet is not None else self._last[1] if self._last else ""
        fleet = chosen if isinstance(chosen, Fleet) else Fleet(chosen)
        name = tasks or held_out(self.config)
        count = self.config.eval_episodes if episodes is None else episodes
        if name is None or count < 1:
            raise UsageError("evaluate has nothing to play: give it a task set, and eval_episodes above 0")
        tested = checked(name, self.config.judge)
        check_attempts(attempts, temperature)
        origin = Origin(str(run.path.resolve()), run.config) if run is not None else Origin("", self._settings(learner))
        with self._playing(learner, fleet, tested) as (session, setting):
            possible = playable(tested.tasks, session.slots())
            picked = spread(possible, count) if only is None else [task for task in possible if task.id in only]
            seed = self.config.seed if seed is None else seed
            if attempts > 1 and temperature == 0:
                session.progress.event("attempts at temperature 0 differ on phones that do, never on simulated ones")
            return examine(session, setting, Plan(tested.name, picked, attempts, temperature, seed), origin)[0]

    @contextlib.contextmanager
    def _playing(self, learner: Any, fleet: Fleet, tasks: TaskSet) -> Iterator[tuple[Session, Setting]]:
        """A session of its own, with the learner's weights published and phones that can play some of the tasks."""
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="distrl-eval-")))
            stack.enter_context(_one_thread())
            progress = stack.enter_context(Progress())
            setting = self._setting(learner, fleet, tasks, folder, "evaluation", 1)
            session = stack.enter_context(Session(setting, progress))
            stack.enter_context(_interruptible(session))
            session.publisher.publish()
            need_playable(tasks, session.wait_for_slots(tasks.tasks))
            yield session, setting

    def _setting(self, learner: Any, fleet: Fleet, tasks: TaskSet, folder: Path, run: str, incarnation: int) -> Setting:
        return Setting(learner, fleet, tasks, self.config, self.collect, self.network, folder, run, incarnation)

    def _open_run(self, learner: Any, resume: str | Path | None) -> RunDirectory:
        settings = self._settings(learner)
        if resume is None:
            return RunDirectory.create(self._run_dir, settings, self._name)
        run = RunDirectory.open(resume)
        for key in ("tasks", "algorithm", "policy", "policy_options"):
            if run.config.get(key) != settings[key]:
                raise RunError(
                    f"{run.path} was trained with {key} {run.config.get(key)!r}, not {settings[key]!r}: "
                    "resume it with the same, or start a new run"
                )
        return run

    def _settings(self, learner: Any) -> dict[str, Any]:
        return {
            **_plain(asdict(self.config)),
            "algorithm": learner.algorithm,
            "policy": learner.policy_name,
            "policy_options": _plain(learner.policy_options),
            "learner": _plain(asdict(learner.config)) if isinstance(learner.config, LearnerConfig) else {},
            "collect": _plain(asdict(self.collect)),
            "network": _plain(asdict(self.network)),
        }


@contextlib.contextmanager
def _interruptible(session: Session) -> Iterator[None]:
    """Ctrl-C ends the session in order, a second one at once; SIGTERM is one that exits with 143.

    Lightning would exit the process instead.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    terminated = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal terminated
        terminated = terminated or number == signal.SIGTERM
        before, session.interrupted = session.interrupted, True
        if before or session.at_once:
            signal.default_int_handler(number, frame)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        if terminated:
            raise SystemExit(128 + signal.SIGTERM) from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """One torch thread while learner and workers share the cores: two that wait for each other are slower than one."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    return value
