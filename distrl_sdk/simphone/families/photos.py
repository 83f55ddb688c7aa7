"""Families with pictures and albums."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.photos import ALBUMS, SUBJECTS, TOWNS, Album, Photos, draw_title
from distrl_sdk.simphone.families.family import (
    Check,
    Family,
    Fill,
    Hit,
    Params,
    Route,
    equals,
    from_home,
    has,
    lacks,
    only,
)
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_NAMES = tuple(f"{first} {second}" for first in ("Best", "Old", "Summer", "Winter", "City", "Quiet", "My", "Favourite")
               for second in ("days", "views", "walks", "trips", "prints", "moments", "places", "colours",
                              "evenings", "friends"))  # fmt: skip


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"picture": draw_title(chance)}


def _draw_album(chance: random.Random) -> dict[str, Json]:
    return {"picture": draw_title(chance), "album": chance.choice(ALBUMS)}


def _draw_name(chance: random.Random) -> dict[str, Json]:
    return {"name": chance.choice(_NAMES)}


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The picture is there, in no album, with others of its subject and of its town."""
    chance = random.Random(state.seed)
    title = params["picture"]
    subject, _, town = title.partition(" in ")
    others = {f"{subject} in {chance.choice(TOWNS)}", f"{chance.choice(SUBJECTS)} in {town}"} - {title}
    photos = state.apps["Photos"].without(title)
    titles = [*photos.titles, *sorted(others - {*photos.titles})]
    chance.shuffle(titles)
    titles.insert(chance.randrange(len(titles) + 1), title)
    return state.with_app("Photos", replace(photos, titles=tuple(titles)))


def _with_album(state: PhoneState, params: Params) -> PhoneState:
    state = _with(state, params)
    photos: Photos = state.apps["Photos"]
    if photos.album(params["album"]) is None:
        photos = photos.with_album(Album(params["album"], photos.favourites))
    return state.with_app("Photos", photos)


def _as_it_is(state: PhoneState, params: Params) -> PhoneState:  # noqa: ARG001
    return state


def _verify_favourite(params: Params) -> tuple[Check, ...]:
    fact = "photos.favourites"
    return has(fact, params["picture"]), equals(f"{fact}.grown", 1), only(fact)


def _route_favourite(params: Params) -> Route:
    title = params["picture"]
    return from_home("Photos", {
        ("Photos", "main"): (Hit(f"photo:{title}"),),
        ("Photos", "photo", title): (Hit("favourite"),),
    })  # fmt: skip


def _verify_delete(params: Params) -> tuple[Check, ...]:
    return (
        lacks("photos.pictures", params["picture"]),
        has("photos.bin", params["picture"]),
        equals("photos.pictures.grown", -1),
        equals("photos.bin.grown", 1),
        only("photos.pictures", "photos.bin"),
    )


def _route_delete(params: Params) -> Route:
    title = params["picture"]
    return from_home("Photos", {
        ("Photos", "main"): (Hit(f"photo:{title}"),),
        ("Photos", "photo", title): (Hit("delete"),),
        ("Photos", "photo", title, "!"): (Hit("confirm"),),
    })  # fmt: skip


def _verify_album(params: Params) -> tuple[Check, ...]:
    fact = "photos.in_albums"
    member = {"album": params["album"], "picture": params["picture"]}
    return has(fact, member), equals(f"{fact}.grown", 1), only(fact)


def _route_album(params: Params) -> Route:
    title = params["picture"]
    return from_home("Photos", {
        ("Photos", "main"): (Hit(f"photo:{title}"),),
        ("Photos", "photo", title): (Hit("into"),),
        ("Photos", "choose", title): (Hit(f"into:{params['album']}"),),
    })  # fmt: skip


def _verify_new(params: Params) -> tuple[Check, ...]:
    return has("photos.albums", params["name"]), equals("photos.albums.grown", 1), only("photos.albums")


def _route_new(params: Params) -> Route:
    return from_home("Photos", {
        ("Photos", "main"): (Hit("tab:Albums"),),
        ("Photos", "albums"): (Hit("add"),),
        ("Photos", "new"): (Fill("name", params["name"]), Hit("save")),
    })  # fmt: skip


FAVOURITE_PHOTO = Family(
    "favourite_photo", ("Photos",),
    ("Mark the picture {picture} as a favourite", "Make {picture} one of my favourites in Photos",
     "I love my photo {picture} so add it to the favourites", "Open the photo {picture} and turn Favourite on"),
    _draw, _with, _verify_favourite, _route_favourite,
    ("{picture} is the shot I like best, let Photos know", "Put a favourite mark on {picture} in my pictures"),
)  # fmt: skip
DELETE_PHOTO = Family(
    "delete_photo", ("Photos",),
    ("Delete the picture {picture}", "Move my photo {picture} to the bin", "Remove the photo {picture} from Photos",
     "I do not need the picture {picture} any more, delete it"),
    _draw, _with, _verify_delete, _route_delete,
    ("The photo {picture} turned out badly, throw it away", "Get rid of {picture} in my pictures"),
)  # fmt: skip
ALBUM_PHOTO = Family(
    "album_photo", ("Photos",),
    ("Add the picture {picture} to the album {album}", "Put my photo {picture} into the album {album}",
     "In Photos the album {album} shall also hold {picture}", "{picture} belongs in my album {album} so add it"),
    _draw_album, _with_album, _verify_album, _route_album,
    ("My album {album} lacks the photo {picture} , please fix that", "File the shot {picture} under {album} in Photos"),
)  # fmt: skip
CREATE_ALBUM = Family(
    "create_album", ("Photos",),
    ("Create a photo album named {name}", "In Photos make a new album {name}", "Start the album {name} for my pictures",
     "I need a new album in Photos, call it {name}"),
    _draw_name, _as_it_is, _verify_new, _route_new,
    ("Set up an empty album in Photos with the title {name}", "My pictures need one more album : {name}"),
)  # fmt: skip
