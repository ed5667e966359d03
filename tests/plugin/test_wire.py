"""What the plugin asks of a farm's control API, answered by a list in its place."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pytest_mcp_farm._client.http_pool import HttpPool
from pytest_mcp_farm._client.wire import Farm, WireSession
from pytest_mcp_farm.errors import McpFarmError

MADE = {
    "id": "ep",
    "token": "t",
    "me": "mia",
    "now": "2026-03-09T09:00:00+08:00",
    "apps": ["slack"],
    "mcp": {"slack": "http://127.0.0.1:1/mcp/slack"},
    "mcp_all": "http://127.0.0.1:1/mcp",
}
POST = "slack_post_message"


class ShortPages(Farm):
    """A farm whose calls are so long that a page ends after two, whatever limit was asked for."""

    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self._calls = calls

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        """Answer ``GET …/calls``."""
        return self._calls[query["after"] :][:2]


def test_a_trace_of_long_calls_is_read_to_its_end() -> None:
    calls = [{"n": number, "tool": POST, "refused": False} for number in range(1, 6)]

    assert WireSession(ShortPages(calls), MADE).calls() == calls


class Unmarked(ShortPages):
    """A farm with an app that marks no refusal; it refuses every text of ``no``, and its calls can be made to meet.

    Attributes:
        made: the trace.
        also: what an agent calls right after each call of the test's.
    """

    def __init__(self, *, at_once: int = 1, also: str | None = None) -> None:
        self.made: list[dict[str, Any]] = []
        self.also = also
        self._meeting = threading.Barrier(at_once)
        self._lock = threading.Lock()
        super().__init__(self.made)
        self.http = self  # type: ignore[assignment] # answers in its place, too

    def send(self, method: str, url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, Any]:
        """Answer a tools/call, once all that come at once are in the trace."""
        result = self._call(body["params"]["arguments"]["text"])
        if self.also is not None:
            self._call(self.also)
        self._meeting.wait(60)
        return 200, {"jsonrpc": "2.0", "id": body["id"], "result": result}

    def _call(self, text: str) -> dict[str, Any]:
        with self._lock:
            n = len(self.made) + 1
            said = "refused" if text == "no" else f"posted {text} as {n}"
            result: dict[str, Any] = {"content": [{"type": "text", "text": said}]}
            entry = {"n": n, "tool": POST, "arguments": {"text": text}, "result": result, "refused": text == "no"}
            self.made.append(entry)
        return result


@pytest.mark.parametrize(("text", "also"), [("yes", "no"), ("no", "yes")])
def test_what_an_agent_calls_meanwhile_is_not_taken_for_the_tests_own_call(text: str, also: str) -> None:
    session = WireSession(Unmarked(also=also), MADE)

    assert [session.call("slack", POST, {"text": text})[1] for _ in range(2)] == [text == "no"] * 2


def test_calls_at_once_are_each_refused_or_not_as_they_were_and_so_is_what_comes_after() -> None:
    texts = ["a", "no", "b", "no", "c", "d"]
    farm = Unmarked(at_once=len(texts))
    session = WireSession(farm, MADE)

    with ThreadPoolExecutor(len(texts)) as threads:
        found = list(threads.map(lambda text: session.call("slack", POST, {"text": text}), texts))

    assert [refused for _, refused in found] == [text == "no" for text in texts]
    assert [result["content"][0]["text"].split(" as ")[0] for result, _ in found] == [
        "refused" if text == "no" else f"posted {text}" for text in texts
    ]
    farm._meeting = threading.Barrier(1)
    assert session.call("slack", POST, {"text": "no"})[1]


def test_a_call_is_found_after_somebody_else_has_restored_the_episode() -> None:
    farm = Unmarked()
    session = WireSession(farm, MADE)
    for _ in range(3):
        session.call("slack", POST, {"text": "yes"})
    farm.made.clear()

    assert session.call("slack", POST, {"text": "no"})[1]


def test_a_call_that_is_in_no_trace_is_not_taken_for_a_success() -> None:
    class Forgetful(Unmarked):
        def ask(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
            return []

    with pytest.raises(McpFarmError, match="is not in the trace of episode 'ep'; was it reset meanwhile"):
        WireSession(Forgetful(), MADE).call("slack", POST, {"text": "yes"})


def test_threads_that_have_ended_leave_no_connection_behind() -> None:
    connected = []

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            connected.append(self.client_address)
            super().setup()

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever).start()
        http = HttpPool()
        for _ in range(5):
            thread = threading.Thread(
                target=http.send, args=("GET", f"http://127.0.0.1:{server.server_port}/", None, {})
            )
            thread.start()
            thread.join()
        http.close()
        server.shutdown()

    assert len(connected) == 1
