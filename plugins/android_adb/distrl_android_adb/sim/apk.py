"""Packages that a simulated Android installs: archives that name an app. A real APK is not one of them."""

from __future__ import annotations

import io
import json
import zipfile
from typing import NamedTuple

_ENTRY = "simphone.json"


class Apk(NamedTuple):
    """What an archive brings."""

    package: str
    label: str = ""
    """The app of simphone that it is; '' for a package without an icon, such as a keyboard."""


def make_apk(apk: Apk) -> bytes:
    """The archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("AndroidManifest.xml", b"")
        archive.writestr(_ENTRY, json.dumps(apk._asdict()))
    return buffer.getvalue()


def read_apk(content: bytes) -> Apk | None:
    """What an archive brings; None when it is none of ours."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return Apk(**json.loads(archive.read(_ENTRY)))
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError):
        return None
