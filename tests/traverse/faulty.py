"""Faults between a client and a real MCP server, and behind it: what networks, gateways and vendors do on bad days.

    python faulty.py FAULTS -- command …    a man in the middle of a stdio server; FAULTS: {"3": "drop", "5": "rpc:busy"}, by call
    Backend()                               a vendor's API on loopback, which answers well until it is told to fail
    HttpMiddle()                            a man in the middle of a server over HTTP

Which fault comes when is said from outside, so that every answer is known for what it is; ``draw`` draws it by seed.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

NGINX = "<html>\r\n<head><title>{0}</title></head>\r\n<body>\r\n<center><h1>{0}</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n"
CLOUDFLARE = '<!DOCTYPE html>\n<html lang="en-US"><head><title>{0}</title></head><body><div id="cf-wrapper"><h1>{0}</h1><p>{1}</p><p>Cloudflare Ray ID: 8a1b2c3d4e5f6071</p></div></body></html>'
LOGIN = '<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><form action="/login" method="post"><h1>Sign in to continue</h1><input name="username"><input name="password" type="password"><button>Log in</button></form></body></html>'

# name -> status, content type, body
PAGES: dict[str, tuple[int, str, str]] = {
    "502-nginx": (502, "text/html", NGINX.format("502 Bad Gateway")),
    "503-nginx": (503, "text/html", NGINX.format("503 Service Temporarily Unavailable")),
    "504-nginx": (504, "text/html", NGINX.format("504 Gateway Time-out")),
    "503-envoy": (
        503,
        "text/plain",
        "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
    ),
    "503-json": (
        503,
        "application/json",
        '{"error":{"code":"service_unavailable","message":"Service is temporarily down for maintenance"}}',
    ),
    "500-empty": (500, "text/plain", ""),
    "500-json": (500, "application/json", '{"error":"Internal Server Error","request_id":"req_7f3a91"}'),
    "504-gateway": (504, "application/json", '{"message": "Endpoint request timed out"}'),
    "522-cloudflare": (
        522,
        "text/html",
        CLOUDFLARE.format(
            "Connection timed out", "The initial connection between the network and the origin web server timed out."
        ),
    ),
    "429-cloudflare": (429, "text/html", CLOUDFLARE.format("Error 1015", "You are being rate limited.")),
    "429-json": (
        429,
        "application/json",
        '{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your per-minute rate limit"}}',
    ),
    "429-text": (429, "text/plain", "Too Many Requests"),
    "429-apim": (
        429,
        "application/json",
        '{ "statusCode": 429, "message": "Rate limit is exceeded. Try again in 42 seconds." }',
    ),
    "401-json": (401, "application/json", '{"error":"invalid_token","error_description":"The access token expired"}'),
    "401-empty": (401, "text/plain", ""),
    "403-login": (403, "text/html", LOGIN),
    "200-login": (200, "text/html", LOGIN),
    "403-challenge": (
        403,
        "text/html",
        CLOUDFLARE.format("Just a moment...", "Checking your browser before accessing the site."),
    ),
    "404-session": (
        404,
        "application/json",
        '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
    ),
    "400-session": (
        400,
        "application/json",
        '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
    ),
    "200-maintenance": (
        200,
        "text/html",
        "<html><body><h1>We'll be back soon</h1><p>Scheduled maintenance until 06:00 UTC.</p></body></html>",
    ),
}

# name -> what a gateway in front of the server answers in its place
RPC_ERRORS: dict[str, dict[str, Any]] = {
    "closed": {"code": -32000, "message": "Connection closed"},
    "timeout": {"code": -32001, "message": "Request timed out", "data": {"timeout": 60000}},
    "busy": {"code": -32000, "message": "Server overloaded, please retry later"},
    "post503": {
        "code": -32603,
        "message": "Error POSTing to endpoint (HTTP 503): " + NGINX.format("503 Service Temporarily Unavailable"),
    },
    "post502": {
        "code": -32000,
        "message": "Streamable HTTP error: Error POSTing to endpoint: <html><title>502 Bad Gateway</title></html>",
        "data": {"code": 502},
    },
    "rate": {"code": -32029, "message": "Rate limit exceeded", "data": {"retryAfter": 30}},
    "login": {"code": -32001, "message": "Unauthorized: access token expired, log in again"},
    "fetch": {"code": -32603, "message": "fetch failed", "data": {"cause": "ECONNREFUSED 127.0.0.1:9310"}},
    "reset": {
        "code": -32603,
        "message": "upstream connect error or disconnect/reset before headers. reset reason: connection termination",
    },
    "child": {"code": -32603, "message": "MCP server process exited unexpectedly with code 137"},
    "dns": {
        "code": -32603,
        "message": "request to https://mcp.example.com/mcp failed, reason: getaddrinfo EAI_AGAIN mcp.example.com",
    },
    "pool": {"code": -32603, "message": "Internal error: sorry, too many clients already"},
}

# name -> the content a gateway answers with, and whether it says isError
TEXTS: dict[str, tuple[bool, str]] = {
    "502": (True, "Error: Request failed with status code 502"),
    "503html": (True, PAGES["503-nginx"][2]),
    "429": (
        True,
        'API error 429: {"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit"}}',
    ),
    "refused": (True, "connect ECONNREFUSED 10.0.3.17:443"),
    "reset": (True, "Error: socket hang up (ECONNRESET)"),
    "timeout": (True, "The tool did not answer within 60 seconds and was cancelled by the gateway."),
    "login": (True, "Your session has expired. Please sign in again to continue."),
    "login-page": (False, LOGIN),
    "maintenance": (False, "The service is under maintenance, please try again later."),
    "busy-zh": (True, "系统繁忙，请稍后再试"),
    "rate-zh": (True, "请求过于频繁，请稍后再试（429）"),
    "crash": (True, "Tool worker crashed: SIGKILL (out of memory)"),
    "json-500": (False, '{"success": false, "error": {"code": 500, "message": "Internal Server Error"}}'),
    "json-busy": (False, '{"code": 50001, "msg": "upstream service timeout", "data": null}'),
    "expired-zh": (False, '{"code": 401, "msg": "登录已过期，请重新登录", "data": null}'),
    "tls": (True, "unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)"),
}

STDIO = (
    "drop",
    "late",
    "kill",
    "oom",
    "garbage",
    "half",
    *(f"rpc:{name}" for name in RPC_ERRORS),
    *(f"text:{name}" for name in TEXTS),
)


def draw(seed: int, faults: Sequence[str], *, calls: int, share: float) -> dict[int, str]:
    """Return which of the calls meet which fault."""
    chance = random.Random(seed)
    return {number: chance.choice(faults) for number in range(calls) if chance.random() < share}


class _Stdio:
    """The man in the middle of a stdio server."""

    def __init__(self, faults: dict[int, str], command: Sequence[str]) -> None:
        self._faults, self._calls = faults, 0
        self._fault_of: dict[Any, str] = {}
        self._out = threading.Lock()
        self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self) -> int:
        """Relay until one of the two leaves."""
        threading.Thread(target=self._to_server, daemon=True).start()
        assert self._child.stdout is not None
        for line in self._child.stdout:
            self._to_client(line)
        return self._child.wait()

    def _to_server(self) -> None:
        assert self._child.stdin is not None
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if message.get("method") == "tools/call":
                if fault := self._faults.get(self._calls):
                    self._fault_of[message["id"]] = fault
                self._calls += 1
            self._child.stdin.write(line)
            self._child.stdin.flush()
        self._child.stdin.close()

    def _to_client(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            message = {}
        # A server may ask something itself, under an id of the client's: that is no answer.
        fault = "" if "method" in message else self._fault_of.pop(message.get("id"), "")
        kind, _, name = fault.partition(":")
        match kind:
            case "drop":
                return
            case "late":
                threading.Timer(4.0, self._write, (line,)).start()
            case "kill":
                self._end(1)
            case "oom":
                sys.stderr.write("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n")
                sys.stderr.flush()
                self._end(134)
            case "garbage":
                self._write(b"\x00\x17\xfe" + line[7:60] + b"\n")
            case "half":
                self._write(line[: len(line) // 2])
                self._end(1)
            case "rpc":
                self._answer(message["id"], {"error": RPC_ERRORS[name]})
            case "text":
                is_error, text = TEXTS[name]
                self._answer(
                    message["id"], {"result": {"content": [{"type": "text", "text": text}], "isError": is_error}}
                )
            case _:
                self._write(line)

    def _answer(self, request_id: Any, body: dict[str, Any]) -> None:
        self._write(json.dumps({"jsonrpc": "2.0", "id": request_id, **body}).encode() + b"\n")

    def _write(self, line: bytes) -> None:
        with self._out:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    def _end(self, status: int) -> None:
        self._child.kill()
        os._exit(status)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Faulty

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("content-length") or 0)))

    do_DELETE = do_GET

    def _serve(self, body: bytes) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            if (fault := self.server.fault_of(self.path, body)) is None:
                self.server.answer(self, body)
            elif fault in PAGES:
                self.send(*PAGES[fault])
            else:
                self._break(fault)

    def _break(self, fault: str) -> None:
        self.close_connection = fault in ("slow", "reset", "cut", "cut-stream")
        match fault:
            case "slow":
                time.sleep(self.server.slow_s)
                self.send(200, "application/json", '{"status":"1","ok":true}')
            case "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.connection.close()
            case "cut":
                self.wfile.write(
                    b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"jsonrpc":"2.0","res'
                )
            case "cut-stream":
                self.wfile.write(
                    b'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\nevent: message\ndata: {"json'
                )
            case "garbage":
                self.send(200, "application/json", "\x00\x01upstream?? {{{")
            case _ if fault.startswith("json:"):
                self.send(200, "application/json", fault[5:])
            case _ if fault.startswith("text:"):
                self.send(200, "text/html", fault[5:])
            case _ if fault.startswith("status:"):
                self.send(int(fault[7:10]), "application/json", fault[11:])
            case _:
                raise ValueError(fault)

    def send(self, status: int, kind: str, body: str | bytes, headers: dict[str, str] | None = None) -> None:
        """Answer."""
        raw = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)


class _Faulty(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    slow_s = 4.0

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.fault: str | None = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def fault_of(self, path: str, body: bytes) -> str | None:
        """What this request meets."""
        return self.fault

    def answer(self, handler: _Handler, body: bytes) -> None:
        """Answer as if all were well."""
        raise NotImplementedError


class Backend(_Faulty):
    """The API behind a server: pages and answers by path, until a fault is set."""

    def __init__(self, port: int, answers: dict[str, Any]) -> None:
        self._answers = answers
        super().__init__(port)

    def fault_of(self, path: str, body: bytes) -> str | None:
        """A robots.txt is in order unless the fault is its own."""
        if path == "/robots.txt":
            return self.fault[7:] if self.fault and self.fault.startswith("robots:") else None
        return None if self.fault and self.fault.startswith("robots:") else self.fault

    def answer(self, handler: _Handler, body: bytes) -> None:
        """Answer by path; an answer may be a function of the query."""
        parts = urlsplit(handler.path)
        found = self._answers.get(unquote(parts.path))
        if callable(found):
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            if body:
                asked |= json.loads(body)
            found = found(asked)
        if found is None:
            handler.send(404, "text/html", NGINX.format("404 Not Found"))
        elif isinstance(found, tuple):
            handler.send(*found)
        else:
            handler.send(200, "application/json", json.dumps(found, ensure_ascii=False))


class HttpMiddle(_Faulty):
    """The man in the middle of a server over HTTP: only calls of tools meet faults."""

    def __init__(self, port: int, upstream: int) -> None:
        self._upstream = upstream
        super().__init__(port)

    def fault_of(self, path: str, body: bytes) -> str | None:
        """Faults befall calls only, so that the session begins well."""
        return self.fault if b'"tools/call"' in body else None

    def answer(self, handler: _Handler, body: bytes) -> None:
        """Pass on, answer and session alike."""
        connection = http.client.HTTPConnection("127.0.0.1", self._upstream, timeout=30)
        kept = {
            name: value
            for name, value in handler.headers.items()
            if name.lower() not in ("host", "connection", "accept-encoding")
        }
        connection.request(handler.command, handler.path, body, kept)
        answer = connection.getresponse()
        session = answer.headers.get("mcp-session-id")
        handler.send(
            answer.status,
            answer.headers.get("content-type") or "application/json",
            answer.read(),
            {"mcp-session-id": session} if session else {},
        )
        connection.close()


def main() -> int:
    """Stand between stdin and stdout and the command."""
    faults = {int(number): fault for number, fault in json.loads(sys.argv[1]).items()}
    return _Stdio(faults, sys.argv[sys.argv.index("--") + 1 :]).run()


if __name__ == "__main__":
    sys.exit(main())
