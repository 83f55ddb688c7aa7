"""The records that travel between the parts: plain values that know no part of the system.

Coordinates are relative: 0..1 from the left and from the top of the screen. Times are seconds. T is the number of
actions of an episode; it has T + 1 observations, the last of which is the end state.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Json: TypeAlias = Any
"""None, bool, int, float, str, list or dict with str keys: what msgpack and JSON both carry."""

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""[height, width, 3], RGB."""

Features: TypeAlias = Mapping[str, npt.NDArray[Any]]
"""What a policy makes of one moment on the worker: named arrays whose shapes are the same for every moment."""

Code: TypeAlias = npt.NDArray[np.int32]
"""[C]: one action in the policy's own numbers, C fixed for a policy."""


class Version(NamedTuple):
    """The number of one set of weights. `incarnation` counts the starts of a run's learner, so no version is reused."""

    incarnation: int
    n: int


NO_VERSION = Version(0, 0)
"""Of actions that no published weights chose."""


# --- what a phone shows ---------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A rectangle in relative coordinates."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> tuple[float, float]:
        """(x, y) of the middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, x: float, y: float) -> bool:
        """Whether the point lies inside; the right and lower edges belong to the neighbour."""
        return self.left <= x < self.right and self.top <= y < self.bottom


@dataclass(frozen=True, slots=True)
class UiElement:
    """One node of the screen's UI tree that carries text or can be acted on, in drawing order (later = on top)."""

    box: Box
    text: str = ""
    role: str = "text"
    """button | text | field | switch | item | icon | key | image | slider | tab | dialog"""
    id: str = ""
    """The app's own resource id, '' when it has none."""
    clickable: bool = False
    editable: bool = False
    scrollable: bool = False
    focused: bool = False
    checked: bool | None = None
    """None when the element cannot be checked."""
    enabled: bool = True
    password: bool = False

    @property
    def marks(self) -> tuple[int, ...]:
        """What can be done with it and how it stands, as small numbers."""
        checked = 2 if self.checked is None else int(self.checked)
        flags = self.clickable, self.editable, self.scrollable, self.focused, self.enabled, self.password
        return (*map(int, flags), checked)


class Screenshot:
    """One picture of a screen, encoded or drawn only when somebody looks at it.

    `encoded` is PNG or JPEG; `draw` returns the pixels. One of the two is given. Both results are cached.
    """

    __slots__ = ("_draw", "_encoded", "_pixels", "height", "width")

    def __init__(
        self, width: int, height: int, *, encoded: bytes | None = None, draw: Callable[[], Pixels] | None = None
    ) -> None:
        if (encoded is None) == (draw is None):
            raise ValueError("a Screenshot is made from either encoded bytes or a function that draws it")
        self.width = width
        self.height = height
        self._encoded = encoded
        self._draw = draw
        self._pixels: Pixels | None = None

    def pixels(self) -> Pixels:
        """[height, width, 3] uint8 RGB."""
        if self._pixels is None:
            if self._draw is not None:
                self._pixels = self._draw()
            else:
                from PIL import Image

                assert self._encoded is not None
                with Image.open(io.BytesIO(self._encoded)) as image:
                    self._pixels = np.asarray(image.convert("RGB"))
        return self._pixels

    def encoded(self) -> bytes:
        """The picture as PNG or JPEG bytes: as the device gave it, or as PNG."""
        if self._encoded is None:
            from PIL import Image

            buffer = io.BytesIO()
            Image.fromarray(self.pixels()).save(buffer, format="PNG", compress_level=1)
            self._encoded = buffer.getvalue()
        return self._encoded


