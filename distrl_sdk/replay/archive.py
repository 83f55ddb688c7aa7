"""Named arrays in one .npz file: written whole or not at all, read without pickle."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from distrl_sdk.errors import StorageError
from distrl_sdk.types import Json

Arrays = Mapping[str, npt.NDArray[Any]]

_NOT_OURS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, NotImplementedError, RuntimeError)
"""What zipfile and numpy raise for the files of others, and for torn or damaged ones."""


def pack(value: Json) -> npt.NDArray[np.uint8]:
    """A JSON-able value as an array of bytes."""
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def unpack(packed: npt.NDArray[np.uint8]) -> Json:
    """The inverse of `pack`. Raises ValueError."""
    return json.loads(packed.tobytes())


def write(path: Path, arrays: Arrays) -> None:
    """Replace the file: a reader sees the old one or the new one, also after a power cut. Raises StorageError."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error


def read(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Every array of the file. Raises StorageError when it cannot be read, is torn, or is no such file."""
    try:
        with path.open("rb") as file:
            with zipfile.ZipFile(file) as members:
                if (damaged := members.testzip()) is not None:
                    raise zipfile.BadZipFile(f"{damaged!r} is damaged")
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror or error}") from error
    except _NOT_OURS as error:
        raise StorageError(f"{path} is torn, or not a file of named arrays") from error


def sync_folder(folder: Path) -> None:
    """Bring a folder's own entries to the disk, so that a new or renamed file is still there after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
