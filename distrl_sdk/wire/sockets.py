"""Sockets with the options that this protocol needs, their addresses, and a bell that wakes who polls them."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from pathlib import Path

import zmq

from distrl_sdk.errors import UsageError
from distrl_sdk.wire.keys import ServerKeys, WorkerKey
from distrl_sdk.wire.limits import LIMITS

KERNEL_BUFFER = 4 << 20
"""SNDBUF and RCVBUF, bytes: +35 % on small trajectories, +8 to 10 % on large."""
KEEPALIVE = 60
"""Seconds of rest after which the kernel asks whether the other machine is there, so that dead ones are let go."""
LINGER = 500
"""Milliseconds that a closed socket may go on sending."""
ZAP_DOMAIN = b"distrl"
IPC_LENGTH = 107
"""Characters of a unix socket's path, at most (108 with the final zero)."""
TEMPORARY = "distrl-"


class Bell:
    """Wakes the thread that polls `.socket`; `ring` may be called from any thread."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        address = f"inproc://bell-{id(self)}"
        self.socket = context.socket(zmq.PAIR)
        self.socket.bind(address)
        self._rope = context.socket(zmq.PAIR)
        self._rope.connect(address)
        self._lock = threading.Lock()
        for end in (self.socket, self._rope):
            end.set_hwm(8)
            end.linger = 0

    def ring(self) -> None:
        """Wake the thread. A bell that is ringing already, or closed, stays as it is."""
        with self._lock:
            if not self._rope.closed:
                try:
                    self._rope.send(b"", zmq.DONTWAIT)
                except zmq.Again:
                    return

    def answer(self) -> None:
        """Make it quiet; called by the thread it woke."""
        while self.socket.poll(0):
            self.socket.recv()

    def close(self) -> None:
        """Called by the thread it wakes."""
        with self._lock:
            self._rope.close(0)
        self.socket.close(0)


def router(context: zmq.Context[zmq.Socket[bytes]], send_hwm: int, receive_hwm: int) -> zmq.Socket[bytes]:
    """A ROUTER that says when a peer is gone (EHOSTUNREACH) or does not read (EAGAIN), and drops nothing in silence."""
    made = context.socket(zmq.ROUTER)
    made.setsockopt(zmq.ROUTER_MANDATORY, 1)
    _tune(made, send_hwm, receive_hwm)
    return made


def dealer(
    context: zmq.Context[zmq.Socket[bytes]], key: WorkerKey | None, send_hwm: int, receive_hwm: int
) -> zmq.Socket[bytes]:
    """A DEALER that queues nothing for a peer it never reached; with a key it speaks CURVE only."""
    made = context.socket(zmq.DEALER)
    made.setsockopt(zmq.IMMEDIATE, 1)
    _tune(made, send_hwm, receive_hwm)
    if key is not None:
        made.curve_publickey = key.public.encode("ascii")
        made.curve_secretkey = key.secret.encode("ascii")
        made.curve_serverkey = key.server.encode("ascii")
    return made


def _tune(made: zmq.Socket[bytes], send_hwm: int, receive_hwm: int) -> None:
    made.sndhwm = send_hwm
    made.rcvhwm = receive_hwm
    made.linger = LINGER
    made.setsockopt(zmq.SNDBUF, KERNEL_BUFFER)
    made.setsockopt(zmq.RCVBUF, KERNEL_BUFFER)
    made.setsockopt(zmq.MAXMSGSIZE, LIMITS.frame_bytes)
    made.setsockopt(zmq.TCP_KEEPALIVE, 1)
    made.setsockopt(zmq.TCP_KEEPALIVE_IDLE, KEEPALIVE)


def secure(bound: zmq.Socket[bytes], keys: ServerKeys) -> None:
    """Make a socket speak CURVE only and ask the gate about every key. Before bind.

    CURVE without an answering ZAP handler lets everybody in; ZAP_ENFORCE_DOMAIN closes that door.
    """
    bound.curve_server = True
    bound.curve_secretkey = keys.own.secret.encode("ascii")
    bound.curve_publickey = keys.own.public.encode("ascii")
    bound.setsockopt(zmq.ZAP_DOMAIN, ZAP_DOMAIN)
    bound.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)


def bind(bound: zmq.Socket[bytes], address: str) -> str:
    """Bind, and return the address as bound (with its port). Raises UsageError in one line when that cannot be."""
    if address.startswith("ipc://"):
        _check_ipc(Path(address.removeprefix("ipc://")))
    elif not address.startswith("tcp://"):
        raise UsageError(f"cannot listen on {address!r}: expected tcp://HOST:PORT or ipc://PATH")
    bound.ipv6 = "[" in address
    try:
        bound.bind(address)
    except zmq.ZMQError as error:
        if error.errno == zmq.EADDRINUSE:
            raise UsageError(f"{address} is in use: stop what listens there or choose another port") from error
        raise UsageError(f"cannot listen on {address}: {error.strerror}; expected tcp://HOST:PORT") from error
    return bound.getsockopt_string(zmq.LAST_ENDPOINT)


def _check_ipc(path: Path) -> None:
    """libzmq takes a path over from whoever listens there, and cuts nothing: so look first."""
    if len(os.fsencode(path)) > IPC_LENGTH:
        raise UsageError(f"the socket path {path} is longer than {IPC_LENGTH} bytes: choose a shorter folder")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.parent.stat().st_mode & 0o077:
        raise UsageError(f"others can reach the socket {path}: chmod 700 {path.parent}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        if probe.connect_ex(str(path)) == 0:
            raise UsageError(f"ipc://{path} is in use: stop what listens there or choose another path")


def ipc_address(folder: Path, name: str = "learner") -> str:
    """An ipc address in a folder that only its owner can enter: `folder`, or a temporary one if that is too long."""
    folder = folder.absolute()
    longest = folder / f"{name}.weights"
    if len(os.fsencode(longest)) > IPC_LENGTH:
        folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    else:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    return f"ipc://{folder / name}"


def remove_ipc(address: str) -> None:
    """Remove the file of an ipc address, and its folder if `ipc_address` made a temporary one."""
    if not address.startswith("ipc://"):
        return
    path = Path(address.removeprefix("ipc://"))
    path.unlink(missing_ok=True)
    if path.parent.name.startswith(TEMPORARY) and path.parent.is_dir() and not any(path.parent.iterdir()):
        path.parent.rmdir()


def weights_address(address: str) -> str:
    """Where the weights of a learner that listens on `address` are served: the next port, or a socket beside it."""
    if address.startswith("ipc://"):
        return f"{address}.weights"
    host, _, port = address.rpartition(":")
    return f"{host}:{int(port) + 1}" if port.isdecimal() and int(port) else f"{host}:*"


def on_same_host(address: str, of: str) -> str:
    """`address` as seen by whoever reached the learner at `of`: 'tcp://:5556' takes the host from there."""
    if not address.startswith("tcp://:"):
        return address
    host, _, _ = of.rpartition(":")
    return host + address.removeprefix("tcp://")
