"""The hooks that a plugin may implement: each returns name -> factory, cheap to return, maybe slow to call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pluggy

from distrl_sdk.interfaces import Command, DeviceSource, Judge, TaskSet

GROUP = "distrl_sdk"
"""The entry-point group."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def distrl_devices() -> Mapping[str, Callable[[], DeviceSource]]:  # type: ignore[empty-body]
    """Schemes of fleet specs -> a factory of their source, called without arguments."""


@hookspec
def distrl_judges() -> Mapping[str, Callable[..., Judge]]:  # type: ignore[empty-body]
    """Names of judges -> a factory that takes the judge's options as keywords."""


@hookspec
def distrl_policies() -> Mapping[str, Callable[..., Any]]:  # type: ignore[empty-body]
    """Names of policies -> a factory that takes the policy's options as keywords and returns a Policy."""


@hookspec
def distrl_learners() -> Mapping[str, Callable[..., Any]]:  # type: ignore[empty-body]
    """Names of learners -> a factory that takes `policy` and the learner's options and returns a LightningModule."""


@hookspec
def distrl_tasks() -> Mapping[str, Callable[[str], TaskSet]]:  # type: ignore[empty-body]
    """Names of task sets -> a factory that takes the split (what stands after '/')."""


@hookspec
def distrl_commands() -> Mapping[str, Callable[[], Command]]:  # type: ignore[empty-body]
    """Verbs of the command line, of one word or two ('record', 'devices enroll') -> a factory without arguments."""
