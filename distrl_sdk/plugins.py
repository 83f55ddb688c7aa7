"""Discovery and look-up of plugins: entry points of the group `distrl_sdk`, loaded one by one.

A plugin that cannot be loaded stops nobody: its cause is kept and warned of once, and raised when something is asked
for that it might have offered. Names may also be 'module:attribute', for what is not packaged.
"""

from __future__ import annotations

import functools
import json
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from types import ModuleType
from typing import Any, Literal, cast

import pluggy

from distrl_sdk import hookspecs
from distrl_sdk.config import LearnerConfig
from distrl_sdk.errors import PluginError, UsageError, choices
from distrl_sdk.imports import Lazy, call, load
from distrl_sdk.interfaces import Command, DeviceSource, Judge, Policy, TaskSet
from distrl_sdk.types import Json

HOOKS = {
    "device": "distrl_devices",
    "judge": "distrl_judges",
    "policy": "distrl_policies",
    "learner": "distrl_learners",
    "task set": "distrl_tasks",
    "command": "distrl_commands",
}
"""What a plugin can offer -> the hook that names it."""

MEMBERS = {
    "device": ("expand", "open", "doctor", "close"),
    "judge": ("needs_device", "judge", "close"),
    "policy": ("state_size", "featurize", "act", "encode_action", "score"),
    "learner": ("algorithm", "policy", "policy_name", "policy_options", "config", "training_step"),
    "task set": ("name", "tasks", "demonstrations"),
    "command": ("about", "run"),
}
"""What plays each role has these; of a device it is the source (interfaces.py, learner/role.py)."""

Factory = Callable[..., Any]


class PluginWarning(UserWarning):
    """A plugin is installed and cannot be used."""


@dataclass(frozen=True, slots=True)
class PluginRow:
    """One entry point, as `distrl plugins` shows it."""

    name: str
    distribution: str
    version: str
    offers: tuple[str, ...] = ()
    """Such as 'device sim'."""
    state: Literal["loaded", "missing extra", "broken"] = "loaded"
    cause: str = ""
    """Why it cannot be used, or which of its names another plugin offers too."""

    @property
    def source(self) -> str:
        """The plugin and where it comes from, for messages."""
        return f"{self.name} ({self.distribution} {self.version})"


@dataclass(slots=True)
class Registry:
    """All that a set of entry points offers."""

    rows: list[PluginRow] = field(default_factory=list)
    offers: dict[tuple[str, str], list[tuple[PluginRow, Factory]]] = field(default_factory=dict)
    """(kind, name) -> every plugin that offers it; more than one is an error when the name is asked for."""

    @classmethod
    def of(cls, entry_points: Iterable[metadata.EntryPoint]) -> Registry:
        """Load each entry point by itself. Warns of the broken ones; raises nothing."""
        registry = cls()
        manager = pluggy.PluginManager(hookspecs.GROUP)
        manager.add_hookspecs(hookspecs)
        seen: set[tuple[str, str]] = set()
        for row, entry in sorted(((_row(entry), entry) for entry in entry_points), key=_place):
            if (row.distribution, row.name) not in seen:  # a distribution that lies on sys.path twice counts once
                seen.add((row.distribution, row.name))
                registry._add(manager, entry, row)
        registry._note_conflicts()
        return registry

    def find(self, kind: str, name: str) -> Factory:
        """The one factory of that name. Raises PluginError: unknown, offered twice, or its extra is missing."""
        offered = self.offers.get((kind, name), [])
        if not offered:
            broken = "".join(f"; plugin {row.source} is broken: {row.cause}" for row in self.broken())
            raise PluginError(f"unknown {kind} {name!r}: {choices(name, self.names(kind))}{broken}")
        if len(offered) > 1:
            sources = " and ".join(row.source for row, _ in offered)
            raise PluginError(f"{kind} {name!r} is offered by {sources}: uninstall one of them")
        row, factory = offered[0]
        if row.state == "missing extra":
            raise PluginError(f"{kind} {name!r} {row.cause}")
        return factory

    def names(self, kind: str) -> list[str]:
        """Every name offered of that kind."""
        return sorted(name for offered, name in self.offers if offered == kind)

    def broken(self) -> list[PluginRow]:
        """The plugins that could not be loaded."""
        return [row for row in self.rows if row.state == "broken"]

    def _add(self, manager: pluggy.PluginManager, entry: metadata.EntryPoint, row: PluginRow) -> None:
        key = f"{row.distribution}/{row.name}"
        try:
            module = entry.load()
            manager.register(module, key)
            manager.check_pending()
            found = _offers(manager, module)
        except Exception as error:
            if manager.has_plugin(key):
                manager.unregister(name=key)
            row = replace(row, state="broken", cause=f"{type(error).__name__}: {error}")
            self.rows.append(row)
            warnings.warn(f"plugin {row.source} is broken: {row.cause}", PluginWarning, stacklevel=2)
            return
        missing = _missing_extra(entry.dist, getattr(module, "EXTRAS", ()))
        offers = tuple(f"{kind} {name}" for kind, name, _ in found)
        row = replace(row, offers=offers, state="missing extra" if missing else "loaded", cause=missing)
        self.rows.append(row)
        for kind, name, factory in found:
            self.offers.setdefault((kind, name), []).append((row, factory))

    def _note_conflicts(self) -> None:
        for (kind, name), offered in self.offers.items():
            if len(offered) > 1:
                sources = " and ".join(row.source for row, _ in offered)
                names = [row.name for row, _ in offered]
                note = f"{kind} {name!r} is offered by {sources}"
                self.rows = [replace(row, cause=note) if row.name in names else row for row in self.rows]


def _place(found: tuple[PluginRow, metadata.EntryPoint]) -> tuple[str, str]:
    return found[0].distribution, found[0].name


