"""Failed handshakes in words: a wrong key is answered by silence, of which only a socket's monitor hears."""

from __future__ import annotations

from typing import Any

import zmq
from zmq.utils.monitor import recv_monitor_message

from distrl_sdk.errors import WireError

EVENTS = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)


class Handshakes:
    """Watches the handshakes of one connecting socket."""

    def __init__(self, watched: zmq.Socket[bytes], address: str, encrypted: bool) -> None:
        self._watched = watched
        self._address = address
        self._encrypted = encrypted
        self.socket = watched.get_monitor_socket(EVENTS)
        """To be polled."""
        self.hint = ""
        """What the last handshake says of why nobody answers."""

    def check(self) -> None:
        """Take in what happened. Raises WireError when no later handshake can do better."""
        while self.socket.poll(0):
            event: Any = recv_monitor_message(self.socket)["event"]
            if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                raise WireError(
                    f"key not allowed: the learner at {self._address} does not know this worker's key; "
                    "make one with `distrl keys NAME` beside the learner"
                )
            if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                raise WireError(
                    f"the learner at {self._address} listens without encryption, but this worker has a key"
                    if self._encrypted
                    else f"the learner at {self._address} expects a key: give the worker its key file"
                )
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self.hint = "it is reached, but says nothing"
            else:
                self.hint = "the handshake fails; is the key file that of another learner?"

    def close(self) -> None:
        """Stop watching, before the watched socket is closed."""
        self._watched.disable_monitor()
        self.socket.close(0)
