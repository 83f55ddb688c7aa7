"""The phone's files: those that were pushed or written, and those of the drawn phone's app Files, under /sdcard."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping

from distrl_android_adb.sim.guest import File, Guest

SDCARD = "/sdcard"
_ALIASES = ("/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard", "/data/media/0")
_FOLDERS = ("/", SDCARD, "/data", "/data/local", "/data/local/tmp", "/system", "/system/bin")
_APP = "Files"
_KB = 1024


class Disk(MutableMapping[str, File]):
    """Path -> file. What the app Files holds can be read and removed, and is as long as the app says."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest

    def __getitem__(self, path: str) -> File:
        path = canonical(path)
        own = self._guest.files.get(path)
        if own is not None:
            return own
        size = self._shown().get(path)
        if size is None:
            raise KeyError(path)
        return File(bytes(size * _KB), 0o100660)

    def __setitem__(self, path: str, file: File) -> None:
        self._guest.files[canonical(path)] = file

    def __delitem__(self, path: str) -> None:
        path = canonical(path)
        if self._guest.files.pop(path, None) is None:
            if path not in self._shown():
                raise KeyError(path)
            storage = self._guest.phone.apps[_APP]
            self._guest.phone = self._guest.phone.with_app(_APP, storage.without(path.removeprefix(f"{SDCARD}/")))

    def __iter__(self) -> Iterator[str]:
        yield from self._guest.files
        yield from (path for path in self._shown() if path not in self._guest.files)

    def __len__(self) -> int:
        return len({*self._guest.files, *self._shown()})

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and (canonical(path) in self._guest.files or canonical(path) in self._shown())

    def size(self, path: str) -> int:
        """Bytes of a file that is there, without making them."""
        own = self._guest.files.get(canonical(path))
        return len(own.content) if own is not None else self._shown()[canonical(path)] * _KB

    def folders(self) -> set[str]:
        """Every folder: those that were made, and those that something is in."""
        found = {*_FOLDERS, *self._guest.folders}
        found |= {f"{SDCARD}/{path}" for path in self._guest.phone.apps[_APP].folders}
        for path in (*self._guest.files, *found):
            parts = path.split("/")
            found |= {"/".join(parts[:end]) or "/" for end in range(1, len(parts))}
        return found

    def names_in(self, folder: str) -> list[str]:
        """What lies in a folder, folders too."""
        prefix = canonical(folder).rstrip("/") + "/"
        known = {*self, *self.folders()}
        inside = (path.removeprefix(prefix).split("/")[0] for path in known if path.startswith(prefix))
        return sorted({name for name in inside if name})

    def make_folder(self, path: str) -> None:
        """A folder that stays when nothing is in it."""
        self._guest.folders.add(canonical(path))

    def remove_folder(self, path: str) -> None:
        """A folder that was made here, and those in it."""
        path = canonical(path)
        self._guest.folders = {one for one in self._guest.folders if one != path and not one.startswith(f"{path}/")}

    def is_folder(self, path: str) -> bool:
        """Whether a folder has this path."""
        return canonical(path) in self.folders()

    def _shown(self) -> dict[str, int]:
        """Path -> kilobytes of what the app Files shows."""
        return {f"{SDCARD}/{file.path}": file.size for file in self._guest.phone.apps[_APP].files}


def canonical(path: str) -> str:
    """One name for a path: without doubled or last slashes, and the shared storage always as /sdcard."""
    path = "/" + "/".join(part for part in path.split("/") if part not in ("", "."))
    for alias in _ALIASES:
        if path == alias or path.startswith(f"{alias}/"):
            return SDCARD + path.removeprefix(alias)
    return path
