"""Trajectories as frames and back."""

from __future__ import annotations

import tracemalloc
from dataclasses import fields, replace
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from distrl_sdk.errors import WireError
from distrl_sdk.types import End, Trajectory
from distrl_sdk.wire.codec import HEADER, join_frames, pack_trajectory, split_frames, unpack_trajectory
from distrl_sdk.wire.limits import Limits, pack_header, unpack_header
from tests.wire import drawn
from tests.wire.samples import trajectory

drawing = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def assert_same(left: Trajectory, right: Trajectory) -> None:
    for field in fields(Trajectory):
        ours, theirs = getattr(left, field.name), getattr(right, field.name)
        if field.name == "features":
            assert list(ours) == list(theirs)
            for name in ours:
                assert ours[name].dtype == theirs[name].dtype
                np.testing.assert_array_equal(ours[name], theirs[name])
        elif isinstance(ours, np.ndarray):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)
        else:
            assert ours == theirs


@drawing
@given(drawn.trajectories())
def test_a_trajectory_survives_the_wire_unchanged(sent: Trajectory) -> None:
    assert_same(unpack_trajectory([bytes(frame) for frame in pack_trajectory(sent)]), sent)


@drawing
@given(drawn.trajectories())
def test_a_trajectory_survives_a_file_unchanged(sent: Trajectory) -> None:
    assert_same(unpack_trajectory(split_frames(join_frames(pack_trajectory(sent)))), sent)


def test_small_arrays_share_a_frame_and_big_ones_travel_without_a_copy() -> None:
    wide = np.ones((3, 30_000), np.float32)
    sent = replace(trajectory(), features={"small": np.ones((3, 2), np.float32), "wide": wide}, pictures=(b"png",))

    header, stacked, big, picture = pack_trajectory(sent)

    assert np.shares_memory(np.frombuffer(big, np.uint8), wide)
    assert bytes(picture) == b"png"
    assert len(stacked) < 300
    assert len(header) < 500


def test_an_array_of_zeros_travels_as_its_name_and_takes_no_memory() -> None:
    sent = trajectory()
    features = {**sent.features, "picture": np.zeros((3, 90, 40, 3), np.uint8)}

    frames = pack_trajectory(replace(sent, features=features))
    picture = unpack_trajectory(frames).features["picture"]

    assert sum(map(len, frames)) < sum(map(len, pack_trajectory(sent))) + 200
    assert picture.shape == (3, 90, 40, 3)
    assert picture.dtype == np.uint8
    assert not picture.any()
    assert picture.strides == (0, 0, 0, 0)


def test_a_blank_feature_must_be_one_of_the_features() -> None:
    frames = pack_trajectory(trajectory())
    header = unpack_header(frames[0])
    for blank in (["y"], "x", [3], None):
        with pytest.raises(WireError, match="blank"):
            unpack_trajectory([pack_header({**header, "blank": blank}), *frames[1:]])


def test_received_arrays_are_aligned_and_read_only() -> None:
    sent = replace(trajectory(), features={"a": np.ones((3, 3), np.uint8), "b": np.ones((3, 1), np.float64)})

    got = unpack_trajectory(pack_trajectory(sent))

    for array in (*got.features.values(), got.code, got.invalid):
        assert array.flags.aligned
        assert not array.flags.writeable


def test_columns_that_are_not_contiguous_or_big_endian_are_straightened() -> None:
    odd = np.arange(12, dtype=">f4").reshape(4, 3).T

    got = unpack_trajectory(pack_trajectory(replace(trajectory(), features={"x": odd})))

    np.testing.assert_array_equal(got.features["x"], odd)


WRONG = {
    "log_mu, log_pi or seconds: not finite": {"log_mu": np.array([0, np.nan], np.float32)},
    "seconds: negative": {"seconds": np.array([0, -1, 0], np.float32)},
    "log_mu: 3 rows for 2 steps": {"log_mu": np.zeros(3, np.float32)},
    "seconds: 2 rows for 2 steps": {"seconds": np.zeros(2, np.float32)},
    "screens: 4 rows for 2 steps": {"screens": np.zeros(4, np.uint32)},
    "code: expected 2 dimensions of int32": {"code": np.zeros((2, 3), np.int64)},
    "version: expected [T, 2], none negative": {"version": np.zeros((2, 3), np.int32)},
    "repeats: negative": {"repeats": np.array([0, -1], np.int32)},
    "features.x: shape [2, 4] for 2 steps": {"features": {"x": np.zeros((2, 4), np.float32)}},
    "features.x: not finite": {"features": {"x": np.full((3, 1), np.inf, np.float16)}},
    "features.x: arrays of type object do not travel": {"features": {"x": np.array([None] * 3)}},
    "features.x: arrays of type complex64 do not travel": {"features": {"x": np.zeros(3, np.complex64)}},
    "an episode without features": {"features": {}},
    "unknown lane 'fast': known: train, eval": {"lane": "fast"},
    "temperature nan": {"temperature": float("nan")},
    "end 'finish' with blame 'device'": {"end": End("finish", "device")},
    "end 'aborted' with blame ''": {"end": End("aborted")},
    "5 pictures of 2 steps": {"pictures": (b"",) * 5},
    "the id is empty": {"id": ""},
    "the id has 1000 characters, at most 128 are read": {"id": "w" * 1000},
}


