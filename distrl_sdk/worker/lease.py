"""One phone under a deadline: every call of foreign device code is made on a thread that can be left behind.

Here too are secrets: they exist only between a lease and its device, never in a record or a message.
"""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from distrl_sdk.errors import DeviceError, DistrlError, UsageError
from distrl_sdk.interfaces import Device, StateFacts
from distrl_sdk.secrets import SECRET, conceal, concealed, reveal
from distrl_sdk.types import ACTION_KINDS, Action, DeviceAbout, Json, Observation, Task, TypeText, Wait

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds after which a device call is taken for hung."""

    call: float = 120.0
    """Any one reset, action or question; a Wait gets its own time on top."""
    open: float = 600.0
    """Opening a device, which may start an emulator."""
    close: float = 10.0


class Lease:
    """A Device that never hangs its caller and whose every failure is a DeviceError naming it.

    A call that is late raises; its thread and the device object are abandoned (the object is closed if the call ever
    returns), and `open` makes new ones. After `MAX_HUNG` threads that never came back `open` refuses.
    """

    MAX_HUNG = 3

    def __init__(self, address: str, opener: Callable[[], Device], deadlines: Deadlines = Deadlines()) -> None:
        self.address = address
        self._opener = opener
        self._deadlines = deadlines
        self._line: _Line | None = None
        self._about: DeviceAbout | None = None
        self._hung: list[_Line] = []
        self._told = False
        self._task: Task | None = None

    @property
    def about(self) -> DeviceAbout:
        """As the device said when it was opened."""
        if self._about is None:
            raise DeviceError(f"{self.address} is not open")
        return self._about

    @property
    def known(self) -> DeviceAbout | None:
        """`about`, or None while the device is not open."""
        return self._about

    @property
    def hung(self) -> int:
        """How many abandoned calls have still not returned."""
        self._hung = [line for line in self._hung if line.alive]
        return len(self._hung)

    def open(self) -> DeviceAbout:
        """Open the device anew, closing the one before. Raises DeviceError."""
        self.close()
        if self.hung >= self.MAX_HUNG:
            raise DeviceError(f"{self.address} hung {self.hung} times without coming back; given up")
        line = self._line = _Line(self.address)

        def work() -> DeviceAbout:
            line.device = self._opener()
            about = line.device.about
            if not isinstance(about, DeviceAbout):
                raise DeviceError(f"its about is a {type(about).__name__}, no DeviceAbout")
            return about

        self._about = self._call("open", work, self._deadlines.open)
        return self._about

    def reset(self, task: Task) -> Observation:
        """`Device.reset`. Raises DeviceError."""
        self._task = task
        return self._shown(self._call("reset", lambda: self._device.reset(task), self._deadlines.call))

    def perform(self, action: Action) -> Observation:
        """`Device.perform`, with {{secret:NAME}} filled in. Raises DeviceError, or UsageError for a missing secret."""
        seconds = self._deadlines.call + (action.seconds if isinstance(action, Wait) else 0.0)
        revealed = action
        if isinstance(action, TypeText) and SECRET.search(action.text):
            revealed = TypeText(reveal(action.text, self._task))
        return self._shown(self._call(ACTION_KINDS[type(action)], lambda: self._device.perform(revealed), seconds))

    def facts(self, task: Task) -> Mapping[str, Json] | None:
        """`StateFacts.facts`, or None if the device tells none. Raises DeviceError."""

        def work() -> Mapping[str, Json] | None:
            device = self._device
            return device.facts(task) if isinstance(device, StateFacts) else None

        return self._call("facts", work, self._deadlines.call)

    def close(self) -> None:
        """Let go of the phone: waits for it up to the closing deadline, then leaves it behind. Never raises."""
        line, self._line, self._about = self._line, None, None
        if line is not None:
            line.end()
            line.join(self._deadlines.close)
            if line.alive:
                self._hung.append(line)

    def _shown(self, observation: Observation) -> Observation:
        """What may be remembered of it."""
        return concealed(observation, self._task) if self._task and self._task.secrets else observation

    @property
    def _device(self) -> Device:
        line = self._line
        if line is None or line.device is None:
            raise DeviceError(f"{self.address} is not open")
        return line.device

    def _call(self, what: str, work: Callable[[], T], seconds: float) -> T:
        if self._line is None:
            raise DeviceError(f"{self.address} is not open")
        try:
            return self._line.call(work, seconds)
        except Empty:
            line, self._line, self._about = self._line, None, None
            line.end()
            self._hung.append(line)
            raise DeviceError(f"{self.address}: {what} gave no answer for {seconds:g} s") from None
        except DistrlError as error:
            kind = UsageError if isinstance(error, UsageError) else DeviceError
            raise kind(conceal(f"{self.address}: {what}: {error}", self._task)) from None
        except Exception as error:
            self._tell(what, error)
            said = conceal(f"{self.address}: {what}: {type(error).__name__}: {error}", self._task)
            raise DeviceError(said) from None

    def _tell(self, what: str, error: BaseException) -> None:
        if not self._told:
            self._told = True
            text = conceal("".join(traceback.format_exception(error)), self._task)
            log.error(
                "%s failed in %s (later failures of this device are told in one line):\n%s", self.address, what, text
            )


class _Line:
    """One device object and the daemon thread that alone touches it."""

    def __init__(self, address: str) -> None:
        self.device: Device | None = None
        self._calls: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=f"device {address}", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def call(self, work: Callable[[], T], seconds: float) -> T:
        """The result of `work`; raises what it raises, or queue.Empty when it is late."""
        self._calls.put(work)
        answer, error = self._answers.get(timeout=seconds)
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        """Ask the thread to close the device once the present call has returned."""
        self._calls.put(None)

    def join(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _serve(self) -> None:
        while (work := self._calls.get()) is not None:
            try:
                self._answers.put((work(), None))
            except Exception as error:
                self._answers.put((None, error))
        if self.device is not None:
            try:
                self.device.close()
            except Exception as error:
                log.warning("closing %s: %s: %s", self._thread.name, type(error).__name__, error)
