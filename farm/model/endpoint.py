"""Serves scripts over HTTP: the models' APIs, and for test plugins scripts that come and go.

The standard library's server does: a test asks a few times, one thread a connection, and a farm's own packages stay out
of a test's process.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from farm.errors import FarmError, MethodNotAllowed, NotFound
from farm.model import chat, contents, messages, responses
from farm.model.conversation import Reply, Request, Unanswerable, answer
from farm.model.script import Script, parse_script, read_script
from farm.sockets import BACKLOG, bind, reachable

API_KEY = "scripted"  # any is taken; clients want one
_BODY_MAX_BYTES = 64 * 2**20
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
    """A script while agents talk to it.

    Attributes:
        requests: what was asked so far, as ``as_json`` shows it.
    """

    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    kept: responses.Kept = field(default_factory=responses.Kept)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(
        self, path: str, asked: dict[str, Any], request: Request | None, reply: Reply | None, problem: str | None = None
    ) -> None:
        """Remember a request: what it says, what it got, or why it got nothing."""
        model = str(asked.get("model", "")) if request is None else request.model
        calls = () if reply is None else reply.calls
        self.requests.append(
            {
                "path": path,
                "model": self.script.name_of(model),
                "instructions": "" if request is None else request.instructions,
                "told": "" if request is None else request.newest,
                "tools": [] if request is None else list(request.tools),
                "turn": None if reply is None else reply.turn,
                "text": None if reply is None else reply.text,
                "calls": [{"tool": call.tool, "arguments": call.arguments} for call in calls],
                "problem": problem,
                "body": asked,
            }
        )

    def find_unfinished(self) -> str | None:
        """Return what of the script was not said, or what could not be answered; None if all went as written."""
        problem = next((each["problem"] for each in self.requests if each["problem"]), None)
        if problem is not None:
            return str(problem)
        for name in self.script.names:
            turns = self.script.turns_of(name) or ()
            said = max((each["turn"] for each in self.requests if each["model"] == name and each["turn"]), default=0)
            if said < len(turns):
                of = f" of '{name}'" if self.script.models else ""
                return f"the agent asked for {said} of {len(turns)} turns{of}; it never came to turn {said + 1}"
        return None

    def as_json(self) -> dict[str, Any]:
        """Return what became of it, as a test is told."""
        return {
            "models": list(self.script.names),
            "unfinished": self.find_unfinished(),
            "requests": list(self.requests),
        }


class Endpoint(ThreadingHTTPServer):
    """Answers from scripts: from one at ``/v1``, and from any that are added at ``/<id>/v1``."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = BACKLOG

    def __init__(self, script: Script | None = None, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen.

        Args:
            script: what is said at ``/v1``.

        Raises:
            FarmError: the port or the address cannot be had.
        """
        listening = bind(host, port, "--port")
        listening.setblocking(True)
        super().__init__((host, port), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listening
        self.server_address = listening.getsockname()
        self.url = f"http://{reachable(host)}:{self.server_address[1]}"
        self.plays: dict[str, Play] = {} if script is None else {"": Play(script)}
        self._added = 0
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Serve on a thread of its own."""
        # A test that was broken off must not keep its process waiting.
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), name="farm-model", daemon=True)
        self._thread.start()

    def add(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Answer from one more script; return its id, its models, and where clients find it.

        Args:
            given: ``turns`` or ``models`` as in a script's file, or ``file`` and ``text``: its name and what it holds.

        Raises:
            ScriptError: it is wrong.
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
        """Return what Anthropic's and Gemini's clients take as base URL."""
        return f"{self.url}/{script_id}" if script_id else self.url

    def base_url(self, script_id: str = "") -> str:
        """Return what OpenAI's clients take as base URL."""
        return f"{self.root(script_id)}/v1"

    def environment(self, script_id: str = "") -> dict[str, str]:
        """Return the variables by which clients find a script."""
        return {
            "OPENAI_BASE_URL": self.base_url(script_id),
            "OPENAI_API_KEY": API_KEY,
            "ANTHROPIC_BASE_URL": self.root(script_id),
            "ANTHROPIC_API_KEY": API_KEY,
            "GOOGLE_GEMINI_BASE_URL": self.root(script_id),
            "GEMINI_API_KEY": API_KEY,
        }

    def play(self, script_id: str) -> Play:
        """Return a script that was added.

        Raises:
            NotFound: there is none of that id.
        """
        if not script_id and not self.plays.get(""):
            raise NotFound("no script at /v1; name one with --script, or add one with POST /scripts")
        if script_id not in self.plays:
            raise NotFound(f"no script '{script_id}' here; it went with its test, or was never added")
        return self.plays[script_id]

    def drop(self, script_id: str) -> None:
        """Answer from a script no more."""
        self.plays.pop(script_id, None)

    def close(self) -> None:
        """End, with every connection that clients have kept."""
        if self._thread is not None:
            self.shutdown()
            self._thread.join()
        self.server_close()
        with self._lock:
            left = list(self._open)
        for each in left:
            self.shutdown_request(each)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer on a thread of the connection's own."""
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that left, or whose connection was closed with the endpoint."""
        is_known = request in self._open
        if is_known and not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


@dataclass(frozen=True)
class _Exchange:
    """A request, and how its API words what the model says.

    Attributes:
        are_named: each event of a stream goes by its type.
        end: what a stream ends with.
    """

    request: Request
    whole: Callable[[Reply], dict[str, Any]]
    streamed: Callable[[Reply], Iterator[dict[str, Any]]]
    are_named: bool = False
    end: str = ""


def _exchange(play: Play, path: str, asked: dict[str, Any], body: bytes) -> _Exchange:
    """Return what an API makes of a request.

    Raises:
        NotFound: there is no such API here.
    """
    size = len(body)
    if path == "/v1/chat/completions":
        stream = partial(chat.streamed, asked=asked)
        return _Exchange(chat.read(asked, size), chat.whole, stream, end="data: [DONE]\n\n")
    if path == "/v1/responses":
        before = play.kept.conversation(asked)

        def whole(reply: Reply) -> dict[str, Any]:
            done = responses.whole(reply, asked)
            play.kept.keep(done, before)
            return done

        stream = partial(responses.streamed, asked=asked)
        return _Exchange(responses.read(asked, before, size), whole, stream, are_named=True)
    if path == "/v1/messages":
        return _Exchange(messages.read(asked, size), messages.whole, messages.streamed, are_named=True)
    if found := _GEMINI.fullmatch(path):
        asks = contents.read(asked, size, model=found[1], is_streamed=found[2] == "streamGenerateContent")
        return _Exchange(asks, contents.whole, contents.streamed)
    raise NotFound(_nothing_at(path))


def _nothing_at(path: str) -> str:
    return f"no {path} here; have {', '.join(_APIS)}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Endpoint
    # Head and body leave together, and at once.
    wbufsize = -1
    disable_nagle_algorithm = True

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
            # OpenAI's form; Anthropic's clients read "type" beside it, Gemini's "status" inside.
            error = {"message": str(problem), "type": "invalid_request_error", "param": None, "code": problem.code}
            status = "NOT_FOUND" if problem.status == 404 else "INVALID_ARGUMENT"
            self._send(problem.status, {"type": "error", "error": {**error, "status": status}})

    def _body(self) -> bytes:
        size = self.headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > _BODY_MAX_BYTES or "transfer-encoding" in self.headers:
            self.close_connection = True
            raise Unanswerable(f"a request comes with its length, of {_BODY_MAX_BYTES} bytes at most")
        return self.rfile.read(int(size))

    # -- the models' APIs ---------------------------------------------------------------------------------------------

    def _ask(self, play: Play, path: str, body: bytes) -> None:
        if path == "/v1/models" and self.command in ("GET", "HEAD"):
            models = [{"id": name, "object": "model", "created": 0, "owned_by": "farm"} for name in play.script.names]
            self._send(200, {"object": "list", "data": models})
            return
        if self.command != "POST":
            raise MethodNotAllowed(f"{path} takes POST") if path in _APIS else NotFound(_nothing_at(path))
        asked = _object(body)
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
                whole, events = exchange.whole(reply), list(exchange.streamed(reply))
        except FarmError as problem:
            play.note(path, asked, request, None, str(problem))
            raise
        play.note(path, asked, request, reply)
        if request.is_streamed:
            self._stream(events, exchange)
        else:
            self._send(200, whole)

    # -- scripts that come and go -------------------------------------------------------------------------------------

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
                raise NotFound(f"nothing at {self.command} {path}; a client's base URL ends in /v1")

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
        # Clients that frameworks share keep a connection for the next test, whose event loop it would not be of.
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Keep silent; what was asked is remembered."""


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Unanswerable("the request's body is not a JSON object")
    return value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _digest(body: bytes) -> str:
    return blake2b(body, digest_size=12).hexdigest()
