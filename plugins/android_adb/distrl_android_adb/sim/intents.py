"""What `am` makes of its arguments: an intent."""

from __future__ import annotations

from dataclasses import dataclass, field

_TEXTS = {"-a": "action", "-d": "data", "-t": "type", "-n": "component", "-p": "package"}
_EXTRAS = frozenset(("-e", "--es", "--ei", "--el", "--ez", "--ef", "--eu", "--esa", "--eia"))
_IGNORED = frozenset(("--user", "-f", "-i", "--display", "--windowingMode", "-R", "--receiver-permission"))
"""Options with a value that nothing here depends on."""


class IntentError(Exception):
    """Arguments that are no intent; the text is what `am` prints."""


@dataclass(slots=True)
class Intent:
    """An action, and what it is about."""

    action: str = ""
    data: str = ""
    type: str = ""
    component: str = ""
    """'package/.Class' as it was written."""
    package: str = ""
    categories: list[str] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)
    wait: bool = False
    """-W: say when it is there."""
    stop: bool = False
    """-S: end the app before."""

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        parts += [f"cat=[{','.join(self.categories)}]"] if self.categories else []
        parts += [f"dat={self.data}"] if self.data else []
        parts += [f"pkg={self.package}"] if self.package else []
        parts += [f"cmp={self.component}"] if self.component else []
        parts += ["(has extras)"] if self.extras else []
        return f"Intent {{ {' '.join(parts)} }}"


def parse_intent(words: list[str]) -> Intent:
    """Raises IntentError."""
    intent, rest = Intent(), list(words)

    def following(option: str) -> str:
        if not rest:
            raise IntentError(f'java.lang.IllegalArgumentException: Argument expected after "{option}"')
        return rest.pop(0)

    while rest:
        word = rest.pop(0)
        if word in _TEXTS:
            setattr(intent, _TEXTS[word], following(word))
        elif word == "-c":
            intent.categories.append(following(word))
        elif word in _EXTRAS:
            name = following(word)
            intent.extras[name] = following(name)
        elif word in _IGNORED:
            following(word)
        else:
            _bare(intent, word)
    return intent


def _bare(intent: Intent, word: str) -> None:
    """A flag; or an address, a component or a package."""
    if word in ("-W", "-S"):
        intent.wait, intent.stop = intent.wait or word == "-W", intent.stop or word == "-S"
    elif word.startswith("-"):
        if not word.startswith("--"):  # flags such as --activity-clear-top change nothing here
            raise IntentError(f"Error: Unknown option: {word}")
    elif ":" in word:
        intent.data = word
    elif "/" in word:
        intent.component = word
    else:
        intent.package = word
