"""Episodes of a farm that runs elsewhere, over its control API; uses only the standard library."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from pytest_mcp_farm.errors import McpFarmError
from pytest_mcp_farm.session import Diff, Session
from pytest_mcp_farm.versions import require_fitting

_TIMEOUT_S = 120.0
_PAGE = 1000
_IDLE_MAX = 8  # idle connections for one origin
_LIFETIME_MAX = timedelta(days=1)
_PROTOCOL = "2025-11-25"
_ids = itertools.count(1)

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class _Http:
    """A connection pool: each request has one connection. A connection that the farm has closed is opened again.

    Attributes:
        way_out: the hint in the message when the farm does not answer.
    """

    def __init__(self) -> None:
        self.way_out = "is it running? 'farm status'"
        # Not one for each thread: connections of ended threads would stay open until the session ends.
        self._idle: dict[str, list[http.client.HTTPConnection]] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Any]:
        """Send one request and return its status and parsed body."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise McpFarmError(f"'{url}' is no URL of a farm; it looks like http://127.0.0.1:8701")
        origin = f"{parts.scheme}://{parts.netloc}"
        data = None if body is None else json.dumps(body).encode()
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        connection = self._take(origin, parts.scheme, parts.hostname, parts.port)
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
            raise McpFarmError(f"no farm answers at {origin} ({problem}); {self.way_out}") from None
        except (OSError, http.client.HTTPException) as problem:
            connection.close()
            raise McpFarmError(f"no farm answers at {origin} ({problem}); {self.way_out}") from None
        except BaseException:
            connection.close()  # interrupted, for example by Ctrl-C: the next response on it would be this one
            raise
        self._give_back(origin, connection)
        try:
            return answer.status, json.loads(raw)
        except ValueError:
            raise McpFarmError(
                f"{origin} is no farm (it answered {answer.status} without JSON); give its operators' URL, such as http://127.0.0.1:8701"
            ) from None

    def _take(self, origin: str, scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
        with self._lock:
            if idle := self._idle.get(origin):
                return idle.pop()
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        return kind(host, port, timeout=_TIMEOUT_S)

    def _give_back(self, origin: str, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if not self._is_closed and len(idle) < _IDLE_MAX:
                idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close every connection; those in use close after their response."""
        with self._lock:
            self._is_closed = True
            for idle in self._idle.values():
                for each in idle:
                    each.close()
            self._idle.clear()


class Farm:
    """A farm's control API."""

    def __init__(self, url: str, token: str) -> None:
        """Connect to a farm at the operators' URL with its token.

        Raises:
            McpFarmError: no farm answers there, the token is wrong, or the version does not match.
        """
        self.url = url.rstrip("/").removesuffix("/v1")
        self.where = f"the farm at {self.url}"
        self.http = _Http()
        self._headers = {"authorization": f"Bearer {token}"}
        try:
            require_fitting(str(self.ask("GET", "/v1/farm").get("version")), self.where)
        except McpFarmError:
            self.http.close()
            raise

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Send a request to the control API and return its answer."""
        __tracebackhide__ = True
        given = {name: value for name, value in query.items() if value is not None}
        target = f"{self.url}{path}?{urlencode(given)}" if given else f"{self.url}{path}"
        status, answer = self.http.send(method, target, body, self._headers)
        if status == 401:
            raise McpFarmError(f"{self.where} wants another token; its file is what 'farm status' calls token")
        if status >= 400:
            told = answer.get("error") if isinstance(answer, dict) else None
            raise McpFarmError(
                str(told.get("message")) if isinstance(told, dict) else f"{self.where}: {status} {answer}"
            )
        return answer

    def create(self, wishes: Mapping[str, Any]) -> Session:
        """Create an episode."""
        # Episodes of a killed test run must not stay on a permanent farm forever.
        expires_at = datetime.now(UTC) + _LIFETIME_MAX
        wish = {**wishes, "label": "pytest", "expires_at": expires_at.isoformat(timespec="seconds")}
        return WireSession(self, self.ask("POST", "/v1/episodes", wish))

    def task(self, name: str) -> dict[str, Any]:
        """Return a task's instruction and the episode it needs."""
        suite, slash, task = name.partition("/")
        if not (suite and slash and task) or "/" in task:
            raise McpFarmError(f"a task is named SUITE/TASK, not {name!r}; 'farm tasks list' shows them")
        found: dict[str, Any] = self.ask("GET", f"/v1/tasks/{quote(suite, safe='')}/{quote(task, safe='')}")
        return found

    def close(self) -> None:
        """Close the connections; the farm itself keeps running."""
        self.http.close()


class WireSession:
    """One episode of a farm."""

    def __init__(self, farm: Farm, made: Mapping[str, Any]) -> None:
        self._farm = farm
        self.id: str = made["id"]
        self.token: str | None = made["token"]
        self.me: str | None = made["me"]
        self.apps: tuple[str, ...] = tuple(made["apps"])
        self._urls: Mapping[str, str] = made["mcp"]
        self._url_of_all: str = made["mcp_all"]
        self._at = f"/v1/episodes/{quote(self.id, safe='')}"
        self._seen: dict[str, int] = {}  # app → number of its calls already inspected

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server."""
        if app not in self._urls:
            raise McpFarmError(f"episode '{self.id}' has no app '{app}'; it has {', '.join(self._urls)}")
        return self._urls[app]

    def url_of_all(self) -> str:
        """Return the URL of one MCP server with the tools of all apps."""
        return self._url_of_all

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return a call's result, and whether it was refused; for some apps, only the trace records that."""
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": _PROTOCOL}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        request = {"jsonrpc": "2.0", "id": next(_ids), "method": "tools/call"}
        seen = self._seen.get(app, 0)  # before the call, which then comes after these whatever others do
        params = {"name": tool, "arguments": dict(arguments)}
        status, answer = self._farm.http.send("POST", self.url(app), {**request, "params": params}, headers)
        if "result" not in answer:
            if status in (401, 403, 404, 421):
                raise McpFarmError(str(answer["error"]["message"]))
            return {"error": answer["error"]}, True
        result: dict[str, Any] = answer["result"]
        return result, bool(result.get("isError")) or self._was_refused(app, tool, result, seen)

    def _was_refused(self, app: str, tool: str, result: Mapping[str, Any], seen: int) -> bool:
        """Return whether the trace marks a call as refused, as some apps do not mark refusals in the result.

        Other clients may call meanwhile: an agent, or other threads of the test. The result identifies our call. Calls
        with equal results were all refused, or all not.
        """
        for after in (seen, 0) if seen else (0,):  # another client may have restored the episode to fewer calls
            made = self._calls_after(after, app=app)
            self._seen[app] = after + len(made)
            for each in reversed(made):
                if each["tool"] == tool and _said(each["result"]) == _said(result):
                    return bool(each["refused"])
        raise McpFarmError(f"the call of {tool} is not in the trace of episode '{self.id}'; was it reset meanwhile?")

    def diff(self, since: str) -> Diff:
        """Return the changes since the start or a snapshot."""
        found = self._farm.ask("GET", f"{self._at}/diff", since=since)["apps"]
        return {app: tables for app, tables in found.items() if tables}

    def calls(self) -> list[dict[str, Any]]:
        """Return the trace."""
        return self._calls_after(0)

    def _calls_after(self, after: int, **query: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        while True:
            page = self._farm.ask("GET", f"{self._at}/calls", after=after + len(found), limit=_PAGE, **query)
            if not page:  # a page of long calls has fewer calls
                return found
            found += page

    def rows(self, app: str, table: str) -> list[dict[str, Any]]:
        """Return every row of a table."""
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            path = f"{self._at}/state/{quote(app, safe='')}/{quote(table, safe='')}"
            page = self._farm.ask("GET", path, after=after, limit=_PAGE)
            found += page["rows"]
            after = page["next"]
        return found

    def people(self) -> list[dict[str, Any]]:
        """Return every person of the world."""
        found: list[dict[str, Any]] = self._farm.ask("GET", f"{self._at}/people")["people"]
        return found

    def check(self, expectations: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict on checkpoints, and the other changes."""
        found: dict[str, Any] = self._farm.ask("POST", f"{self._at}/check", dict(expectations))
        return found

    def now(self) -> str:
        """Return the simulated time."""
        return str(self._farm.ask("GET", f"{self._at}/clock")["now"])

    def advance(self, seconds: float) -> str:
        """Move the simulated time forward and return it."""
        return str(self._farm.ask("POST", f"{self._at}/clock", {"advance_s": seconds})["now"])

    def advance_to(self, to: str) -> str:
        """Move the simulated time forward to a moment and return it."""
        return str(self._farm.ask("POST", f"{self._at}/clock", {"to": to})["now"])

    def snapshot(self, name: str | None) -> str:
        """Save a snapshot over all apps and return its name."""
        return str(self._farm.ask("POST", f"{self._at}/snapshots", {} if name is None else {"name": name})["snapshot"])

    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot."""
        self._farm.ask("POST", f"{self._at}/restore", {"snapshot": name})
        self._seen.clear()

    def fork(self, snapshot: str | None) -> Session:
        """Return a copy of the current state or of a snapshot."""
        made = self._farm.ask("POST", f"{self._at}/fork", {} if snapshot is None else {"snapshot": snapshot})
        return WireSession(self._farm, made)

    def close(self) -> None:
        """Drop the episode."""
        self._farm.ask("DELETE", self._at)


def _said(result: Mapping[str, Any]) -> tuple[Any, Any]:
    return result.get("content"), result.get("structuredContent")
