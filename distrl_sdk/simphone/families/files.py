"""Families with files and folders."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.files import KINDS, TREE, File, Storage, draw_file, join, split
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Params,
    Place,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_FILES, _FOLDERS, _BIN = "files.files", "files.folders", "files.bin"
_PATHS = {split(path)[1]: path for path in TREE}
_PLACES = tuple(name for name, path in _PATHS.items() if path.count("/") < 2)
_NEAR = tuple(name for name, path in _PATHS.items() if "/" not in path)
_NEW = ("Autumn", "Budget", "Contracts", "Drafts", "Guests", "Ideas", "Lectures", "Old", "Plans", "Spring", "Team")


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"file": draw_file(chance), "folder": chance.choice(_PLACES)}


def _draw_move(chance: random.Random) -> dict[str, Json]:
    folder, target = chance.sample(tuple(_PATHS), k=2)
    while folder not in _PLACES:
        folder, target = chance.sample(tuple(_PATHS), k=2)
    return {"file": draw_file(chance), "folder": folder, "target": target}


def _draw_rename(chance: random.Random) -> dict[str, Json]:
    params = {"file": draw_file(chance), "folder": chance.choice(_NEAR)}
    new = draw_file(chance)
    while new == params["file"]:
        new = draw_file(chance)
    return {**params, "new": new}


def _draw_new(chance: random.Random) -> dict[str, Json]:
    first, second = chance.sample(_NEW, k=2)
    return {"new": f"{first} {second.lower()}", "folder": chance.choice(_PLACES)}


def _goal(params: Params) -> str:
    """The path that the file shall have."""
    return join(_PATHS[params.get("target", params["folder"])], params.get("new", params["file"]))


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The file in its folder, others of a like name beside it; where it is to go there is none of its name."""
    chance = random.Random(state.seed)
    storage: Storage = state.apps["Files"]
    name, folder = params["file"], _PATHS[params["folder"]]
    path, goal = join(folder, name), _goal(params)
    stem = name.rpartition(".")[0]
    kin = [f"{stem}.{ending}" for ending in KINDS if f"{stem}.{ending}" != name]
    for like in (*chance.sample(kin, k=2), name):
        storage = storage.with_file(File(folder, like, chance.randint(2, 9000)))
    if goal != path:
        storage = storage.without(goal)
    thrown = tuple(file for file in storage.bin if file.path != path)
    return state.with_app("Files", replace(storage, bin=thrown))


def _as_it_is(state: PhoneState, params: Params) -> PhoneState:
    del params
    return state


def _into(folder: str, places: Route) -> Route:
    """Through the folders down to this one; `places` says what to do there."""
    found: dict[Place, tuple[Hit, ...]] = {}
    here: Place = ("Files", "main")
    inner = ""
    for name in _PATHS[folder].split("/"):
        found[here] = (Hit(f"folder:{name}"),)
        inner = join(inner, name)
        here = ("Files", "folder", inner)
    return from_home("Files", {**found, **places})


def _at_file(params: Params, name: str, places: Route) -> Route:
    folder = _PATHS[params["folder"]]
    path = join(folder, params["file"])
    return _into(params["folder"], {
        ("Files", "folder", folder): (Hit(f"file:{params['file']}"),),
        ("Files", "file", path): (Hit(name),),
        ("Files", "file", path, "!"): (Hit("confirm" if name == "delete" else "cancel"),),
        **{(page, kind, path): moves for (page, kind), moves in places.items()},
    })  # fmt: skip


def _route_create(params: Params) -> Route:
    folder = _PATHS[params["folder"]]
    return _into(params["folder"], {
        ("Files", "folder", folder): (Hit("new"),),
        ("Files", "new", folder): (Fill("name", params["new"]), Hit("save")),
    })  # fmt: skip


def _route_move(params: Params) -> Route:
    return _at_file(params, "move", {("Files", "move"): (Hit(f"to:{_PATHS[params['target']]}"),)})


def _route_rename(params: Params) -> Route:
    return _at_file(params, "rename", {("Files", "rename"): (Fill("name", params["new"]), Hit("save"))})


def _verify_create(params: Params) -> tuple[Check, ...]:
    path = join(_PATHS[params["folder"]], params["new"])
    return has(_FOLDERS, path), equals(f"{_FOLDERS}.grown", 1), only(_FOLDERS)


def _verify_delete(params: Params) -> tuple[Check, ...]:
    path = join(_PATHS[params["folder"]], params["file"])
    return (
        lacks(_FILES, path), has(_BIN, path), equals(f"{_FILES}.grown", -1), equals(f"{_BIN}.grown", 1),
        only(_FILES, _BIN),
    )  # fmt: skip


def _verify_put(params: Params) -> tuple[Check, ...]:
    """The file is where, or called what, it should be, and is not left where it was."""
    old = join(_PATHS[params["folder"]], params["file"])
    return lacks(_FILES, old), has(_FILES, _goal(params)), equals(f"{_FILES}.grown", 0), only(_FILES)


CREATE_FOLDER = Family(
    "create_folder", ("Files",),
    ("Create a folder {new} in the folder {folder}", "Make a new folder called {new} inside {folder}",
     "In files add the folder {new} to {folder}", "The folder {folder} needs a folder {new} in it"),
    _draw_new, _as_it_is, _verify_create, _route_create,
    ("I want to keep things under {new} within {folder} , make that folder",
     "Inside of {folder} there shall be a folder named {new}"),
)  # fmt: skip
DELETE_FILE = Family(
    "delete_file", ("Files",),
    ("Delete the file {file} in {folder}", "Throw {file} from the folder {folder} into the bin",
     "Remove {file} from {folder} in the files", "The file {file} in {folder} can be deleted"),
    _draw, _with, _verify_delete, lambda p: _at_file(p, "delete", {}),
    ("Nobody needs {file} any more, it is in {folder} , away with it", "In {folder} there is {file} which has to go"),
)  # fmt: skip
MOVE_FILE = Family(
    "move_file", ("Files",),
    ("Move {file} from {folder} to {target}", "Put the file {file} of the folder {folder} into {target}",
     "The file {file} in {folder} belongs in the folder {target}",
     "Take {file} out of {folder} and move it to {target}"),
    _draw_move, _with, _verify_put, _route_move,
    ("I keep looking for {file} in {target} but it is in {folder} , move it",
     "{target} is where {file} should be, not {folder}"),
)  # fmt: skip
RENAME_FILE = Family(
    "rename_file", ("Files",),
    ("Rename {file} in {folder} to {new}", "Change the name of {file} in the folder {folder} to {new}",
     "Call the file {file} in {folder} {new} instead", "Give {file} in {folder} the new name {new}"),
    _draw_rename, _with, _verify_put, _route_rename,
    ("{file} in {folder} has a bad name, it should be {new}", "From now on let {file} of {folder} be called {new}"),
)  # fmt: skip
