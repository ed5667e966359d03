"""A client without an HTTP library: sends any bytes, reads whatever comes back, and keeps connections."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from farm._util.json_io import loads

ANSWER_S_MAX = 60.0
_READ = 1 << 18
_END = b"\r\n\r\n"
PLAIN = "2025-11-25"
MODERN = "2026-07-28"
ERAS = (None, "2025-03-26", "2025-06-18", PLAIN, MODERN)
META: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_ids = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    """One HTTP answer, its headers as they came."""

    status: int
    head: bytes
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON; None when it is none."""
        try:
            return loads(self.body)
        except orjson.JSONDecodeError:
            return None


class Unreadable(Exception):
    """What came back is no HTTP answer, or ended in the middle of one."""


class Link:
    """One connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S_MAX)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._got = b""

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self._socket.sendall(data)

    def answer(self, wait_s: float = ANSWER_S_MAX) -> Answer | None:
        """Return the next answer; None when the connection ends, or nothing more comes in that time.

        Raises:
            Unreadable: it ended within an answer, or what came is none.
        """
        until = time.monotonic() + wait_s
        while True:
            found = self._cut()
            if found is not None:
                return found
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._socket.settimeout(left)
            try:
                part = self._socket.recv(_READ)
            except (TimeoutError, ConnectionError):
                part = b""
                if time.monotonic() >= until:
                    return None
            if not part:
                if self._got:
                    raise Unreadable(f"the connection ended after {self._got[:200]!r}")
                return None
            self._got += part

    def _cut(self) -> Answer | None:
        end = self._got.find(_END)
        if end < 0:
            return None
        head = self._got[:end]
        if not head.startswith(b"HTTP/1.1 ") or not head[9:12].isdigit():
            raise Unreadable(f"no answer begins with {head[:200]!r}")
        status = int(head[9:12])
        if 100 <= status < 200:
            self._got = self._got[end + 4 :]
            return self._cut()
        at = head.lower().find(b"\r\ncontent-length: ")
        if at < 0:
            if status in (204, 304):
                length = 0
            else:
                raise Unreadable(f"an answer without a length: {head[:200]!r}")
        else:
            length = int(head[at + 18 :].split(b"\r", 1)[0])
        if len(self._got) < end + 4 + length:
            return None
        body, self._got = self._got[end + 4 : end + 4 + length], self._got[end + 4 + length :]
        return Answer(status, head, body)

    def close(self) -> None:
        """Close it."""
        self._socket.close()


class Links:
    """Kept connections by port."""

    def __init__(self) -> None:
        self._kept: dict[int, Link] = {}

    def to(self, port: int) -> Link:
        """Return the connection to a port."""
        if port not in self._kept:
            self._kept[port] = Link(port)
        return self._kept[port]

    def forget(self, port: int) -> None:
        """Open another one next time."""
        if port in self._kept:
            self._kept.pop(port).close()

    def close(self) -> None:
        """Close them all."""
        for port in list(self._kept):
            self.forget(port)


def port_and_path(url: str) -> tuple[int, str]:
    """Return where a URL leads to on this machine."""
    parts = urlsplit(url)
    return parts.port or 80, parts.path


def new_id() -> int:
    """Return a JSON-RPC id that this process has not used."""
    return next(_ids)


def rpc_body(method: str, params: Mapping[str, Any] | None, era: str | None, request_id: Any) -> dict[str, Any]:
    """Return a JSON-RPC request as that era has it."""
    body: dict[str, Any] = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if era == MODERN:
        params = {**(params or {}), "_meta": META}
    if params is not None:
        body["params"] = dict(params)
    return body


def rpc_headers(port: int, method: str, name: str | None, era: str | None, token: str | None) -> list[tuple[str, str]]:
    """Return the headers a client of that era sends."""
    fields = [
        ("host", f"127.0.0.1:{port}"),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ]
    if token is not None:
        fields.append(("authorization", f"Bearer {token}"))
    if era is not None:
        fields.append(("mcp-protocol-version", era))
    if era == MODERN:
        fields.append(("mcp-method", method))
        fields += [("mcp-name", name)] if name is not None else []
    return fields


def http_bytes(method: str, target: str, fields: Iterable[tuple[str, str]], body: bytes) -> bytes:
    """Return a request as it goes over the wire."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return (
        f"{method} {target} HTTP/1.1\r\n{lines}content-length: {len(body)}\r\n\r\n".encode("latin-1", "replace") + body
    )
