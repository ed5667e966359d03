"""Which Host and Origin headers are let in: the guard against DNS rebinding, at every port of the farm."""

from __future__ import annotations

from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.requests import Request
from starlette.types import Scope

from farm.errors import MethodNotAllowed
from farm.server.answer import HttpAnswer, refusal


def security(allowed_hosts: tuple[str, ...]) -> TransportSecuritySettings:
    """Return the Host and Origin rules: this machine's own names with any port, and the names given."""
    if "*" in allowed_hosts:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = ("127.0.0.1", "localhost", "[::1]", *allowed_hosts)
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


class Entrance:
    """What every MCP request must be before anything else: to a host of ours, from a page of ours, a JSON POST.

    The one place where this is asked: the SDK's own servers, which could ask it too, stand behind.
    """

    def __init__(self, allowed_hosts: tuple[str, ...]) -> None:
        self._rules = TransportSecurityMiddleware(security(allowed_hosts))

    async def refusal(self, scope: Scope) -> HttpAnswer | None:
        """Return what a request is refused with, or None for one that may come in."""
        is_post = scope["method"] == "POST"
        foreign = await self._rules.validate_request(Request(scope), is_post=is_post)
        if foreign is not None:
            headers = tuple(pair for pair in foreign.raw_headers if pair[0] != b"content-length")
            return HttpAnswer(foreign.status_code, bytes(foreign.body), headers)
        if not is_post:
            return refusal(MethodNotAllowed("only POST is served here; every request is answered at once"))
        return None
