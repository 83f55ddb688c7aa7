"""Trajectories as frames: a msgpack header, one raw frame with the small arrays, one for each big array and picture.

The header names every array with its type and shape; places are computed, never sent. Reading takes nothing on trust:
types from a list, sizes against the limits before anything is allocated, and a trajectory that does not fit together
is refused. Whatever is wrong is a WireError with its reason; no other exception leaves this module.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import WireError
from distrl_sdk.types import End, Json, Task, Trajectory, Verdict
from distrl_sdk.wire.limits import LIMITS, Limits, pack_header, unpack_header
from distrl_sdk.wire.plain import action_from_plain, from_plain, to_plain
from distrl_sdk.wire.validity import COLUMNS, check_trajectory

__all__ = [
    "Frame",
    "action_from_plain",
    "from_plain",
    "join_frames",
    "pack_trajectory",
    "split_frames",
    "to_plain",
    "unpack_trajectory",
]

Frame: TypeAlias = bytes | memoryview
Array: TypeAlias = npt.NDArray[Any]

BIG = 64 << 10
"""Bytes from which an array gets its own frame: below, one copy costs less than a frame (5 us)."""
ALIGNED = 8
"""Arrays in the stacked frame start at multiples of this, so that they can be used where they lie."""
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
FLOATS = (np.float16, np.float32, np.float64)
DTYPES: Mapping[str, np.dtype[Any]] = {
    np.dtype(kind).name: np.dtype(kind).newbyteorder("<") for kind in (np.bool_, *INTEGERS, *FLOATS)
}
"""The types of arrays that travel, all of them little-endian."""


class Column(NamedTuple):
    """One array as the header describes it."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of the whole array."""
        return math.prod(self.shape) * self.dtype.itemsize


def pack_trajectory(trajectory: Trajectory, limits: Limits = LIMITS) -> list[Frame]:
    """Frames of a trajectory. Big arrays are views: they must not change until the frames are sent.

    Raises WireError when the trajectory does not fit together (so that the sender sees it, not only the receiver).
    """
    check_trajectory(trajectory, limits)
    arrays = {f"features.{name}": array for name, array in trajectory.features.items()}
    arrays |= {name: getattr(trajectory, name) for name in COLUMNS}
    columns = []
    stacked = bytearray()
    big: list[Frame] = []
    for name, given in arrays.items():
        array = np.ascontiguousarray(given, DTYPES[_dtype_name(name, given)])
        columns.append([name, _dtype_name(name, given), list(array.shape)])
        raw = array.reshape(-1).view(np.uint8).data
        if array.nbytes >= BIG:
            big.append(raw)
        else:
            stacked += raw
            stacked += bytes(-len(stacked) % ALIGNED)
    header = {
        "id": trajectory.id,
        "task": to_plain(trajectory.task),
        "lane": trajectory.lane,
        "temperature": to_plain(trajectory.temperature),
        "actions": to_plain(trajectory.actions),
        "end": to_plain(trajectory.end),
        "verdict": to_plain(trajectory.verdict),
        "slot": trajectory.slot,
        "pictures": len(trajectory.pictures),
        "columns": columns,
    }
    return [pack_header(header), bytes(stacked), *big, *trajectory.pictures]


def unpack_trajectory(frames: Sequence[Frame], limits: Limits = LIMITS) -> Trajectory:
    """The trajectory in frames from a stranger; its arrays are read-only views of the frames.

    Raises WireError, and nothing else, for whatever is not a whole, consistent trajectory.
    """
    if not 2 <= len(frames) <= limits.frames:
        raise WireError(f"a trajectory of {len(frames)} frames")
    if sum(map(len, frames)) > limits.total_bytes:
        raise WireError(f"a trajectory of more than {limits.total_bytes} bytes")
    header = unpack_header(frames[0], limits)
    if type(header) is not dict or set(header) != HEADER:
        raise WireError("the header is not one of a trajectory")
    count = header["pictures"]
    if type(count) is not int or not 0 <= count <= len(frames) - 2:
        raise WireError("the number of pictures is wrong")
    columns = _columns(header["columns"], limits)
    last = len(frames) - count
    arrays = dict(_arrays(columns, frames[1], frames[2:last]))
    trajectory = _build(header, arrays, tuple(bytes(picture) for picture in frames[last:]))
    check_trajectory(trajectory, limits)
    return trajectory


