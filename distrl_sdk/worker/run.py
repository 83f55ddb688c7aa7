"""One worker from its start to its end: opens phones, joins a learner, plays, and leaves in order."""

from __future__ import annotations

import itertools
import logging
import threading
import time
import zlib
from functools import partial
from queue import Empty

import torch

from distrl_sdk.errors import DistrlError, WireError
from distrl_sdk.fleet import DeviceAddress, open_device
from distrl_sdk.plugins import make_judge, make_policy
from distrl_sdk.types import NO_VERSION, Assignment, SlotAbout
from distrl_sdk.wire.client import Link, SlotState
from distrl_sdk.worker.inference import Inference
from distrl_sdk.worker.judging import TimedJudge
from distrl_sdk.worker.lease import Deadlines, Lease
from distrl_sdk.worker.outbox import Outbox
from distrl_sdk.worker.post import Post
from distrl_sdk.worker.slots import Slot, Surroundings
from distrl_sdk.worker.specs import Ends, Specs, WorkerConfig

log = logging.getLogger(__name__)

REPORT = 0.5
"""Seconds between two reports of the slots' states."""
ATTEMPT = 2.0
"""Seconds that one attempt to reach the learner lasts."""
TELL = 15
"""Attempts of which one is told, besides those that fail in another way than the one before."""
OPENING = 10.0
"""Seconds that the phones get before the worker goes on without the slower ones; those join when they are open."""
FOLLOW = 0.02
"""Seconds between two looks at the number of the newest weights."""


def run(config: WorkerConfig, ends: Ends) -> None:
    """Play until a reason to end is put into `ends`, then leave in order; an error among the reasons is raised.

    In order: the slots stop at their next step, what is finished is sent (or stays in the outbox), phones are closed.
    Raises UsageError for a policy, judge or device that cannot be, StorageError for an outbox that cannot be used,
    WireError when the learner refuses this worker.
    """
    torch.set_num_threads(1)
    worker = _Worker(config, ends)
    try:
        worker.open()
        told = ""
        for attempt in itertools.count():
            if worker.ended or worker.join():
                break
            if attempt % TELL == 0 or worker.waiting != told:
                told = worker.waiting
                log.info("waiting for a learner: %s", told)
        worker.play()
    finally:
        worker.leave()
    if isinstance(worker.ended, DistrlError):
        raise worker.ended


