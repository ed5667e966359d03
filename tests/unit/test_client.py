"""The control client against a server that answers as told."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from farm.client import PAGE, FarmClient, McpCaller, mcp_call, mcp_tools
from farm.errors import ConflictError, FarmError, NotFoundError, UnauthorizedError, UnavailableError

Answer = tuple[int, Any]
Handle = Callable[[str, str, Any], Answer]


class Server:
    """Answers by a function of method, path and body; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Any, dict[str, str]]] = []
        self.connections: set[Any] = set()
        self.closes = False  # after each answer, and without a word of it
        self.handle: Handle = lambda *_: (200, {})
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                body = json.loads(raw) if raw else None
                fields = {name.lower(): value for name, value in self.headers.items()}
                server.asked.append((self.command, self.path, body, fields))
                server.connections.add(self.client_address)
                status, out = server.handle(self.command, self.path, body)
                data = out if isinstance(out, bytes) else json.dumps(out).encode()
                if status == 0:  # hang up without an answer
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                self.close_connection |= server.closes

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.http.shutdown()
    thread.join()
    made.http.server_close()


@pytest.fixture
def client(server: Server) -> Iterator[FarmClient]:
    with FarmClient(server.url + "/", "secret") as made:
        yield made


def test_every_call_goes_to_its_path_with_the_token(server: Server, client: FarmClient) -> None:
    server.handle = lambda *_: (200, {"episodes": [], "snapshots": [], "snapshot": "s1", "apps": {}, "reverted": {}})

    client.create(seed=1)
    client.episodes()
    client.episode("a/b")
    client.snapshot("e")
    client.snapshot("e", "n")
    client.restore("e", "n")
    client.fork("e", snapshot="n", count=2)
    client.diff("e", "n")
    client.changes("e")
    client.set_clock("e", advance_s=1.5)
    client.rows("e", "slack", "messages", at="n")
    client.watch("e", "slack", 4)
    client.reset("e")
    client.drop("e")

    assert [(method, path, body) for method, path, body, _ in server.asked] == [
        ("POST", "/v1/episodes", {"seed": 1}),
        ("GET", "/v1/episodes", None),
        ("GET", "/v1/episodes/a%2Fb", None),
        ("POST", "/v1/episodes/e/snapshots", {}),
        ("POST", "/v1/episodes/e/snapshots", {"name": "n"}),
        ("POST", "/v1/episodes/e/restore", {"snapshot": "n"}),
        ("POST", "/v1/episodes/e/fork", {"count": 2, "snapshot": "n"}),
        ("GET", "/v1/episodes/e/diff?since=n", None),
        ("GET", "/v1/episodes/e/diff?since=start&reverted=1", None),
        ("POST", "/v1/episodes/e/clock", {"advance_s": 1.5}),
        ("GET", "/v1/episodes/e/state/slack/messages?at=n&after=0&limit=100", None),
        ("GET", "/v1/episodes/e/watch/slack?after=4", None),
        ("POST", "/v1/episodes/e/reset", None),
        ("DELETE", "/v1/episodes/e", None),
    ]
    assert {fields["authorization"] for *_, fields in server.asked} == {"Bearer secret"}
    assert len(server.connections) == 1


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/"])
def test_the_address_may_be_given_as_the_farm_shows_it(server: Server, end: str) -> None:
    server.handle = lambda *_: (200, {"episodes": []})

    with FarmClient(server.url + end, "secret") as client:
        client.episodes()

    assert [path for _, path, _, _ in server.asked] == ["/v1/episodes"]


@pytest.mark.parametrize("kind", [FarmError, NotFoundError, ConflictError, UnavailableError])
def test_a_refusal_is_raised_in_the_farms_words_and_as_what_it_was(
    server: Server, client: FarmClient, kind: type[FarmError]
) -> None:
    server.handle = lambda *_: (kind.status, kind("no such thing; have this").as_json())

    with pytest.raises(FarmError, match="no such thing; have this") as refused:
        client.reset("e")

    assert type(refused.value) is kind


def test_a_wrong_key_or_door_is_told_with_the_way_to_the_right_one(server: Server, client: FarmClient) -> None:
    needs = UnauthorizedError("the control API needs the operator token as 'Authorization: Bearer TOKEN'")
    server.handle = lambda *_: (401, needs.as_json())
    with pytest.raises(
        UnauthorizedError, match=r"has another operator token; name a copy of its operator.token \(--token-f"
    ):
        client.episodes()

    nothing = NotFoundError("nothing at /v1/episodes; MCP is at /mcp/EPISODE/APP, and at /mcp/EPISODE for all apps")
    server.handle = lambda *_: (404, nothing.as_json())
    with pytest.raises(NotFoundError, match=f"^{server.url} is where agents call; name the operators' URL"):
        client.episodes()


@pytest.mark.parametrize("answer", ["gone", [1], {"detail": "gone"}, {"error": "gone"}])
def test_an_answer_of_something_else_is_shown_as_it_came(server: Server, client: FarmClient, answer: Any) -> None:
    server.handle = lambda *_: (502, answer)

    with pytest.raises(FarmError, match=r"gone|1") as refused:
        client.reset("e")

    assert refused.value.status == 502


def test_a_trace_longer_than_a_page_is_read_to_its_end(server: Server, client: FarmClient) -> None:
    total = PAGE + 3

    def handle(_: str, path: str, __: Any) -> Answer:
        query = dict(pair.split("=") for pair in path.split("?")[1].split("&"))
        after, limit = int(query["after"]), int(query["limit"])
        return 200, [{"n": n} for n in range(after + 1, min(after + limit, total) + 1)]

    server.handle = handle

    assert [call["n"] for call in client.calls("e")] == list(range(1, total + 1))
    assert [call["n"] for call in client.calls("e", after=PAGE - 1, limit=2)] == [PAGE, PAGE + 1]
    assert len(server.asked) == 4, "none is the last until a page is empty"


