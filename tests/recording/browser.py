"""A browser for these tests: asks a recording's page what a person's browser would."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


class Browser:
    """Of the page at an address."""

    def __init__(self, address: str) -> None:
        split = urlsplit(address)
        assert split.hostname is not None
        self.host, self.port, self.path = split.hostname, split.port, split.path

    def ask(
        self, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """(status, headers, body) of a request under the page's own path."""
        return self.ask_at(f"{self.path}{path}", body, headers)

    def ask_at(
        self, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, str], bytes]:
        """The same for any path."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request("GET" if sent is None else "POST", path, sent, dict(headers or {}))
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()
        finally:
            connection.close()

    def told(self, path: str, body: object = None) -> dict[str, Any]:
        """The JSON of an answer that must be good."""
        status, _, answer = self.ask(path, body)
        assert status == 200, answer
        return dict(json.loads(answer))
