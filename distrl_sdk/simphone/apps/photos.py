"""Photos: pictures, albums, a bin."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import NOWHERE, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

SUBJECTS = ("Beach", "Bridge", "Market", "Sunset", "Tower", "Garden", "Harbour", "Street", "Castle", "Rooftops", "Park",
            "Church", "Fountain", "Station")  # fmt: skip
TOWNS = ("Lisbon", "Oslo", "Verona", "Bruges", "Porto", "Vienna", "Malaga", "Ghent", "Turin", "Split", "Riga", "Basel",
         "Cork", "Nantes", "Krakow", "Siena", "Bergen", "Leiden")  # fmt: skip
ALBUMS = ("Holidays", "Family", "Best of", "Work trips", "Wallpapers", "For Grandma", "Prints", "Old phone", "Hiking",
          "Weekends")  # fmt: skip
_COLUMNS, _HEIGHT = 3, 400


@record
@dataclass(frozen=True, slots=True)
class Album:
    """A named selection of pictures."""

    name: str
    titles: tuple[str, ...] = ()


@record
@dataclass(frozen=True, slots=True)
class Photos:
    """Pictures by their titles, the newest first."""

    titles: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    albums: tuple[Album, ...] = ()
    bin: tuple[str, ...] = ()

    def without(self, title: str) -> Photos:
        """Without a picture, wherever it was."""
        albums = tuple(replace(one, titles=_less(one.titles, title)) for one in self.albums)
        return Photos(_less(self.titles, title), _less(self.favourites, title), albums, _less(self.bin, title))

    def with_album(self, album: Album) -> Photos:
        """One album more, or the one of that name replaced."""
        if self.album(album.name) is None:
            return replace(self, albums=(*self.albums, album))
        return replace(self, albums=tuple(album if one.name == album.name else one for one in self.albums))

    def album(self, name: str) -> Album | None:
        """The album of a name."""
        return next((one for one in self.albums if one.name == name), None)


def _less(titles: tuple[str, ...], title: str) -> tuple[str, ...]:
    return tuple(one for one in titles if one != title)


def draw_title(chance: random.Random) -> str:
    """What a picture shows, and where."""
    return f"{chance.choice(SUBJECTS)} in {chance.choice(TOWNS)}"


def _start(chance: random.Random) -> Photos:
    titles = tuple(dict.fromkeys(draw_title(chance) for _ in range(chance.randint(10, 18))))
    albums = (Album(name, tuple(chance.sample(titles, k=chance.randint(0, 4)))) for name in chance.sample(ALBUMS, k=3))
    return Photos(titles, tuple(chance.sample(titles, k=2)), tuple(albums), (f"Blurred {draw_title(chance)}",))


_TABS = (("Pictures", ("tab", "main")), ("Albums", ("tab", "albums")))


def _layout(page: PageBuilder, photos: Photos) -> None:
    screen = page.screen
    match screen.page:
        case "albums":
            _albums(page, photos)
        case "album":
            page.bar(screen.args[0])
            album = photos.album(screen.args[0])
            _grid(page, album.titles if album is not None else (), photos)
        case "favourites":
            page.bar("Favourites")
            _grid(page, photos.favourites, photos)
        case "bin":
            page.bar("Bin", *((("empty", "Empty bin", ("dialog", "empty")),) if photos.bin else ()))
            for title in photos.bin:
                page.row(f"binned:{title}", title, ("restore", title), "Touch to restore", icon=title)
        case "new":
            page.bar("New album", ("save", "Save", ("save",)))
            page.field("name", "Album name")
        case "main":
            page.bar("Photos")
            _grid(page, photos.titles, photos)
            page.tabs("Pictures", *_TABS)
        case _:
            _of_picture(page, photos, screen.args[0])
    if screen.dialog:
        _ask(page, screen.dialog)


def _ask(page: PageBuilder, asked: Event) -> None:
    cancel = ("cancel", "Cancel", ("close",))
    if asked == ("empty",):
        page.ask("Empty the bin?", "This cannot be undone.", cancel, ("confirm", "Empty bin", ("empty",)))
    else:
        text = page.say("{} moves to the bin.", asked[1])
        page.ask("Delete picture?", text, cancel, ("confirm", "Delete", ("delete", asked[1])))


def _grid(page: PageBuilder, titles: tuple[str, ...], photos: Photos) -> None:
    if not titles:
        page.paragraph("No pictures here yet.")
    page.grid(_COLUMNS, _HEIGHT, *(
        Widget(NOWHERE, "photo", title, page.say("Favourite") if title in photos.favourites else "",
               f"photo:{title}", "image", ("page", "photo", title), icon=title)
        for title in titles
    ))  # fmt: skip


def _albums(page: PageBuilder, photos: Photos) -> None:
    page.bar("Photos")
    page.row("favourites", "Favourites", ("page", "favourites"), page.say("Pictures: {}", len(photos.favourites)))
    for album in photos.albums:
        count = page.say("Pictures: {}", len(album.titles))
        page.row(f"album:{album.name}", album.name, ("page", "album", album.name), count, icon=album.name)
    page.row("bin", "Bin", ("page", "bin"), page.say("Pictures: {}", len(photos.bin)))
    page.fab("add", "New album", ("page", "new"))
    page.tabs("Albums", *_TABS)


def _of_picture(page: PageBuilder, photos: Photos, title: str) -> None:
    if page.screen.page == "choose":
        page.bar("Add to album")
        for album in photos.albums:
            count = page.say("Pictures: {}", len(album.titles))
            page.row(f"into:{album.name}", album.name, ("into", album.name, title), count, icon=album.name)
        return
    page.bar(title)
    if title not in photos.titles:
        page.paragraph("This picture is gone.")
    elif page.screen.page == "details":
        code = zlib.crc32(title.encode())
        page.row("taken", "Taken", (), f"{1 + code % 28:02d}.{1 + code % 12:02d}.{2016 + code % 9}")
        page.row("size", "Size", (), page.say("{} MB", f"{2 + code % 7}.{code % 10}"))
        page.row("where", "Place", (), title.rpartition(" in ")[2])
    else:
        page.image("picture", title, title, 1000)
        page.switch("favourite", "Favourite", title in photos.favourites, ("favourite", title))
        page.row("into", "Add to album", ("page", "choose", title))
        page.row("details", "Details", ("page", "details", title))
        page.button("delete", "Delete", ("dialog", "delete", title), "flat_wide")


def _react(state: PhoneState, event: Event) -> PhoneState:
    photos: Photos = state.apps["Photos"]
    match event:
        case ("tab", page):
            return state.with_top(Screen("Photos", page))
        case ("swipe", way) if state.top.page == "photo" and state.top.args[0] in photos.titles:
            at = photos.titles.index(state.top.args[0]) + {"left": 1, "right": -1}.get(way, 0)
            return state.with_top(Screen("Photos", "photo", (photos.titles[max(0, at) : at + 1] or state.top.args)))
        case ("save",) | ("enter", "name"):
            return _new_album(state, photos, state.top.draft("name").strip())
        case ("into", name, title):
            return _add(state, photos, name, title)
        case ("favourite", title):
            others = _less(photos.favourites, title)
            chosen = others if title in photos.favourites else (*others, title)
            return state.with_app("Photos", replace(photos, favourites=chosen))
        case ("delete", title):
            gone = photos.without(title)
            state = state.with_app("Photos", replace(gone, bin=(*gone.bin, title))).pop()
            return replace(state, toast=say(state.style, "{} is in the bin", title))
        case ("restore", title):
            back = photos.without(title)
            state = state.with_app("Photos", replace(back, titles=(title, *back.titles)))
            return replace(state, toast=say(state.style, "{} restored", title))
        case ("empty",):
            state = state.with_app("Photos", replace(photos, bin=()))
            return state.with_top(replace(state.top, dialog=()))
        case _:
            return state


def _new_album(state: PhoneState, photos: Photos, name: str) -> PhoneState:
    if not name:
        return replace(state, toast=say(state.style, "An album needs a name"))
    if photos.album(name) is not None:
        return replace(state, toast=say(state.style, "There is an album {} already", name))
    return state.with_app("Photos", photos.with_album(Album(name))).pop()


def _add(state: PhoneState, photos: Photos, name: str, title: str) -> PhoneState:
    album = photos.album(name)
    if album is None:
        return state
    if title in album.titles:
        return replace(state, toast=say(state.style, "It is in {} already", name))
    state = state.with_app("Photos", photos.with_album(replace(album, titles=(*album.titles, title)))).pop()
    return replace(state, toast=say(state.style, "Added to {}", name))


def _facts(photos: Photos) -> Mapping[str, Json]:
    return {
        "photos.pictures": list(photos.titles),
        "photos.favourites": list(photos.favourites),
        "photos.albums": [album.name for album in photos.albums],
        "photos.in_albums": [
            {"album": album.name, "picture": title} for album in photos.albums for title in album.titles
        ],
        "photos.bin": list(photos.bin),
    }


APP = App("Photos", "Photos", ("Photos",), _layout, _react, _start, _facts, {"new": "name"})
