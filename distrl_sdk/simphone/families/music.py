"""Families with music: no training task opens it."""

from __future__ import annotations

import random
from dataclasses import replace

from distrl_sdk.simphone.apps.music import PLAYLISTS, SONGS, Music, Playlist
from distrl_sdk.simphone.families.family import Check, Family, Hit, Params, Route, equals, from_home, has, only
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json

_HEARD = ("music.playing", "music.position")
"""What opening a song changes, whatever it is opened for."""


def _draw(chance: random.Random) -> dict[str, Json]:
    return {"song": chance.choice(SONGS)}


def _draw_list(chance: random.Random) -> dict[str, Json]:
    return {"song": chance.choice(SONGS), "playlist": chance.choice(PLAYLISTS)}


def _with(state: PhoneState, params: Params) -> PhoneState:
    """The song is there, in no playlist and not liked; so are two that share a word with it."""
    chance = random.Random(state.seed)
    title = params["song"]
    first, second = title.split()
    kin = [one for one in SONGS if one != title and {first, second} & set(one.split())]
    music: Music = state.apps["Music"]
    for one in (title, *chance.sample(kin, k=2)):
        music = music.with_song(one)
    for playlist in music.playlists:
        music = music.with_playlist(replace(playlist, songs=tuple(one for one in playlist.songs if one != title)))
    return state.with_app("Music", replace(music, liked=tuple(one for one in music.liked if one != title)))


def _with_list(state: PhoneState, params: Params) -> PhoneState:
    state = _with(state, params)
    music: Music = state.apps["Music"]
    if music.playlist(params["playlist"]) is None:
        music = music.with_playlist(Playlist(params["playlist"]))
    return state.with_app("Music", music)


def _route_to(title: str, there: str) -> Route:
    """The way to a song in the player, and what to touch there."""
    return from_home("Music", {
        ("Music", "main"): (Hit(f"song:{title}"),),
        ("Music", "player", title): (Hit(there),),
    })  # fmt: skip


def _verify_play(params: Params) -> tuple[Check, ...]:
    return equals("music.playing", params["song"]), only(*_HEARD)


def _route_play(params: Params) -> Route:
    return _route_to(params["song"], "pause")


def _verify_like(params: Params) -> tuple[Check, ...]:
    return has("music.liked", params["song"]), equals("music.liked.grown", 1), only("music.liked", *_HEARD)


def _verify_add(params: Params) -> tuple[Check, ...]:
    fact = "music.in_playlists"
    member = {"playlist": params["playlist"], "song": params["song"]}
    return has(fact, member), equals(f"{fact}.grown", 1), only(fact, *_HEARD)


def _route_like(params: Params) -> Route:
    return _route_to(params["song"], "like")


def _route_add(params: Params) -> Route:
    song = params["song"]
    return {**_route_to(song, "into"), ("Music", "choose", song): (Hit(f"list:{params['playlist']}"),)}


PLAY_SONG = Family(
    "play_song", ("Music",),
    ("Play the song {song}", "Put on {song} in Music", "I want to hear {song}", "Start playing {song} from my songs"),
    _draw, _with, _verify_play, _route_play,
    ("Let me listen to {song} now", "Some music please: {song}"),
)  # fmt: skip
LIKE_SONG = Family(
    "like_song", ("Music",),
    ("Like the song {song}", "Mark {song} in Music as a song that I like", "Add {song} to my liked songs",
     "Open {song} in the player and turn Like on"),
    _draw, _with, _verify_like, _route_like,
    ("{song} is a great song, tell Music that I like it", "I am fond of {song} so put it among the liked ones"),
)  # fmt: skip
ADD_TO_PLAYLIST = Family(
    "add_to_playlist", ("Music",),
    ("Add the song {song} to the playlist {playlist}", "Put {song} on my playlist {playlist}",
     "In Music the playlist {playlist} shall also hold {song}", "Extend the playlist {playlist} by {song}"),
    _draw_list, _with_list, _verify_add, _route_add,
    ("My playlist {playlist} lacks {song} , please fix that", "{song} is right for {playlist} so add it to that list"),
)  # fmt: skip
