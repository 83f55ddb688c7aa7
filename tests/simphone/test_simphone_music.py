"""Music: playing, liking, playlists."""

from __future__ import annotations

from collections.abc import Mapping

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.music import Music, Playlist, artist_of
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json, Key, Press, Swipe, TypeText

A, B, C = "Golden Fire", "Golden Rain", "Paper Fire"
START = phone().with_app("Music", Music((A, B, C), (C,), (Playlist("Focus", (B,)), Playlist("Party"))))


def facts(state: PhoneState) -> Mapping[str, Json]:
    return facts_of(state, START)


def player(title: str) -> PhoneState:
    return through(START, "app:Music", f"song:{title}")


def test_a_touched_song_plays_until_it_is_paused() -> None:
    playing = player(B)
    paused = tap(playing, "pause")

    assert facts(playing)["music.playing"] == B
    assert facts(paused)["music.playing"] == ""
    assert facts(tap(paused, "pause"))["music.playing"] == B


def test_next_and_previous_go_round() -> None:
    assert facts(tap(player(B), "next"))["music.playing"] == C
    assert facts(tap(player(C), "next"))["music.playing"] == A
    assert facts(tap(player(A), "previous"))["music.playing"] == C


def test_the_position_follows_the_finger_and_a_new_song_begins_at_its_start() -> None:
    slider = scene_of(player(A)).find("position")
    assert slider is not None
    y = slider.box.centre[1]

    moved = engine.act(player(A), Swipe(0.1, y, 0.5, y))

    assert facts(moved)["music.position"] == 50
    assert facts(tap(moved, "next"))["music.position"] == 0


def test_there_is_one_player_and_it_shows_what_plays() -> None:
    state = through(player(A), "song")
    other = through(state, "back", "back", f"song:{B}", "back", "now")

    assert state.top.place == ("Music", "artist", artist_of(A))
    assert other.top.place == ("Music", "player", B)
    assert [screen.page for screen in other.stack].count("player") == 1
    assert facts(other)["music.playing"] == B


def test_a_like_is_given_and_taken_back() -> None:
    liked = tap(player(A), "like")

    assert facts(liked)["music.liked"] == [C, A]
    assert facts(tap(liked, "like"))["music.liked"] == [C]
    assert scene_of(through(liked, "back", "tab:Playlists", "liked")).find(f"song:{A}") is not None


def test_a_song_is_in_a_playlist_once_and_can_be_removed() -> None:
    added = through(player(A), "into", "list:Focus")
    again = through(added, "into", "list:Focus")
    removed = through(added, "back", "tab:Playlists", "list:Focus", f"remove:{A}")

    assert facts(added)["music.in_playlists.grown"] == 1
    assert again.toast == "It is in Focus already"
    assert facts(again)["music.in_playlists.grown"] == 1
    assert facts(removed)["music.in_playlists"] == [{"playlist": "Focus", "song": B}]


def test_a_new_playlist_needs_a_name_of_its_own() -> None:
    new = through(START, "app:Music", "tab:Playlists", "add")

    assert tap(new, "save").top.page == "new"
    assert tap(engine.act(new, TypeText("Party")), "save").top.page == "new"
    assert facts(tap(engine.act(new, TypeText("Walks")), "save"))["music.playlists"] == ["Focus", "Party", "Walks"]


def test_songs_are_found_by_title_and_by_artist() -> None:
    def songs(text: str) -> list[str]:
        field = through(START, "app:Music", "query")
        results = engine.act(engine.act(field, TypeText(text)), Press(Key.ENTER))
        return [name.removeprefix("song:") for name in scene_of(results).names if name.startswith("song:")]

    assert songs("golden fire") == [A, B, C]
    assert A in songs(artist_of(A).lower())
    assert songs("submarine") == []
