"""Persistent HTTP connections to a farm, shared by threads."""

from __future__ import annotations

import http.client
import json
import selectors
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from .errors import McpFarmError

BODY_BYTES_MAX = 4 * 1024**2  # a farm takes no longer ones
_TIMEOUT_S = 120.0
_IDLE_MAX = 8  # idle connections for one origin
# A proxy before the farm may close idle connections, and a request that changes something is not sent again.
_IDLE_S_MAX = 2.0

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class BrokenOffError(McpFarmError):
    """The connection closed in the middle of an answer."""


class HttpPool:
    """A connection pool: each request has one connection. A connection that the farm has closed is opened again.

    Attributes:
        remedy: the hint in the message when the farm does not answer.
    """

    def __init__(self) -> None:
        self.remedy = "is it running? 'farm status'"
        # Not one for each thread: connections of ended threads would stay open until the session ends.
        self._idle: dict[str, list[tuple[float, http.client.HTTPConnection]]] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Any]:
        """Send one request and return its status and parsed body."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:  # for a port, or an address in brackets
            host = None
        if host is None or parts.scheme not in ("http", "https"):
            raise McpFarmError(f"'{url}' is no URL of a farm; it looks like http://127.0.0.1:8701")
        origin = f"{parts.scheme}://{parts.netloc}"
        data = None if body is None else to_json(body)
        if data is not None and len(data) > BODY_BYTES_MAX:
            raise McpFarmError(f"the request is over {BODY_BYTES_MAX >> 20} MiB; a farm takes no longer ones")
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection = self._take(origin, parts.scheme, host, port)
        is_fresh = connection.sock is None
        try:
            connection.request(method, path, data, {"content-type": "application/json", **headers})
            answer = connection.getresponse()
            raw = answer.read()
        except (http.client.RemoteDisconnected, ConnectionError) as problem:
            connection.close()
            # The connection was idle too long; only requests that change nothing are sent again.
            if not is_fresh and method == "GET":
                return self.send(method, url, body, headers)
            raise McpFarmError(f"no farm answers at {origin} ({problem}); {self.remedy}") from None
        except ssl.SSLCertVerificationError as problem:
            connection.close()
            raise McpFarmError(
                f"the certificate of {origin} is not trusted here ({problem.verify_message}); "
                "name the file of its authority in SSL_CERT_FILE"
            ) from None
        except http.client.IncompleteRead:
            connection.close()
            raise BrokenOffError(f"{origin} broke off its answer") from None
        except (OSError, http.client.HTTPException) as problem:
            connection.close()
            raise McpFarmError(f"no farm answers at {origin} ({problem}); {self.remedy}") from None
        except BaseException:
            connection.close()  # interrupted, for example by Ctrl-C: the next response on it would be this one
            raise
        self._give_back(origin, connection)
        try:
            return answer.status, json.loads(raw)
        except ValueError:
            if answer.status >= 500:  # of a proxy before the farm
                why = f"{answer.status} {answer.reason}"
                raise McpFarmError(f"no farm answers at {origin} ({why}); {self.remedy}") from None
            raise McpFarmError(
                f"{origin} is no farm (it answered {answer.status} without JSON); give its operators' URL, such as http://127.0.0.1:8701"
            ) from None

    def _take(self, origin: str, scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
        with self._lock:
            idle = self._idle.get(origin, [])
            while idle:
                used_at, connection = idle.pop()
                if time.monotonic() - used_at < _IDLE_S_MAX and not _has_input(connection):
                    return connection
                connection.close()
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=_TIMEOUT_S)

    def _give_back(self, origin: str, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if not self._is_closed and len(idle) < _IDLE_MAX:
                idle.append((time.monotonic(), connection))
                return
        connection.close()

    def close(self) -> None:
        """Close every connection; those in use close after their response."""
        with self._lock:
            self._is_closed = True
            for idle in self._idle.values():
                for _, each in idle:
                    each.close()
            self._idle.clear()


def to_json(value: Any) -> bytes:
    """Serialize a value as it is sent.

    Raises:
        McpFarmError: JSON has no such value.
    """
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as problem:
        raise McpFarmError(f"the request cannot be sent as JSON: {problem}") from None
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a pair of surrogates, which JSON escapes
        return json.dumps(value, allow_nan=False).encode()


def _has_input(connection: http.client.HTTPConnection) -> bool:
    """Return whether an idle connection has something to read: without a request, that is the server's close."""
    if connection.sock is None:
        return False
    with selectors.DefaultSelector() as waiting:
        waiting.register(connection.sock, selectors.EVENT_READ)
        return bool(waiting.select(0))
