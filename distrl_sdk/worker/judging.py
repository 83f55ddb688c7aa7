"""A judge under a deadline, so that a hanging one costs a verdict and never a slot."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

from distrl_sdk.errors import JudgeError, WireError
from distrl_sdk.interfaces import Judge
from distrl_sdk.types import JudgeRequest, Verdict
from distrl_sdk.wire.plain import from_plain, to_plain


class TimedJudge:
    """Asks a judge on a thread that can be left behind. Safe to use from several slots at once."""

    MAX_HUNG = 8

    def __init__(self, judge: Judge, seconds: float = 60.0) -> None:
        self._judge = judge
        self._seconds = seconds
        self._hung: list[threading.Thread] = []
        self._lock = threading.Lock()

    @property
    def needs_device(self) -> bool:
        """As the judge says."""
        return self._judge.needs_device

    def judge(self, request: JudgeRequest) -> Verdict:
        """The judge's verdict. Raises what it raises; JudgeError when it is late, has hung too often, or gives none."""
        with self._lock:
            self._hung = [thread for thread in self._hung if thread.is_alive()]
            if len(self._hung) >= self.MAX_HUNG:
                raise JudgeError(f"the judge hung {len(self._hung)} times and came not back; it is asked no more")
        answers: SimpleQueue[Verdict | Exception] = SimpleQueue()

        def ask() -> None:
            try:
                answers.put(self._judge.judge(request))
            except Exception as error:
                answers.put(error)

        thread = threading.Thread(target=ask, name="judge", daemon=True)
        thread.start()
        try:
            answer = answers.get(timeout=self._seconds)
        except Empty:
            with self._lock:
                self._hung.append(thread)
            raise JudgeError(f"the judge gave no answer for {self._seconds:g} s") from None
        if isinstance(answer, Exception):
            raise answer
        return _checked(answer)

    def close(self) -> None:
        """Close the judge."""
        self._judge.close()


def _checked(answer: object) -> Verdict:
    """What a judge returned, if it can travel: what cannot would be refused where nobody knows whose fault it is."""
    if not isinstance(answer, Verdict):
        raise JudgeError(f"it returned {type(answer).__name__} instead of a Verdict")
    try:
        return from_plain(Verdict, to_plain(answer))
    except WireError as error:
        raise JudgeError(f"its verdict cannot travel: {error}") from error