@dataclass(frozen=True, slots=True)
class Observation:
    """What a device shows at one moment."""

    screenshot: Screenshot
    elements: tuple[UiElement, ...] | None = None
    """None when the device gives no UI tree; () when there is a tree and it is empty."""
    app: str = ""
    """The foreground app, '' when unknown."""
    keyboard: bool = False
    """Whether an on-screen keyboard is shown."""
    seconds: float = 0.0
    """How long the device took to act, settle and look."""
    refused: str = ""
    """Why the action before it was not performed, '' when it was: a device may guard what must not be done."""
    left: str = ""
    """The app for which the agent left those that it may use, '' while it has not: the device has put it away, and the
    episode ends here, failed."""

    def fingerprint(self) -> int:
        """32 bits, the same wherever the same is shown: by app and elements, or by pixels where there is no UI tree."""
        if self.elements is None:
            return zlib.crc32(self.screenshot.pixels().tobytes(), zlib.crc32(self.app.encode()))
        places = [end for element in self.elements for end in element.box]
        words = [word for element in self.elements for word in (element.text, element.role, element.id)]
        marks = bytes(mark for element in self.elements for mark in element.marks)
        text = "\0".join((self.app, *words)).encode(errors="surrogatepass")
        return zlib.crc32(struct.pack(f"<{len(places)}d", *places) + marks + text)


# --- what an agent does ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tap:
    """Touch a point briefly."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class LongPress:
    """Touch a point for about a second."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Swipe:
    """Drag a finger from (x, y) to (to_x, to_y)."""

    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True, slots=True)
class TypeText:
    """Enter text into the focused field, after what is there."""

    text: str


class Key(StrEnum):
    """The keys that every platform has or imitates."""

    BACK = "BACK"
    HOME = "HOME"
    ENTER = "ENTER"
    RECENTS = "RECENTS"


@dataclass(frozen=True, slots=True)
class Press:
    """Press one key."""

    key: Key


@dataclass(frozen=True, slots=True)
class OpenApp:
    """Start an app by its visible name."""

    name: str


@dataclass(frozen=True, slots=True)
class Wait:
    """Let time pass."""

    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class Finish:
    """Claim that the episode is over. A claim, not a verdict."""

    success: bool = True
    answer: str = ""


Action: TypeAlias = Tap | LongPress | Swipe | TypeText | Press | OpenApp | Wait | Finish

ACTIONS: Mapping[str, type[Any]] = {
    "tap": Tap,
    "long_press": LongPress,
    "swipe": Swipe,
    "type": TypeText,
    "press": Press,
    "open_app": OpenApp,
    "wait": Wait,
    "finish": Finish,
}
"""The name of every kind of action, as it stands in files and on the wire."""

ACTION_KINDS: Mapping[type[Any], str] = {action: name for name, action in ACTIONS.items()}


# --- what is to be done, and how it went ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do on a phone. Plain data: it travels, and it is written into every record."""

    id: str
    family: str
    instruction: str
    max_steps: int = 10
    platform: str = ""
    """The platform it needs: 'sim', 'android', 'ios'; '' = any."""
    apps: tuple[str, ...] = ()
    """The apps that it needs."""
    setup: Mapping[str, Json] = field(default_factory=dict)
    """What the device's reset makes of it, in the device's own words."""
    verify: tuple[Mapping[str, Json], ...] = ()
    """Checks of the end state, in the words of the judge that reads them."""
    secrets: tuple[str, ...] = ()
    """Names of the environment variables behind {{secret:NAME}} in what it types."""


@dataclass(frozen=True, slots=True)
class DeviceAbout:
    """What a device is."""

    platform: str
    model: str
    os: str
    width: int
    """Screen pixels."""
    height: int
    apps: tuple[str, ...] = ()
    actions: frozenset[str] = frozenset(ACTIONS)
    """The kinds of action that it can perform; a policy gives the others no probability."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what it was chosen from."""

    observation: Observation
    action: Action
    invalid: bool = False
    """The action could not have any effect: an empty text, text with no field, an element that is not there."""
    repeats: int = 0
    """How many steps before this one, without a break, took the same action on the same screen."""


