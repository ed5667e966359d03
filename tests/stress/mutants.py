"""Mutated requests: heads, Hosts, framing, chunks, splits, pipelining, bearers and JSON that a client never sends."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.stress.wire import ERAS, META, MODERN, PLAIN, http_bytes, new_id, port_and_path, rpc_body, rpc_headers

_CALLS_IN_ONE = 3
_METHODS = ("GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT", "post", "P\tOST", "", "POST" * 500)
_VERSIONS = ("HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/11", "http/1.1", "", "HTTP/1.1 ", "XTTP/1.1")
_HOSTS = (
    *(
        "evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80.evil.example",
        "localhost@evil.example",
        "",
        "[::1]",
        "[::1",
    ),
    *("127.0.0.1:99999999", "127.1", "LOCALHOST:1", "localhost:", "127.0.0.1, evil.example", "\x80", "127.0.0.1:1:1"),
)
_ORIGINS = (
    "null",
    "http://evil.example",
    "http://127.0.0.1:19300.evil.com",
    "file://",
    "http://localhost",
    "https://",
    "",
)
_TYPES = (
    "text/plain",
    "application/jsonx",
    "application/json; charset=utf-16",
    "",
    "application/json\t",
    "multipart/form-data",
)
_ENCODINGS = (
    "chunked",
    "Chunked",
    "gzip, chunked",
    "chunked, identity",
    "identity",
    " chunked",
    "chunked;a=b",
    "xchunked",
    "",
)
_LENGTHS = ("0", "-1", "+5", "1e3", "0x10", "99999999999999999999", "5, 5", "5,6", "", " 7 ", "abc", "4194305", "007")
_BODIES = (
    *(
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[1,2",
        b'"',
        b"\xef\xbb\xbf{}",
        b"\xff\xfe{\x00}\x00",
        b"NaN",
        b"1e999",
        b"{" * 3000,
    ),
    *(
        b"[" * 5000,
        b"[" * 900 + b"]" * 900,
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b"-",
        b"1" * 5000,
        b'{"jsonrpc":"2.0"}',
    ),
    *(
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}',
    ),
    *(b'{"jsonrpc":"2.0","method":"ping"}', b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}'),
    *(b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}', b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', b"\x00" * 50),
)
_BYTES = (b"\x00", b"\r", b"\n", b"\r\n", b" ", b"\t", b":", b"\x80", b"\xff", b"%", b"/", b"\r\n\r\n", b"0", b"\x7f")


@dataclass
class _Request:
    method: str
    target: str
    fields: list[tuple[str, str]]
    body: bytes
    version: str = "HTTP/1.1"

    def set(self, name: str, value: str) -> None:
        """Replace a header, or add it."""
        self.fields = [each for each in self.fields if each[0] != name] + [(name, value)]

    def over_http(self) -> bytes:
        """Return its bytes; the length is added where nothing says it."""
        fields = list(self.fields)
        if not {"content-length", "transfer-encoding"} & {name.strip().lower() for name, _ in fields}:
            fields.append(("content-length", str(len(self.body))))
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
        head = f"{self.method} {self.target} {self.version}\r\n{lines}\r\n"
        return head.encode("latin-1", "replace") + self.body


@dataclass(frozen=True)
class Mutant:
    """Bytes to send.

    Attributes:
        door: the port: ``app``, ``gateway`` or ``operators``.
        app: whose port it is, or which app is asked for.
        pieces: the bytes as they are to be sent.
        count: how many answers may come; after a moment without any nobody waits longer.
        is_bent: whether bytes were changed at random, so that nothing can be counted in them.
    """

    door: str
    app: str
    port: int
    pieces: tuple[bytes, ...]
    count: int
    is_bent: bool
    data: bytes = field(repr=False, default=b"")


class Mutants:
    """Draws mutated requests to one episode.

    Args:
        rng: where all chance comes from.
        made: the episode as it was created.
        calls: calls that were answered: app, tool, arguments.
        other_id: another episode, which this one's bearer does not open.
    """

    def __init__(
        self, rng: random.Random, made: Mapping[str, Any], calls: Sequence[tuple[str, str, Any]], other_id: str
    ) -> None:
        self._rng, self._made, self._other_id = rng, made, other_id
        self._calls = [each for each in calls if isinstance(each[2], dict)] or [(made["apps"][0], "x", {})]

    def draw(self, operators_url: str) -> Mutant:
        """Return the next one."""
        rng = self._rng
        door = rng.choice(("app", "app", "gateway", "gateway", "joint", "operators"))
        if door == "operators":
            return self._of_operators(operators_url)
        app = rng.choice(self._made["apps"])
        where = self._made["mcp_all"] if door == "joint" else self._made["direct" if door == "app" else "mcp"][app]
        port, path = port_and_path(where)
        requests = [self._request(door, app, port, path) for _ in range(rng.choice((1, 1, 1, 2, 4)))]
        bent = rng.randrange(len(requests))
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            self._mutate(requests[bent], port)
        parts = [each.over_http() for each in requests]
        is_bent = rng.random() < 0.25
        if is_bent:
            parts[bent] = self._bend(parts[bent])
        return self._mutant("app" if door == "app" else "gateway", app, port, parts, is_bent)

    def _mutant(self, door: str, app: str, port: int, parts: list[bytes], is_bent: bool) -> Mutant:
        data = b"".join(parts)
        return Mutant(door, app, port, self._pieces(data), len(parts), is_bent, data)

    def _pieces(self, data: bytes) -> tuple[bytes, ...]:
        rng = self._rng
        kind = rng.random()
        if kind < 0.6 or len(data) < 2:
            return (data,)
        if kind < 0.9:
            at = sorted(rng.randrange(1, len(data)) for _ in range(rng.choice((1, 1, 2, 5))))
            return tuple(data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True) if a < b)
        size = rng.choice((1, 7, 100)) if len(data) < 1500 else 100
        return tuple(data[at : at + size] for at in range(0, min(len(data), 1 << 16), size))

    def _request(self, door: str, app: str, port: int, path: str) -> _Request:
        rng = self._rng
        era = rng.choice(ERAS)
        calls = [each for each in self._calls if each[0] == app]
        if calls and rng.random() < 0.6:
            _, tool, arguments = rng.choice(calls)
            name = f"{app}__{tool}" if door == "joint" else tool
            method, params = "tools/call", {"name": name, "arguments": arguments}
        else:
            name, method, params = None, rng.choice(("tools/list", "ping", "initialize")), {}
        body = json.dumps(rpc_body(method, params, era, new_id())).encode()
        fields = rpc_headers(port, method, name if name is None or name.isascii() else "x", era, self._made["token"])
        return _Request("POST", path, [(key, _one_line(value)) for key, value in fields], body)

    def _of_operators(self, url: str) -> Mutant:
        """Return a request to the control API by somebody who has an agent's bearer, or none."""
        rng = self._rng
        port, _ = port_and_path(url)
        name = rng.choice((self._made["id"], self._other_id, "default", "..", "%2e%2e", "x" * 500, "é"))
        ends = (
            "",
            "/reset",
            "/snapshots",
            "/restore",
            "/fork",
            "/diff?since=x",
            "/calls?after=-1",
            "/clock",
            "/state/a/b",
        )
        target = rng.choice(
            ("/v1/episodes", f"/v1/episodes/{name}{rng.choice(ends)}", "/metrics", "/v1/openapi.json", "/")
        )
        method = rng.choice(("GET", "POST", "DELETE", "PUT"))
        fields = [("host", f"127.0.0.1:{port}"), ("content-type", "application/json")]
        if rng.random() < 0.7:
            fields.append(("authorization", f"Bearer {self._made['token']}"))
        request = _Request(method, target.encode().decode("latin-1"), fields, rng.choice((b"", b"{}", *_BODIES)))
        if rng.random() < 0.5:
            self._mutate(request, port)
        data = request.over_http()
        is_bent = rng.random() < 0.25
        return self._mutant("operators", "", port, [self._bend(data) if is_bent else data], is_bent)

    # -- one mutation

    def _mutate(self, request: _Request, port: int) -> None:
        games = (self._line, self._host, self._head, self._length, self._chunks, self._bearer, self._json, self._json)
        self._rng.choice(games)(request, port)

    def _line(self, request: _Request, _port: int) -> None:
        rng = self._rng
        path = request.target
        kind = rng.randrange(4)
        if kind == 0:
            request.method = rng.choice(_METHODS)
        elif kind == 1:
            request.version = rng.choice(_VERSIONS)
        else:
            own, other = self._made["id"], self._other_id
            request.target = rng.choice(
                (
                    *(
                        path + "/",
                        path + "//",
                        "//" + path,
                        path + "/..",
                        path + "?x=1",
                        path + "#x",
                        path + "%00",
                        path + "/x",
                    ),
                    *(
                        path.replace("/mcp/", "/mcp/./"),
                        path.replace("/mcp/", "/MCP/"),
                        path.replace("c", "%63", 1),
                        "",
                    ),
                    *(
                        path.replace(own, other),
                        path.replace(own, f"{own}/../{other}"),
                        path.replace(own, f"{own}%2f..%2f{other}"),
                    ),
                    *(
                        path.replace(own, ".."),
                        path.replace(own, "x" * 3000),
                        path.replace(own, own.upper()),
                        "*",
                        "/mcp/",
                        "/mcp",
                    ),
                    *(
                        f"http://127.0.0.1{path}",
                        f"http://evil.example{path}",
                        path + " x",
                        path + "\x80",
                        "/healthz",
                        "/metrics",
                    ),
                )
            )

    def _host(self, request: _Request, port: int) -> None:
        rng = self._rng
        kind = rng.randrange(5)
        if kind == 0:
            request.fields = [each for each in request.fields if each[0] != "host"]
        elif kind == 1:
            request.fields.append(("Host", rng.choice((f"127.0.0.1:{port}", "evil.example"))))
        elif kind == 2:
            request.set("origin", rng.choice(_ORIGINS))
        else:
            request.set("host", rng.choice(_HOSTS))

    def _head(self, request: _Request, _port: int) -> None:
        rng = self._rng
        kind = rng.randrange(9)
        at = rng.randrange(len(request.fields))
        name, value = request.fields[at]
        if kind == 0:
            request.fields.append((name, rng.choice((value, value + "x", ""))))
        elif kind == 1:
            del request.fields[at]
            request.fields = request.fields or [("x", "y")]
        elif kind == 2:
            request.fields[at] = (
                rng.choice((name.upper(), name.title(), f"{name} ", f" {name}", f"{name}\t", "")),
                value,
            )
        elif kind == 3:
            request.fields[at] = (
                name,
                rng.choice((f"\t{value}  ", f"{value}\r\n folded", f"{value}\x00", f"a\x0bb{value}")),
            )
        elif kind == 4:
            request.fields += [
                (f"x-{number}", "y" * rng.choice((0, 10, 300))) for number in range(rng.choice((1, 50, 120)))
            ]
        elif kind == 5:
            request.set(
                rng.choice(("accept", "content-type")), rng.choice((*_TYPES, "*/*", "text/event-stream", "q=1;;,"))
            )
        elif kind == 6:
            request.set(
                "mcp-protocol-version",
                rng.choice((PLAIN, MODERN, "1999-01-01", "", "x" * 300, "2026-07-28, 2025-11-25")),
            )
        elif kind == 7:
            request.set(
                rng.choice(("mcp-method", "mcp-name")), rng.choice(("tools/call", "x", "=?base64?eA==?=", "=?", ""))
            )
        else:
            odd = ("100-continue", "upgrade", "close", "keep-alive, close", "trailers", "websocket", "x" * 1000, "h2c")
            request.set(
                rng.choice(("expect", "connection", "upgrade", "te", "trailer", "proxy-connection")), rng.choice(odd)
            )

    def _length(self, request: _Request, _port: int) -> None:
        rng = self._rng
        right = len(request.body)
        near = (
            str(max(0, right - rng.randrange(1, 20))),
            str(right + rng.randrange(1, 200)),
            f"0{right}",
            f"{right}\t",
        )
        request.fields.append(("content-length", rng.choice((*near, *_LENGTHS))))
        if rng.random() < 0.3:
            request.fields.append(("Content-Length", rng.choice((str(right), *_LENGTHS))))

    def _chunks(self, request: _Request, _port: int) -> None:
        """Send the body in chunks, right ones or wrong ones, at times beside a length."""
        rng = self._rng
        kind = rng.random()
        size = rng.choice((1, 5, 100, 10**6))
        if size == 1 and len(request.body) > 2000:
            size = 100
        parts = [request.body[at : at + size] for at in range(0, len(request.body), size)]
        form = rng.choice(
            (
                "%x\r\n",
                "%X\r\n",
                "%x;a=b\r\n",
                '%x;a="\r\n',
                "0%x\r\n",
                "%x \r\n",
                "+%x\r\n",
                "%x\n",
                "-%x\r\n",
                "%xg\r\n",
            )
        )
        if kind < 0.5:
            form = "%x\r\n"
        end = rng.choice(
            (b"0\r\n\r\n", b"0\r\n\r\n", b"0\r\nx: y\r\n\r\n", b"0\r\n", b"", b"00\r\n\r\n", b"0\r\nhost: evil\r\n\r\n")
        )
        smuggled = http_bytes(
            "POST", request.target.replace(self._made["id"], self._other_id), request.fields[:4], b"{}"
        )
        if rng.random() < 0.2:
            end += smuggled
        request.body = b"".join((form % len(part)).encode() + part + b"\r\n" for part in parts) + end
        request.fields.append(("transfer-encoding", "chunked" if kind < 0.7 else rng.choice(_ENCODINGS)))
        if rng.random() < 0.3:
            request.fields.append(("content-length", rng.choice((str(len(request.body)), "4", "0"))))

    def _bearer(self, request: _Request, _port: int) -> None:
        token = self._made["token"]
        odd = (
            *(
                "",
                "Bearer",
                "Bearer ",
                f"bearer {token}",
                f"BEARER {token}",
                f"Bearer  {token}",
                f"Bearer {token} ",
                token,
            ),
            *(
                f"Bearer {token[:-1]}",
                f"Bearer {token}x",
                f"Bearer {token.swapcase()}",
                f"Basic {token}",
                f"Bearer {token}, x",
            ),
            *(
                f"Bearer\t{token}",
                f"Bearer {token}\x00",
                "Bearer " + "x" * 5000,
                "Bearer \xff",
                f"Token {token}",
                "Bearer null",
            ),
        )
        if self._rng.random() < 0.3:
            request.fields.append(("Authorization", self._rng.choice(odd)))
        else:
            request.set("authorization", self._rng.choice(odd))

    def _json(self, request: _Request, _port: int) -> None:
        rng = self._rng
        body = request.body
        kind = rng.randrange(8)
        if kind == 0:
            request.body = rng.choice(_BODIES)
        elif kind == 1:
            request.body = body[: rng.randrange(len(body) + 1)]
        elif kind == 2:
            request.body = rng.choice(
                (b"[%b]", b"[%b,%b]", b"%b%b", b" \n%b\n", b"\xef\xbb\xbf%b", b"%b\x00", b"/**/%b")
            ).replace(b"%b", body)
        elif kind == 3:
            for name in (b"id", b"method", b"params", b"name", b"arguments", b"jsonrpc"):
                if rng.random() < 0.3:
                    body = body.replace(b'"%b":' % name, b'"%b": null, "%b":' % (name, name), 1)
            request.body = body
        elif kind == 4:
            request.body = body.decode("latin-1").encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig")))
        elif kind == 5:
            try:
                changed = json.loads(body)
            except (ValueError, RecursionError):
                return  # an earlier mutation has left no JSON
            if not isinstance(changed, dict):
                return
            odd: tuple[Any, ...] = (
                None,
                True,
                [],
                {},
                "",
                "x" * 3000,
                -1,
                2**70,
                1.5,
                [[]],
                {"a": None},
                META,
                "ping",
                "tools/call",
                "\ud800",
            )
            inner = changed.get("params")
            place = inner if rng.random() < 0.4 and isinstance(inner, dict) else changed
            place[rng.choice(("id", "method", "params", "jsonrpc", "name", "arguments", "_meta", "result", "x"))] = (
                rng.choice(odd)
            )
            request.body = json.dumps(changed).encode()
        elif kind == 6:
            request.body = body.replace(b'"', rng.choice((b"'", b'\\"', b"\xff", b"")), rng.randint(1, 3))
        else:
            at = rng.randrange(len(body) + 1)
            request.body = body[:at] + rng.choice((*_BYTES, b"\\ud800", b"\\u0000", b"9" * 400)) + body[at:]

    def _bend(self, data: bytes) -> bytes:
        """Change bytes anywhere."""
        rng = self._rng
        for _ in range(rng.choice((1, 1, 2, 4))):
            at = rng.randrange(len(data) + 1)
            kind = rng.random()
            if kind < 0.4:
                data = data[:at] + rng.choice(_BYTES) + data[at:]
            elif kind < 0.7:
                data = data[:at] + data[at + rng.choice((1, 1, 4, 40)) :]
            elif kind < 0.9:
                data = data[:at] + bytes((rng.randrange(256),)) + data[at + 1 :]
            else:
                data = data[:at]
            if not data:
                return b"\r"
        return data


def _one_line(text: str) -> str:
    return "".join(each if " " <= each < "\x7f" else "x" for each in text)
