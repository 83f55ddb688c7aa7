"""Trajectories as frames: a msgpack header, one raw frame with the small arrays, one for each big array and picture.

The header names every feature with its type and shape; places are computed, never sent. Reading takes nothing on
trust: types from a list, sizes against the limits before anything is allocated, and a trajectory that does not fit
together is refused. Whatever is wrong is a WireError with its reason; no other exception leaves this module.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import WireError
from distrl_sdk.types import End, Json, Task, Trajectory, Verdict
from distrl_sdk.wire.limits import LIMITS, Limits, pack_header, unpack_header
from distrl_sdk.wire.plain import from_plain, to_plain
from distrl_sdk.wire.steps import block_size, pack_actions, pack_steps, unpack_actions, unpack_steps
from distrl_sdk.wire.validity import check_trajectory

__all__ = [
    "Frame",
    "from_plain",
    "join_frames",
    "pack_trajectory",
    "split_frames",
    "to_plain",
    "unpack_trajectory",
]

Frame: TypeAlias = bytes | memoryview
Array: TypeAlias = npt.NDArray[Any]
Value = TypeVar("Value")

BIG = 64 << 10
"""Bytes from which an array gets its own frame: below, one copy costs less than a frame (5 us)."""
BLANK = 512
"""Bytes from which an array of zeros travels as its name only: the picture of a phone whose UI tree is known."""
ALIGNED = 8
"""Arrays in the stacked frame start at multiples of this, so that they can be used where they lie."""
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
FLOATS = (np.float16, np.float32, np.float64)
DTYPES: Mapping[str, np.dtype[Any]] = {
    np.dtype(kind).name: np.dtype(kind).newbyteorder("<") for kind in (np.bool_, *INTEGERS, *FLOATS)
}
_NAMES = {ordered: name for name, dtype in DTYPES.items() for ordered in (dtype, dtype.newbyteorder(">"))}
REMEMBERED = 16 << 10
"""Bytes of a nested value up to which it is remembered."""


class Column(NamedTuple):
    """One feature as the header describes it: the same for every trajectory of a policy."""

    name: str
    dtype: np.dtype[Any]
    row: tuple[int, ...]
    """Its shape without the first dimension, which is T + 1."""
    row_bytes: int


def pack_trajectory(trajectory: Trajectory, limits: Limits = LIMITS) -> list[Frame]:
    """Frames of a trajectory. Big arrays are views: they must not change until the frames are sent.

    Raises WireError when the trajectory does not fit together (so that the sender sees it, not only the receiver).
    """
    check_trajectory(trajectory, limits)
    pieces: list[Frame] = [*pack_steps(trajectory), _padding(block_size(len(trajectory), trajectory.code.shape[1]))]
    big: list[Frame] = []
    schema, blank = [], []
    for name, given in trajectory.features.items():
        dtype = _NAMES.get(given.dtype)
        if dtype is None:
            raise WireError(f"features.{name}: arrays of type {given.dtype.name} do not travel")
        array = np.ascontiguousarray(given, DTYPES[dtype])
        schema.append([name, dtype, list(array.shape[1:])])
        raw = array.reshape(-1).view(np.uint8).data
        if array.nbytes >= BLANK and not array.any():
            blank.append(name)
        elif array.nbytes >= BIG:
            big.append(raw)
        else:
            pieces += raw, _padding(array.nbytes)
    header = {
        "id": trajectory.id,
        "task": pack_header(to_plain(trajectory.task)),
        "lane": trajectory.lane,
        "temperature": trajectory.temperature,
        "actions": pack_actions(trajectory.actions),
        "end": to_plain(trajectory.end),
        "verdict": to_plain(trajectory.verdict),
        "slot": trajectory.slot,
        "pictures": len(trajectory.pictures),
        "codes": trajectory.code.shape[1],
        "features": pack_header(schema),
        "blank": blank,
    }
    return [pack_header(header), b"".join(pieces), *big, *trajectory.pictures]


def unpack_trajectory(frames: Sequence[Frame], limits: Limits = LIMITS) -> Trajectory:
    """The trajectory in frames from a stranger; its arrays are read-only views of the frames.

    Raises WireError, and nothing else, for whatever is not a whole, consistent trajectory.
    """
    if not 2 <= len(frames) <= limits.frames:
        raise WireError(f"a trajectory of {len(frames)} frames")
    if sum(map(len, frames)) > limits.total_bytes:
        raise WireError(f"a trajectory of more than {limits.total_bytes} bytes")
    header = unpack_header(frames[0], limits)
    if type(header) is not dict or header.keys() != HEADER:
        raise WireError("the header is not one of a trajectory")
    last = len(frames) - _count("pictures", header["pictures"], len(frames) - 2)
    codes = _count("codes", header["codes"], limits.items)
    actions = unpack_actions(header["actions"])
    steps = unpack_steps(frames[1], len(actions), codes)
    columns = _cached(_schema, header["features"], limits)
    start = block_size(len(actions), codes)
    start += -start % ALIGNED
    verdict, blank = header["verdict"], _blank(header["blank"], columns)
    trajectory = Trajectory(
        id=from_plain(str, header["id"], "id"),
        task=_cached(_task, header["task"], limits),
        lane=from_plain(str, header["lane"], "lane"),
        temperature=from_plain(float, header["temperature"], "temperature"),
        features=_features(columns, blank, len(actions) + 1, frames[1], start, frames[2:last]),
        actions=actions,
        end=from_plain(End, header["end"]),
        verdict=None if verdict is None else from_plain(Verdict, verdict),
        pictures=tuple(map(bytes, frames[last:])),
        slot=from_plain(str, header["slot"], "slot"),
        **steps._asdict(),
    )
    check_trajectory(trajectory, limits)
    return trajectory


HEADER = frozenset(
    ("id", "task", "lane", "temperature", "actions", "end", "verdict", "slot", "pictures", "codes", "features", "blank")
)


def _padding(size: int) -> bytes:
    return bytes(-size % ALIGNED)


def _count(name: str, plain: Json, most: int) -> int:
    if type(plain) is not int or not 0 <= plain <= most:
        raise WireError(f"{name}: expected a number of at most {most}")
    return plain


def _cached(read: Callable[..., Value], packed: Json, limits: Limits) -> Value:
    """What is in a nested msgpack value that comes again and again; the caches remember small ones only."""
    if type(packed) is not bytes:
        raise WireError("expected a nested value")
    if len(packed) > REMEMBERED or limits is not LIMITS:
        return read.__wrapped__(packed, limits)  # type: ignore[attr-defined, no-any-return]
    return read(packed)


@lru_cache(512)
def _task(packed: bytes, limits: Limits = LIMITS) -> Task:
    return from_plain(Task, unpack_header(packed, limits))


@lru_cache(64)
def _schema(packed: bytes, limits: Limits = LIMITS) -> tuple[Column, ...]:
    """The descriptions of the features, each within the limits."""
    plain = unpack_header(packed, limits)
    if type(plain) is not list or len(plain) > limits.features:
        raise WireError(f"features: expected a list of at most {limits.features}")
    columns = tuple(_column(item, limits) for item in plain)
    if len({column.name for column in columns}) != len(columns):
        raise WireError("features: a name stands twice")
    return columns


def _column(plain: Json, limits: Limits) -> Column:
    if type(plain) is not list or len(plain) != 3:
        raise WireError("features: expected name, type and shape")
    name, dtype, row = plain
    if type(name) is not str or len(name) > limits.name:
        raise WireError(f"features: expected a name of at most {limits.name} characters")
    if type(dtype) is not str or dtype not in DTYPES:
        raise WireError(f"features.{name}: arrays of type {str(dtype)[:40]!r} do not travel")
    if type(row) is not list or len(row) >= limits.dimensions:
        raise WireError(f"features.{name}: the shape is not a list of less than {limits.dimensions}")
    if any(type(size) is not int or not 0 <= size <= limits.frame_bytes for size in row):
        raise WireError(f"features.{name}: a size in its shape is out of range")
    row_bytes = math.prod(row) * DTYPES[dtype].itemsize
    if row_bytes > limits.frame_bytes:
        raise WireError(f"features.{name}: {row_bytes} bytes a step, at most {limits.frame_bytes} are read")
    return Column(name, DTYPES[dtype], tuple(row), row_bytes)


def _blank(plain: Json, columns: Sequence[Column]) -> frozenset[str]:
    known = {column.name for column in columns}
    if type(plain) is not list or not all(type(name) is str and name in known for name in plain):
        raise WireError("blank: expected a list of features")
    return frozenset(plain)


def _features(
    columns: Sequence[Column], blank: frozenset[str], rows: int, stacked: Frame, start: int, big: Sequence[Frame]
) -> dict[str, Array]:
    """Each feature, from the stacked frame or from the next frame of its own; nothing may be left over.

    A blank one, all zero, came as its name only; it takes no memory here either, since all its elements are one.
    """
    frames = iter(big)
    features: dict[str, Array] = {}
    for column in columns:
        size = rows * column.row_bytes
        if column.name in blank:
            features[column.name] = np.broadcast_to(np.zeros((), column.dtype), (rows, *column.row))
            continue
        if size >= BIG:
            source, at = next(frames, b""), 0
            if len(source) != size:
                raise WireError(f"features.{column.name}: its frame is missing or of another size than its shape says")
        else:
            source, at = stacked, start
            start += size + -size % ALIGNED
            if start > len(stacked):
                raise WireError(f"features.{column.name}: the frame ends before it")
        features[column.name] = _array(column, (rows, *column.row), source, at)
    if start != len(stacked) or next(frames, None) is not None:
        raise WireError("bytes are left over that no array claims")
    return features


def _array(column: Column, shape: tuple[int, ...], source: Frame, start: int) -> Array:
    count = math.prod(shape)
    if column.dtype == np.bool_:
        raw = np.frombuffer(source, np.uint8, count, start)
        if count and raw.max() > 1:
            raise WireError(f"features.{column.name}: a truth value that is neither 0 nor 1")
        return raw.view(np.bool_).reshape(shape)
    return np.frombuffer(source, column.dtype, count, start).reshape(shape)


# --- frames as one blob, for files ----------------------------------------------------------------------------------


def join_frames(frames: Sequence[Frame]) -> bytes:
    """All frames in one piece: count (u32), lengths (u64 each), contents; little-endian."""
    return b"".join([struct.pack(f"<I{len(frames)}Q", len(frames), *map(len, frames)), *frames])


def split_frames(blob: Frame, limits: Limits = LIMITS) -> list[memoryview]:
    """The frames that `join_frames` joined, as views. Raises WireError when the blob is torn or not one."""
    view = memoryview(blob)
    if len(view) < 4:
        raise WireError("frames: the count is cut off")
    (count,) = struct.unpack_from("<I", view)
    start = 4 + 8 * count
    if count > limits.frames or start > len(view):
        raise WireError("frames: the list of lengths is cut off or too long")
    lengths = struct.unpack_from(f"<{count}Q", view, 4)
    if sum(lengths) != len(view) - start:
        raise WireError("frames: the lengths do not add up")
    frames = []
    for length in lengths:
        frames.append(view[start : start + length])
        start += length
    return frames