@dataclass(frozen=True, slots=True)
class Moment:
    """All that a policy may look at when it chooses an action."""

    about: DeviceAbout
    task: Task
    observation: Observation
    history: tuple[Step, ...] = ()

    @property
    def steps_left(self) -> int:
        """How many actions are left, this one included."""
        return self.task.max_steps - len(self.history)


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A policy's choice. Log-probabilities are those of the whole action, nothing clamped."""

    action: Action
    code: Code
    log_mu: float
    """log mu(a|s): as sampled, temperature included."""
    log_pi: float
    """log pi_old(a|s): the same weights at temperature 1."""
    version: Version = NO_VERSION


@dataclass(frozen=True, slots=True)
class End:
    """Why an episode ended. What it was worth is the verdict's business."""

    kind: Literal["finish", "step_limit", "left_app", "aborted"]
    """left_app: the agent was in an app that it may not use."""
    blame: Literal["", "device", "judge", "worker", "user"] = ""
    """For an aborted episode: whose fault it was."""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that calls of a model took, as its server counted them; None: it does not say."""

    input: int | None = None
    output: int | None = None
    """Thoughts not included."""
    thought: int | None = None
    cached: int | None = None
    """Of the input, those that the server had read before."""
    image: int | None = None
    """Of the input, those of pictures."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What it took to ask a model, all calls of it together; of several models the sum."""

    model: str = ""
    """That was asked."""
    served: str = ""
    """That answered, as its server calls it; '' when it does not say."""
    prompt: str = ""
    """SHA-256 of what was said to it beside the episode's own text and pictures, in hex."""
    usage: Usage | None = None
    """None when the server does not say."""
    cost: float | None = None
    """US dollars; None when the price or the usage is not known, never 0 for that."""
    calls: int = 0
    """Sent to a server, those that failed included."""
    cached: bool = False
    """Every answer came from the cache."""
    requests: tuple[str, ...] = ()
    """`ModelRequest.sha256` of each question, in order: where audit and cache keep what was answered. By these the
    answers behind an error, such as bad_output, are forgotten, so that asking again is not in vain."""


ReasonCode: TypeAlias = Literal[
    "", "unsure", "tie", "blocked", "budget", "evidence", "pending",
    "bad_output", "truncated", "empty", "rate", "quota", "transport", "config", "late", "crashed",
]  # fmt: skip
"""Why there is no verdict; '' beside one.

The judge abstains: unsure; tie of votes; blocked: a model or its filter refuses; budget: nothing may be spent any more;
evidence: pictures or facts are missing, or of another moment; pending: the answer will come later (a person's).
An error: bad_output: an answer that is none; truncated: one that was cut off; empty; rate: too many requests; quota: no
request for the rest of the day or month; transport: network or server; config: key, address or model are wrong; late:
the time was over; crashed: the judge itself failed.
"""

ERRORS: frozenset[ReasonCode] = frozenset(
    ("bad_output", "truncated", "empty", "rate", "quota", "transport", "config", "late", "crashed")
)
PASSING: frozenset[ReasonCode] = frozenset(("budget", "pending", "rate", "quota", "transport", "late", "crashed"))
"""To ask the same again later may help."""

Validity: TypeAlias = Literal["valid", "invalid", "unsure"]


