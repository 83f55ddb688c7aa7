"""Weights, pulled in chunks on credit: a stuck worker costs its credit, not a copy of the weights."""

from __future__ import annotations

import hashlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import zmq

from distrl_sdk.errors import WireError
from distrl_sdk.types import NO_VERSION, Version
from distrl_sdk.wire import messages as m
from distrl_sdk.wire.keys import ServerKeys, WorkerKey
from distrl_sdk.wire.limits import LIMITS
from distrl_sdk.wire.sockets import Bell, bind, dealer, remove_ipc, router, secure

log = logging.getLogger(__name__)

CHUNK = 1 << 20
"""Bytes a chunk: 64 KB was half as fast, 48 MB twice as slow; a ping behind chunks of this size waits 2 to 3 ms."""
CREDIT = 4
"""Chunks that a fetcher asks for ahead."""
LINGERS = 10.0
"""Seconds since the last request for which a superseded version is kept for those who are still fetching it."""


@dataclass(slots=True)
class _Blob:
    about: m.WeightsAbout
    view: memoryview
    asked: float = field(default=float("-inf"))


class GoneError(WireError):
    """The version is not kept any more."""


class WeightsServer:
    """Serves the newest version and the pinned ones, on its own thread and its own sockets."""

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], keys: ServerKeys | None, changed: Callable[[], None]
    ) -> None:
        """`changed` is called when there is something new to announce."""
        self._context = context
        self._changed = changed
        self._keys = keys
        self._lock = threading.Lock()
        self._blobs: dict[Version, _Blob] = {}
        self._pinned: list[Version] = []
        self._newest: m.WeightsAbout | None = None
        self._bell = Bell(context)
        self._closing = False
        self._sockets: list[zmq.Socket[bytes]] = []
        self._thread = threading.Thread(target=self._serve, name="weights", daemon=True)
        self.addresses: tuple[str, ...] = ()
        """As bound."""

    def start(self, listen: Sequence[str]) -> None:
        """Bind and serve. Raises UsageError when an address cannot be had."""
        for address in listen:
            made = router(self._context, 2 * CREDIT, 1000)
            self._sockets.append(made)
            if self._keys is not None and address.startswith("tcp://"):
                secure(made, self._keys)
            self.addresses += (bind(made, address),)
        self._thread.start()

    def publish(self, version: Version, blob: bytes) -> None:
        """Make `blob` the newest version. It is not copied. Older versions go, but for pinned ones."""
        about = m.WeightsAbout(version, len(blob), hashlib.sha256(blob).hexdigest())
        with self._lock:
            if self._newest is not None and version <= self._newest.version:
                raise ValueError(f"{version} does not follow {self._newest.version}")
            self._newest = about
            self._blobs[version] = _Blob(about, memoryview(blob))
            self._forget()
        self._changed()

    def pin(self, version: Version) -> None:
        """Keep a version that is still there until it is unpinned. Raises WireError when it is gone."""
        with self._lock:
            if version not in self._blobs:
                raise WireError(f"the weights of {version} are not kept any more")
            self._pinned.append(version)
        self._changed()

    def unpin(self, version: Version) -> None:
        """Let a pinned version go."""
        with self._lock:
            self._pinned.remove(version)
            self._forget()
        self._changed()

    @property
    def newest(self) -> m.WeightsAbout | None:
        """The newest version, None before the first."""
        return self._newest

    @property
    def pinned(self) -> tuple[m.WeightsAbout, ...]:
        """The pinned versions, the latest last."""
        with self._lock:
            return tuple(self._blobs[version].about for version in self._pinned)

    def check(self) -> None:
        """Raise WireError when the thread that serves weights is dead."""
        if self._thread.ident is not None and not self._closing and not self._thread.is_alive():
            raise WireError("the thread that serves weights is dead")

    def close(self) -> None:
        """Stop serving. Safe to call twice."""
        self._closing = True
        self._bell.ring()
        if self._thread.ident is not None:
            self._thread.join()
        else:
            self._shut()

    def _forget(self) -> None:
        """Drop what nobody needs: all but the newest, the pinned, and one that is still being fetched."""
        kept = {self._newest.version if self._newest else NO_VERSION, *self._pinned}
        others = [blob for version, blob in self._blobs.items() if version not in kept]
        wanted = max(others, key=lambda blob: blob.asked, default=None)
        if wanted is not None and time.monotonic() - wanted.asked < LINGERS:
            kept.add(wanted.about.version)
        self._blobs = {version: blob for version, blob in self._blobs.items() if version in kept}

    # --- the thread ---

    def _serve(self) -> None:
        poller = zmq.Poller()
        for each in (*self._sockets, self._bell.socket):
            poller.register(each, zmq.POLLIN)
        try:
            while not self._closing:
                for each, _ in poller.poll(1000):
                    if each is not self._bell.socket:
                        self._drain(each)
                self._bell.answer()
                with self._lock:
                    self._forget()
        finally:
            self._shut()

    def _drain(self, asked: zmq.Socket[bytes]) -> None:
        for _ in range(100):
            try:
                frames = asked.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            try:
                fetch = m.decode(frames[1] if len(frames) == 2 else b"", m.TO_WEIGHTS)
                asked.send_multipart([frames[0], *self._answer(fetch)], zmq.DONTWAIT, copy=False)
            except WireError as error:
                log.debug("a request for weights was dropped: %s", error)
            except zmq.ZMQError as error:
                # gone, or not reading: it asks again when it is back
                if error.errno not in (zmq.EAGAIN, zmq.EHOSTUNREACH):
                    raise

    def _answer(self, fetch: m.Fetch) -> list[bytes | memoryview]:
        with self._lock:
            blob = self._blobs.get(fetch.version)
            if blob is None:
                return [m.encode(m.Gone(fetch.version))]
            blob.asked = time.monotonic()
        start = fetch.chunk * CHUNK
        if not 0 <= start < max(1, blob.about.size):
            raise WireError(f"chunk {fetch.chunk} of {blob.about.size} bytes")
        return [m.encode(m.Chunk(fetch.version, fetch.chunk)), blob.view[start : start + CHUNK]]

    def _shut(self) -> None:
        for each in self._sockets:
            each.close(0)
        for address in self.addresses:
            remove_ipc(address)
        self._bell.close()


