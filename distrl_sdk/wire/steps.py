"""The small columns of a trajectory as one block of bytes, and its actions as lists: the shapes follow from T and C."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple, cast, get_type_hints

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import WireError
from distrl_sdk.types import ACTION_KINDS, ACTIONS, Action, Json, Trajectory
from distrl_sdk.wire.plain import Reader, field_names, reader, to_plain

WORDS = np.dtype("<i4")
FLOATS = np.dtype("<f4")
HASHES = np.dtype("<u4")


class Steps(NamedTuple):
    """The columns that every trajectory has; see Trajectory for their shapes."""

    code: npt.NDArray[np.int32]
    log_mu: npt.NDArray[np.float32]
    log_pi: npt.NDArray[np.float32]
    version: npt.NDArray[np.int32]
    repeats: npt.NDArray[np.int32]
    seconds: npt.NDArray[np.float32]
    screens: npt.NDArray[np.uint32]
    invalid: npt.NDArray[np.bool_]


def block_size(steps: int, codes: int) -> int:
    """Bytes of the block of T = `steps` actions with C = `codes`: 4-byte columns first, a byte a step at the end."""
    return 4 * _words(steps, codes) + steps


def _words(steps: int, codes: int) -> int:
    return steps * (codes + 7) + 2


def pack_steps(trajectory: Trajectory) -> list[bytes]:
    """The block, in pieces; little-endian."""
    columns = [getattr(trajectory, name) for name in Steps._fields]
    return [array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes() for array in columns]


def unpack_steps(block: bytes | memoryview, steps: int, codes: int) -> Steps:
    """Views of the block. Raises WireError when it is too short or a truth value is neither 0 nor 1."""
    if len(block) < block_size(steps, codes):
        raise WireError("the columns of the steps are cut off")
    words = np.frombuffer(block, WORDS, _words(steps, codes))
    numbers = words.view(FLOATS)
    ends = list(accumulate((steps * codes, steps, steps, 2 * steps, steps, steps + 1)))
    truths = np.frombuffer(block, np.uint8, steps, 4 * len(words))
    if steps and truths.max() > 1:
        raise WireError("invalid: a truth value that is neither 0 nor 1")
    return Steps(
        words[: ends[0]].reshape(steps, codes),
        numbers[ends[0] : ends[1]],
        numbers[ends[1] : ends[2]],
        words[ends[2] : ends[3]].reshape(steps, 2),
        words[ends[3] : ends[4]],
        numbers[ends[4] : ends[5]],
        words[ends[5] :].view(HASHES),
        truths.view(np.bool_),
    )


def pack_actions(actions: Sequence[Action]) -> Json:
    """Each action as [kind, field, ...]. Raises WireError for a number that is none."""
    return to_plain(
        [
            [ACTION_KINDS[type(action)], *[getattr(action, name) for name in field_names(cast(Any, type(action)))]]
            for action in actions
        ]
    )


def unpack_actions(plain: Json) -> tuple[Action, ...]:
    """The actions. Raises WireError for whatever is not a list of them."""
    if type(plain) is not list:
        raise WireError("actions: expected a list")
    return tuple(map(_action, plain))


@cache
def _readers(kind: Any) -> tuple[Reader, ...]:
    """One for each field of a kind of action, in order."""
    hints = get_type_hints(kind)
    return tuple(reader(hints[name]) for name in field_names(kind))


def _action(plain: Json) -> Action:
    kind = plain[0] if type(plain) is list and plain else None
    if type(kind) is not str or kind not in ACTIONS:
        raise WireError(f"actions: expected kinds among {', '.join(ACTIONS)}")
    readers = _readers(cast(Any, ACTIONS[kind]))
    if len(plain) != 1 + len(readers):
        raise WireError(f"actions: {kind} has {len(readers)} fields")
    try:
        return cast(Action, ACTIONS[kind](*[read(item) for read, item in zip(readers, plain[1:], strict=True)]))
    except WireError as error:
        raise WireError(f"actions: {kind}{error}") from None