@dataclass(frozen=True, slots=True)
class Vote:
    """What one of several judges said."""

    judge: str
    success: bool | None
    reason: str = ""
    reason_code: ReasonCode = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of an end state."""

    success: bool | None
    """None: no verdict could be had. It never becomes 0."""
    reason: str = ""
    """300 characters at most."""
    judge: str = ""
    """Its name, with what tells it from others of that name: prompt version, model."""
    score: float | None = None
    """0..1"""
    seconds: float = 0.0
    """From the question to the answer, all retries included."""
    side_effects: tuple[str, ...] = ()
    """Names of facts that changed although the task says that they must not, where the judge can tell."""
    reason_code: ReasonCode = ""
    confidence: float | None = None
    """0..1, as the judge says; it decides nothing."""
    validity: tuple[Validity, ...] = ()
    """Of the last actions, the last one last, where a judge looked at them; unsure is no penalty."""
    votes: tuple[Vote, ...] = ()
    """Where several judges were asked."""
    receipt: Receipt | None = None
    """None where no model was asked."""
    queued: float = 0.0
    """Seconds for which the episode waited to be judged."""

    @property
    def outcome(self) -> Literal["success", "failure", "abstain", "error"]:
        """The verdict in one word."""
        if self.success is not None:
            return "success" if self.success else "failure"
        return "error" if self.reason_code in ERRORS else "abstain"


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of an episode, as a judge gets it: what must not be seen is painted over already."""

    step: int
    """How many actions came before: 0 = the start, T = the end state."""
    width: int
    height: int
    encoded: bytes = field(repr=False)
    """PNG or JPEG."""

    @property
    def mime(self) -> str:
        """image/png or image/jpeg."""
        return "image/png" if self.encoded.startswith(b"\x89PNG") else "image/jpeg"

    @property
    def sha256(self) -> str:
        """Of the encoded picture, in hex."""
        return hashlib.sha256(self.encoded).hexdigest()


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """What a judge is asked."""

    task: Task
    actions: tuple[Action, ...]
    """All of them. T = their number."""
    end: End
    final: Observation | None = None
    """The end state; None when its picture was not kept. On the worker it has its UI tree."""
    facts: Mapping[str, Json] | None = None
    """What the device itself says of its state, for judges with needs_device."""
    frames: tuple[Frame, ...] = ()
    """Pictures in the order of their steps, the last ones of the episode; `Frame.step` says which. Beside the learner
    only; there the last one shows what `final` does."""
    episode: str = ""
    """The trajectory's id."""
    seconds: float = 60.0
    """How long the judge may take: calls, retries and the time between them."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A worked solution: T steps from a task's start state to its success."""

    about: DeviceAbout
    task: Task
    steps: tuple[Step, ...]
    final: Observation


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """One finished episode, stored and replayed whole."""

    id: str
    """Unique for ever: worker id, its incarnation and a running number, joined by '/'."""
    task: Task
    lane: str
    """train: for learning; eval: an evaluation's, with one pinned version."""
    temperature: float
    features: Features
    """Each [T + 1, ...]; row T is the end state."""
    code: npt.NDArray[np.int32]
    """[T, C]"""
    log_mu: npt.NDArray[np.float32]
    """[T]"""
    log_pi: npt.NDArray[np.float32]
    """[T]"""
    version: npt.NDArray[np.int32]
    """[T, 2]: incarnation and n of the weights that chose each action."""
    invalid: npt.NDArray[np.bool_]
    """[T]"""
    repeats: npt.NDArray[np.int32]
    """[T]"""
    seconds: npt.NDArray[np.float32]
    """[T + 1]: how long the device took for the reset and for each action."""
    screens: npt.NDArray[np.uint32]
    """[T + 1]: the fingerprint of each observation, to tell new screens from those that were seen before."""
    actions: tuple[Action, ...]
    end: End
    verdict: Verdict | None = None
    """None until a judge has spoken."""
    pictures: tuple[bytes, ...] = ()
    """PNG or JPEG, one an observation, when the assignment asked to keep them; otherwise the last one or none."""
    slot: str = ""

    def __len__(self) -> int:
        return len(self.actions)


@dataclass(frozen=True, slots=True)
class SlotAbout:
    """One place in a worker that plays episodes on one device."""

    id: str
    """Unique in the fleet: worker id, ':' and a number."""
    device: DeviceAbout


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task handed to a slot."""

    id: str
    """Unique in a run; handing the same task out again makes a new assignment."""
    task: Task
    lane: str = "train"
    temperature: float = 1.0
    seed: int = 0
    """Of all that is drawn by chance in an episode with pinned weights."""
    record: bool = False
    """Keep every picture."""
    keep_final: bool = False
    """Keep the end state's picture, for a judge that looks at it beside the learner."""
    version: Version = NO_VERSION
    """In the eval lane and in a round of the sync schedule: the weights that must choose every action."""

    @property
    def pinned(self) -> Version | None:
        """The weights that must choose every action; None: the newest at each moment."""
        return self.version if self.lane == "eval" or self.version != NO_VERSION else None