def test_reading_is_repeated_once_when_an_idle_connection_was_closed(server: Server, client: FarmClient) -> None:
    answers = iter([(200, {"episodes": []}), (0, b""), (200, {"episodes": [{"id": "e"}]})])
    server.handle = lambda *_: next(answers)

    assert client.episodes() == []
    assert client.episodes() == [{"id": "e"}]


def test_reading_that_is_hung_up_on_twice_is_told_in_words(server: Server, client: FarmClient) -> None:
    answers = iter([(200, {"episodes": []}), (0, b""), (0, b"")])
    server.handle = lambda *_: next(answers)
    client.episodes()

    with pytest.raises(FarmError, match="closed the connection; was the farm restarted"):
        client.episodes()

    assert len(server.asked) == 3


def test_a_change_is_never_sent_twice(server: Server, client: FarmClient) -> None:
    answers = iter([(200, {"episodes": []}), (0, b"")])
    server.handle = lambda *_: next(answers)
    client.episodes()

    with pytest.raises(FarmError, match="closed the connection; was the farm restarted"):
        client.reset("e")

    assert len(server.asked) == 2


def test_a_change_goes_over_a_new_connection_when_the_idle_one_is_closed(server: Server, client: FarmClient) -> None:
    server.closes = True
    client.episode("e")
    assert select.select([client._connection._connection.sock], [], [], 60)[0], "the server's end has not come"

    client.reset("e")

    assert [path for _, path, _, _ in server.asked] == ["/v1/episodes/e", "/v1/episodes/e/reset"]


def test_something_else_than_a_farm_is_called_so(server: Server, client: FarmClient) -> None:
    server.handle = lambda *_: (200, b"<html>")

    with pytest.raises(FarmError, match="is not a farm's control API"):
        client.episodes()
    with pytest.raises(FarmError, match="is not an MCP server"):
        mcp_call(server.url + "/mcp/default/slack", "t", {})
    with pytest.raises(FarmError, match=r"no farm answers at http://127.0.0.1:1 .*; start one with 'farm up'"):
        FarmClient("http://127.0.0.1:1", "t").episodes()
    with pytest.raises(FarmError, match="'localhost:8701' is no URL of a farm"):
        FarmClient("localhost:8701", "t")


def test_a_tool_is_called_as_a_client_of_2025_does(server: Server) -> None:
    result = {"content": [{"type": "text", "text": "hi"}]}
    server.handle = lambda *_: (200, {"jsonrpc": "2.0", "id": 1, "result": result})

    assert mcp_call(server.url + "/mcp/e/slack", "say", {"x": 1}, "bearer") == result

    method, path, body, fields = server.asked[0]
    assert (method, path, body["method"]) == ("POST", "/mcp/e/slack", "tools/call")
    assert body["params"] == {"name": "say", "arguments": {"x": 1}}
    assert fields["authorization"] == "Bearer bearer"
    assert fields["mcp-protocol-version"] == "2025-11-25"


def test_an_error_of_the_protocol_is_a_result_and_a_closed_door_is_raised(server: Server) -> None:
    refusal = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no such tool"}}
    server.handle = lambda *_: (200, refusal)
    assert mcp_call(server.url, "t", {}) == {"error": {"code": -32602, "message": "no such tool"}}
    with pytest.raises(FarmError, match="no such tool"):
        mcp_tools(server.url)

    server.handle = lambda *_: (401, {"error": {"code": -32600, "message": "needs its token"}})
    with pytest.raises(FarmError, match="needs its token"):
        mcp_call(server.url, "t", {})


def test_the_client_needs_no_sdk_and_no_event_loop() -> None:
    code = (
        "import sys, farm.client; "
        "print(sorted({'mcp', 'fastmcp', 'aiohttp', 'asyncio', 'sqlalchemy'} & set(sys.modules)))"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout == "[]\n"


def test_a_caller_keeps_its_connection_from_one_call_to_the_next(server: Server) -> None:
    server.handle = lambda *_: (200, {"jsonrpc": "2.0", "id": 1, "result": {"content": []}})
    caller = McpCaller()

    results = [caller.call(f"{server.url}/mcp/e/{app}", "look", {}, "secret") for app in ("slack", "lark", "slack")]
    caller.close()

    assert results == [{"content": []}] * 3
    assert len(server.connections) == 1
    assert {asked[3]["authorization"] for asked in server.asked} == {"Bearer secret"}


def test_a_connection_that_idled_is_not_used_for_another_call(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.handle = lambda *_: (200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    caller, now = McpCaller(), [100.0]
    monkeypatch.setattr("farm.client.time.monotonic", lambda: now[0])

    caller.call(f"{server.url}/mcp/e/slack", "look", {})
    now[0] += 2
    caller.call(f"{server.url}/mcp/e/slack", "look", {})
    caller.close()

    assert len(server.connections) == 2


def test_a_call_that_got_no_answer_is_never_made_again(server: Server) -> None:
    server.handle = lambda *_: (0, {})
    caller = McpCaller()

    with pytest.raises(FarmError, match="closed the connection"):
        caller.call(f"{server.url}/mcp/e/slack", "write", {})

    assert len(server.asked) == 1


def test_what_json_cannot_hold_is_one_line_and_not_sent(client: FarmClient, server: Server) -> None:
    with pytest.raises(FarmError, match=r"^the request cannot be sent as JSON: Integer exceeds 64-bit range$"):
        client.create(seed=10**20)

    assert server.asked == []
