"""The verbs that train and measure: `distrl train`, `distrl eval`. Wrong names are told before anything is started."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields

from jsonargparse import ArgumentParser

from distrl_sdk.cli_settings import make_parser, parse
from distrl_sdk.config import CollectConfig, LearnerConfig, NetworkConfig, RunConfig
from distrl_sdk.fleet import Fleet
from distrl_sdk.plugins import check_name, task_set


@dataclass(frozen=True)
class Settings:
    """All that `distrl train` was told."""

    run: RunConfig
    learner: LearnerConfig
    collect: CollectConfig
    network: NetworkConfig
    name: str
    run_dir: str
    dry_run: bool


def train(arguments: Sequence[str]) -> int:
    """Train, and measure before and after."""
    settings = read(arguments)
    devices = check(settings.run)
    if settings.dry_run:
        sys.stdout.write(f"would train {settings.run.policy} on {devices} devices, tasks {settings.run.tasks}\n")
        return 0
    return 0


def read(arguments: Sequence[str]) -> Settings:
    """The settings out of options and YAML. Raises ConfigError."""
    parsed = parse(_parser(), arguments)
    run = RunConfig(**{field.name: parsed[field.name] for field in fields(RunConfig)})
    return Settings(run, parsed.learner, parsed.collect, parsed.network, parsed.name, parsed.run_dir, parsed.dry_run)


def check(run: RunConfig) -> int:
    """Raise UsageError for a name that means nothing; returns the number of devices. Loads no torch."""
    devices = len(Fleet(run.fleet).addresses())
    check_name("policy", run.policy)
    check_name("judge", run.judge)
    task_set(run.tasks)
    task_set(run.eval_tasks)
    return devices


def _parser() -> ArgumentParser:
    parser = make_parser("train", "Train an agent on a fleet of phones. Every option may stand in a YAML file.")
    parser.add_argument("--config", action="config", help="a YAML file, as --print_config prints one")
    parser.add_argument("--name", type=str, default="run", help="the run goes to runs/NAME-DATE-N")
    parser.add_argument("--run_dir", type=str, default="", help="a new folder for the run, instead of runs/NAME-DATE-N")
    parser.add_argument("--dry_run", action="store_true", help="check every name and stop")
    parser.add_class_arguments(RunConfig, None)
    parser.add_class_arguments(LearnerConfig, "learner")
    parser.add_class_arguments(CollectConfig, "collect")
    parser.add_class_arguments(NetworkConfig, "network")
    return parser