class WeightsFetcher:
    """Fetches versions for one worker, one at a time, on the caller's thread."""

    TRIES = 5
    """Fresh connections, and fresh downloads after a wrong hash."""
    PATIENCE = 10.0
    """Seconds without a chunk after which a fresh connection is tried."""

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], key: WorkerKey | None, closing: threading.Event
    ) -> None:
        self._context = context
        self._key = key
        self._closing = closing
        self._lock = threading.Lock()

    def fetch(self, address: str, about: m.WeightsAbout) -> bytes:
        """The weights of `about`. Raises GoneError when they are not kept, WireError when they do not come whole."""
        if not 0 <= about.size <= LIMITS.weights_bytes:
            raise WireError(f"weights of {about.size} bytes, at most {LIMITS.weights_bytes} are read")
        problem = ""
        chunks: list[bytes] = []
        with self._lock:
            for _ in range(self.TRIES):
                try:
                    self._connect_and_download(address, about, chunks)
                except GoneError:
                    raise
                except WireError as error:
                    problem = str(error)
                    continue
                blob = b"".join(chunks)
                if hashlib.sha256(blob).hexdigest() == about.sha256:
                    return blob
                chunks.clear()
                problem = "they arrive damaged"
        raise WireError(f"the weights of {about.version} cannot be fetched from {address}: {problem}")

    def _connect_and_download(self, address: str, about: m.WeightsAbout, chunks: list[bytes]) -> None:
        """On a fresh connection. Raises GoneError when the link is closed meanwhile."""
        try:
            asking = dealer(self._context, self._key, 2 * CREDIT, 2 * CREDIT)
            try:
                asking.connect(address)
                self._download(asking, about, chunks)
            finally:
                asking.close(0)
        except zmq.ZMQError as error:
            if not self._closing.is_set():
                raise WireError(f"{address}: {error.strerror}") from error
            raise GoneError("the link was closed while weights were fetched") from error

    def _download(self, asking: zmq.Socket[bytes], about: m.WeightsAbout, chunks: list[bytes]) -> None:
        """Add the chunks that are missing. Raises WireError when they stop coming; those that came stay."""
        count = max(1, math.ceil(about.size / CHUNK))
        asked = len(chunks)
        heard = time.monotonic()
        while len(chunks) < count:
            if self._closing.is_set():
                raise GoneError("the link was closed while weights were fetched")
            while asked < min(count, len(chunks) + CREDIT):
                try:
                    asking.send(m.encode(m.Fetch(about.version, asked)), zmq.DONTWAIT)
                except zmq.Again:
                    break
                asked += 1
            stalled = asked < min(count, len(chunks) + CREDIT)
            if asking.poll(50, zmq.POLLIN | (zmq.POLLOUT if stalled else 0)) & zmq.POLLIN:
                chunks.append(self._chunk(asking.recv_multipart(), about, len(chunks)))
                heard = time.monotonic()
            elif time.monotonic() - heard > self.PATIENCE:
                raise WireError("they do not come")

    def _chunk(self, frames: list[bytes], about: m.WeightsAbout, index: int) -> bytes:
        """The bytes of chunk `index`: chunks come in the order they were asked for."""
        message = m.decode(frames[0], m.FROM_WEIGHTS)
        if isinstance(message, m.Gone):
            raise GoneError(f"the learner does not keep the weights of {about.version} any more")
        expected = min(CHUNK, about.size - index * CHUNK)
        if message != m.Chunk(about.version, index) or len(frames) != 2 or len(frames[1]) != expected:
            raise WireError("they come in pieces that were not asked for")
        return frames[1]
