"""What distrl-sdk itself offers, as the same kind of plugin that anybody can write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from distrl_sdk.hookspecs import hookimpl
from distrl_sdk.imports import Lazy

Factories = Mapping[str, Callable[..., Any]]


@hookimpl
def distrl_devices() -> Factories:
    """Drawn phones, and devices that a Python class makes."""
    return {"sim": Lazy("distrl_sdk.simphone.source:SimSource"), "python": Lazy("distrl_sdk.fleet:PythonSource")}


@hookimpl
def distrl_judges() -> Factories:
    """Checks of a device's own facts."""
    return {"programmatic": Lazy("distrl_sdk.judge.programmatic:ProgrammaticJudge")}


@hookimpl
def distrl_policies() -> Factories:
    """The small policy that trains on a CPU."""
    return {"compact": Lazy("distrl_sdk.policy.compact:CompactPolicy")}


@hookimpl
def distrl_learners() -> Factories:
    """The off-policy learner of DistRL, and those that it is compared with."""
    return {
        "a-ride": Lazy("distrl_sdk.learner.aride:ARide"),
        "digirl": Lazy("distrl_sdk.learner.baselines:DigiRL"),
        "filtered-bc": Lazy("distrl_sdk.learner.baselines:FilteredCloning"),
        "v-trace": Lazy("distrl_sdk.learner.baselines:VTrace"),
        "grpo": Lazy("distrl_sdk.learner.baselines:Grpo"),
    }


@hookimpl
def distrl_tasks() -> Factories:
    """The tasks of the drawn phones."""
    return {name: Lazy(f"distrl_sdk.simphone.tasks:{name}") for name in ("general", "webshop", "demo")}
