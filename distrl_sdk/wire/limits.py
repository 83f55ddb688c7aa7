"""What a message may weigh. Checked before anything is allocated, because a peer may be broken or hostile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgpack  # type: ignore[import-untyped]

from distrl_sdk.errors import WireError


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest message that is read. Whatever is larger is refused with a reason."""

    header_bytes: int = 4 << 20
    """Of a msgpack frame."""
    frame_bytes: int = 256 << 20
    """Of one raw frame; also MAXMSGSIZE of the sockets."""
    total_bytes: int = 1 << 30
    """Of one trajectory."""
    frames: int = 4096
    steps: int = 1000
    """T of a trajectory."""
    features: int = 64
    """Named arrays of a trajectory."""
    name: int = 128
    """Characters of a name or an id."""
    dimensions: int = 6
    """Of an array, the step included."""
    items: int = 4096
    """Of a list or mapping in a header."""
    weights_bytes: int = 64 << 30
    """Of one version of the weights."""


LIMITS = Limits()


def pack_header(value: object) -> bytes:
    """Encode a plain value as one msgpack frame. Raises WireError when it holds what msgpack cannot say."""
    try:
        return bytes(msgpack.packb(value, use_bin_type=True))
    except (TypeError, ValueError, OverflowError) as error:
        raise WireError(f"cannot be sent: {error}") from error


def unpack_header(frame: bytes | memoryview, limits: Limits = LIMITS) -> Any:
    """Decode one msgpack frame; the value is still untrusted. Raises WireError for whatever is not one."""
    if len(frame) > limits.header_bytes:
        raise WireError(f"header of {len(frame)} bytes, at most {limits.header_bytes} are read")
    try:
        return msgpack.unpackb(
            frame,
            raw=False,
            strict_map_key=True,
            max_array_len=limits.items,
            max_map_len=limits.items,
            max_ext_len=0,
        )
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise WireError(f"header is not msgpack: {type(error).__name__}") from error
