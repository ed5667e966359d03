"""Which Host and Origin headers are let in: the guard against DNS rebinding, at every port of the farm."""

from __future__ import annotations

from mcp.server.transport_security import TransportSecuritySettings


def security(allowed_hosts: tuple[str, ...]) -> TransportSecuritySettings:
    """Return the Host and Origin rules: this machine's own names with any port, and the names given."""
    if "*" in allowed_hosts:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = ("127.0.0.1", "localhost", "[::1]", *allowed_hosts)
    hosts = [form for name in names for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)
