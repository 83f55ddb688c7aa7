"""Things named by text: 'package.module:attribute' or 'folder/script.py:attribute', and calls with keywords from text.

Everything that can be wrong with such a name or call is a UsageError of one line.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from distrl_sdk.errors import DistrlError, UsageError, blame, choices
from distrl_sdk.types import Json

_loading = threading.local()
_scripts: dict[Path, ModuleType] = {}
_lock = threading.RLock()


class NoModuleError(UsageError):
    """No module has that name."""


class ScriptEnd(BaseException):
    """Ends the import of a script where its training would start: what stands above is defined by then."""


@dataclass(frozen=True, slots=True)
class Lazy:
    """A callable that is imported when it is first called: what a plugin's hook returns instead of heavy imports."""

    path: str
    """'module:attribute'"""

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Import the thing and call it."""
        return load(self.path)(*args, **options)


def load(path: str) -> Any:
    """The thing behind 'module:attribute' or 'script.py:attribute'; the attribute may be dotted."""
    place, _, attribute = path.partition(":")
    if not place or not attribute:
        raise UsageError(f"{path!r} is not of the form module:attribute")
    found: Any = _script(Path(place)) if place.endswith(".py") else _module(place)
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise UsageError(f"{place} has no {name!r}: {choices(name, _definitions(found))}")
        found = getattr(found, name)
    return found


def call(made: Callable[..., Any], options: Mapping[str, Json], what: str, kind: type[DistrlError] = UsageError) -> Any:
    """Call with `options` as keywords. A wrong keyword is a UsageError, what the callee raises becomes `kind`.

    `what` names the thing in messages, such as "policy 'compact'".
    """
    target = load(made.path) if isinstance(made, Lazy) else made
    check_keywords(target, options, what)
    with blame(kind, what):
        return target(**options)


def check_keywords(target: Callable[..., Any], options: Mapping[str, Json], what: str) -> None:
    """Raise UsageError if `target` would not take these keywords or needs others. Calls nothing."""
    try:
        parameters = inspect.signature(target).parameters.values()
    except (TypeError, ValueError):
        return  # some C callables tell no signature; the call itself will say what is wrong
    known = {each.name: each for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    if not any(each.kind is each.VAR_KEYWORD for each in parameters):
        for name in options:
            if name not in known:
                raise UsageError(f"{what} has no option {name!r}: {choices(name, known)}")
    for name, parameter in known.items():
        if parameter.default is parameter.empty and name not in options:
            raise UsageError(f"{what} needs the option {name!r}")


def end_script() -> None:
    """End the import of a script that this thread is loading; do nothing outside of one.

    Called where training starts, so that a worker can import a class out of a script that has no main guard.
    """
    if getattr(_loading, "script", None) is not None:
        raise ScriptEnd


def _definitions(found: object) -> list[str]:
    """The names that a module or class defines itself, not those that it imports."""
    home = getattr(found, "__module__", None) or getattr(found, "__name__", None)
    public = [name for name in dir(found) if not name.startswith("_")]
    return [name for name in public if getattr(getattr(found, name), "__module__", None) == home]


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            file = Path(*name.split(".")).with_suffix(".py")
            hint = f" (for the file here write {file}:NAME)" if file.is_file() else ""
            raise NoModuleError(f"no module {name!r} is installed or on PYTHONPATH{hint}") from error
        raise UsageError(f"importing {name}: {error}") from error
    except DistrlError:
        raise
    except Exception as error:
        raise UsageError(f"importing {name}: {type(error).__name__}: {error}") from error


def _script(path: Path) -> ModuleType:
    file = path.resolve()
    if not file.is_file():
        raise UsageError(f"no file {path}")
    with _lock:
        if file not in _scripts:
            _scripts[file] = _run_script(file)
        return _scripts[file]


def _run_script(file: Path) -> ModuleType:
    name = f"distrl_script_{file.stem}_{sha256(bytes(file)).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while they are defined
    sys.path.insert(0, str(file.parent))  # as Python itself does for a script
    _loading.script = file
    try:
        with blame(UsageError, f"importing {file}"):
            spec.loader.exec_module(module)
    except ScriptEnd:
        pass  # the definitions above are all there
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        _loading.script = None
    return module