@pytest.mark.parametrize("reason", WRONG)
def test_a_trajectory_that_does_not_fit_together_is_refused_by_its_sender(reason: str) -> None:
    with pytest.raises(WireError) as caught:
        pack_trajectory(replace(trajectory(), **WRONG[reason]))

    assert str(caught.value) == reason


def test_an_aborted_episode_may_lack_its_features() -> None:
    sent = replace(trajectory(steps=0), features={}, end=End("aborted", "device", "it fell into the sea"))

    assert unpack_trajectory(pack_trajectory(sent)).end.message == "it fell into the sea"


# --- hostile frames -------------------------------------------------------------------------------------------------


def edited(**fields: Any) -> list[bytes]:
    """Good frames whose header says something else."""
    header, *rest = pack_trajectory(trajectory())
    return [msgpack.packb({**msgpack.unpackb(bytes(header)), **fields}), *map(bytes, rest)]


def with_feature(name: Any, dtype: Any, row: Any) -> list[bytes]:
    """Good frames whose header describes the feature x otherwise."""
    return edited(features=msgpack.packb([[name, dtype, row]]))


def with_task(**fields: Any) -> list[bytes]:
    """Good frames with another task in their header."""
    return edited(task=msgpack.packb({"id": "a", "family": "f", "instruction": "i", **fields}))


@pytest.mark.parametrize(
    ("frames", "reason"),
    [
        ([], "a trajectory of 0 frames"),
        ([b""] * 5000, "a trajectory of 5000 frames"),
        ([b"\xc1", b""], "header is not msgpack"),
        ([b"\x93\x01\x02\x03", b""], "the header is not one of a trajectory"),
        (edited(surprise=1), "the header is not one of a trajectory"),
        (edited(pictures=1), "pictures: expected a number of at most 0"),
        (edited(pictures=-1), "pictures: expected a number of at most 0"),
        (edited(codes=2), "bytes are left over that no array claims"),
        (edited(codes=3000), "the columns of the steps are cut off"),
        (edited(codes=2**40), "codes: expected a number of at most"),
        (edited(codes=True), "codes: expected a number of at most"),
        (edited(actions="tap tap"), "actions: expected a list"),
        (edited(actions=[]), "bytes are left over that no array claims"),
        (edited(actions=[["tap", 0.5, 0.5]] * 90), "the columns of the steps are cut off"),
        (edited(actions=[["explode"]] * 2), "actions: expected kinds among tap, "),
        (edited(actions=[["tap", 0.5]] * 2), "actions: tap has 2 fields"),
        (edited(actions=[["tap", 0.5, "right"]] * 2), "actions: tap: expected a number, not str"),
        (edited(actions=[["press", "VOLUME"]] * 2), "actions: press: 'VOLUME' is none of 'BACK', "),
        (edited(temperature=float("inf")), "temperature: inf is not finite"),
        (edited(end={"kind": "finish", "blame": "device"}), "end 'finish' with blame 'device'"),
        (edited(task=["nested"]), "expected a nested value"),
        (with_task(max_steps="ten"), "task.max_steps: expected a whole number, not str"),
        (with_task(setup={"k": "v" * 20_000}, apps=[1]), "task.apps: expected text, not int"),
        (edited(features=msgpack.packb([["x", "float32", [4]]] * 2)), "features: a name stands twice"),
        (edited(features=msgpack.packb([["x", "float32", [4]]] * 65)), "features: expected a list of at most 64"),
        (edited(features=msgpack.packb([])), "bytes are left over that no array claims"),
        (with_feature(7, "float32", [4]), "features: expected a name of at most 128 characters"),
        (with_feature("x" * 200, "float32", [4]), "features: expected a name of at most 128 characters"),
        (with_feature("x", "object", [4]), "features.x: arrays of type 'object' do not travel"),
        (with_feature("x", "<f4", [4]), "features.x: arrays of type '<f4' do not travel"),
        (with_feature("x", "float64", [4]), "features.x: the frame ends before it"),
        (with_feature("x", "float32", [-4]), "features.x: a size in its shape is out of range"),
        (with_feature("x", "float32", [4.0]), "features.x: a size in its shape is out of range"),
        (with_feature("x", "float32", [True]), "features.x: a size in its shape is out of range"),
        (with_feature("x", "float32", [2**62]), "features.x: a size in its shape is out of range"),
        (with_feature("x", "float32", [2**28, 2**28]), "features.x: 288230376151711744 bytes a step, at most"),
        (with_feature("x", "float32", [1] * 6), "features.x: the shape is not a list of less than 6"),
        (with_feature("x", "float32", [40_000]), "features.x: its frame is missing or of another size"),
        (with_feature("x", "float32", [2]), "bytes are left over that no array claims"),
    ],
)
def test_frames_that_lie_are_refused_with_the_reason(frames: list[bytes], reason: str) -> None:
    with pytest.raises(WireError) as caught:
        unpack_trajectory(frames)

    assert str(caught.value).startswith(reason)


