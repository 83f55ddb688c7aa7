"""Music: songs, artists, playlists, and what is playing."""

from __future__ import annotations

import random
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from distrl_sdk.simphone.apps.app import App
from distrl_sdk.simphone.page import PageBuilder
from distrl_sdk.simphone.state import Event, PhoneState, Screen, record
from distrl_sdk.simphone.widgets import ROW, WIDTH, Rect, Widget
from distrl_sdk.simphone.wording import say
from distrl_sdk.types import Json

_FIRST = ("Midnight", "Paper", "Silver", "Hollow", "Distant", "Electric", "Crimson", "Gentle", "Broken", "Northern",
          "Velvet", "Golden", "Lonely", "Summer")  # fmt: skip
_SECOND = ("Train", "Lanterns", "Rain", "Hearts", "Avenue", "Dreams", "Tide", "Garden", "Signals", "Waltz", "Letters",
           "Fire", "Mirror", "Sky")  # fmt: skip
SONGS = tuple(f"{first} {second}" for first in _FIRST for second in _SECOND)
ARTISTS = ("The Tall Pines", "Mona Leaf", "Kilo & Sons", "Ana Verde", "Low Orbit", "Quartet Nord", "Jim Farrow",
           "Sister Moon", "The Postmen")  # fmt: skip
PLAYLISTS = ("Running", "Dinner", "Focus", "Road trip", "Rainy days", "Party", "Sleep", "Classics")


@record
@dataclass(frozen=True, slots=True)
class Playlist:
    """Songs in an order."""

    name: str
    songs: tuple[str, ...] = ()


@record
@dataclass(frozen=True, slots=True)
class Music:
    """The songs of the phone, by title, and what the user made of them."""

    songs: tuple[str, ...] = ()
    liked: tuple[str, ...] = ()
    playlists: tuple[Playlist, ...] = ()
    playing: str = ""
    """The song in the player, '' = none."""
    paused: bool = False
    position: int = 0
    """Percent of it that have been played."""

    def with_song(self, title: str) -> Music:
        """One song more."""
        return replace(self, songs=tuple(sorted({*self.songs, title})))

    def with_playlist(self, playlist: Playlist) -> Music:
        """One playlist more, or the one of that name replaced."""
        if self.playlist(playlist.name) is None:
            return replace(self, playlists=(*self.playlists, playlist))
        return replace(self, playlists=tuple(playlist if one.name == playlist.name else one for one in self.playlists))

    def playlist(self, name: str) -> Playlist | None:
        """The playlist of a name."""
        return next((one for one in self.playlists if one.name == name), None)


def artist_of(title: str) -> str:
    """Whose song it is, the same for ever."""
    return ARTISTS[zlib.crc32(title.encode()) % len(ARTISTS)]


def _start(chance: random.Random) -> Music:
    songs = tuple(sorted(chance.sample(SONGS, k=chance.randint(9, 16))))
    lists = (
        Playlist(name, tuple(chance.sample(songs, k=chance.randint(1, 4)))) for name in chance.sample(PLAYLISTS, k=3)
    )
    return Music(songs, tuple(sorted(chance.sample(songs, k=2))), tuple(lists))


_TABS = (("Songs", ("tab", "main")), ("Artists", ("tab", "artists")), ("Playlists", ("tab", "playlists")))


def _layout(page: PageBuilder, music: Music) -> None:
    screen = page.screen
    match screen.page:
        case "main":
            page.bar("Music")
            page.field("query", "Search songs")
            _now(page, music)
            _songs(page, music.songs)
            page.tabs("Songs", *_TABS)
        case "artists":
            page.bar("Music")
            for artist in sorted({artist_of(title) for title in music.songs}):
                page.row(f"artist:{artist}", artist, ("page", "artist", artist), icon=artist)
            page.tabs("Artists", *_TABS)
        case "artist":
            page.bar(screen.args[0])
            _songs(page, tuple(title for title in music.songs if artist_of(title) == screen.args[0]))
        case "results":
            page.bar(page.say("Results for {}", screen.args[0]))
            _songs(page, found(screen.args[0], music.songs))
        case "player":
            _player(page, music, screen.args[0])
        case _:
            _of_playlists(page, music)


def found(query: str, songs: tuple[str, ...]) -> tuple[str, ...]:
    """The songs with a word of the query in their title or their artist's name; more words first."""
    words = {word.lower() for word in query.split()}

    def misses(title: str) -> int:
        return len(words - set(f"{title} {artist_of(title)}".lower().split()))

    return tuple(sorted((title for title in songs if misses(title) < len(words)), key=misses))


def _songs(page: PageBuilder, titles: tuple[str, ...]) -> None:
    if not titles:
        page.paragraph("No songs here.")
    for title in titles:
        page.row(f"song:{title}", title, ("play", title), artist_of(title), icon=title)


def _now(page: PageBuilder, music: Music) -> None:
    if music.playing:
        detail = page.say("Paused") if music.paused else page.say("Playing")
        page.row("now", music.playing, ("now",), detail, icon=music.playing)


