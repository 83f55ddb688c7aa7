"""Every error that distrl-sdk raises on purpose, and the one place where a stranger's exception becomes one of them.

DistrlError
├── UsageError         the caller asked for something that cannot be: a wrong name, key, path or combination
│   ├── ConfigError    a configuration key or value
│   ├── PluginError    a plugin that is unknown, broken, or lacks its extra
│   └── RunError       a run directory that cannot be used as asked
├── DeviceError        one phone failed; the episode is aborted and the device is to blame
├── JudgeError         one verdict could not be had; the episode stays unjudged, never reward 0
├── WireError          a peer or a message is not what the protocol says
└── StorageError       a disk is full, a file is torn or not ours

The command line prints a DistrlError as one line; a UsageError exits with status 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class DistrlError(Exception):
    """The root of every error that distrl-sdk raises on purpose."""


class UsageError(DistrlError):
    """The caller asked for something that cannot be; the message names the thing, the cause and the remedy."""


class ConfigError(UsageError):
    """A configuration key or value is wrong."""


class PluginError(UsageError):
    """A plugin is unknown, broken, or lacks the packages of its extra."""


class RunError(UsageError):
    """A run directory cannot be used as asked."""


class DeviceError(DistrlError):
    """One phone failed. Costs the episode it was playing, nothing else."""


class JudgeError(DistrlError):
    """One verdict could not be had."""


class WireError(DistrlError):
    """A peer or a message is not what the protocol says."""


class StorageError(DistrlError):
    """A disk is full, a file is torn, or a file is not ours."""


@contextmanager
def blame(kind: type[DistrlError], doing: str) -> Iterator[None]:
    """Convert any exception of foreign code into `kind`, with `doing` as the start of its message."""
    try:
        yield
    except DistrlError:
        raise
    except Exception as error:
        raise kind(f"{doing}: {type(error).__name__}: {error}") from error


def choices(asked: str, known: Iterable[str]) -> str:
    """A half-sentence with the nearest of the known names, or all of them: the end of an 'unknown X' message."""
    names = sorted(known)
    if not names:
        return "none is known"
    near = difflib.get_close_matches(asked, names, n=1, cutoff=0.5)
    listed = ", ".join(names)
    return f"did you mean {near[0]}? known: {listed}" if near else f"known: {listed}"