def test_truth_values_other_than_0_and_1_are_refused() -> None:
    header, stacked = pack_trajectory(trajectory())
    at = 4 * (2 * 3 + 2 + 2 + 4 + 2 + 3 + 3)  # code, log_mu, log_pi, version, repeats, seconds, screens

    with pytest.raises(WireError, match="invalid: a truth value that is neither 0 nor 1"):
        unpack_trajectory([header, stacked[:at] + b"\x02" + stacked[at + 1 :]])


def test_limits_are_checked_before_anything_is_allocated() -> None:
    huge = with_feature("x", "float32", [80_000_000])
    bomb = b"\xdd\xff\xff\xff\xff" * 500  # 500 nested lists that each claim 4 billion items
    tracemalloc.start()
    try:
        for frames in (huge, [bomb, b""]):
            with pytest.raises(WireError):
                unpack_trajectory(frames)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 1 << 20


def test_limits_can_be_set_lower() -> None:
    frames = pack_trajectory(trajectory(steps=9))

    for limits in (Limits(steps=8), Limits(header_bytes=100), Limits(total_bytes=500), Limits(features=0)):
        with pytest.raises(WireError):
            unpack_trajectory(frames, limits)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.binary(max_size=200), max_size=5))
def test_random_frames_raise_nothing_but_a_wire_error(frames: list[bytes]) -> None:
    with pytest.raises(WireError):
        unpack_trajectory(frames)


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_damaged_frames_raise_nothing_but_a_wire_error(data: st.DataObject) -> None:
    frames = [bytearray(frame) for frame in pack_trajectory(replace(trajectory(), pictures=(b"png",)))]
    for _ in range(data.draw(st.integers(1, 4))):
        frame = frames[data.draw(st.integers(0, len(frames) - 1))]
        at = data.draw(st.integers(0, len(frame)))
        if data.draw(st.booleans()):
            frame[at : at + 1] = data.draw(st.binary(max_size=2))
        else:
            del frame[at:]
    if data.draw(st.booleans()):
        del frames[data.draw(st.integers(0, len(frames) - 1))]
    try:
        got = unpack_trajectory([bytes(frame) for frame in frames])
    except WireError:
        return
    assert np.isfinite(got.log_mu).all()


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(sorted(HEADER)), drawn.plain | drawn.plain.map(msgpack.packb) | st.binary())
def test_a_header_with_any_value_in_any_field_raises_nothing_but_a_wire_error(field: str, value: Any) -> None:
    try:
        unpack_trajectory(edited(**{field: value}))
    except WireError:
        return


# --- blobs ----------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=100)
@given(st.lists(st.binary(max_size=50), max_size=6), st.data())
def test_a_torn_blob_of_frames_is_noticed(frames: list[bytes], data: st.DataObject) -> None:
    blob = join_frames(frames)

    assert [bytes(frame) for frame in split_frames(blob)] == frames
    with pytest.raises(WireError, match=r"^frames: "):
        split_frames(blob[: data.draw(st.integers(0, len(blob) - 1))])


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=100))
def test_random_blobs_raise_nothing_but_a_wire_error(blob: bytes) -> None:
    try:
        frames = split_frames(blob)
    except WireError:
        return
    assert join_frames(frames) == blob
