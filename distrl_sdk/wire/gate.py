"""The ZAP handler: the door that CURVE alone does not have. It says of every connecting key whether it is let in."""

from __future__ import annotations

import logging
import threading

import zmq
from zmq.utils import z85

from distrl_sdk.errors import WireError
from distrl_sdk.wire.keys import ServerKeys
from distrl_sdk.wire.sockets import ZAP_DOMAIN, Bell

log = logging.getLogger(__name__)

VERSION = b"1.0"
"""Of the ZeroMQ Authentication Protocol, rfc.zeromq.org/spec/27."""


class Gate:
    """Answers for all sockets of one context, on its own thread. Start it before any of them binds.

    A worker that is let in is known from then on by its public key, as the User-Id of its messages.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], keys: ServerKeys) -> None:
        self._keys = keys
        self._socket = context.socket(zmq.REP)
        self._socket.linger = 0
        self._bell = Bell(context)
        self._closing = False
        self._thread = threading.Thread(target=self._serve, name="gate", daemon=True)

    def start(self) -> None:
        """Open the gate's own socket, then answer."""
        self._socket.bind("inproc://zeromq.zap.01")
        self._thread.start()

    def check(self) -> None:
        """Raise WireError when the gate is dead: the door is closed then, to everybody."""
        if not self._closing and not self._thread.is_alive():
            raise WireError("the thread that checks the workers' keys is dead; no worker can connect any more")

    def close(self) -> None:
        """Stop answering. Safe to call twice."""
        self._closing = True
        self._bell.ring()
        if self._thread.ident is not None:
            self._thread.join()
        else:
            self._shut()

    def _serve(self) -> None:
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._bell.socket, zmq.POLLIN)
        try:
            while not self._closing:
                if (self._socket, zmq.POLLIN) in poller.poll():
                    self._socket.send_multipart(self._answer(self._socket.recv_multipart()))
        finally:
            self._shut()

    def _shut(self) -> None:
        self._socket.close(0)
        self._bell.close()

    def _answer(self, request: list[bytes]) -> list[bytes]:
        """[version, request id, status, text, user id, metadata] for [version, request id, domain, address, ...]."""
        number = request[1] if len(request) > 1 else b""
        user = self._user(request)
        if user is None:
            place = b"".join(request[3:4]).decode("ascii", "replace")
            log.warning("a connection from %s was refused: its key is not allowed", place or "nowhere")
            return [VERSION, number, b"400", b"key not allowed", b"", b""]
        return [VERSION, number, b"200", b"OK", user, b""]

    def _user(self, request: list[bytes]) -> bytes | None:
        """The public key, if it is let in."""
        if len(request) != 7 or request[0] != VERSION or request[2] != ZAP_DOMAIN or request[5] != b"CURVE":
            return None
        public: bytes = z85.encode(request[6])
        try:
            return public if self._keys.allows(public.decode("ascii")) else None
        except OSError as error:
            log.warning("the allowed keys cannot be read: %s", error)
            return None
