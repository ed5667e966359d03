"""Episodes of a farm that runs elsewhere, over its control API; uses only the standard library."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from .errors import McpFarmError
from .http_pool import BrokenOffError, HttpPool
from .versions import require_fitting

# app → table → changed rows, each with ``op``, ``key``, ``old``, ``new`` and ``call``.
Diff = Mapping[str, Mapping[str, list[dict[str, Any]]]]
_PAGE = 1000
_PROTOCOL = "2025-11-25"
_NO_ANSWER = -32000  # what MCP's SDKs make of an answer that never comes
_ids = itertools.count(1)

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class Farm:
    """A farm's control API; any thread may use it."""

    def __init__(self, url: str, token: str, package: str = "mcp-farm-client") -> None:
        """Connect to a farm at the operators' URL with its token.

        Args:
            package: the distribution that contains this module, for messages.

        Raises:
            McpFarmError: no farm answers there, the token is wrong, or the version does not match.
        """
        if not isinstance(url, str) or not isinstance(token, str):
            raise McpFarmError("a farm is named by its operators' URL and its operator token, both texts")
        if not token.isascii() or not token.isprintable() or not token:
            raise McpFarmError("the token is no operator token; its file is what 'farm status' calls token")
        self.url = url.rstrip("/").removesuffix("/v1")
        self.where = f"the farm at {self.url}"
        self.http = HttpPool()
        self._headers = {"authorization": f"Bearer {token}"}
        try:
            found = self.ask("GET", "/v1/farm")
            if not isinstance(found, dict) or "version" not in found:
                raise McpFarmError(f"{self.url} is no farm; give its operators' URL, such as http://127.0.0.1:8701")
            require_fitting(str(found["version"]), self.where, package)
        except BaseException:
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
            message = str(told.get("message")) if isinstance(told, dict) else f"{self.where}: {status} {answer}"
            if message.startswith(f"nothing at {path};"):
                message = f"{self.url} is where agents call; give the operators' URL, such as http://127.0.0.1:8701"
            raise McpFarmError(message)
        return answer

    def create(self, wishes: Mapping[str, Any]) -> WireSession:
        """Create an episode; ``wishes`` are the keys of ``POST /v1/episodes``."""
        return WireSession(self, self.ask("POST", "/v1/episodes", dict(wishes)))

    def task(self, name: str, **options: Any) -> dict[str, Any]:
        """Return a task's card with the request for its episode; ``options`` are the query's."""
        suite, slash, task = name.partition("/") if isinstance(name, str) else ("", "", "")
        if not (suite and slash and task) or "/" in task:
            raise McpFarmError(f"a task is named SUITE/TASK, not {name!r}; 'farm tasks list' shows them")
        found: dict[str, Any] = self.ask("GET", f"/v1/tasks/{quote(suite, safe='')}/{quote(task, safe='')}", **options)
        return found

    def tasks(self, suite: str, **options: Any) -> list[dict[str, Any]]:
        """Return the cards of a suite's tasks; ``options`` are the query's."""
        found: list[dict[str, Any]] = self.ask("GET", f"/v1/tasks/{quote(str(suite), safe='')}", **options)["tasks"]
        return found

    def close(self) -> None:
        """Close the connections; the farm itself keeps running."""
        self.http.close()


