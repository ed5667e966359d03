"""Serve scripts over HTTP: the models' APIs, and an interface with which test plugins add and remove scripts.

The standard library's server is enough: a test sends few requests, each connection has a thread, and a test's process
loads none of a farm's packages.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from farm._util.bounded_json import OversizedError, parse_bounded
from farm._util.plurals import pluralize
from farm._util.sockets import BACKLOG, bind, connectable_host
from farm.errors import FarmError, MethodNotAllowedError, NotFoundError
from farm.server.limits.malloc_trim import trim
from farm.testing.mock_model import anthropic, gemini, openai_chat, openai_responses
from farm.testing.mock_model.conversation import KEPT_BYTES_MAX, VALUES_MAX, Reply, Request, UnanswerableError, answer
from farm.testing.mock_model.script import Script, parse_script, read_script

API_KEY = "scripted"  # any key is accepted; clients require one
# Anthropic accepts requests of 32 MB, Gemini of 20.
_BODY_MAX_BYTES = 32 * 2**20
_LONG_BYTES = 2**20  # a body of this size is worth returning its memory to the system
_PATH = re.compile(r"(?:/(script-\d+))?(/v1(?:beta)?(?:/.*)?)")
_GEMINI = re.compile(r"/v1(?:beta)?/models/([^/:]+):(generateContent|streamGenerateContent)")
_COUNTS = re.compile(r"/v1/messages/count_tokens|/v1(?:beta)?/models/[^/]+:countTokens")
_APIS = (
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/messages",
    "/v1beta/models/…:generateContent",
    "/v1/models",
)


@dataclass
class Play:
    """A script in use, with the requests it received.

    Attributes:
        requests: the requests so far, in the form of ``as_json``; beyond 64 MiB, only the newest.
        left_out: the number of dropped older requests.
    """

    script: Script
    requests: deque[dict[str, Any]] = field(default_factory=deque)
    left_out: int = 0
    responses: openai_responses.ResponseState = field(default_factory=openai_responses.ResponseState)
    lock: threading.Lock = field(default_factory=threading.Lock)
    _sizes: deque[int] = field(default_factory=deque)
    _size: int = 0
    _problem: str | None = None  # the first problem
    _said: dict[str, int] = field(default_factory=dict)  # the last turn of each model

    def note(
        self,
        path: str,
        asked: dict[str, Any],
        size: int,
        request: Request | None,
        reply: Reply | None,
        problem: str | None = None,
    ) -> None:
        """Record a request of so many bytes: its content, and its reply or the problem."""
        with self.lock:
            self._note(path, asked, request, reply, problem)
            self._sizes.append(size)
            self._size += size
            while self._size > KEPT_BYTES_MAX and len(self._sizes) > 1:
                self._size -= self._sizes.popleft()
                self.requests.popleft()
                self.left_out += 1

    def _note(
        self, path: str, asked: dict[str, Any], request: Request | None, reply: Reply | None, problem: str | None
    ) -> None:
        model = str(asked.get("model", "")) if request is None else request.model
        calls = () if reply is None else reply.calls
        name = self.script.name_of(model)
        self._problem = self._problem or problem
        if reply is not None and reply.turn:
            self._said[name] = max(reply.turn, self._said.get(name, 0))
        self.requests.append(
            {
                "path": path,
                "model": name,
                "instructions": "" if request is None else request.instructions,
                "newest": "" if request is None else request.newest,
                "tools": [] if request is None else list(request.tools),
                "turn": None if reply is None else reply.turn,
                "text": None if reply is None else reply.text,
                "calls": [{"tool": call.tool, "arguments": call.arguments} for call in calls],
                "problem": problem,
                "body": asked,
            }
        )

    def find_unfinished(self) -> str | None:
        """Return the unused part of the script or the first unanswerable request; None if all went as written."""
        if self._problem:
            return self._problem
        for name in self.script.names:
            turns = self.script.turns_of(name) or ()
            said = self._said.get(name, 0)
            if said < len(turns):
                of = f" of '{name}'" if self.script.models else ""
                asides = sum(each["turn"] == 0 and not each["calls"] for each in self.requests)
                told = f"; {pluralize(asides, 'request')} without tools got a title" if asides and not said else ""
                return f"the agent asked for {said} of {len(turns)} turns{of}; it never came to turn {said + 1}{told}"
        return None

    def as_json(self) -> dict[str, Any]:
        """Return the requests and the problem, as test plugins read them."""
        with self.lock:
            requests, left_out = list(self.requests), self.left_out
        return {
            "models": list(self.script.names),
            "unfinished": self.find_unfinished(),
            "requests": requests,
            "left_out": left_out,
        }


class Endpoint(ThreadingHTTPServer):
    """Answers from scripts: from one at ``/v1``, and from added ones at ``/<id>/v1``."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = BACKLOG

    def __init__(self, script: Script | None = None, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen.

        Args:
            script: the script at ``/v1``.

        Raises:
            FarmError: the port or the address is not available.
        """
        listening = bind(host, port, "--port")
        listening.setblocking(True)
        super().__init__((host, port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_address = listening.getsockname()
        self.url = f"http://{connectable_host(host)}:{self.server_address[1]}"
        self.plays: dict[str, Play] = {} if script is None else {"": Play(script)}
        self._added = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve on a separate thread."""
        # An aborted test must not keep its process alive.
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), name="farm-model", daemon=True)
        self._thread.start()

    def add(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Add a script; return its id, its models and its addresses.

        Args:
            given: ``turns`` or ``models`` as in a script's file, or ``file`` and ``text``: a file's name and content.

        Raises:
            ScriptError: the script is invalid.
        """
        named = given.get("file")
        script = parse_script(given) if named is None else read_script(str(given.get("text")), str(named))
        with self._lock:
            self._added += 1
            added = f"script-{self._added}"
            self.plays[added] = Play(script)
        where = {"root": self.root(added), "base_url": self.base_url(added), "environment": self.environment(added)}
        return {"id": added, "models": list(script.names), "api_key": API_KEY, **where}

    def root(self, script_id: str = "") -> str:
        """Return the base URL for Anthropic's and Gemini's clients."""
        return f"{self.url}/{script_id}" if script_id else self.url

    def base_url(self, script_id: str = "") -> str:
        """Return the base URL for OpenAI's clients."""
        return f"{self.root(script_id)}/v1"

    def environment(self, script_id: str = "") -> dict[str, str]:
        """Return the environment variables by which clients find a script."""
        return {
            "OPENAI_BASE_URL": self.base_url(script_id),
            "OPENAI_API_KEY": API_KEY,
            "ANTHROPIC_BASE_URL": self.root(script_id),
            "ANTHROPIC_API_KEY": API_KEY,
            "GOOGLE_GEMINI_BASE_URL": self.root(script_id),
            "GEMINI_API_KEY": API_KEY,
        }

    def play(self, script_id: str) -> Play:
        """Return an added script.

        Raises:
            NotFoundError: there is no script with that id.
        """
        if not script_id and not self.plays.get(""):
            raise NotFoundError("no script at /v1; name one with --script, or add one with POST /scripts")
        if script_id not in self.plays:
            raise NotFoundError(f"no script '{script_id}' here; it went with its test, or was never added")
        return self.plays[script_id]

    def drop(self, script_id: str) -> None:
        """Remove a script."""
        self.plays.pop(script_id, None)

    def close(self) -> None:
        """Stop the server and close all connections, including idle ones."""
        if self._thread is not None:
            self.shutdown()
            self._thread.join()
        self.server_close()
        with self._lock:
            left = list(self._open)
        for each in left:
            self.shutdown_request(each)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a connection on its own thread."""
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that left, or whose connection was closed with the endpoint."""
        is_known = request in self._open
        if is_known and not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


@dataclass(frozen=True)
class _Exchange:
    """A request, and its API's form of the answer.

    Attributes:
        are_named: whether each event of a stream is named by its type.
        end: the last data of a stream.
    """

    request: Request
    render: Callable[[Reply], dict[str, Any]]
    render_stream: Callable[[Reply], Iterator[dict[str, Any]]]
    are_named: bool = False
    end: str = ""


def _exchange(play: Play, path: str, asked: dict[str, Any], body: bytes) -> _Exchange:
    """Parse a request by its path's API and get the answer.

    Raises:
        NotFoundError: the path is not a known API.
    """
    size = len(body)
    if path == "/v1/chat/completions":
        stream = partial(openai_chat.render_stream, asked=asked)
        return _Exchange(openai_chat.parse_request(asked, size), openai_chat.render, stream, end="data: [DONE]\n\n")
    if path == "/v1/responses":
        before = play.responses.conversation(asked)

        def render(reply: Reply) -> dict[str, Any]:
            done = openai_responses.render(reply, asked)
            play.responses.store(done, before, size)
            return done

        stream = partial(openai_responses.render_stream, asked=asked)
        return _Exchange(openai_responses.parse_request(asked, before, size), render, stream, are_named=True)
    if path == "/v1/messages":
        return _Exchange(
            anthropic.parse_request(asked, size), anthropic.render, anthropic.render_stream, are_named=True
        )
    if found := _GEMINI.fullmatch(path):
        asks = gemini.parse_request(asked, size, model=found[1], is_streamed=found[2] == "streamGenerateContent")
        return _Exchange(asks, gemini.render, gemini.render_stream)
    raise NotFoundError(_nothing_at(path))


def _nothing_at(path: str) -> str:
    return f"no {path} here; have {', '.join(_APIS)}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint
    # Buffer, so that head and body are sent together and at once.
    wbufsize = -1
    disable_nagle_algorithm = True
    _has_been_long = False

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    def _answer(self) -> None:
        path = unquote(urlsplit(self.path).path).rstrip("/")
        try:
            body = self._body()
            if found := _PATH.fullmatch(path):
                self._ask(self.server.play(found[1] or ""), found[2], body)
            else:
                self._manage(path, body)
        except FarmError as problem:
            # This is OpenAI's form; Anthropic's clients also read "type", and Gemini's the "status" inside.
            error = {"message": str(problem), "type": "invalid_request_error", "param": None, "code": problem.code}
            status = "NOT_FOUND" if problem.status == 404 else "INVALID_ARGUMENT"
            self._send(problem.status, {"type": "error", "error": {**error, "status": status}})
        body = b""
        self._trim_memory()

    def _body(self) -> bytes:
        size = self.headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > _BODY_MAX_BYTES or "transfer-encoding" in self.headers:
            self.close_connection = True
            raise UnanswerableError(f"a request comes with its length, of {_BODY_MAX_BYTES >> 20} MiB at most")
        self._has_been_long = int(size) > _LONG_BYTES
        return self.rfile.read(int(size))

    def _trim_memory(self) -> None:
        """Return the memory of a long body to the system, now that nothing refers to it."""
        if self._has_been_long:
            self._has_been_long = False
            trim()

    # -- the models' APIs ---------------------------------------------------------------------------------------------

    def _ask(self, play: Play, path: str, body: bytes) -> None:
        if path == "/v1/models" and self.command in ("GET", "HEAD"):
            models = [{"id": name, "object": "model", "created": 0, "owned_by": "farm"} for name in play.script.names]
            self._send(200, {"object": "list", "data": models})
            return
        if self.command != "POST":
            raise MethodNotAllowedError(f"{path} takes POST") if path in _APIS else NotFoundError(_nothing_at(path))
        asked = _object(body)
        size = len(body)
        if _COUNTS.fullmatch(path):
            tokens = -(-len(body) // 4)
            self._send(200, {"input_tokens": tokens, "totalTokens": tokens})
            return
        request: Request | None = None
        try:
            with play.lock:
                exchange = _exchange(play, path, asked, body)
                request = exchange.request
                reply = answer(play.script, request, _digest(body))
                rendered, events = exchange.render(reply), list(exchange.render_stream(reply))
        except FarmError as problem:
            play.note(path, asked, size, request, None, str(problem))
            raise
        play.note(path, asked, size, request, reply)
        if request.is_streamed:
            self._stream(events, exchange)
        else:
            self._send(200, rendered)

    # -- adding and removing scripts -----------------------------------------------------------------------------------

    def _manage(self, path: str, body: bytes) -> None:
        match path.split("/")[1:], self.command:
            case ["scripts"], "POST":
                self._send(201, self.server.add(_object(body)))
            case ["scripts"], "GET":
                self._send(200, self.server.play("").as_json())
            case ["scripts", script_id], "GET":
                self._send(200, self.server.play(script_id).as_json())
            case ["scripts", script_id], "DELETE":
                self.server.drop(script_id)
                self._send(200, {})
            case _:
                raise NotFoundError(f"nothing at {self.command} {path}; a client's base URL ends in /v1")

    # -- the wire -----------------------------------------------------------------------------------------------------

    def _stream(self, events: list[dict[str, Any]], exchange: _Exchange) -> None:
        lines = [
            (f"event: {each['type']}\n" if exchange.are_named else "") + f"data: {_json(each)}\n\n" for each in events
        ]
        self._write(200, "text/event-stream", "".join([*lines, exchange.end]).encode())

    def _send(self, status: int, value: dict[str, Any]) -> None:
        self._write(status, "application/json", _json(value).encode())

    def _write(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        # Frameworks share clients between tests and would reuse a connection that belongs to another test's event loop.
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Log nothing; requests are recorded instead."""


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = parse_bounded(body, values_max=VALUES_MAX)
    except OversizedError as problem:
        raise UnanswerableError(f"the request's body {problem}; send less in one request") from None
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise UnanswerableError("the request's body is not a JSON object")
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _digest(body: bytes) -> str:
    return blake2b(body, digest_size=12).hexdigest()
