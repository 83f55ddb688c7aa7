"""The page of a recording: a small HTTP server on this machine alone, behind a secret in its address.

    GET  /TOKEN/                the page
    GET  /TOKEN/state           what there is to see, as JSON
    GET  /TOKEN/screen/E/N      the picture of observation N of episode E
    POST /TOKEN/act             an action as JSON; answers with the state after it
    POST /TOKEN/next | again | discard | end

A page of another site must not play the phone: it knows no token, and a request that names another host or comes from
another origin is refused.
"""

from __future__ import annotations

import json
import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import cast

from distrl_sdk.errors import UsageError, WireError
from distrl_sdk.recording.recorder import Recorder
from distrl_sdk.types import ACTION_KINDS, ACTIONS, Action, Json
from distrl_sdk.wire.plain import from_plain

HOST = "127.0.0.1"
PATIENCE = 20.0
"""Seconds that an answer waits for the phone; then the page asks again."""
_LARGEST = 100_000
"""Bytes of a request."""


class RecordPage:
    """Serves a recorder from `start` to `close`."""

    def __init__(self, recorder: Recorder, port: int = 0) -> None:
        """Raises UsageError when the port is taken; 0 takes any that is free."""
        self._token = secrets.token_urlsafe(16)
        try:
            self._server = _Server((HOST, port), recorder, self._token)
        except OSError as error:
            raise UsageError(f"port {port} of {HOST} cannot be used: {error.strerror}") from error
        self._thread = threading.Thread(target=self._server.serve_forever, name="record page", daemon=True)

    @property
    def address(self) -> str:
        """Where a browser of this machine finds it."""
        return f"http://{HOST}:{self._server.server_address[1]}/{self._token}/"

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], recorder: Recorder, token: str) -> None:
        super().__init__(address, _Answer)
        self.recorder = recorder
        self.token = token
        self.hosts = {f"{name}:{self.server_address[1]}" for name in (HOST, "localhost")}


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def _owner(self) -> _Server:
        return cast(_Server, self.server)

    def show(self) -> None:
        """A page, a picture, the state."""
        match self._path():
            case [""]:
                page = resources.files("distrl_sdk.recording").joinpath("page.html").read_bytes()
                self._send(page, "text/html; charset=utf-8")
            case ["state"]:
                self._send_state()
            case ["screen", episode, number] if episode.isdecimal() and number.isdecimal():
                self._send_screen(int(episode), int(number))
            case None:
                pass
            case _:
                self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")

    def obey(self) -> None:
        """What the person does."""
        recorder = self._owner.recorder
        path, body = self._path(), self._body()
        if path is None or body is None:
            return
        match path:
            case ["act"]:
                try:
                    done = recorder.person.tell(_action(body))
                except (ValueError, WireError) as error:
                    self._refuse(HTTPStatus.BAD_REQUEST, str(error))
                    return
            case ["next" | "again" as which]:
                done = recorder.begin(again=which == "again")
            case ["discard"]:
                done = recorder.discard()
            case ["end"]:
                recorder.end()
                done = True
            case _:
                self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
                return
        if not done:
            self._refuse(HTTPStatus.CONFLICT, "not now: look at the page again")
            return
        self._send_state()

    do_GET, do_POST = show, obey  # noqa: N815 -- the names are the library's

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name is the library's
        """Requests hold the token, and are nobody's business."""

    def _path(self) -> list[str] | None:
        """What follows the token, in parts; None after refusing who may not ask."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        empty, token, *rest = self.path.partition("?")[0].split("/", 2) if self.path.count("/") > 1 else ["", "", ""]
        if host not in self._owner.hosts or (
            origin is not None and origin.removeprefix("http://") not in self._owner.hosts
        ):
            self._refuse(HTTPStatus.FORBIDDEN, "this page belongs to one machine")
        elif empty or not secrets.compare_digest(token.encode(), self._owner.token.encode()):
            self._refuse(HTTPStatus.NOT_FOUND, "there is nothing here")
        else:
            return rest[0].split("/")
        return None

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > _LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {_LARGEST} bytes are read")
            return None
        return self.rfile.read(int(length))

    def _send_state(self) -> None:
        recorder = self._owner.recorder
        recorder.person.wait(PATIENCE)
        self._send(json.dumps(state(recorder)).encode(), "application/json")

    def _send_screen(self, episode: int, number: int) -> None:
        recorder = self._owner.recorder
        seen = recorder.person.seen
        if episode != recorder.number or number >= len(seen):
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such picture")
            return
        picture = seen[number].screenshot.encoded()
        self._send(picture, "image/png" if picture.startswith(b"\x89PNG") else "image/jpeg")

    def _send(self, body: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send(json.dumps({"error": why}).encode(), "application/json", status)


_POLICY = (
    "default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
)


def state(recorder: Recorder) -> dict[str, Json]:
    """What the page shows."""
    moment, outcome, task = recorder.person.moment, recorder.outcome, recorder.task
    shown: dict[str, Json] = {
        "episode": recorder.number,
        "task": {"id": task.id, "instruction": task.instruction, "steps": task.max_steps},
        "solved": recorder.solved,
        "outcome": None if outcome is None else {"solved": outcome.solved, "said": outcome.said, "key": outcome.key},
        "moment": None,
    }
    if moment is not None:
        seen = moment.observation
        shown["moment"] = {
            "number": len(moment.history),
            "app": seen.app,
            "refused": seen.refused,
            "left": seen.left,
            "actions": sorted(moment.about.actions),
            "apps": list(moment.about.apps),
            "last": ACTION_KINDS[type(moment.history[-1].action)] if moment.history else "",
        }
    return shown


def _action(body: bytes) -> Action:
    plain = json.loads(body)
    kind = plain.get("kind") if isinstance(plain, dict) else None
    if not isinstance(kind, str) or kind not in ACTIONS:
        raise ValueError(f"expected an action, one of {', '.join(ACTIONS)}")
    fields = {name: value for name, value in plain.items() if name != "kind"}
    return cast(Action, from_plain(ACTIONS[kind], fields))