class WireSession:
    """One episode of a farm; any thread may use it."""

    def __init__(self, farm: Farm, made: Mapping[str, Any]) -> None:
        self._farm = farm
        self._made = made
        self.id: str = made["id"]
        self.starts_at: str = made["now"]
        self.token: str | None = made["token"]
        self.me: str | None = made["me"]
        self.apps: tuple[str, ...] = tuple(made["apps"])
        self._urls: Mapping[str, str] = made["mcp"]
        self._url_of_all: str = made["mcp_all"]
        self._at = f"/v1/episodes/{quote(self.id, safe='')}"
        self._seen: dict[str, int] = {}  # app → number of its calls already inspected

    def as_(self, person: str) -> WireSession:
        """Return the same episode as another person uses it: with their token and their apps."""
        known = self._made.get("holders", {})
        if person in known:
            holder = known[person]
        else:
            holder = self._farm.ask("POST", f"{self._at}/holders", {"me": person})
            known[person] = holder
        urls = {app: url for app, url in self._urls.items() if app in holder["apps"]}
        own = {"token": holder["token"], "me": person, "apps": holder["apps"], "mcp": urls, "holders": known}
        return WireSession(self._farm, {**self._made, **own})

    def url(self, app: str) -> str:
        """Return the URL of an app's MCP server."""
        if app not in self._urls:
            raise McpFarmError(f"episode '{self.id}' has no app '{app}'; it has {', '.join(self._urls)}")
        return self._urls[app]

    def url_of_all(self) -> str:
        """Return the URL of one MCP server with the tools of all apps."""
        return self._url_of_all

    @property
    def urls(self) -> dict[str, str]:
        """App → URL of its MCP server."""
        return dict(self._urls)

    def tools(self, app: str) -> list[dict[str, Any]]:
        """Return the app's tools as ``tools/list`` answers."""
        answer = self._mcp(app, "tools/list", {})
        if "error" in answer:
            raise McpFarmError(f"{self.url(app)} lists no tools: {answer['error']['message']}")
        tools: list[dict[str, Any]] = answer["tools"]
        return tools

    def result(self, app: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool and return the CallToolResult, or ``{"error": {"code", "message"}}``."""
        return self._mcp(app, "tools/call", {"name": tool, "arguments": dict(arguments)})

    def _mcp(self, app: str, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": _PROTOCOL}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        request = {"jsonrpc": "2.0", "id": next(_ids), "method": method, "params": params}
        try:
            status, answer = self._farm.http.send("POST", self.url(app), request, headers)
        except BrokenOffError:
            return {"error": {"code": _NO_ANSWER, "message": "Connection closed"}}
        if isinstance(answer, dict) and "result" in answer:
            result: dict[str, Any] = answer["result"]
            return result
        if not isinstance(answer, dict) or not isinstance(answer.get("error"), dict):
            raise McpFarmError(f"{self.url(app)} is not an MCP server (it answered {status})")
        if status in (401, 403, 404, 421):
            raise McpFarmError(str(answer["error"]["message"]))
        return {"error": answer["error"]}

    def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
        """Return a call's result, and whether it was refused; for some apps, only the trace records that."""
        seen = self._seen.get(app, 0)  # before the call, which then comes after these whatever others do
        result = self.result(app, tool, arguments)
        if "error" in result:
            return result, True
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
        """Return the verdict on checkpoints and the other changes, or a task's line."""
        found: dict[str, Any] = self._farm.ask("POST", f"{self._at}/check", dict(expectations))
        return found

    def now(self) -> str:
        """Return the simulated time."""
        return str(self._farm.ask("GET", f"{self._at}/clock")["now"])

    def move(self, move: Mapping[str, Any]) -> tuple[str, list[dict[str, Any]]]:
        """Move the simulated time, as ``POST …/clock`` takes it; return it and what arrived."""
        told = self._farm.ask("POST", f"{self._at}/clock", dict(move))
        return str(told["now"]), list(told["came"])

    def answers(self) -> dict[str, Any]:
        """Return the ``rules`` of people who answer, what is ``waiting``, and what people ``acted``."""
        found: dict[str, Any] = self._farm.ask("GET", f"{self._at}/people/rules")
        return found

    def add_person_rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Let a person answer by a rule, and return the rule with its id."""
        made: dict[str, Any] = self._farm.ask("POST", f"{self._at}/people/rules", dict(rule))
        return made

    def faults(self) -> list[dict[str, Any]]:
        """Return every planned fault with its counts."""
        found: list[dict[str, Any]] = self._farm.ask("GET", f"{self._at}/faults")["faults"]
        return found

    def add_fault(self, app: str, rule: Mapping[str, Any]) -> dict[str, Any]:
        """Plan a fault and return it."""
        made: dict[str, Any] = self._farm.ask("POST", f"{self._at}/faults", {**rule, "app": app})
        return made

    def heal_fault(self, app: str, fault: str) -> dict[str, Any]:
        """End a planned fault and return it."""
        path = f"{self._at}/faults/{quote(app, safe='')}/{quote(fault, safe='')}"
        healed: dict[str, Any] = self._farm.ask("DELETE", path)
        return healed

    def renew_token(self) -> str:
        """Issue a new bearer in place of the episode's, and return it."""
        self.token = str(self._farm.ask("POST", f"{self._at}/token")["token"])
        return self.token

    def snapshot(self, name: str | None) -> str:
        """Save a snapshot over all apps and return its name."""
        return str(self._farm.ask("POST", f"{self._at}/snapshots", {} if name is None else {"name": name})["snapshot"])

    def restore(self, name: str) -> None:
        """Restore rows, calls and clock from a snapshot."""
        self._farm.ask("POST", f"{self._at}/restore", {"snapshot": name})
        self._seen.clear()

    def fork(self, snapshot: str | None = None) -> WireSession:
        """Return a copy of the current state or of a snapshot."""
        made = self._farm.ask("POST", f"{self._at}/fork", {} if snapshot is None else {"snapshot": snapshot})
        return WireSession(self._farm, made)

    def close(self) -> None:
        """Drop the episode."""
        self._farm.ask("DELETE", self._at)


def _said(result: Mapping[str, Any]) -> tuple[Any, Any]:
    return result.get("content"), result.get("structuredContent")
