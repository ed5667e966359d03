"""The control API from Python: create, reset, snapshot, restore, fork and compare episodes of a running farm.

Needs neither mcp nor an event loop. A client keeps one connection open and belongs to one thread.
"""

from __future__ import annotations

import http.client
import itertools
import selectors
import ssl
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import orjson

from farm._util.json_io import dumps, loads
from farm.context.changes import Changes
from farm.context.trace import Call
from farm.errors import FarmError, NotFoundError, UnauthorizedError

TIMEOUT_S = 120.0
# The server closes connections after some idle seconds; no request may be sent while it does.
_IDLE_S_MAX = 1.0
PAGE = 10_000
_ANSWER_BYTES_MAX = 512 * 2**20  # traces and diffs may be long, and come in pages of megabytes
_PROTOCOL = "2025-11-25"
_NO_ANSWER = -32000  # what MCP's SDKs make of an answer that never comes
_ids = itertools.count(1)


class BrokenOffError(FarmError):
    """The connection closed in the middle of an answer."""


class _Connection:
    """One persistent HTTP connection. A read request is retried if the server has closed the idle connection."""

    def __init__(self, url: str) -> None:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:  # for a port, or an address in brackets
            host = None
        if host is None or parts.scheme not in ("http", "https"):
            raise FarmError(f"'{url}' is no URL of a farm; it looks like http://127.0.0.1:8701")
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(host, port, timeout=TIMEOUT_S)
        self._base = parts.path.rstrip("/")
        self._url = url

    def request(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        self._leave_closed()
        reused = self._connection.sock is not None
        try:
            return self._once(method, path, body, headers)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            self._connection.close()
        # Only read requests are retried, and only if the connection may simply have been idle too long.
        if reused and method == "GET":
            with suppress(http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                return self._once(method, path, body, headers)
            self._connection.close()
        raise FarmError(f"{self._url} closed the connection; was the farm restarted?")

    def _leave_closed(self) -> None:
        """Close an idle connection that has data to read: without a request, this is the server's close."""
        if self._connection.sock is not None:
            with selectors.DefaultSelector() as waiting:
                waiting.register(self._connection.sock, selectors.EVENT_READ)
                if waiting.select(0):
                    self._connection.close()

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> tuple[int, bytes]:
        try:
            self._connection.request(method, self._base + path, body, dict(headers))
            answer = self._connection.getresponse()
            raw = answer.read(_ANSWER_BYTES_MAX + 1)
            if len(raw) > _ANSWER_BYTES_MAX:
                self._connection.close()
                raise FarmError(f"{self._url} answers with over {_ANSWER_BYTES_MAX >> 20} MiB; is it a farm?")
            if answer.length:  # the bytes that were announced and did not come
                self._connection.close()
                raise BrokenOffError(f"{self._url} broke off its answer")
            return answer.status, raw
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            raise
        except ssl.SSLCertVerificationError as problem:
            self._connection.close()
            raise FarmError(
                f"the certificate of {self._url} is not trusted here ({problem.verify_message}); "
                "name the file of its authority in SSL_CERT_FILE"
            ) from None
        except (OSError, http.client.HTTPException) as problem:
            self._connection.close()
            raise FarmError(f"no farm answers at {self._url} ({problem}); start one with 'farm up'") from None

    def close(self) -> None:
        self._connection.close()


class FarmClient:
    """Client of a farm's control API."""

    def __init__(self, url: str, token: str) -> None:
        """Use ``url`` (the operators' port) and the operator token; nothing is sent yet."""
        # ``farm up`` prints the address with the version, which every path contains.
        self.url = url.rstrip("/").removesuffix("/v1")
        self._connection = _Connection(self.url)
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def request(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Return the parsed answer of one request.

        Raises:
            FarmError: the farm refused; message and class are the farm's. Or the request is no JSON, as with an integer
                of over 64 bits.
        """
        given = {name: value for name, value in query.items() if value is not None}
        target = f"{path}?{urlencode(given)}" if given else path
        try:
            data = None if body is None else orjson.dumps(body)
        except orjson.JSONEncodeError as problem:
            raise FarmError(f"the request cannot be sent as JSON: {problem}") from None
        status, raw = self._connection.request(method, target, data, self._headers)
        try:
            parsed = loads(raw)
        except orjson.JSONDecodeError:
            raise FarmError(f"{self.url} is not a farm's control API (it answered {status} without JSON)") from None
        if status >= 400:
            raise self._refusal(path, FarmError.from_json(status, parsed))
        return parsed

    def page(self, episode_id: str, task: str | None = None) -> bytes:
        """Return an episode's page as one HTML file; with a task's name, its bill says what that task asked for."""
        path = self._at(episode_id, "page.html") + (f"?{urlencode({'task': task})}" if task else "")
        status, raw = self._connection.request("GET", path, None, self._headers)
        if status >= 400:
            raise self._refusal(path, FarmError.from_json(status, loads(raw)))
        return raw

    def _refusal(self, path: str, refused: FarmError) -> FarmError:
        """Return the farm's error; for a wrong port or token, worded for the person who can correct it."""
        if isinstance(refused, UnauthorizedError):
            return UnauthorizedError(
                f"{self.url} has another operator token; name a copy of its operator.token (--token-file)"
            )
        if isinstance(refused, NotFoundError) and str(refused).startswith(f"nothing at {path};"):
            return NotFoundError(
                f"{self.url} is where agents call; name the operators' URL, such as http://127.0.0.1:8701"
            )
        return refused

    def __enter__(self) -> FarmClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _at(self, episode_id: str, action: str = "") -> str:
        path = f"/v1/episodes/{quote(episode_id, safe='')}"
        return f"{path}/{action}" if action else path

    def create(self, **wishes: Any) -> dict[str, Any]:
        """Create an episode.

        Args:
            wishes: ``world``, ``apps``, ``seed``, ``now``, ``me``, ``menu``, ``profile``, ``label``, ``calls_max`` and
                ``expires_at``, as in ``POST /v1/episodes``.
        """
        made: dict[str, Any] = self.request("POST", "/v1/episodes", wishes)
        return made

    def status(self) -> dict[str, Any]:
        """Return the farm's version, cell and address, each app and whether it answers, and the number of episodes."""
        found: dict[str, Any] = self.request("GET", "/v1/farm")
        return found

    def import_episode(self, folder: str, episode: Mapping[str, Any], shift_days: int) -> dict[str, Any]:
        """Make an episode of the files in a folder below ``imports`` of the data folder.

        Args:
            folder: the folder's name.
            episode: the settings that the episode was created with, as for ``create``.
            shift_days: the number of days by which its world was shifted.
        """
        body = {"folder": folder, "episode": dict(episode), "shift_days": shift_days}
        made: dict[str, Any] = self.request("POST", "/v1/imports", body)
        return made

    def require_capacity(self, size_bytes: int) -> None:
        """Require that the data folder may grow by so many bytes.

        Raises:
            QuotaExceededError: it may not.
        """
        self.request("GET", "/v1/imports", size_bytes=size_bytes)

    def episodes(self) -> list[dict[str, Any]]:
        """Return every episode, oldest first."""
        found: list[dict[str, Any]] = self.request("GET", "/v1/episodes")["episodes"]
        return found

    def episode(self, episode_id: str) -> dict[str, Any]:
        """Return one episode with its URLs, token, clock and number of calls."""
        found: dict[str, Any] = self.request("GET", self._at(episode_id))
        return found

    def drop(self, episode_id: str) -> None:
        """Remove an episode."""
        self.request("DELETE", self._at(episode_id))

    def reset(self, episode_id: str) -> dict[str, Any]:
        """Return an episode to its start."""
        done: dict[str, Any] = self.request("POST", self._at(episode_id, "reset"))
        return done

    def snapshot(self, episode_id: str, name: str | None = None) -> str:
        """Save one consistent snapshot and return its name."""
        body = {} if name is None else {"name": name}
        return str(self.request("POST", self._at(episode_id, "snapshots"), body)["snapshot"])

    def snapshots(self, episode_id: str) -> list[dict[str, Any]]:
        """Return an episode's snapshots, oldest first."""
        found: list[dict[str, Any]] = self.request("GET", self._at(episode_id, "snapshots"))["snapshots"]
        return found

    def restore(self, episode_id: str, snapshot: str) -> dict[str, Any]:
        """Return an episode to a snapshot."""
        done: dict[str, Any] = self.request("POST", self._at(episode_id, "restore"), {"snapshot": snapshot})
        return done

    def fork(self, episode_id: str, *, snapshot: str | None = None, count: int = 1) -> list[dict[str, Any]]:
        """Copy an episode and return the copies."""
        body: dict[str, Any] = {"count": count} if snapshot is None else {"count": count, "snapshot": snapshot}
        made: list[dict[str, Any]] = self.request("POST", self._at(episode_id, "fork"), body)["episodes"]
        return made

    def add_holder(self, episode_id: str, person: str) -> dict[str, Any]:
        """Let a further person act in an episode; return their key ``me``, their ``token`` and their ``apps``."""
        found: dict[str, Any] = self.request("POST", self._at(episode_id, "holders"), {"me": person})
        return found

    def renew_token(self, episode_id: str) -> str:
        """Issue a new token in place of an episode's, which is refused from then on, and return it."""
        return str(self.request("POST", self._at(episode_id, "token"))["token"])

    def export(self, episode_id: str, folder: str, *, snapshot: str | None = None) -> dict[str, Any]:
        """Copy an episode's files into a folder below ``exports`` of the data folder; return the episode's settings.

        Args:
            episode_id: the episode.
            folder: the folder's name.
            snapshot: the snapshot to copy; None: the current state.
        """
        body = {"folder": folder} if snapshot is None else {"folder": folder, "snapshot": snapshot}
        found: dict[str, Any] = self.request("POST", self._at(episode_id, "export"), body)
        return found

    def diff(self, episode_id: str, since: str = "start") -> dict[str, dict[str, list[dict[str, Any]]]]:
        """Return app → table → changed rows."""
        found: dict[str, Any] = self.request("GET", self._at(episode_id, "diff"), since=since)["apps"]
        return found

    def changes(self, episode_id: str, since: str = "start") -> Changes:
        """Return the changed rows since the start or a snapshot, and the reverted changes."""
        found = self.request("GET", self._at(episode_id, "diff"), since=since, reverted=1)
        return Changes(found["apps"], found["reverted"])

    def calls(
        self,
        episode_id: str,
        *,
        app: str | None = None,
        after: int = 0,
        limit: int | None = None,
        results: bool = True,
    ) -> list[Call]:
        """Return the trace of all apps, or of one, in order; without a limit all of it."""
        found: list[Call] = []
        while True:
            wanted = PAGE if limit is None else min(PAGE, limit - len(found))
            query = {"after": after + len(found), "limit": wanted, "results": int(results)}
            page: list[Call] = self.request("GET", self._at(episode_id, "calls"), app=app, **query)
            found += page
            if not page or len(found) == limit:  # a page of long calls ends early
                return found

    def clock(self, episode_id: str) -> dict[str, Any]:
        """Return the simulated time: ``now`` and whether it is ``live``."""
        found: dict[str, Any] = self.request("GET", self._at(episode_id, "clock"))
        return found

    def set_clock(self, episode_id: str, **move: Any) -> dict[str, Any]:
        """Move the simulated time: ``advance_s``, ``to``, ``next``, ``quiet`` or ``rate``; ``came`` is what arrived."""
        body = {name: value for name, value in move.items() if value is not None}
        done: dict[str, Any] = self.request("POST", self._at(episode_id, "clock"), body)
        return done

    def person_rules(self, episode_id: str) -> dict[str, Any]:
        """Return the ``rules`` by which people answer, what is ``waiting``, and what people ``acted``, in order."""
        found: dict[str, Any] = self.request("GET", self._at(episode_id, "people/rules"))
        return found

    def add_person_rule(self, episode_id: str, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer by a rule, with the keys of ``[[people]]`` in a task; return it with its id."""
        made: dict[str, Any] = self.request("POST", self._at(episode_id, "people/rules"), dict(rule))
        return made

    def faults(self, episode_id: str) -> list[dict[str, Any]]:
        """Return every planned fault, with how many calls it ``matched`` and ``failed``."""
        found: list[dict[str, Any]] = self.request("GET", self._at(episode_id, "faults"))["faults"]
        return found

    def add_fault(self, episode_id: str, app: str, kind: str, **rule: Any) -> dict[str, Any]:
        """Plan calls that fail in the vendor's words; the keys of the rule are those of ``[[faults]]`` in a task."""
        made: dict[str, Any] = self.request("POST", self._at(episode_id, "faults"), {"app": app, "kind": kind, **rule})
        return made

    def heal_fault(self, episode_id: str, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault."""
        healed: dict[str, Any] = self.request(
            "DELETE", self._at(episode_id, f"faults/{quote(app, safe='')}/{quote(fault, safe='')}")
        )
        return healed

    def rows(
        self, episode_id: str, app: str, table: str, *, at: str | None = None, after: int = 0, limit: int = 100
    ) -> dict[str, Any]:
        """Return rows of one table by key: ``rows``, ``total`` and ``next``."""
        action = f"state/{quote(app, safe='')}/{quote(table, safe='')}"
        found: dict[str, Any] = self.request("GET", self._at(episode_id, action), at=at, after=after, limit=limit)
        return found

    def watch(self, episode_id: str, app: str, after: int | None = None) -> dict[str, Any]:
        """Wait up to 25 s for calls of one app and return them with the rows that each changed."""
        found: dict[str, Any] = self.request("GET", self._at(episode_id, f"watch/{quote(app, safe='')}"), after=after)
        return found

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def mcp_call(url: str, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> dict[str, Any]:
    """Call one tool over MCP and return its result, or ``{"error": {"code", "message"}}`` for a protocol error.

    Args:
        url: an episode's MCP address at one app.
        token: the episode's bearer, if it has one.

    Raises:
        FarmError: nothing answers there, or the answer is not MCP.
    """
    return _mcp(url, "tools/call", {"name": tool, "arguments": arguments}, token)


class McpCaller:
    """Calls tools over MCP on one persistent connection; any thread may use it."""

    def __init__(self) -> None:
        self._idle: list[tuple[float, str, _Connection]] = []

    def call(self, url: str, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> dict[str, Any]:
        """Call one tool as ``mcp_call`` does."""
        origin = _origin(url)
        connection = self._take(origin) or _Connection(origin)
        try:
            result = _mcp_on(connection, url, "tools/call", {"name": tool, "arguments": arguments}, token)
        except BaseException:
            connection.close()
            raise
        self._idle.append((time.monotonic(), origin, connection))
        return result

    def _take(self, origin: str) -> _Connection | None:
        while self._idle:
            used_at, of, connection = self._idle.pop()
            if of == origin and time.monotonic() - used_at < _IDLE_S_MAX:
                return connection
            connection.close()
        return None

    def close(self) -> None:
        """Close the connection."""
        while self._idle:
            self._idle.pop()[2].close()


def mcp_tools(url: str, token: str | None = None) -> list[dict[str, Any]]:
    """Return the tools of an MCP address as the server sent them.

    Raises:
        FarmError: nothing answers there, or the answer is not MCP.
    """
    answer = _mcp(url, "tools/list", {}, token)
    if "error" in answer:
        raise FarmError(f"{url} lists no tools: {answer['error']['message']}")
    tools: list[dict[str, Any]] = answer["tools"]
    return tools


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _mcp(url: str, method: str, params: Mapping[str, Any], token: str | None) -> dict[str, Any]:
    connection = _Connection(_origin(url))
    try:
        return _mcp_on(connection, url, method, params, token)
    finally:
        connection.close()


def _mcp_on(
    connection: _Connection, url: str, method: str, params: Mapping[str, Any], token: str | None
) -> dict[str, Any]:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": _PROTOCOL,
    }
    if token:
        headers["authorization"] = f"Bearer {token}"
    body = dumps({"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": params})
    try:
        status, raw = connection.request("POST", _target(url), body, headers)
    except BrokenOffError:
        return {"error": {"code": _NO_ANSWER, "message": "Connection closed"}}
    try:
        answer = loads(raw)
    except orjson.JSONDecodeError:
        raise FarmError(f"{url} is not an MCP server (it answered {status} without JSON)") from None
    if "result" in answer:
        result: dict[str, Any] = answer["result"]
        return result
    if status in (401, 403, 404, 421):
        raise FarmError(str(answer["error"]["message"]))
    return {"error": answer["error"]}
