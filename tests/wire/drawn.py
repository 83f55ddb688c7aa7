"""Hypothesis strategies for what travels."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
from hypothesis import strategies as st

from distrl_sdk.types import (
    NO_VERSION,
    Action,
    Assignment,
    DeviceAbout,
    End,
    Finish,
    Json,
    Key,
    LongPress,
    OpenApp,
    Press,
    Receipt,
    SlotAbout,
    Swipe,
    Tap,
    Task,
    Trajectory,
    TypeText,
    Usage,
    Verdict,
    Version,
    Vote,
    Wait,
)

share = st.floats(0, 1)
number = st.floats(allow_nan=False, allow_infinity=False)
name = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
text = st.text(st.characters(codec="utf-8"), max_size=40)
plain: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | number | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
action: st.SearchStrategy[Action] = st.one_of(
    st.builds(Tap, share, share),
    st.builds(LongPress, share, share),
    st.builds(Swipe, share, share, share, share),
    st.builds(TypeText, text),
    st.builds(Press, st.sampled_from(Key)),
    st.builds(OpenApp, text),
    st.builds(Wait, number),
    st.builds(Finish, st.booleans(), text),
)
task = st.builds(
    Task,
    id=name,
    family=text,
    instruction=text,
    max_steps=st.integers(1, 50),
    platform=st.sampled_from(["", "sim", "android"]),
    apps=st.lists(text, max_size=2).map(tuple),
    setup=st.dictionaries(text, plain, max_size=3),
    verify=st.lists(st.dictionaries(text, plain, max_size=2), max_size=2).map(tuple),
    secrets=st.lists(text, max_size=2).map(tuple),
)
about = st.builds(
    DeviceAbout,
    platform=text,
    model=text,
    os=text,
    width=st.integers(1, 5000),
    height=st.integers(1, 5000),
    apps=st.lists(text, max_size=2).map(tuple),
    actions=st.frozensets(st.sampled_from(["tap", "swipe", "type"])),
)
slot = st.builds(SlotAbout, id=name, device=about)
version = st.builds(Version, st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1))
usage = st.builds(Usage, *[st.none() | st.integers(0, 10**6)] * 5)
receipt = st.builds(
    Receipt,
    text,
    text,
    text,
    st.none() | usage,
    st.none() | number,
    st.integers(0, 9),
    st.booleans(),
    st.lists(name, max_size=2).map(tuple),
)
verdict = st.builds(
    Verdict,
    success=st.none() | st.booleans(),
    reason=text,
    judge=text,
    score=st.none() | number,
    seconds=number,
    side_effects=st.lists(text, max_size=2).map(tuple),
    reason_code=st.sampled_from(["", "unsure", "transport"]),
    confidence=st.none() | number,
    validity=st.lists(st.sampled_from(["valid", "invalid", "unsure"]), max_size=2).map(tuple),
    votes=st.lists(st.builds(Vote, text, st.none() | st.booleans(), text), max_size=2).map(tuple),
    receipt=st.none() | receipt,
    queued=number,
)
end = st.one_of(
    st.builds(End, st.sampled_from(["finish", "step_limit", "left_app"]), st.just(""), text),
    st.builds(End, st.just("aborted"), st.sampled_from(["device", "judge", "worker", "user"]), text),
)
assignment = st.builds(
    Assignment,
    id=name,
    task=task,
    lane=st.sampled_from(["train", "eval"]),
    temperature=number,
    seed=st.integers(-(2**63), 2**63),
    record=st.booleans(),
    keep_final=st.booleans(),
    version=st.just(NO_VERSION) | version,
)

DTYPES = [np.bool_, np.int8, np.uint8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64]


@st.composite
def features(draw: st.DrawFn, rows: int) -> dict[str, np.ndarray[Any, Any]]:
    """One to three named arrays of `rows` rows, small or beyond the size that gets its own frame."""
    made = {}
    for key in draw(st.lists(st.text("abcxyz_", min_size=1, max_size=8), min_size=1, max_size=3, unique=True)):
        dtype = np.dtype(draw(st.sampled_from(DTYPES)))
        shape = (rows, *draw(st.lists(st.integers(0, 4), max_size=3)))
        if draw(st.booleans()):
            made[key] = draw(
                arrays.arrays(dtype, shape, elements=arrays.from_dtype(dtype, allow_nan=False, allow_infinity=False))
            )
        else:
            wide = (rows, draw(st.sampled_from([3, 20_000])))
            made[key] = np.resize(np.arange(97, dtype=np.uint8), wide).astype(dtype)
    return made


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    """Any trajectory that fits together."""
    actions = tuple(draw(st.lists(action, max_size=6)))
    steps = len(actions)
    finite = st.floats(-1e3, 0, width=32)

    def column(dtype: type[np.generic], elements: Any, *shape: int) -> Any:
        return draw(arrays.arrays(dtype, shape, elements=elements))

    return Trajectory(
        id=draw(name),
        task=draw(task),
        lane=draw(st.sampled_from(["train", "eval"])),
        temperature=draw(st.floats(0, 10)),
        features=draw(features(steps + 1)),
        code=column(np.int32, st.integers(-(2**31), 2**31 - 1), steps, draw(st.integers(0, 6))),
        log_mu=column(np.float32, finite, steps),
        log_pi=column(np.float32, finite, steps),
        version=column(np.int32, st.integers(0, 2**31 - 1), steps, 2),
        invalid=column(np.bool_, st.booleans(), steps),
        repeats=column(np.int32, st.integers(0, 9), steps),
        seconds=column(np.float32, st.floats(0, 100, width=32), steps + 1),
        screens=column(np.uint32, st.integers(0, 2**32 - 1), steps + 1),
        actions=actions,
        end=draw(end),
        verdict=draw(st.none() | verdict),
        pictures=tuple(draw(st.sampled_from([[], [b"one"], [b""] * (steps + 1)]))),
        slot=draw(text),
    )