def _row(entry: metadata.EntryPoint) -> PluginRow:
    if entry.dist is None:
        return PluginRow(entry.name, "unknown distribution", "?")
    return PluginRow(entry.name, entry.dist.name, entry.dist.version)


def _offers(manager: pluggy.PluginManager, module: ModuleType) -> list[tuple[str, str, Factory]]:
    found = []
    for kind, hook in HOOKS.items():
        for implementation in getattr(manager.hook, hook).get_hookimpls():
            if implementation.plugin is not module:
                continue
            offered = implementation.function()
            if not isinstance(offered, Mapping) or not all(callable(factory) for factory in offered.values()):
                raise PluginError(f"{hook}() must return a mapping of names to factories")
            found += [(kind, str(name), factory) for name, factory in offered.items()]
    return found


def _missing_extra(distribution: metadata.Distribution | None, extras: tuple[str, ...]) -> str:
    """'' when the packages of one of the extras are installed, else what to do about the first."""
    if distribution is None or not extras or any(_installed(distribution, extra) for extra in extras):
        return ""
    source = json.loads(distribution.read_text("direct_url.json") or "{}")
    if "dir_info" in source:
        place = source["url"].removeprefix("file://")
        return f"needs more packages: pip install '.[{extras[0]}]' in {place}"
    return f"needs more packages: pip install '{distribution.name}[{extras[0]}]'"


def _installed(distribution: metadata.Distribution, extra: str) -> bool:
    from packaging.requirements import Requirement

    for text in distribution.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or not requirement.marker.evaluate({"extra": extra}):
            continue
        if requirement.marker.evaluate({"extra": ""}):
            continue  # of every installation, not of this extra
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            return False
        if not requirement.specifier.contains(version, prereleases=True):
            return False
    return True


@functools.cache
def registry() -> Registry:
    """What is installed in this Python, loaded once a process."""
    return Registry.of(metadata.entry_points(group=hookspecs.GROUP))


def rows() -> list[PluginRow]:
    """Every plugin that is installed, usable or not."""
    return registry().rows


def names(kind: str) -> list[str]:
    """Every name of that kind: a key of HOOKS."""
    return registry().names(kind)


_sources: dict[str, DeviceSource] = {}
_sources_lock = threading.Lock()


def device_source(scheme: str) -> DeviceSource:
    """The source of a scheme: one a process."""
    with _sources_lock:
        if scheme not in _sources:
            factory = registry().find("device", scheme)
            made = call(factory, {}, f"device scheme {scheme!r}", PluginError)
            _sources[scheme] = _playing("device", scheme, made)
        return _sources[scheme]


def make_judge(name: str, options: Mapping[str, Json] | None = None) -> Judge:
    """A new judge. Raises PluginError for an unknown name, UsageError for an unknown option."""
    return cast(Judge, _make("judge", name, options or {}))


def make_policy(name: str, options: Mapping[str, Json] | None = None) -> Policy:
    """A new policy, untrained. Raises PluginError for an unknown name, UsageError for an unknown option."""
    return cast(Policy, _make("policy", name, options or {}))


def make_learner(name: str, policy: Policy | str, **options: Any) -> Any:
    """A new learner, a LightningModule. Raises PluginError for an unknown name, UsageError for an unknown option."""
    return _make("learner", name, {"policy": policy, **options})


def make_command(name: str) -> Command:
    """A verb that a plugin offers. Raises PluginError for an unknown name, or when it cannot be made."""
    return cast(Command, _make("command", name, {}))


def learner_defaults(name: str) -> LearnerConfig:
    """The settings that a learner starts from. Raises PluginError for an unknown name. Imports it, and so torch."""
    made = _factory("learner", name)
    defaults = getattr(load(made.path) if isinstance(made, Lazy) else made, "defaults", None)
    return defaults if isinstance(defaults, LearnerConfig) else LearnerConfig()


def task_set(name: str) -> TaskSet:
    """The tasks of 'general/train': the factory 'general', asked for its split 'train'.

    'module:attribute/split' asks a callable in the same way; 'module:attribute' may also be a TaskSet itself;
    'file:PATH' is a list of instructions.
    """
    if name.startswith("file:"):
        return cast(TaskSet, load("distrl_sdk.tasks.instructions:instruction_list")(name))
    known, _, split = name.partition("/") if ".py:" not in name else _split_after_colon(name)
    made = load(known) if ":" in known else registry().find("task set", known)
    if callable(made):
        made = call(functools.partial(made, split), {}, f"task set {name!r}", PluginError)
    return cast(TaskSet, _playing("task set", name, made))


def _split_after_colon(name: str) -> tuple[str, str, str]:
    place, _, rest = name.partition(":")
    attribute, slash, split = rest.partition("/")
    return f"{place}:{attribute}", slash, split


def check_name(kind: str, name: str) -> None:
    """Raise PluginError unless something of that name is offered or can be imported. Makes nothing."""
    _factory(kind, name)


def _make(kind: str, name: str, options: Mapping[str, Json]) -> Any:
    return _playing(kind, name, call(_factory(kind, name), options, f"{kind} {name!r}", PluginError))


def _playing(kind: str, name: str, made: Any) -> Any:
    """What was made, if it has the members of its role. Raises PluginError."""
    if missing := [member for member in MEMBERS[kind] if not hasattr(made, member)]:
        raise PluginError(f"{kind} {name!r} is a {type(made).__name__} without {', '.join(missing)}")
    return made


def _factory(kind: str, name: str) -> Factory:
    if ":" not in name:
        return registry().find(kind, name)
    try:
        return cast(Factory, load(name))
    except UsageError as error:
        raise PluginError(f"{kind} {name!r}: {error}") from error
