"""Runs one app's servers in this process: MCP on one port, control on another, until told to end."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from farm._util.bounded_log import log_to_stderr
from farm._util.sockets import bind, require_writable
from farm.content import load_app, protocol_module
from farm.errors import FarmError
from farm.server.app import AppServer
from farm.server.control import ControlApp
from farm.server.limits.connection_limits import allow_descriptors
from farm.server.limits.malloc_trim import limit_arenas
from farm.server.listener import http_server, loop_factory, on_signals
from farm.server.pipeline import install_deadline


async def serve(
    server: AppServer,
    *,
    listening: socket.socket,
    control_listening: socket.socket | None = None,
    control_token: str = "",
    on_ready: Callable[[], None] | None = None,
) -> None:
    """Serve until a signal ends it; calls in progress are finished first."""
    control = ControlApp(server, control_token)
    pairs = [(http_server(server), listening)]
    if control_listening is not None:
        pairs.append((http_server(control, for_operators=True), control_listening))

    def end() -> None:
        control.end()
        for each, _ in pairs:
            each.end()

    async with server.running():
        on_signals(end)
        tasks = [asyncio.create_task(each.serve([bound])) for each, bound in pairs]
        if on_ready:
            on_ready()
        await asyncio.gather(*tasks)


def run(
    app: str,
    *,
    data: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    listening: socket.socket | None = None,
    control_host: str = "127.0.0.1",
    control_port: int | None = None,
    control_listening: socket.socket | None = None,
    control_token: str | None = None,
    allowed_hosts: Sequence[str] = (),
    on_ready: Callable[[int, int | None], None] | None = None,
) -> None:
    """Serve one app from this process's main thread until SIGTERM or SIGINT.

    Args:
        app: the app's name.
        data: the data folder, which contains the episodes.
        host: address to bind.
        port: port for MCP; 0 takes any free one.
        listening: an already listening socket, instead of host and port.
        control_host: address to bind for the control endpoints.
        control_port: port for the control endpoints; None: no control endpoints.
        control_listening: an already listening socket, instead of a control port.
        control_token: the bearer that control requests must carry.
        allowed_hosts: names accepted in Host and Origin besides this machine's own; ``*`` accepts all.
        on_ready: called with both ports once requests are answered.

    Raises:
        FarmError: no such app, a taken port, a data folder that cannot be written.
    """
    log_to_stderr()
    loaded = load_app(app)
    loaded.bound  # noqa: B018 - computed once and kept, so that the first call is as quick as the others
    if not control_token and (control_listening is not None or control_port is not None):
        raise FarmError("the control endpoints need a token; name its file with --control-token-file")
    loaded.remember_schema(require_writable(data) / "starts")
    if control_listening is None and control_port is not None:
        control_listening = bind(control_host, control_port, "--control-port")
    try:
        listening = listening or bind(host, port, "--port")
    except FarmError:
        if control_listening is not None:
            control_listening.close()
        raise
    protocol = protocol_module(app)
    server = AppServer(loaded, data, allowed_hosts=tuple(allowed_hosts), json_mode=protocol is None, protocol=protocol)
    ports = listening.getsockname()[1], control_listening.getsockname()[1] if control_listening else None
    install_deadline()
    limit_arenas()
    allow_descriptors()
    # Everything loaded now stays, so the garbage collector need not visit it, and forked processes keep sharing it.
    gc.freeze()
    gc.enable()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(
            serve(
                server,
                listening=listening,
                control_listening=control_listening,
                control_token=control_token or "",
                on_ready=None if on_ready is None else lambda: on_ready(*ports),
            )
        )
