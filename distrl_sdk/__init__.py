"""distrl-sdk: train agents to operate phones by asynchronous distributed reinforcement learning.

Records, roles, settings and errors are here at once; what needs torch is imported when it is first used, so that
`import distrl_sdk` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from distrl_sdk.config import (
    CollectConfig,
    LearnerConfig,
    LossConfig,
    NetworkConfig,
    ReplayConfig,
    RunConfig,
    TraceConfig,
)
from distrl_sdk.errors import (
    ConfigError,
    DeviceError,
    DistrlError,
    JudgeError,
    PluginError,
    RunError,
    StorageError,
    UsageError,
    WireError,
)
from distrl_sdk.hookspecs import hookimpl
from distrl_sdk.imports import Lazy
from distrl_sdk.interfaces import (
    Command,
    Device,
    DeviceSource,
    Finding,
    Judge,
    Policy,
    Score,
    Snapshots,
    StateFacts,
    TaskSet,
    Varies,
)
from distrl_sdk.types import (
    Action,
    Box,
    Code,
    Decision,
    Demonstration,
    DeviceAbout,
    End,
    Features,
    Finish,
    Json,
    JudgeRequest,
    Key,
    LongPress,
    Moment,
    Observation,
    OpenApp,
    Press,
    Screenshot,
    Step,
    Swipe,
    Tap,
    Task,
    Trajectory,
    TypeText,
    UiElement,
    Verdict,
    Version,
    Wait,
)

if TYPE_CHECKING:
    from distrl_sdk.fleet import Fleet
    from distrl_sdk.learner.aride import ARide
    from distrl_sdk.learner.baselines import DigiRL, FilteredCloning, Grpo, VTrace
    from distrl_sdk.learner.role import Learner
    from distrl_sdk.trainer import Trainer

__all__ = [
    "ARide",
    "Action",
    "Box",
    "Code",
    "CollectConfig",
    "Command",
    "ConfigError",
    "Decision",
    "Demonstration",
    "Device",
    "DeviceAbout",
    "DeviceError",
    "DeviceSource",
    "DigiRL",
    "DistrlError",
    "End",
    "Features",
    "FilteredCloning",
    "Finding",
    "Finish",
    "Fleet",
    "Grpo",
    "Json",
    "Judge",
    "JudgeError",
    "JudgeRequest",
    "Key",
    "Lazy",
    "Learner",
    "LearnerConfig",
    "LongPress",
    "LossConfig",
    "Moment",
    "NetworkConfig",
    "Observation",
    "OpenApp",
    "PluginError",
    "Policy",
    "Press",
    "ReplayConfig",
    "RunConfig",
    "RunError",
    "Score",
    "Screenshot",
    "Snapshots",
    "StateFacts",
    "Step",
    "StorageError",
    "Swipe",
    "Tap",
    "Task",
    "TaskSet",
    "TraceConfig",
    "Trainer",
    "Trajectory",
    "TypeText",
    "UiElement",
    "UsageError",
    "VTrace",
    "Varies",
    "Verdict",
    "Version",
    "Wait",
    "WireError",
    "hookimpl",
]

_LATER = {
    "ARide": "distrl_sdk.learner.aride",
    "DigiRL": "distrl_sdk.learner.baselines",
    "FilteredCloning": "distrl_sdk.learner.baselines",
    "Fleet": "distrl_sdk.fleet",
    "Grpo": "distrl_sdk.learner.baselines",
    "Learner": "distrl_sdk.learner.role",
    "Trainer": "distrl_sdk.trainer",
    "VTrace": "distrl_sdk.learner.baselines",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'distrl_sdk' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