def _player(page: PageBuilder, music: Music, title: str) -> None:
    page.bar("Now playing")
    page.image("cover", title, title, 760)
    page.row("song", title, ("page", "artist", artist_of(title)), artist_of(title))
    page.slider("position", "Position", music.position, ("slide", "position"))
    page.chips(
        ("previous", "Previous", False, ("step", "-1")),
        ("pause", "Play" if music.paused else "Pause", True, ("pause",)),
        ("next", "Next", False, ("step", "1")),
    )
    page.switch("like", "Like", title in music.liked, ("like", title))
    page.row("into", "Add to playlist", ("page", "choose", title))


def _of_playlists(page: PageBuilder, music: Music) -> None:
    screen = page.screen
    if screen.page == "new":
        page.bar("New playlist", ("save", "Save", ("save",)))
        page.field("name", "Playlist name")
    elif screen.page == "playlist":
        _playlist(page, music, screen.args[0])
    else:
        page.bar("Add to playlist" if screen.page == "choose" else "Music")
        if screen.page == "playlists":
            page.row("liked", "Liked songs", ("page", "playlist", ""), page.say("Songs: {}", len(music.liked)))
        for one in music.playlists:
            event = ("into", one.name, *screen.args) if screen.args else ("page", "playlist", one.name)
            page.row(f"list:{one.name}", one.name, event, page.say("Songs: {}", len(one.songs)), icon=one.name)
        page.fab("add", "New playlist", ("page", "new"))
        if screen.page == "playlists":
            page.tabs("Playlists", *_TABS)


def _playlist(page: PageBuilder, music: Music, name: str) -> None:
    """A playlist; that of no name holds the liked songs."""
    page.bar(name or "Liked songs")
    playlist = music.playlist(name)
    if playlist is None:
        _songs(page, music.liked)
        return
    for title in playlist.songs:
        body, box = Rect(0, 0, 780, ROW), Rect(780, 34, WIDTH - 36, ROW - 34)
        page.place(Widget(body, "row", title, artist_of(title), f"song:{title}", "item", ("play", title), icon=title))
        event = "remove", name, title
        page.place(Widget(box, "chip", page.say("Remove"), "", f"remove:{title}", "button", event))
        page.skip(ROW)


def _react(state: PhoneState, event: Event) -> PhoneState:
    music: Music = state.apps["Music"]
    match event:
        case ("enter", "query"):
            query = state.top.draft("query").strip()
            return state.push(Screen("Music", "results", (query,))) if query else state
        case ("tab", page):
            return state.with_top(Screen("Music", page))
        case ("play", title):
            return _show_player(state.with_app("Music", _play(music, title)), title)
        case ("now",):
            return _show_player(state, music.playing)
        case ("step", by):
            title = music.songs[(music.songs.index(music.playing) + int(by)) % len(music.songs)]
            return state.with_app("Music", _play(music, title)).with_top(Screen("Music", "player", (title,)))
        case ("pause",):
            return state.with_app("Music", replace(music, paused=not music.paused))
        case ("slide", "position", percent):
            return state.with_app("Music", replace(music, position=int(percent)))
        case ("like", title):
            others = tuple(one for one in music.liked if one != title)
            return state.with_app("Music", replace(music, liked=others if title in music.liked else (*others, title)))
        case _:
            return _react_playlists(state, music, event)


def _show_player(state: PhoneState, title: str) -> PhoneState:
    """The player on top, and nowhere else: what it says is playing always is."""
    stack = tuple(one for one in state.stack if one.place[:2] != ("Music", "player"))
    return replace(state, stack=stack).push(Screen("Music", "player", (title,)))


def _play(music: Music, title: str) -> Music:
    return replace(music, playing=title, paused=False, position=0)


def _react_playlists(state: PhoneState, music: Music, event: Event) -> PhoneState:
    match event:
        case ("save",) | ("enter", "name"):
            name = state.top.draft("name").strip()
            if not name:
                return replace(state, toast=say(state.style, "A playlist needs a name"))
            if music.playlist(name) is not None:
                return replace(state, toast=say(state.style, "There is a playlist {} already", name))
            return state.with_app("Music", music.with_playlist(Playlist(name))).pop()
        case ("into", name, title):
            playlist = music.playlist(name) or Playlist(name)
            if title in playlist.songs:
                return replace(state, toast=say(state.style, "It is in {} already", name))
            longer = replace(playlist, songs=(*playlist.songs, title))
            state = state.with_app("Music", music.with_playlist(longer)).pop()
            return replace(state, toast=say(state.style, "Added to {}", name))
        case ("remove", name, title):
            playlist = music.playlist(name) or Playlist(name)
            shorter = replace(playlist, songs=tuple(one for one in playlist.songs if one != title))
            return state.with_app("Music", music.with_playlist(shorter))
        case _:
            return state


def _facts(music: Music) -> Mapping[str, Json]:
    return {
        "music.playing": "" if music.paused else music.playing,
        "music.position": music.position,
        "music.liked": list(music.liked),
        "music.playlists": [one.name for one in music.playlists],
        "music.in_playlists": [{"playlist": one.name, "song": title} for one in music.playlists for title in one.songs],
    }


APP = App("Music", "Music", ("Music",), _layout, _react, _start, _facts, {"new": "name"})