class _Worker:
    """Owns everything in the process. Implements the link's events, on the link's thread."""

    def __init__(self, config: WorkerConfig, ends: Ends) -> None:
        self._config = config
        self._ends = ends
        self.ended: str | DistrlError = ""
        """Why it ends; '' while it does not."""
        self.waiting = ""
        """Why the last attempt to reach the learner failed."""
        self._outbox = Outbox(config.outbox)
        self._stopping = threading.Event()
        self._announced: dict[str, SlotAbout] = {}
        self._link: Link | None = None
        self._inference: Inference | None = None
        self._judge: TimedJudge | None = None
        self._slots = {f"{config.id}:{n}": self._slot(n, address) for n, address in enumerate(config.devices)}

    def _slot(self, n: int, address: DeviceAddress) -> Slot:
        lease = Lease(str(address), partial(open_device, address), Deadlines(self._config.deadline))
        return Slot(f"{self._config.id}:{n}", lease, self._stopping)

    # --- from start to end ---

    def open(self) -> None:
        """Wait until every phone was tried once, or for a while. Raises UsageError if none can ever be opened."""
        until = time.monotonic() + OPENING
        while not all(slot.tried.is_set() for slot in self._slots.values()) and time.monotonic() < until:
            if self._wait(0.02):
                return
        faults = [slot.fault for slot in self._slots.values() if slot.fault is not None]
        if len(faults) == len(self._slots):
            raise faults[0]

    def join(self) -> bool:
        """Try to reach the learner and set up what it says; False if nobody answers."""
        config = self._config
        self._announced = {name: SlotAbout(name, slot.about) for name, slot in self._slots.items() if slot.about}
        link = Link(config.connect, config.id, tuple(self._announced.values()), self, config.key)
        start = time.monotonic()
        try:
            welcome = link.connect(ATTEMPT)
        except WireError as error:
            if time.monotonic() - start < ATTEMPT:
                raise
            self.waiting = str(error)
            self._wait(0)
            return False
        self._link = link
        specs = Specs.of(welcome)
        seed = zlib.crc32(f"{specs.seed}/{config.id}/{self._outbox.incarnation}".encode())
        policy = make_policy(specs.policy.name, specs.policy.options)
        playing = None if specs.exact else self._playing
        self._inference = Inference(policy, seed, lambda version: link.fetch(version)[1], playing)
        if specs.judge is not None:
            self._judge = TimedJudge(make_judge(specs.judge.name, specs.judge.options))
        self._post = Post(self._outbox, link, config.id, welcome["run"])
        log.info("joined run %s with %d of %d phones", welcome["run"], len(self._announced), len(self._slots))
        return True

    def play(self) -> None:
        """Let the slots play until there is a reason to end."""
        link, inference = self._link, self._inference
        if link is None or inference is None:
            return
        self._post.resend()
        inference.start()
        threading.Thread(target=self._follow, args=(link, inference), name="weights", daemon=True).start()
        while not self._wait(REPORT):
            link.report([_report(slot) for slot in self._slots.values()], inference.version)

    def leave(self) -> None:
        """Stop the slots, send what is finished, and close everything; each with bounded patience."""
        self._stopping.set()
        for slot in self._slots.values():
            slot.wake()
        until = time.monotonic() + self._config.patience
        late = [name for name, slot in self._slots.items() if not slot.join(max(0.0, until - time.monotonic()))]
        if late:
            log.warning("leaving %s behind in a call of their phones", ", ".join(late))
        if self._link is not None:
            if not isinstance(self.ended, DistrlError) and not self._link.flush(self._config.patience):
                log.warning(
                    "the learner does not answer; %d episodes stay in %s", len(self._outbox), self._config.outbox
                )
            self._link.close(str(self.ended))
        if self._inference is not None:
            self._inference.close()
        if self._judge is not None:
            self._judge.close()
        self._outbox.close()
        log.info("ended: %s", self.ended or "failed")

    def _wait(self, seconds: float) -> bool:
        """Wait for a reason to end; whether there is one."""
        if not self.ended:
            try:
                self.ended = self._ends.get(timeout=seconds) if seconds else self._ends.get_nowait()
            except Empty:
                return False
        return True

    def _follow(self, link: Link, inference: Inference) -> None:
        """Load every new version of the weights; slots begin with the first one."""
        around = Surroundings(inference, self._judge, self._ask, self._post.deliver)
        waiting = inference.has_weights
        if not waiting:
            self._begin(around)
        said = ""
        while not self._stopping.wait(1.0 if said else FOLLOW):
            if link.newest in (NO_VERSION, inference.version):
                continue
            try:
                inference.load(*link.fetch())
                said = ""
            except WireError as error:
                if str(error) != said:
                    log.warning("new weights cannot be had: %s", error)
                said = str(error)
                continue
            if waiting:
                waiting = False
                self._begin(around)

    def _begin(self, around: Surroundings) -> None:
        for slot in self._slots.values():
            slot.begin(around)

    def _ask(self, slot_id: str, failed: str) -> None:
        """Tell the learner that a slot is free, and of a phone that it does not know yet."""
        link, about = self._link, self._slots[slot_id].about
        if link is None or about is None:
            return
        if self._announced.get(slot_id) != (slot := SlotAbout(slot_id, about)):
            self._announced[slot_id] = slot
            link.add(slot)
        link.ready(slot_id, failed)

    def _playing(self) -> int:
        return sum(slot.state == "busy" for slot in self._slots.values())

    # --- the link's events ---

    def on_assignment(self, slot_id: str, assignment: Assignment) -> None:
        """Hand it to its slot."""
        self._slots[slot_id].assign(assignment)

    def on_ack(self, incarnation: int, seq: int) -> None:
        """The learner has it."""
        self._outbox.drop(incarnation, seq)

    def on_nack(self, incarnation: int, seq: int, reason: str) -> None:
        """Never lost silently."""
        self._outbox.refuse(incarnation, seq, reason)

    def on_stop(self, reason: str) -> None:
        """The run is over."""
        self._ends.put(f"the learner says stop: {reason}" if reason else "the learner says stop")

    def on_error(self, error: DistrlError) -> None:
        """The link is dead."""
        self._ends.put(error)


def _report(slot: Slot) -> SlotState:
    """A slot's state in the words of the wire: whatever takes no tasks is broken, with its reason."""
    state = slot.state
    if state in ("idle", "busy"):
        return SlotState(slot.id, state)
    return SlotState(slot.id, "broken", slot.reason or state)
