"""What a judge may know of a phone, in plain words."""

from __future__ import annotations

from distrl_sdk.simphone import apps
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json


def facts_of(state: PhoneState, start: PhoneState) -> dict[str, Json]:
    """Every app's facts; 'screen' = [app, page, *args] of what is shown; 'changed' = names of facts unlike the start's.

    For every fact that is a list, NAME.grown = how many members it has more than at the start.
    """
    now, then = _records(state), _records(start)
    changed = sorted(name for name, value in now.items() if value != then[name])
    grown = {f"{name}.grown": len(value) - len(then[name]) for name, value in now.items() if isinstance(value, list)}
    return {**now, **grown, "screen": list(state.top.place), "changed": changed}


def _records(state: PhoneState) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    for name in apps.TOLD:
        tell = apps.app(name).facts
        if tell is not None:
            facts.update(tell(state.apps[name]))
    return facts
