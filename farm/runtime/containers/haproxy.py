"""The front's configuration: HAProxy routes ``/mcp/{episode}/{app}`` to the app and everything else to the gateway."""

from __future__ import annotations

from collections.abc import Sequence

from farm.runtime.containers.plan import Cell, ContainerAddress

BODY_BYTES_MAX = 4 * 1024 * 1024
# Longer than the restart of an app: calls wait meanwhile, as with `farm up`.
RETRIES = 20

_HEAD = """\
global
    # How many connections there may be at once follows from this; an engine may allow fewer.
    fd-hard-limit 20000
    log stdout format raw local0 notice

defaults
    mode http
    log global
    # A request is sent again only if nothing of it has left: when no connection could be made. One try a second.
    retries {retries}
    timeout connect 1s
    timeout queue 30s
    timeout http-request 30s
    timeout http-keep-alive 5m
    # An app may take long and a stream may rest.
    timeout client 15m
    timeout server 15m
    timeout client-fin 30s
    option abortonclose
    option splice-auto

# Containers come back under other addresses; while a name is away its last address is tried.
resolvers names
    parse-resolv-conf
    timeout resolve 1s
    timeout retry 1s
    hold valid 1s
    hold nx 30s
    hold refused 30s
    hold timeout 30s
    hold other 30s
    hold obsolete 30s

frontend agents
    bind :{port}
    monitor-uri /livez
    # A body that comes in chunks is measured where it is read: by the app or the gateway.
    http-request deny deny_status 413 if {{ req.hdr_val(content-length) gt {body_bytes_max} }}
    # Ids of episodes begin with the name of their cell; any other episode, such as default, is the first cell's.
    http-request set-var(txn.cell) path,field(3,/),field(1,-)
    http-request set-var(txn.cell) str({first}) unless {{ var(txn.cell) -m str {cells} }}
    http-request set-var(txn.app) path,field(4,/)
    acl is_straight path -m reg ^/mcp/[^/]+/[^/]+$
    use_backend %[var(txn.cell)].%[var(txn.app)] if is_straight {{ var(txn.app) -m str {apps} }}
    use_backend %[var(txn.cell)]
"""

_BACKEND = """
backend {name}
{rewrite}    server one {place} resolvers names init-addr last,libc,none
"""

_STRAIGHT = "    http-request replace-path ^(/mcp/[^/]+)/[^/]+$ \\1\n"


def haproxy_config(cells: Sequence[Cell], port: int) -> str:
    """Return HAProxy's configuration for a front that listens on ``port``."""
    apps = sorted({app for cell in cells for app, _ in cell.apps})
    text = _HEAD.format(
        retries=RETRIES,
        port=port,
        body_bytes_max=BODY_BYTES_MAX,
        first=cells[0].name,
        cells=" ".join(cell.name for cell in cells),
        apps=" ".join(apps),
    )
    for cell in cells:
        text += _backend(cell.name, cell.gateway, rewrite="")
        for app, place in cell.apps:
            text += _backend(f"{cell.name}.{app}", place, rewrite=_STRAIGHT)
    return text


def _backend(name: str, place: ContainerAddress, *, rewrite: str) -> str:
    return _BACKEND.format(name=name, place=place, rewrite=rewrite)
