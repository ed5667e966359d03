"""The check of Host and Origin headers against DNS rebinding, at every port of the farm."""

from __future__ import annotations

import re

from starlette.types import Scope

from farm.errors import FarmError, ForeignHostError, ForeignOriginError, MethodNotAllowedError
from farm.server.http.answer import HttpAnswer, refusal
from farm.server.http.asgi import header

_OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
_PORT = re.compile(r":[0-9]{1,5}\Z")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_SHOWN_MAX = 128
_NO_JSON = HttpAnswer(400, b"Invalid Content-Type header", ((b"content-type", b"text/plain; charset=utf-8"),))


class AllowedHosts:
    """The host names accepted in Host and Origin: this machine's own and the configured ones.

    A name is compared as a whole, with any port or none, never as a prefix.
    """

    def __init__(self, allowed_hosts: tuple[str, ...]) -> None:
        self._lets_all_in = "*" in allowed_hosts
        self._names = frozenset(name.lower() for name in (*_OWN_NAMES, *allowed_hosts))

    def require_ours(self, scope: Scope) -> None:
        """Require an accepted Host, and no foreign Origin.

        Raises:
            FarmError: the request names several hosts.
            ForeignHostError: it names another host, or none.
            ForeignOriginError: it comes from a page of another host.
        """
        hosts, origins = ([value for name, value in scope["headers"] if name == of] for of in (b"host", b"origin"))
        if len(hosts) > 1:
            raise FarmError(f"a request has one Host header, not {len(hosts)}")
        if self._lets_all_in:
            return
        if not hosts or not self._has(hosts[0].decode("latin-1")):
            raise ForeignHostError(_not_ours("Host", b"".join(hosts)))
        for origin in origins:
            scheme, separator, host = origin.decode("latin-1").partition("://")
            if scheme.lower() not in ("http", "https") or not separator or not self._has(host):
                raise ForeignOriginError(_not_ours("Origin", origin))

    def _has(self, host: str) -> bool:
        host = host.lower()
        return host in self._names or _PORT.sub("", host) in self._names


def _not_ours(name: str, given: bytes) -> str:
    shown = given.decode("latin-1")[:_SHOWN_MAX]
    host = _PORT.sub("", shown.rpartition("://")[2])
    # A name in a suggested command must be safe to copy into a shell.
    wanted = host if _PLAIN.fullmatch(host) else "NAME"
    return f"'{shown}' in {name} is not this farm; let it in with 'farm up --allow-host {wanted}'"


class RequestGuard:
    """The first checks of every MCP request: an accepted Host and Origin, and a JSON POST.

    Nothing else makes these checks: the SDK's own servers, which could make them, run behind this guard.
    """

    def __init__(self, allowed_hosts: tuple[str, ...]) -> None:
        self._allowed_hosts = AllowedHosts(allowed_hosts)

    def refused_host(self, scope: Scope) -> HttpAnswer | None:
        """Return the rejection of a request by its Host and Origin alone, or None if they are accepted."""
        try:
            self._allowed_hosts.require_ours(scope)
        except FarmError as problem:
            return refusal(problem)
        return None

    def refusal(self, scope: Scope) -> HttpAnswer | None:
        """Return the rejection of a request, or None if it is accepted."""
        is_post = scope["method"] == "POST"
        if is_post and not (header(scope, b"content-type") or b"").lower().startswith(b"application/json"):
            return _NO_JSON
        try:
            self._allowed_hosts.require_ours(scope)
            if not is_post:
                raise MethodNotAllowedError("only POST is served here; every request is answered at once")
        except FarmError as problem:
            return refusal(problem)
        return None
