"""Serves scripts over HTTP: the models' APIs, and for test plugins scripts that come and go.

The standard library's server does: a test asks a few times, one thread a connection, and a farm's own packages stay out
of a test's process.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from farm.errors import FarmError, MethodNotAllowed, NotFound
from farm.model import chat, responses
from farm.model.conversation import Reply, Request, Unanswerable, answer
from farm.model.script import Script, parse_script, read_script
from farm.sockets import BACKLOG, bind, reachable

API_KEY = "scripted"  # any is taken; clients want one
_BODY_MAX_BYTES = 64 * 2**20


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
        calls = () if reply is None else reply.calls
        self.requests.append(
            {
                "path": path,
                "model": self.script.name_of(str(asked.get("model", ""))),
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
        """Answer from one more script; return its id, its base URL and its models.

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
        return {"id": added, "base_url": self.base_url(added), "models": list(script.names)}

    def base_url(self, script_id: str = "") -> str:
        """Return what a client takes as base URL."""
        return f"{self.url}/{script_id}/v1" if script_id else f"{self.url}/v1"

    def play(self, script_id: str) -> Play:
        """Return a script that was added.

        Raises:
            NotFound: there is none of that id.
        """
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
        """Say nothing of a client that left."""
        import sys

        if not isinstance(sys.exception(), ConnectionError | TimeoutError | ValueError):
            super().handle_error(request, client_address)


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
            before, found, api = path.partition("/v1")
            if found and (not api or api.startswith("/")):
                self._ask(self.server.play(before.strip("/")), f"/v1{api}", body)
            else:
                self._manage(path, body)
        except FarmError as problem:
            kind = "invalid_request_error"
            error = {"message": str(problem), "type": kind, "param": None, "code": problem.code}
            self._send(problem.status, {"error": error})

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
        if path not in ("/v1/chat/completions", "/v1/responses"):
            raise NotFound(f"no {path} here; have /v1/chat/completions, /v1/responses, /v1/models")
        if self.command != "POST":
            raise MethodNotAllowed(f"{path} takes POST")
        asked = _object(body)
        request: Request | None = None
        try:
            with play.lock:
                if path == "/v1/responses":
                    before = play.kept.conversation(asked)
                    request = responses.read(asked, before, len(body))
                    reply = answer(play.script, request, _digest(body))
                    done = responses.whole(reply, asked)
                    play.kept.keep(done, before)
                    events = responses.streamed(reply, asked)
                else:
                    request = chat.read(asked, len(body))
                    reply = answer(play.script, request, _digest(body))
                    done, events = chat.whole(reply), chat.streamed(reply, asked)
        except FarmError as problem:
            play.note(path, asked, request, None, str(problem))
            raise
        play.note(path, asked, request, reply)
        if request.is_streamed:
            self._stream(events, is_named=path == "/v1/responses")
        else:
            self._send(200, done)

    # -- scripts that come and go -------------------------------------------------------------------------------------

    def _manage(self, path: str, body: bytes) -> None:
        match path.split("/")[1:], self.command:
            case ["scripts"], "POST":
                self._send(201, self.server.add(_object(body)))
            case ["scripts", script_id], "GET":
                self._send(200, self.server.play(script_id).as_json())
            case ["scripts", script_id], "DELETE":
                self.server.drop(script_id)
                self._send(200, {})
            case _:
                raise NotFound(f"nothing at {self.command} {path}; a client's base URL ends in /v1")

    # -- the wire -----------------------------------------------------------------------------------------------------

    def _stream(self, events: Iterator[dict[str, Any]], *, is_named: bool) -> None:
        lines = [(f"event: {each['type']}\n" if is_named else "") + f"data: {_json(each)}\n\n" for each in events]
        if not is_named:
            lines.append("data: [DONE]\n\n")
        self._write(200, "text/event-stream", "".join(lines).encode())

    def _send(self, status: int, value: dict[str, Any]) -> None:
        self._write(status, "application/json", _json(value).encode())

    def _write(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
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
