"""An HTTP server in the place of an MCP server or a model, which answers from a cassette or asks the real one."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from farm.errors import FarmError
from farm.testing.cassette.requests import mcp_request, model_request
from farm.testing.cassette.tape import Tape
from farm.testing.cassette.upstream import McpUpstream, Reply, ask, forwarded, message_in

STATUS_PATH = "/cassette"
_JSON = "application/json"
_MISMATCH = -32000


class CassetteProxy:
    """Serves one cassette on a port of this machine.

    Attributes:
        url: its address: the MCP endpoint, or the base URL of a model without ``/v1``.
    """

    def __init__(self, tape: Tape, server: str | None, *, is_model: bool = False, port: int = 0) -> None:
        """Open the port.

        Args:
            tape: the cassette.
            server: the address of the real MCP server, or the model's base URL; None if nothing is recorded.
            is_model: whether it is a model.
            port: the port; 0 for a free one.

        Raises:
            FarmError: the tape has to be recorded and there is no server, or the port is taken.
        """
        if tape.can_record and server is None and not tape.path.exists():
            raise FarmError(
                f"there is no cassette {tape.path} yet, and no server to record it from; name the server, "
                "an MCP server's address or a model's base URL"
            )
        self.tape, self._is_model = tape, is_model
        self._server = server
        self._root = (server or "").removesuffix("/").removesuffix("/v1")
        self._upstream = None if server is None else McpUpstream(server)
        self._begin: dict[str, Any] | None = None
        self._calls: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        try:
            self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        except OSError as problem:
            raise FarmError(f"port {port} cannot be had ({problem.strerror}); --port 0 takes a free one") from None
        self._http.daemon_threads = True
        root = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.root, self.url = root, root if is_model else f"{root}/mcp"

    def start(self) -> None:
        """Serve in a thread."""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def serve_forever(self) -> None:
        """Serve until ``close``."""
        self._http.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        """Stop serving and close the port."""
        self._http.shutdown()
        self._http.server_close()

    def status(self) -> dict[str, Any]:
        """Return the tool calls so far, the requests without an answer, and what was not replayed."""
        with self._lock:
            tape = self.tape
            return {
                "path": str(tape.path),
                "mode": tape.mode,
                "calls": list(self._calls),
                "mismatches": list(tape.mismatches),
                "unplayed": tape.unplayed,
            }

    def answer(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Return the answer to an HTTP request."""
        if target == STATUS_PATH:
            return _json(200, self.status())
        try:
            parsed = json.loads(body) if body else None
        except ValueError:
            return _json(400, {"error": {"message": "the body is not JSON"}})
        # One request at a time: the order on the tape is that of the answers.
        with self._lock:
            if self._is_model:
                return self._answer_model(method, target, headers, body, parsed)
            return self._answer_mcp(method, headers, parsed)

    # -- models ----------------------------------------------------------------------------------------------------

    def _answer_model(self, method: str, target: str, headers: Mapping[str, str], body: bytes, parsed: Any) -> Reply:
        asked = model_request(method, target, parsed)
        found = self.tape.answer(asked)
        if found is not None:
            return _recorded(found)
        if not self.tape.can_record or not self._root:
            return _json(400, {"error": {"message": self.tape.mismatch(asked), "type": "cassette_mismatch"}})
        try:
            reply = ask(method, self._root + target, body, forwarded(headers))
        except FarmError as problem:
            return _json(502, {"error": {"message": self._failed(problem), "type": "unavailable"}})
        if reply.status < 400:  # a wrong key or a limit is no part of the session
            self.tape.record(asked, _recording(reply))
        return reply

    # -- MCP -------------------------------------------------------------------------------------------------------

    def _answer_mcp(self, method: str, headers: Mapping[str, str], message: Any) -> Reply:
        if method != "POST":
            return _json(405, {"error": {"message": "a cassette opens no stream"}})
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            error = {"code": -32600, "message": "a cassette takes one request at a time"}
            return _json(400, _rpc(None, {"error": error}))
        if "id" not in message:
            return Reply(202, _JSON, b"", {})
        if message["method"] == "initialize":
            self._begin = message
        reply = self._played(message, headers)
        if isinstance(reply, Reply):
            return reply
        if message["method"] == "tools/call":
            self._note(message.get("params") or {}, reply)
        return _json(200, _rpc(message["id"], reply))

    def _played(self, message: dict[str, Any], headers: Mapping[str, str]) -> dict[str, Any] | Reply:
        """Return ``result`` or ``error`` of a request's answer, or an HTTP answer that is passed on unrecorded."""
        asked = mcp_request(message)
        found = self.tape.answer(asked)
        if found is not None:
            return found
        if not self.tape.can_record or self._upstream is None:
            return {"error": {"code": _MISMATCH, "message": self.tape.mismatch(asked)}}
        try:
            reply = self._upstream.ask(message, headers, self._begin)
        except FarmError as problem:
            return {"error": {"code": _MISMATCH, "message": self._failed(problem)}}
        told = message_in(reply, message["id"])
        if told is None:
            return reply
        answer: dict[str, Any] = {name: told[name] for name in ("result", "error") if name in told}
        self.tape.record(asked, answer)
        return answer

    def _failed(self, problem: FarmError) -> str:
        said = f"cassette {self.tape.path.name}, record mode '{self.tape.mode}': {problem}"
        self.tape.mismatches.append(said)
        return said

    def _note(self, params: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        refused = "error" in answer or bool(answer["result"].get("isError"))
        result = answer.get("result") or {"error": answer["error"]}
        call = {"n": len(self._calls) + 1, "tool": params.get("name"), "arguments": params.get("arguments") or {}}
        self._calls.append({**call, "result": result, "refused": refused})


def _rpc(request_id: Any, answer: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, **answer}


def _json(status: int, body: Any) -> Reply:
    return Reply(status, _JSON, json.dumps(body, ensure_ascii=False).encode(), {})


def _recording(reply: Reply) -> dict[str, Any]:
    """Return an HTTP answer as it is recorded: JSON parsed, so that people can read it."""
    text = reply.body.decode("utf-8", "replace")
    if reply.type == _JSON:
        try:
            return {"status": reply.status, "type": reply.type, "json": json.loads(text)}
        except ValueError:
            pass
    return {"status": reply.status, "type": reply.type, "text": text}


def _recorded(answer: Mapping[str, Any]) -> Reply:
    text = answer["text"] if "text" in answer else json.dumps(answer["json"], ensure_ascii=False)
    return Reply(answer["status"], answer["type"], text.encode(), {})


def _handler(proxy: CassetteProxy) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Hands each request to the proxy."""

        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            reply = proxy.answer(self.command, self.path, dict(self.headers), body)
            self.send_response(reply.status)
            self.send_header("content-type", reply.type)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_DELETE = _serve  # names of http.server

        def log_message(self, *_: Any) -> None:
            """Print nothing."""

    return Handler
