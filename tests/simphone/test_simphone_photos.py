"""Photos: favourites, albums, the bin, swiping from one picture to the next."""

from __future__ import annotations

from collections.abc import Mapping

from phone_walks import phone, tap, through

from distrl_sdk.simphone import engine
from distrl_sdk.simphone.apps.photos import Album, Photos
from distrl_sdk.simphone.facts import facts_of
from distrl_sdk.simphone.scene import scene_of
from distrl_sdk.simphone.state import PhoneState
from distrl_sdk.types import Json, Swipe, TypeText

A, B, C = "Beach in Oslo", "Beach in Porto", "Tower in Oslo"
START = phone().with_app("Photos", Photos((A, B, C), (C,), (Album("Prints", (C,)), Album("Family"))))
LEFT, RIGHT = Swipe(0.8, 0.4, 0.2, 0.4), Swipe(0.2, 0.4, 0.8, 0.4)


def facts(state: PhoneState) -> Mapping[str, Json]:
    return facts_of(state, START)


def opened(title: str) -> PhoneState:
    return through(START, "app:Photos", f"photo:{title}")


def test_a_swipe_shows_the_next_picture_and_stops_at_the_ends() -> None:
    first = opened(A)

    assert engine.act(first, LEFT).top.args == (B,)
    assert engine.act(engine.act(first, LEFT), RIGHT).top == first.top
    assert engine.act(first, RIGHT).top == first.top
    assert engine.act(opened(C), LEFT).top.args == (C,)
    assert engine.act(engine.act(first, LEFT), LEFT).stack[1] == first.stack[1]


def test_a_favourite_is_kept_once_and_taken_back() -> None:
    once = tap(opened(A), "favourite")

    assert facts(once)["photos.favourites"] == [C, A]
    assert facts(tap(once, "favourite"))["changed"] == []


def test_a_deleted_picture_lies_in_the_bin_and_comes_back_without_its_albums() -> None:
    deleted = through(opened(C), "delete", "confirm")
    kept = through(opened(C), "delete", "cancel")
    restored = through(deleted, "tab:Albums", "bin", f"binned:{C}")

    assert facts(kept)["changed"] == []
    assert facts(deleted)["photos.pictures"] == [A, B]
    assert facts(deleted)["photos.bin"] == [C]
    assert facts(deleted)["photos.in_albums"] == facts(deleted)["photos.favourites"] == []
    assert deleted.top.place == ("Photos", "main")
    assert facts(restored)["photos.pictures"] == [C, A, B]
    assert facts(restored)["photos.bin"] == []


def test_the_bin_is_emptied_after_a_question_only() -> None:
    asked = through(opened(A), "delete", "confirm", "tab:Albums", "bin", "empty")

    assert facts(asked)["photos.bin"] == [A]
    assert facts(tap(asked, "confirm"))["photos.bin"] == []
    assert scene_of(tap(asked, "confirm")).find("empty") is None


def test_a_picture_is_in_an_album_once() -> None:
    chosen = through(opened(A), "into", "into:Prints")
    again = through(chosen, "into", "into:Prints")

    assert facts(chosen)["photos.in_albums"] == [{"album": "Prints", "picture": C}, {"album": "Prints", "picture": A}]
    assert chosen.top == opened(A).top
    assert again.toast == "It is in Prints already"
    assert facts(again)["photos.in_albums.grown"] == 1


def test_a_new_album_needs_a_name_of_its_own() -> None:
    new = through(START, "app:Photos", "tab:Albums", "add")

    nameless = tap(new, "save")
    taken = tap(engine.act(new, TypeText("Prints")), "save")
    made = tap(engine.act(new, TypeText("My walks")), "save")

    assert (nameless.top.page, taken.top.page, made.top.page) == ("new", "new", "albums")
    assert nameless.toast
    assert taken.toast
    assert facts(made)["photos.albums"] == ["Prints", "Family", "My walks"]
    assert scene_of(tap(made, "album:Prints")).find(f"photo:{C}") is not None


def test_what_is_gone_is_said_to_be_gone() -> None:
    below = opened(A).with_app("Photos", Photos((B,)))

    assert any("gone" in element.text for element in scene_of(below).elements)
    assert engine.act(below, LEFT).top == below.top
