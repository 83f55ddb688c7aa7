"""Files: folders in folders, files with kinds and sizes, a bin."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App, variants
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, record
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

TREE = (
    "Papers", "Received", "Projects", "Scans", "Papers/Letters", "Papers/Taxes", "Papers/Taxes/Receipts",
    "Projects/Bridge", "Projects/Garden", "Scans/Passports",
)  # fmt: skip
"""The folders of a fresh phone, by their whole path; no two names are the same."""
_STEMS = (
    "budget", "contract", "invoice", "letter", "list", "menu", "minutes", "plan", "poster", "report", "schedule",
    "sketch", "summary",
)  # fmt: skip
_ENDS = ("april", "draft", "final", "friday", "march", "may", "old", "team", "trip")
KINDS = {"pdf": "PDF", "txt": "Text", "xls": "Table", "jpg": "Picture", "zip": "Archive file"}
_SORTS = ("Name", "Size", "Kind")
_ODD = frozenset("/\\{}")


@record
@dataclass(frozen=True, slots=True)
class File:
    """One file."""

    folder: str
    """The path of the folder that it is in; '' = the outermost."""
    name: str
    size: int
    """Kilobytes."""

    @property
    def path(self) -> str:
        """Folder and name."""
        return join(self.folder, self.name)


@record
@dataclass(frozen=True, slots=True)
class Storage:
    """All files, the paths of all folders, what was thrown away, and by what lists are sorted."""

    files: tuple[File, ...] = ()
    folders: tuple[str, ...] = TREE
    bin: tuple[File, ...] = ()
    sort: str = "Name"

    def inside(self, folder: str) -> tuple[str, ...]:
        """The paths of a folder's own folders."""
        return tuple(path for path in self.folders if split(path)[0] == folder)

    def get(self, path: str) -> File:
        """The file of a path. Raises StopIteration if there is none."""
        return next(file for file in self.files if file.path == path)

    def has(self, path: str) -> bool:
        """Whether a file or a folder has this path."""
        return path in self.folders or any(file.path == path for file in self.files)

    def with_file(self, file: File) -> Storage:
        """One file more, or the one of its path replaced."""
        return replace(self, files=(*self.without(file.path).files, file))

    def without(self, path: str) -> Storage:
        """One file less."""
        return replace(self, files=tuple(file for file in self.files if file.path != path))


def join(folder: str, name: str) -> str:
    """The path of what is in a folder."""
    return f"{folder}/{name}" if folder else name


def split(path: str) -> tuple[str, str]:
    """(the folder's path, the name)"""
    folder, _, name = path.rpartition("/")
    return folder, name


def draw_file(chance: random.Random) -> str:
    """The name of a file: one word."""
    return f"{chance.choice(_STEMS)}_{chance.choice(_ENDS)}.{chance.choice(tuple(KINDS))}"


def _start(chance: random.Random) -> Storage:
    storage = {}
    for folder in ("", *TREE):
        for _ in range(chance.randint(2, 4) if folder else 2):
            file = File(folder, draw_file(chance), chance.randint(2, 9000))
            storage[file.path] = file
    thrown = tuple(File("Received", draw_file(chance), chance.randint(2, 900)) for _ in range(chance.randrange(3)))
    return Storage(tuple(storage.values()), bin=tuple({file.path: file for file in thrown}.values()))


def _layout(page: PageBuilder, storage: Storage) -> None:
    screen = page.screen
    path = screen.args[0] if screen.args else ""
    match screen.page:
        case "new":
            page.bar("New folder", ("save", "Save", ("make", path)))
            page.field("name", "Folder name")
        case "rename":
            page.bar("Rename", ("save", "Save", ("rename", path)))
            page.field("name", "New name")
            page.paragraph(page.say("Old name: {}", split(path)[1]))
        case "sort":
            page.bar("Sort by")
            for sort in _SORTS:
                page.option(f"sort:{sort}", page.say(_SORT_LABELS[sort]), sort == storage.sort, ("sort", sort))
        case "move":
            page.bar("Move to")
            for target in storage.folders:
                if target != split(path)[0]:
                    page.row(f"to:{target}", split(target)[1], ("move", path, target), _place(page, target))
        case "file":
            _file(page, storage.get(path))
        case "bin":
            _bin(page, storage)
        case _:
            _folder(page, storage, path)


_SORT_LABELS = {"Name": "File name", "Size": "Size", "Kind": "Kind"}


def _place(page: PageBuilder, path: str) -> str:
    """Where something is, in words."""
    folder = split(path)[0]
    return page.say("In {}", folder) if folder else page.say("On this phone")


def _order(sort: str, file: File) -> tuple[str | int, ...]:
    if sort == "Size":
        return -file.size, file.name
    return (_ending(file), file.name) if sort == "Kind" else (file.name,)


