"""The private uvicorn APIs that the fast path depends on, and the check that the installed uvicorn has them.

``limits/limited_protocol.py`` puts limits in front of uvicorn's HTTP protocol, ``fast_path/protocol.py`` a fast path,
and any release of uvicorn may change its private APIs. So only this file names them. If one is missing, or the release
is untested, servers run without both: the same answers, more slowly, and no limits of a connection.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
from collections import deque
from collections.abc import Coroutine
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from uvicorn.server import ServerState

# The release that the fast path is made for and tested with; ``pyproject.toml`` requires the same.
RELEASE = "0.54"
MODULE = "uvicorn.protocols.http.httptools_impl"
# Methods of the protocol that the fast path overrides, calls or waits for, and their parameters.
METHODS = {
    "connection_made": ("self", "transport"),
    "data_received": ("self", "data"),
    "connection_lost": ("self", "exc"),
    "pause_writing": ("self",),
    "resume_writing": ("self",),
    "shutdown": ("self",),
    "timeout_keep_alive_handler": ("self",),
    "on_message_begin": ("self",),
    "on_headers_complete": ("self",),
    "on_body": ("self", "body"),
    "on_response_complete": ("self",),
    "on_message_complete": ("self",),
}
# Attributes of a connection once a request's head is parsed, and their types.
ATTRIBUTES = {
    "loop": object,
    "transport": asyncio.Transport,
    "headers": list,
    "cycle.response_complete": bool,
    "cycle.response_started": bool,
    "pipeline": deque,
    "flow.write_paused": bool,
    "flow.read_paused": bool,
    "timeout_keep_alive": int,
    "timeout_keep_alive_task": type(None),
}
_HEAD = b"POST /mcp/x HTTP/1.1\r\nHost: x\r\ncontent-length: 0\r\n\r\n"

_MISSING = object()


def _protocol() -> Any:
    try:
        return importlib.import_module(MODULE).HttpToolsProtocol
    except (ImportError, AttributeError):
        return None


if TYPE_CHECKING:
    from uvicorn.protocols.http.flow_control import FlowControl as FlowControl
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as HttpToolsProtocol
else:
    # A base class where uvicorn's is missing; ``find_problem`` keeps its subclasses from being used.
    HttpToolsProtocol = _protocol() or asyncio.Protocol
    FlowControl = getattr(sys.modules.get(MODULE), "FlowControl", object)


class _UntilClosed:
    """A transport that ignores writes after its end.

    Between the end of a connection and the protocol's notice of it, uvloop raises on a write; asyncio's own loop does
    not.
    """

    __slots__ = ("_transport", "is_closing")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.is_closing = transport.is_closing  # called with every request

    def write(self, data: bytes) -> None:
        """Write, unless the connection has ended."""
        if not self.is_closing():
            self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class QuietProtocol(HttpToolsProtocol):
    """Uvicorn's connection, without a traceback when a client leaves."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin (asyncio)."""
        super().connection_made(cast(asyncio.Transport, _UntilClosed(cast(asyncio.Transport, transport))))


@cache
def find_problem() -> str | None:
    """Return how the installed uvicorn differs from the supported one, or None if the fast path can use it."""
    release = ".".join(uvicorn.__version__.split(".")[:2])
    if release != RELEASE:
        return f"the fast path was made for uvicorn {RELEASE}, and this is {uvicorn.__version__}"
    differences = list_differences(_protocol())
    return f"uvicorn {uvicorn.__version__} differs: {', '.join(differences)}" if differences else None


def list_differences(protocol: Any) -> list[str]:
    """Return the required members that uvicorn's protocol class lacks."""
    if protocol is None:
        return [f"no {MODULE}.HttpToolsProtocol"]
    found = [f"no {name}({', '.join(takes)})" for name, takes in METHODS.items() if _takes(protocol, name) != takes]
    return found or _list_attributes(protocol)


def _takes(protocol: Any, name: str) -> tuple[str, ...] | None:
    method = getattr(protocol, name, None)
    if not callable(method) or method is getattr(asyncio.Protocol, name, None):
        return None
    return tuple(inspect.signature(method).parameters)


def _list_attributes(protocol: Any) -> list[str]:
    """Return the attributes that a connection lacks after it has read a request; no event loop is needed."""
    told: list[str] = []

    class Connection(protocol):  # type: ignore[misc]
        def on_message_begin(self) -> None:
            told.append("begin")
            super().on_message_begin()

        def on_message_complete(self) -> None:
            told.append("complete")
            super().on_message_complete()

    config = uvicorn.Config(_nothing, interface="asgi3", ws="none", lifespan="off", log_config=None)
    try:
        connection = Connection(config=config, server_state=ServerState(), app_state={}, _loop=_Loop())
        connection.connection_made(asyncio.Transport())
        connection.data_received(_HEAD)
    except (AttributeError, TypeError, ValueError, NotImplementedError) as problem:
        return [f"a connection cannot read a request ({type(problem).__name__}: {problem})"]
    found = []
    for path, kind in ATTRIBUTES.items():
        value: Any = connection
        for name in path.split("."):
            value = getattr(value, name, _MISSING)
        if value is _MISSING or not isinstance(value, kind):
            found.append(f"no {path}")
    if told != ["begin", "complete"]:
        found.append("no word of a request's first and last byte")
    if not found and connection.headers != [(b"host", b"x"), (b"content-length", b"0")]:
        found.append("no headers as pairs with names in lower case")
    return found


class _Loop:
    """An event loop that does nothing."""

    def create_task(self, coroutine: Coroutine[Any, Any, None], **_: Any) -> _Loop:
        coroutine.close()
        return self

    def add_done_callback(self, _: object) -> None:
        """Ignore the callback."""


async def _nothing(scope: object, receive: object, send: object) -> None:
    """Answer nothing."""
