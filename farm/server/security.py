"""Which Host and Origin headers are let in: the guard against DNS rebinding, at every port of the farm."""

from __future__ import annotations

import re

from starlette.types import Scope

from farm.errors import FarmError, ForeignHost, ForeignOrigin, MethodNotAllowed
from farm.server.answer import HttpAnswer, refusal
from farm.server.asgi import header

_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_PORT = re.compile(r":[0-9]{1,5}\Z")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_SHOWN_MAX = 128
_NO_JSON = HttpAnswer(400, b"Invalid Content-Type header", ((b"content-type", b"text/plain; charset=utf-8"),))


class Doors:
    """The names that requests may be addressed to, and come from pages of: this machine's own and those given.

    A name is compared whole, with any port or none: what only begins like one of ours is somebody else's.
    """

    def __init__(self, allowed_hosts: tuple[str, ...]) -> None:
        self._lets_all_in = "*" in allowed_hosts
        self._names = frozenset(name.lower() for name in (*_OWN_NAMES, *allowed_hosts))

    def require_ours(self, scope: Scope) -> None:
        """Let in a request to a host of ours that no foreign page has sent.

        Raises:
            FarmError: it names several hosts.
            ForeignHost: it names another host, or none.
            ForeignOrigin: it comes from a page of another.
        """
        hosts, origins = ([value for name, value in scope["headers"] if name == of] for of in (b"host", b"origin"))
        if len(hosts) > 1:
            raise FarmError(f"a request has one Host header, not {len(hosts)}")
        if self._lets_all_in:
            return
        if not hosts or not self._has(hosts[0].decode("latin-1")):
            raise ForeignHost(_not_ours("Host", b"".join(hosts)))
        for origin in origins:
            scheme, separator, host = origin.decode("latin-1").partition("://")
            if scheme.lower() not in ("http", "https") or not separator or not self._has(host):
                raise ForeignOrigin(_not_ours("Origin", origin))

    def _has(self, host: str) -> bool:
        host = host.lower()
        return host in self._names or _PORT.sub("", host) in self._names


def _not_ours(name: str, given: bytes) -> str:
    shown = given.decode("latin-1")[:_SHOWN_MAX]
    host = _PORT.sub("", shown.rpartition("://")[2])
    # What goes into a command must be fit to be copied into a shell.
    wanted = host if _PLAIN.fullmatch(host) else "NAME"
    return f"'{shown}' in {name} is not this farm; let it in with 'farm up --allow-host {wanted}'"


class Entrance:
    """What every MCP request must be before anything else: to a host of ours, from a page of ours, a JSON POST.

    The one place where this is asked: the SDK's own servers, which could ask it too, stand behind.
    """

    def __init__(self, allowed_hosts: tuple[str, ...]) -> None:
        self._doors = Doors(allowed_hosts)

    def refusal(self, scope: Scope) -> HttpAnswer | None:
        """Return what a request is refused with, or None for one that may come in."""
        is_post = scope["method"] == "POST"
        if is_post and not (header(scope, b"content-type") or b"").lower().startswith(b"application/json"):
            return _NO_JSON
        try:
            self._doors.require_ours(scope)
            if not is_post:
                raise MethodNotAllowed("only POST is served here; every request is answered at once")
        except FarmError as problem:
            return refusal(problem)
        return None
