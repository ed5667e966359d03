"""The real server behind a cassette, which is asked for what is not recorded."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm.errors import UnavailableError

_TIMEOUT_S = 300.0
# Headers of one connection, and of the proxy's own session with the server.
_OWN_HEADERS = frozenset({"host", "content-length", "connection", "accept-encoding", "mcp-session-id", "keep-alive"})


@dataclass(frozen=True)
class Reply:
    """An HTTP answer."""

    status: int
    type: str
    body: bytes
    headers: Mapping[str, str]


def forwarded(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a request that are passed on."""
    return {name: value for name, value in headers.items() if name.lower() not in _OWN_HEADERS}


def ask(method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    """Send a request to the real server.

    Raises:
        UnavailableError: it does not answer.
    """
    request = urllib.request.Request(url, body or None, dict(headers), method=method)
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            return Reply(answer.status, answer.headers.get_content_type(), answer.read(), dict(answer.headers))
    except urllib.error.HTTPError as problem:
        with problem:
            return Reply(problem.code, problem.headers.get_content_type(), problem.read(), dict(problem.headers))
    except OSError as problem:
        reason = getattr(problem, "reason", problem)
        raise UnavailableError(f"the server to record from, {url}, does not answer ({reason})") from None


class McpUpstream:
    """A real MCP server (Streamable HTTP). The proxy has one session with it, whatever its clients do."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session: dict[str, str] = {}
        self._is_begun = False

    def ask(self, message: Mapping[str, Any], headers: Mapping[str, str], begin: Mapping[str, Any] | None) -> Reply:
        """Send a JSON-RPC request; ``begin`` is the client's ``initialize``, which a session needs first."""
        if message["method"] == "initialize":
            return self._begin(message, headers)
        if begin is not None and not self._is_begun:
            self._begin(begin, headers)
        return self._post(message, headers)

    def _begin(self, message: Mapping[str, Any], headers: Mapping[str, str]) -> Reply:
        self._session = {}
        reply = self._post(message, headers)
        found = {name.lower(): value for name, value in reply.headers.items()}.get("mcp-session-id")
        self._session, self._is_begun = {"mcp-session-id": found} if found else {}, reply.status < 400
        if self._is_begun:
            self._post({"jsonrpc": "2.0", "method": "notifications/initialized"}, headers)
        return reply

    def _post(self, message: Mapping[str, Any], headers: Mapping[str, str]) -> Reply:
        return ask("POST", self._url, json.dumps(message).encode(), {**forwarded(headers), **self._session})


def message_in(reply: Reply, request_id: Any) -> dict[str, Any] | None:
    """Return the JSON-RPC answer in an HTTP answer, plain or as a stream of events; None if there is none."""
    text = reply.body.decode("utf-8", "replace")
    if reply.type == "text/event-stream":
        events = text.replace("\r\n", "\n").split("\n\n")
        texts = ["\n".join(line[5:] for line in each.split("\n") if line.startswith("data:")) for each in events]
    else:
        texts = [text]
    for each in texts:
        try:
            found = json.loads(each)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("id") == request_id and ("result" in found or "error" in found):
            return found
    return None
