"""The verb that trains: `distrl train`. Wrong names are told before anything is started."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from jsonargparse import ArgumentParser

from distrl_sdk.cli_settings import leaves, make_parser, parse, told
from distrl_sdk.config import CollectConfig, LearnerConfig, NetworkConfig, RunConfig
from distrl_sdk.episodes.demonstrations import recorded
from distrl_sdk.errors import UsageError
from distrl_sdk.fleet import Fleet, Launcher
from distrl_sdk.plugins import check_name, learner_defaults, make_judge, make_learner
from distrl_sdk.rundir import RunDirectory
from distrl_sdk.tasks.chosen import chosen


@dataclass(frozen=True)
class Settings:
    """All that `distrl train` was told; a resumed run has told it before."""

    run: RunConfig
    learner: LearnerConfig
    collect: CollectConfig
    network: NetworkConfig
    launcher: Launcher = "local"
    name: str = "run"
    run_dir: str | None = None
    resume: str | None = None
    dry_run: bool = False


def train(arguments: Sequence[str]) -> int:
    """Train, measure before and after, write the report."""
    settings = read(arguments)
    fleet = Fleet(settings.run.fleet, launcher=settings.launcher)
    check(settings.run, fleet)
    recorded(settings.run, chosen(settings.run)[1])
    check_network(settings.network, fleet)
    learner = make(settings)
    if settings.dry_run:
        sys.stdout.write(f"would train {settings.run.policy} on {settings.run.fleet}, tasks {settings.run.tasks}\n")
        return 0
    from distrl_sdk.trainer import Trainer

    trainer = Trainer(
        settings.run,
        collect=settings.collect,
        network=settings.network,
        run_dir=settings.run_dir,
        name=settings.name,
    )
    result = trainer.fit(learner, fleet, resume=settings.resume)
    sys.stdout.write(f"{result}\n")
    if trainer.run is not None:
        sys.stdout.write(f"report: {trainer.run.report}\n")
    return 0


def read(arguments: Sequence[str]) -> Settings:
    """The settings out of options, YAML, and the run that is resumed. Raises ConfigError, RunError."""
    if resumed := told(arguments, "resume"):
        arguments = [*as_before(RunDirectory.open(resumed)), *arguments]
    parsed = parse(_parser(told(arguments, "algorithm")), arguments)
    run = RunConfig(**{field.name: parsed[field.name] for field in fields(RunConfig)})
    return Settings(run, **{field.name: parsed[field.name] for field in fields(Settings) if field.name != "run"})


def check(run: RunConfig, fleet: Fleet) -> None:
    """Raise UsageError for a name that means nothing, or a judge that cannot be made. Loads no torch."""
    if fleet.launcher == "local":
        fleet.addresses()
    check_name("learner", run.algorithm)
    check_name("policy", run.policy)
    make_judge(run.judge, run.judge_options).close()


def check_network(network: NetworkConfig, fleet: Fleet) -> None:
    """Raise UsageError for a learner that no worker could reach, or that would have to trust anybody unasked."""
    if fleet.launcher == "none" and not network.listen:
        raise UsageError("with --launcher none workers need a place to come to: --network.listen tcp://HOST:PORT")
    if network.listen and not network.keys and not network.insecure:
        raise UsageError(
            "--network.listen needs keys: make them with `distrl keys` and give --network.keys FOLDER; "
            "--network.insecure true does without, and lets anybody in who reaches the port"
        )
    if network.listen and not network.listen.startswith("tcp://"):
        raise UsageError(f"--network.listen {network.listen}: it must be tcp://HOST:PORT, such as tcp://0.0.0.0:5555")
    if network.listen and network.keys and not network.insecure:
        from distrl_sdk.wire.keys import load_server_keys

        load_server_keys(Path(network.keys))


def as_before(run: RunDirectory) -> list[str]:
    """The arguments that say again what a run was told."""
    return ["--config", str(run.path / "config.yaml")]


def make(settings: Settings) -> Any:
    """The learner, untrained. Raises UsageError for a policy that cannot be made so."""
    import torch

    run = settings.run
    torch.manual_seed(run.seed)
    return make_learner(run.algorithm, run.policy, config=settings.learner, policy_options=run.policy_options)


def _parser(algorithm: str) -> ArgumentParser:
    """Its defaults are those of the algorithm; '' is the usual one."""
    parser = make_parser("train", "Train an agent on a fleet of phones. Every option may stand in a YAML file.")
    parser.add_argument("--config", action="config", help="a YAML file, as --print_config prints one")
    parser.add_argument("--name", type=str, default="run", help="the run goes to runs/NAME-DATE-N")
    parser.add_argument("--run_dir", type=str, default=None, help="a new folder for the run, instead of that")
    parser.add_argument("--resume", type=str, default=None, help="the folder of a run to go on with, as it was set")
    parser.add_argument("--dry_run", action="store_true", help="check every name and option, and stop")
    parser.add_argument(
        "--launcher", type=Literal["local", "none"], default="local", help="none: workers come from elsewhere"
    )
    parser.add_class_arguments(RunConfig, None)
    parser.add_class_arguments(LearnerConfig, "learner")
    parser.add_class_arguments(CollectConfig, "collect")
    parser.add_class_arguments(NetworkConfig, "network")
    if algorithm not in ("", RunConfig.algorithm):  # the usual one has the usual defaults, and torch is slow to load
        parser.set_defaults(dict(leaves(asdict(learner_defaults(algorithm)), "learner.")))
    return parser
