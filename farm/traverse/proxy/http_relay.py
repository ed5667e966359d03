"""Relay between a loopback port and a server with a URL: each client connection gets one server connection.

The server's bytes are passed on unparsed. In a request, only the head is changed: Host names the server, configured
headers are added, and Accept-Encoding keeps only encodings that the recorder can decode.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
import socket
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from farm._util.sockets import bind
from farm.errors import FarmError
from farm.traverse.proxy.frames import FrameKind
from farm.traverse.proxy.http_messages import Data, Head, HttpReader, NotHttpError
from farm.traverse.proxy.recorder_client import RecorderProcess
from farm.traverse.transport.source import Source

_READ_BYTES = 256 * 1024
_CONNECT_S_MAX = 10.0
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_READABLE = (b"gzip", b"deflate", b"identity")


class _RefusedError(Exception):
    """The proxy itself rejects a request, for this reason."""


class HttpRelay:
    """A listening port and the server behind it."""

    def __init__(self, source: Source, folder: Path, *, port: int = 0) -> None:
        """Listen on loopback; port 0 takes any free one.

        Raises:
            FarmError: the port is taken, or the folder is in use.
        """
        assert source.url is not None
        self._name, self._headers = source.name, source.headers
        parts = urlsplit(source.url)
        self._is_secure = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if self._is_secure else 80)
        self._netloc = parts.netloc.rpartition("@")[2]
        self._socket = bind("127.0.0.1", port, "--port")
        try:
            self._beside = RecorderProcess(folder, source.name, is_http=True, body_max=source.body_max)
        except FarmError:
            self._socket.close()
            raise
        target = parts._replace(scheme="", netloc="").geturl()
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}{target}"
        self._numbers = itertools.count()

    async def serve(self, ready: Callable[[], None] = lambda: None) -> None:
        """Relay connections until SIGINT or SIGTERM, or until cancelled.

        Args:
            ready: called when clients may connect.
        """
        over = asyncio.Event()
        loop = asyncio.get_running_loop()
        # Only the main thread receives signals; a caller on another thread cancels instead.
        with contextlib.suppress(ValueError, RuntimeError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, over.set)
        connections: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(self._connection(reader, writer))
            connections.add(task)
            task.add_done_callback(connections.discard)

        self._beside.start()
        server = await asyncio.start_server(connected, sock=self._socket)
        try:
            ready()
            await over.wait()
        finally:
            server.close()
            for task in connections:
                task.cancel()
            await asyncio.gather(*connections, return_exceptions=True)
            await asyncio.to_thread(self._beside.finish)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._numbers)
        why = "the connection ended before the answer"
        try:
            up_reader, up_writer = await self._connect()
        except OSError as problem:
            why = f"{self._name} cannot be reached ({problem.strerror or problem or 'no answer'})"
            await _refuse(reader, writer, 502, why)
            return
        _send_at_once(writer)
        _send_at_once(up_writer)
        directions = [
            asyncio.create_task(self._up(reader, up_writer, number)),
            asyncio.create_task(self._down(up_reader, writer, number)),
        ]
        try:
            # The server's end closes the connection. A client may close only its sending half and still read.
            for ended in asyncio.as_completed(directions):
                said = await ended
                why = said or why
                if directions[1].done():
                    break
        except _RefusedError as refused:
            await _refuse(None, writer, 421, str(refused))
        except OSError as problem:
            why = f"the connection broke before the answer ({problem.strerror or type(problem).__name__})"
        finally:
            for task in directions:
                task.cancel()
            await asyncio.gather(*directions, return_exceptions=True)
            for each in (writer, up_writer):
                each.close()
            self._beside.put(FrameKind.ENDED, number, why.encode())

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        context = ssl.create_default_context() if self._is_secure else None
        async with asyncio.timeout(_CONNECT_S_MAX):
            return await asyncio.open_connection(self._host, self._port, ssl=context)

    async def _up(self, reader: asyncio.StreamReader, server: asyncio.StreamWriter, number: int) -> str:
        requests = HttpReader(is_answers=False)
        while data := await reader.read(_READ_BYTES):
            try:
                passed = b"".join(self._passed(part) for part in requests.feed(data))
            except NotHttpError as problem:
                raise _RefusedError(f"this is no HTTP/1.1: {problem}") from None
            if passed:
                # Recorded before sending: a call must be recorded before its answer.
                self._beside.put(FrameKind.CLIENT, number, passed)
                server.write(passed)
                await server.drain()
        if server.can_write_eof():
            server.write_eof()
        else:
            server.close()
        return "the client closed the connection before the answer"

    async def _down(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter, number: int) -> str:
        while data := await reader.read(_READ_BYTES):
            self._beside.put(FrameKind.SERVER, number, data)
            client.write(data)
            await client.drain()
        return ""

    def _passed(self, part: object) -> bytes:
        if isinstance(part, Head):
            _require_ours(part)
            return with_headers(part, {"Host": self._netloc, **self._headers})
        return part.raw if isinstance(part, Data) else b""


def with_headers(head: Head, headers: Mapping[str, str]) -> bytes:
    """Return a request's head with these headers in place of its own; everything else is unchanged."""
    start, *lines = head.lines
    left = {name.lower().encode(): f"{name}: {value}".encode("latin-1") for name, value in headers.items()}
    passed = [start]
    put = set()
    for line in lines:
        name, _, value = line.partition(b":")
        key = name.strip().lower()
        if key in left:
            if key not in put:
                passed.append(left[key])
            put.add(key)
        elif key == b"accept-encoding":
            passed.append(name + b":" + _readable(value))
        else:
            passed.append(line)
    passed += [line for key, line in left.items() if key not in put]
    return b"\r\n".join(passed) + b"\r\n\r\n"


def _readable(value: bytes) -> bytes:
    each = value.split(b",")
    kept = [one for one in each if one.split(b";")[0].strip().lower() in _READABLE]
    if len(kept) == len(each):
        return value
    return b",".join(kept) or b" identity"


def _require_ours(head: Head) -> None:
    # A page in a browser may reach loopback under its own host name, and would use the credentials that are added here.
    host = head.get(b"host") or ""
    origin = head.get(b"origin")
    if _name(host) not in _HOSTS:
        raise _RefusedError(f"'{host[:100]}' in Host is not this proxy; call it by 127.0.0.1")
    if origin is not None and _name(origin.partition("://")[2]) not in _HOSTS:
        raise _RefusedError(f"'{origin[:100]}' in Origin is another's page")


def _name(host: str) -> str:
    name, _, port = host.rpartition(":")
    return (name if name and port.isdigit() else host).lower()


async def _refuse(reader: asyncio.StreamReader | None, writer: asyncio.StreamWriter, status: int, why: str) -> None:
    """Answer in place of the server, and close."""
    with contextlib.suppress(OSError):
        if reader is not None:
            await reader.read(_READ_BYTES)
        body = f"farm traverse proxy: {why}\n".encode()
        reason = "Bad Gateway" if status == 502 else "Misdirected Request"
        head = f"HTTP/1.1 {status} {reason}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        writer.write(head.encode() + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        await writer.drain()
    writer.close()


def _send_at_once(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
