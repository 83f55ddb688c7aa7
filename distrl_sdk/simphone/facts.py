"""What a judge may know of a phone, in plain words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from distrl_sdk.simphone import apps
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json


def facts_of(state: PhoneState, start: PhoneState) -> dict[str, Json]:
    """Every app's facts; 'screen' = [app, page, *args] of what is shown; 'changed' = names of facts unlike the start's.

    For every fact that is a list, NAME.grown = how many members it has more than at the start.
    """
    now: dict[str, Json] = {}
    then: dict[str, Json] = {}
    for name in apps.TOLD:
        now |= _told(name, state.apps[name])
        then |= _told(name, start.apps[name])
    changed = sorted(name for name, value in now.items() if value is not then[name] and value != then[name])
    grown = {f"{name}.grown": len(value) - len(then[name]) for name, value in now.items() if isinstance(value, list)}
    return {**now, **grown, "screen": list(state.top.place), "changed": changed}


_KEPT = 512
"""Records whose facts are remembered: most of them are the start's, asked for again and again."""
_memory: OrderedDict[int, tuple[object, Mapping[str, Json]]] = OrderedDict()


def _told(name: str, record: object) -> Mapping[str, Json]:
    """The facts of one app's record; never changed by whoever gets them."""
    known = _memory.get(id(record))
    if known is not None and known[0] is record:
        return known[1]
    tell = apps.app(name).facts
    told = tell(record) if tell is not None else {}
    _memory[id(record)] = record, told  # holding the record keeps its id from being given to another
    while len(_memory) > _KEPT:
        _memory.popitem(last=False)
    return told