HEADER = frozenset(("id", "task", "lane", "temperature", "actions", "end", "verdict", "slot", "pictures", "columns"))


def _dtype_name(name: str, array: Array) -> str:
    dtype = array.dtype.name
    if dtype not in DTYPES:
        raise WireError(f"{name}: arrays of type {dtype} do not travel")
    return dtype


def _columns(plain: Json, limits: Limits) -> list[Column]:
    """The descriptions of the arrays, each within the limits."""
    if type(plain) is not list or len(plain) > limits.features + len(COLUMNS):
        raise WireError(f"columns: expected a list of at most {limits.features + len(COLUMNS)}")
    columns = [_column(item, limits) for item in plain]
    names = {column.name for column in columns}
    if len(names) != len(columns):
        raise WireError("columns: a name stands twice")
    for name in COLUMNS:
        if name not in names:
            raise WireError(f"columns: {name} is missing")
    return columns


def _column(plain: Json, limits: Limits) -> Column:
    if type(plain) is not list or len(plain) != 3:
        raise WireError("columns: expected name, type and shape")
    name, dtype, shape = plain
    if type(name) is not str or not (name in COLUMNS or name.startswith("features.")):
        raise WireError(f"columns: unknown name {str(name)[:40]!r}")
    if len(name) > limits.name:
        raise WireError(f"columns: a name of {len(name)} characters")
    if type(dtype) is not str or dtype not in DTYPES:
        raise WireError(f"{name}: arrays of type {str(dtype)[:40]!r} do not travel")
    if type(shape) is not list or len(shape) > limits.dimensions:
        raise WireError(f"{name}: the shape is not a list of at most {limits.dimensions}")
    if any(type(size) is not int or not 0 <= size <= limits.frame_bytes for size in shape):
        raise WireError(f"{name}: a size in its shape is out of range")
    column = Column(name, DTYPES[dtype], tuple(shape))
    if column.nbytes > limits.frame_bytes:
        raise WireError(f"{name}: {column.nbytes} bytes, at most {limits.frame_bytes} are read")
    return column


def _arrays(columns: Sequence[Column], stacked: Frame, big: Sequence[Frame]) -> Iterator[tuple[str, Array]]:
    """Each column's array, from the stacked frame or from the next frame of its own; nothing may be left over."""
    offset = 0
    frames = iter(big)
    for column in columns:
        if column.nbytes >= BIG:
            source, start = next(frames, None), 0
            if source is None or len(source) != column.nbytes:
                raise WireError(f"{column.name}: its frame is missing or of another size than its shape says")
        else:
            source, start = stacked, offset
            offset += column.nbytes + -column.nbytes % ALIGNED
            if offset > len(stacked):
                raise WireError(f"{column.name}: the frame ends before it")
        yield column.name, _array(column, source, start)
    if offset != len(stacked) or next(frames, None) is not None:
        raise WireError("bytes are left over that no array claims")


def _array(column: Column, source: Frame, start: int) -> Array:
    if column.dtype == np.bool_:
        raw = np.frombuffer(source, np.uint8, math.prod(column.shape), start)
        if raw.size and raw.max() > 1:
            raise WireError(f"{column.name}: a truth value that is neither 0 nor 1")
        return raw.view(np.bool_).reshape(column.shape)
    array = np.frombuffer(source, column.dtype, math.prod(column.shape), start).reshape(column.shape)
    array.flags.writeable = False
    return array


def _build(header: Mapping[str, Json], arrays: Mapping[str, Array], pictures: tuple[bytes, ...]) -> Trajectory:
    actions = header["actions"]
    if type(actions) is not list:
        raise WireError("actions: expected a list")
    return Trajectory(
        id=from_plain(str, header["id"], "id"),
        task=from_plain(Task, header["task"]),
        lane=from_plain(str, header["lane"], "lane"),
        temperature=from_plain(float, header["temperature"], "temperature"),
        features={name[len("features.") :]: array for name, array in arrays.items() if name not in COLUMNS},
        actions=tuple(map(action_from_plain, actions)),
        end=from_plain(End, header["end"]),
        verdict=None if header["verdict"] is None else from_plain(Verdict, header["verdict"]),
        pictures=pictures,
        slot=from_plain(str, header["slot"], "slot"),
        **{name: arrays[name] for name in COLUMNS},
    )


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