def _folder(page: PageBuilder, storage: Storage, path: str) -> None:
    page.bar(split(path)[1] or "Files", ("sort", "Sort", ("page", "sort")))
    files = [file for file in storage.files if file.folder == path]
    for inner in storage.inside(path):
        count = len(storage.inside(inner)) + sum(file.folder == inner for file in storage.files)
        detail = page.say("Items: {}", count)
        page.row(f"folder:{split(inner)[1]}", split(inner)[1], ("page", "folder", inner), detail, icon="Folder")
    for file in sorted(files, key=lambda one: _order(storage.sort, one)):
        detail = page.say("{}, {} KB", _kind(page, file), file.size)
        page.row(f"file:{file.name}", file.name, ("page", "file", file.path), detail, icon=_ending(file).upper())
    if not path:
        page.row("bin", "Bin", ("page", "bin"), page.say("Items: {}", len(storage.bin)), icon="Bin")
    elif not files and not storage.inside(path):
        page.paragraph("This folder is empty.")
    page.fab("new", "New folder", ("page", "new", path))


def _ending(file: File) -> str:
    return file.name.rpartition(".")[2].lower()


def _kind(page: PageBuilder, file: File) -> str:
    return page.say(KINDS.get(_ending(file), "Unknown kind"))


def _file(page: PageBuilder, file: File) -> None:
    page.bar("Details", ("delete", "Delete", ("dialog", "delete")))
    page.header(file.name)
    page.row("kind", _kind(page, file), (), page.say("Kind"))
    page.row("size", page.say("{} KB", file.size), (), page.say("Size"))
    page.row("folder", split(file.folder)[1] or page.say("On this phone"), (), page.say("Folder"))
    page.button("rename", "Rename", ("page", "rename", file.path))
    page.button("move", "Move", ("page", "move", file.path), "flat_wide")
    if page.screen.dialog:
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Delete", ("delete", file.path)))
        page.ask("Delete file?", page.say("{} goes to the bin.", file.name), *buttons)


def _bin(page: PageBuilder, storage: Storage) -> None:
    page.bar("Bin")
    for file in storage.bin:
        page.row(f"thrown:{file.path}", file.name, ("dialog", file.path), _place(page, file.path))
    if not storage.bin:
        page.paragraph("The bin is empty.")
    if page.screen.dialog:
        path = page.screen.dialog[0]
        buttons = (("cancel", "Cancel", ("close",)), ("confirm", "Restore", ("restore", path)))
        page.ask("Restore file?", page.say("{} goes back to its folder.", split(path)[1]), *buttons)


def _react(state: PhoneState, event: Event) -> PhoneState:
    storage: Storage = state.apps["Files"]
    match event:
        case ("sort", sort):
            return state.with_app("Files", replace(storage, sort=sort)).pop()
        case ("make", folder):
            return _make(state, storage, folder)
        case ("rename", path):
            return _rename(state, storage, path)
        case ("enter", "name"):
            answer = _make if state.top.page == "new" else _rename
            return answer(state, storage, state.top.args[0])
        case ("move", path, target):
            moved = replace(storage.get(path), folder=target)
            return _put(state, storage, path, moved, "Moved")
        case ("delete", path):
            kept = tuple(file for file in storage.bin if file.path != path)
            after = replace(storage.without(path), bin=(*kept, storage.get(path)))
            return replace(state.with_app("Files", after).pop(), toast=say(state.style, "Moved to the bin"))
        case ("restore", path):
            return _restore(state, storage, path)
        case _:
            return state


def _name(state: PhoneState, storage: Storage, folder: str) -> tuple[str, str]:
    """The name that was typed for something in a folder, and what is wrong with it."""
    name = state.top.draft("name").strip()
    if not name or _ODD & set(name):
        return name, "Enter a plain name"
    return name, "This name is taken" if storage.has(join(folder, name)) else ""


def _make(state: PhoneState, storage: Storage, folder: str) -> PhoneState:
    name, fault = _name(state, storage, folder)
    if fault:
        return replace(state, toast=say(state.style, fault))
    made = replace(storage, folders=(*storage.folders, join(folder, name)))
    return replace(state.with_app("Files", made).pop(), toast=say(state.style, "Folder created"))


def _rename(state: PhoneState, storage: Storage, path: str) -> PhoneState:
    file = storage.get(path)
    name, fault = _name(state, storage, file.folder)
    if fault:
        return replace(state, toast=say(state.style, fault))
    return _put(state, storage, path, replace(file, name=name), "Renamed")


def _put(state: PhoneState, storage: Storage, path: str, file: File, done: str) -> PhoneState:
    """A file in its new place; its old pages are left."""
    if storage.has(file.path):
        return replace(state, toast=say(state.style, "This name is taken"))
    after = storage.without(path).with_file(file)
    return replace(state.with_app("Files", after).pop(2), toast=say(state.style, done))


def _restore(state: PhoneState, storage: Storage, path: str) -> PhoneState:
    state = state.with_top(replace(state.top, dialog=()))
    if storage.has(path):
        return replace(state, toast=say(state.style, "This name is taken"))
    file = next(file for file in storage.bin if file.path == path)
    after = replace(storage.with_file(file), bin=tuple(one for one in storage.bin if one != file))
    return replace(state.with_app("Files", after), toast=say(state.style, "Restored"))


def _facts(storage: Storage) -> Mapping[str, Json]:
    return {
        "files.files": [file.path for file in storage.files],
        "files.folders": list(storage.folders),
        "files.bin": [file.path for file in storage.bin],
        "files.sort": storage.sort,
    }


APP = App("Files", "Files", ("Files",), _layout, _react, variants(_start), _facts, {"new": "name", "rename": "name"})
